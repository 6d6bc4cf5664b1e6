"""One ply ahead: what a word brings against random replies of the others, in sums."""

from __future__ import annotations

from typing import Final

from numba import float64, int64, void

from engines.battlesnake.rules import INDEX_MASK, play_turn, restore_state
from engines.battlesnake.state import STATE, Floats, Ints, State
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
    head = state.snakes[i].head & INDEX_MASK
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


@kernel(void(STATE, STATE, int64, int64, int64, int64[::1], int64[::1], int64[:, ::1], float64[::1]))
def evaluate_position(
    root: State,
    scratch: State,
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
    root, state = borrowed(root), borrowed(scratch)
    stride = root.rules[0].stride
    middle_x, middle_y = (stride - 1) / 2, (root.rules[0].rows - 1) / 2
    for _ in range(replies):
        restore_state(state, root)
        for i in range(state.snakes.shape[0]):
            moves[i] = move if i == me else reply(state, i, rng)
        play_turn(state, moves)
        if state.snakes[me].cause > 0:
            sums[DEATHS] += 1
            sums[KILLS] += root.totals[0].living - state.totals[0].living - 1
            continue
        sums[KILLS] += root.totals[0].living - state.totals[0].living
        head = state.snakes[me].head & INDEX_MASK
        ate = root.food[head] != 0
        reached, steps = _flood(state, head, places)
        sums[SPACE] += reached
        if ate:
            sums[CLOSENESS] += 1.0
            sums[GROWTH] += state.snakes[me].length - root.snakes[me].length
        else:
            sums[HEALTH_LOST] += root.snakes[me].health - 1 - state.snakes[me].health
            if steps > 0:
                sums[CLOSENESS] += 1.0 / (1 + steps)
        sums[OFF_CENTRE] += abs(head % stride - middle_x) + abs(head // stride - middle_y)
