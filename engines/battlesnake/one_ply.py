"""One ply ahead: what a word brings against random replies of the others, in sums."""

from __future__ import annotations

from typing import Final

from engines.battlesnake.rules import INDEX_MASK, play_turn, restore_state
from engines.battlesnake.state import (
    CAUSE,
    CHANGING,
    HEAD,
    HEALTH,
    LENGTH,
    LIVING,
    ROWS,
    SIGNATURE,
    STRIDE,
    Cells,
    Floats,
    Ints,
    Shorts,
    State,
)
from engines.core.jit import borrowed, fused, kernel
from engines.core.rng import State as Rng
from engines.core.rng import below

DEATHS: Final = 0
SPACE: Final = 1
"""Cells that the head can reach, for each reply that is survived (as all that follow)."""
CLOSENESS: Final = 2
"""1 / (1 + steps to the nearest food), 1 where it was just eaten, 0 where none can be reached."""
GROWTH: Final = 3
HEALTH_LOST: Final = 4
"""Beyond the 1 of each turn, and negative where health was won other than by food."""
KILLS: Final = 5
OFF_CENTRE: Final = 6
"""Steps from the head to the middle of the board."""
SUMS: Final = 7


@fused
def reply(state: State, i: int, rng: Rng) -> int:
    """A random word of a snake, one that runs into nothing that stays if there is such."""
    head = state.snakes[i, HEAD] & INDEX_MASK
    free = 0
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            free += 1
    if free == 0:
        return int(below(rng, 4))
    chosen = below(rng, free)
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            if chosen == 0:
                return move
            chosen -= 1
    return 0


@fused
def _flood(state: State, head: int, places: Ints) -> tuple[int, int]:
    """How many cells the head can reach, and the steps to the nearest food (0: none)."""
    seen, queue = places[0], places[1]
    seen[:] = 0
    seen[head] = 1
    queue[0] = head
    end = 1
    at = 0
    nearest = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            if seen[neighbour] == 0 and state.occupancy[neighbour] == 0:
                seen[neighbour] = seen[cell] + 1
                if nearest == 0 and state.food[neighbour] != 0:
                    nearest = seen[cell]
                queue[end] = neighbour
                end += 1
    return end - 1, nearest


@kernel(
    f"void({SIGNATURE}, {CHANGING}, int64, int64, int64, int64[::1], int64[::1], int64[:,::1], float64[::1])"
)
def evaluate_position(
    snakes: Ints,
    body_rings: Cells,
    occupancy: Shorts,
    food: Shorts,
    totals: Ints,
    hazard_layers: Shorts,
    neighbours: Cells,
    rules: Ints,
    own_snakes: Ints,
    own_rings: Cells,
    own_taken: Shorts,
    own_food: Shorts,
    own_tally: Ints,
    me: int,
    move: int,
    replies: int,
    moves: Ints,
    rng: Rng,
    places: Ints,
    sums: Floats,
) -> None:
    """Play `word` for the snake `me` against `replies` draws of the others; add what comes of it to `sums`.

    `own_…` is a scratch world; `words` (one for each snake) and `places` (2 x cells) are scratch.
    """
    root = borrowed(State(snakes, body_rings, occupancy, food, totals, hazard_layers, neighbours, rules))
    state = borrowed(
        State(own_snakes, own_rings, own_taken, own_food, own_tally, hazard_layers, neighbours, rules)
    )
    stride = rules[STRIDE]
    middle_x, middle_y = (stride - 1) / 2, (rules[ROWS] - 1) / 2
    for _ in range(replies):
        restore_state(state, root)
        for i in range(state.snakes.shape[0]):
            moves[i] = move if i == me else reply(state, i, rng)
        play_turn(state, moves)
        if state.snakes[me, CAUSE] > 0:
            sums[DEATHS] += 1
            sums[KILLS] += root.totals[LIVING] - state.totals[LIVING] - 1
            continue
        sums[KILLS] += root.totals[LIVING] - state.totals[LIVING]
        head = state.snakes[me, HEAD] & INDEX_MASK
        ate = root.food[head] != 0
        reached, steps = _flood(state, head, places)
        sums[SPACE] += reached
        if ate:
            sums[CLOSENESS] += 1.0
            sums[GROWTH] += state.snakes[me, LENGTH] - root.snakes[me, LENGTH]
        else:
            sums[HEALTH_LOST] += root.snakes[me, HEALTH] - 1 - state.snakes[me, HEALTH]
            if steps > 0:
                sums[CLOSENESS] += 1.0 / (1 + steps)
        sums[OFF_CENTRE] += abs(head % stride - middle_x) + abs(head // stride - middle_y)
