"""Numbers of 61 bits that stand for worlds: for all that may differ between those of one search."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.battlesnake.rules import NATURAL
from engines.battlesnake.state import CAUSE, FOOD, HEALTH, LENGTH, TOP, Ints, World
from engines.battlesnake.territory.body_prefixes import TURN, WHEEL, turned
from engines.battlesnake.territory.context import BASE, Chart
from engines.core.jit import fused
from engines.core.rng import derive


@fused
def plain_key(world: World, meals: Ints, numbers: Ints) -> int:
    """The key of any world, by a walk along the bodies."""
    mask = world.rings.shape[1] - 1
    cells = world.taken.shape[0]
    found = 0
    for i in range(world.snakes.shape[0]):
        if world.snakes[i, CAUSE] > 0:
            continue
        found ^= numbers[cells + _HEALTHS + i]
        top = world.snakes[i, TOP]
        for k in range(world.snakes[i, LENGTH]):
            found = turned(found, TURN)
            found ^= numbers[world.rings[i, (top - k) & mask & NATURAL]]
        found ^= numbers[cells + (world.snakes[i, HEALTH] & (_HEALTHS - 1))]
    return _with_food(world, meals, numbers, found)


@fused
def quick_key(world: World, chart: Chart, numbers: Ints) -> int:
    """The same where the trails are kept."""
    notes, trails = chart.notes, chart.trails
    mask = world.rings.shape[1] - 1
    cells, count = world.taken.shape[0], world.snakes.shape[0]
    found = 0
    for i in range(count):
        if world.snakes[i, CAUSE] > 0:
            continue
        found ^= numbers[cells + _HEALTHS + i]
        top, length = world.snakes[i, TOP], world.snakes[i, LENGTH]
        # The last segment is read off the body: where the tail is doubled the trail has another cell.
        last = (top - notes[i, BASE] - length + 1) & NATURAL
        scent = (2 * count + i) & NATURAL
        others = trails[scent, (last + length - 1) & NATURAL] ^ trails[scent, last]
        found = turned(found, TURN * length % WHEEL) ^ turned(others, (WHEEL - TURN * last % WHEEL) % WHEEL)
        found ^= numbers[world.rings[i, (top - length + 1) & mask & NATURAL]]
        found ^= numbers[cells + (world.snakes[i, HEALTH] & (_HEALTHS - 1))]
    return _with_food(world, chart.meals, numbers, found)


@fused
def _with_food(world: World, meals: Ints, numbers: Ints, found: int) -> int:
    if world.tally[FOOD] != 0:
        for at in range(meals.shape[0]):
            if world.food[meals[at] & NATURAL] != 0:
                found = turned(found, 1) ^ numbers[meals[at] & NATURAL]
    return int(found)


_HEALTHS = 256
"""Numbers for health, after those of the cells; then one for each snake."""


@lru_cache(maxsize=64)
def key_numbers(cells: int, snakes: int) -> Ints:
    """The random numbers that keys are made of, the same everywhere; shared, and never written to."""
    count = cells + _HEALTHS + snakes
    return np.array([derive(0x5EA7, number) >> 2 for number in range(count)], np.int64)
