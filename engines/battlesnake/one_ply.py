"""One ply ahead: what a word brings against random replies of the others, in sums."""

from __future__ import annotations

from typing import Final

from engines.battlesnake.rules import NATURAL, rewind, turn
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
    World,
)
from engines.core.jit import borrowed, fused, kernel
from engines.core.rng import State, below

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
def reply(world: World, i: int, rng: State) -> int:
    """A random word of a snake, one that runs into nothing that stays if there is such."""
    head = world.snakes[i, HEAD] & NATURAL
    free = 0
    for word in range(4):
        if world.taken[world.exits[head, word]] == 0:
            free += 1
    if free == 0:
        return int(below(rng, 4))
    chosen = below(rng, free)
    for word in range(4):
        if world.taken[world.exits[head, word]] == 0:
            if chosen == 0:
                return word
            chosen -= 1
    return 0


@fused
def _flood(world: World, head: int, places: Ints) -> tuple[int, int]:
    """How many cells the head can reach, and the steps to the nearest food (0: none)."""
    seen, queue = places[0], places[1]
    seen[:] = 0
    seen[head] = 1
    queue[0] = head
    end = 1
    at = 0
    nearest = 0
    while at < end:
        cell = queue[at] & NATURAL
        at += 1
        for word in range(4):
            beside = world.exits[cell, word]
            if seen[beside] == 0 and world.taken[beside] == 0:
                seen[beside] = seen[cell] + 1
                if nearest == 0 and world.food[beside] != 0:
                    nearest = seen[cell]
                queue[end] = beside
                end += 1
    return end - 1, nearest


@kernel(
    f"void({SIGNATURE}, {CHANGING}, int64, int64, int64, int64[::1], int64[::1], int64[:,::1], float64[::1])"
)
def weigh(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    own_snakes: Ints,
    own_rings: Cells,
    own_taken: Shorts,
    own_food: Shorts,
    own_tally: Ints,
    me: int,
    word: int,
    replies: int,
    words: Ints,
    rng: State,
    places: Ints,
    sums: Floats,
) -> None:
    """Play `word` for the snake `me` against `replies` draws of the others; add what comes of it to `sums`.

    `own_…` is a scratch world; `words` (one for each snake) and `places` (2 x cells) are scratch.
    """
    root = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    world = borrowed(World(own_snakes, own_rings, own_taken, own_food, own_tally, ground, exits, rules))
    stride = rules[STRIDE]
    middle_x, middle_y = (stride - 1) / 2, (rules[ROWS] - 1) / 2
    for _ in range(replies):
        rewind(world, root)
        for i in range(world.snakes.shape[0]):
            words[i] = word if i == me else reply(world, i, rng)
        turn(world, words)
        if world.snakes[me, CAUSE] > 0:
            sums[DEATHS] += 1
            sums[KILLS] += root.tally[LIVING] - world.tally[LIVING] - 1
            continue
        sums[KILLS] += root.tally[LIVING] - world.tally[LIVING]
        head = world.snakes[me, HEAD] & NATURAL
        ate = root.food[head] != 0
        reached, steps = _flood(world, head, places)
        sums[SPACE] += reached
        if ate:
            sums[CLOSENESS] += 1.0
            sums[GROWTH] += world.snakes[me, LENGTH] - root.snakes[me, LENGTH]
        else:
            sums[HEALTH_LOST] += root.snakes[me, HEALTH] - 1 - world.snakes[me, HEALTH]
            if steps > 0:
                sums[CLOSENESS] += 1.0 / (1 + steps)
        sums[OFF_CENTRE] += abs(head % stride - middle_x) + abs(head // stride - middle_y)
