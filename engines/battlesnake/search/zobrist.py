"""Numbers of 61 bits that stand for worlds: for all that may differ between those of one search."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.body_prefixes import TURN, WHEEL, turned
from engines.battlesnake.territory.context import BASE, FloodContext
from engines.core.jit import fused
from engines.core.rng import derive


@fused
def plain_key(state: State, meals: Ints, numbers: Ints) -> int:
    """The key of any world, by a walk along the bodies."""
    mask = state.body_rings.shape[1] - 1
    cells = state.occupancy.shape[0]
    found = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        found ^= numbers[cells + _HEALTHS + i]
        top = state.snakes[i].top
        for k in range(state.snakes[i].length):
            found = turned(found, TURN)
            found ^= numbers[state.body_rings[i, (top - k) & mask & INDEX_MASK]]
        found ^= numbers[cells + (state.snakes[i].health & (_HEALTHS - 1))]
    return _with_food(state, meals, numbers, found)


@fused
def quick_key(state: State, context: FloodContext, numbers: Ints) -> int:
    """The same where the trails are kept."""
    notes, trails = context.notes, context.trails
    mask = state.body_rings.shape[1] - 1
    cells, count = state.occupancy.shape[0], state.snakes.shape[0]
    found = 0
    for i in range(count):
        if state.snakes[i].cause > 0:
            continue
        found ^= numbers[cells + _HEALTHS + i]
        top, length = state.snakes[i].top, state.snakes[i].length
        # The last segment is read off the body: where the tail is doubled the trail has another cell.
        last = (top - notes[i, BASE] - length + 1) & INDEX_MASK
        scent = (2 * count + i) & INDEX_MASK
        others = trails[scent, (last + length - 1) & INDEX_MASK] ^ trails[scent, last]
        found = turned(found, TURN * length % WHEEL) ^ turned(others, (WHEEL - TURN * last % WHEEL) % WHEEL)
        found ^= numbers[state.body_rings[i, (top - length + 1) & mask & INDEX_MASK]]
        found ^= numbers[cells + (state.snakes[i].health & (_HEALTHS - 1))]
    return _with_food(state, context.meals, numbers, found)


@fused
def _with_food(state: State, meals: Ints, numbers: Ints, found: int) -> int:
    if state.totals[0].food != 0:
        for at in range(meals.shape[0]):
            if state.food[meals[at] & INDEX_MASK] != 0:
                found = turned(found, 1) ^ numbers[meals[at] & INDEX_MASK]
    return int(found)


_HEALTHS = 256
"""Numbers for health, after those of the cells; then one for each snake."""


@lru_cache(maxsize=64)
def key_numbers(cells: int, snakes: int) -> Ints:
    """The random numbers that keys are made of, the same everywhere; shared, and never written to."""
    count = cells + _HEALTHS + snakes
    return np.array([derive(0x5EA7, number) >> 2 for number in range(count)], np.int64)
