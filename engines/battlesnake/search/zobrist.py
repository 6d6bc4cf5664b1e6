"""Zobrist keys of 61 bits: all that can differ between the states of one search, hashed.

Everything that a key is made of has a random number. As a body is a sequence and not a set of cells, the key
is rotated for each segment; as it is for each piece of food that is still there. So two states have one key
where snakes, bodies, healths and food are the same (but for collisions, one in 2**61).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.body_prefixes import KEY_BITS, KEY_ROTATION, rotated
from engines.battlesnake.territory.context import FloodContext
from engines.core.jit import inlined
from engines.core.rng import derive


@inlined
def zobrist_key(state: State, food_cells: Ints, numbers: Ints) -> int:
    """The key of any state, segment by segment. `food_cells`: where food lay at the root."""
    mask = state.body_rings.shape[1] - 1
    cells = state.occupancy.shape[0]
    key = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        key ^= numbers[cells + _HEALTHS + i]
        top = state.snakes[i].top
        for k in range(state.snakes[i].length):
            key = rotated(key, KEY_ROTATION)
            key ^= numbers[state.body_rings[i, (top - k) & mask & INDEX_MASK]]
        key ^= numbers[cells + (state.snakes[i].health & (_HEALTHS - 1))]
    return _add_food(state, food_cells, numbers, key)


@inlined
def zobrist_key_from_prefixes(state: State, context: FloodContext, numbers: Ints) -> int:
    """The same key without a look at the segments, where the search keeps body prefixes."""
    mask = state.body_rings.shape[1] - 1
    cells = state.occupancy.shape[0]
    key = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        key ^= numbers[cells + _HEALTHS + i]
        top, length = state.snakes[i].top, state.snakes[i].length
        # The last segment is read off the body: where the tail is doubled the prefix has another cell.
        last = (top - context.snakes[i].prefix_base - length + 1) & INDEX_MASK
        body = context.prefixes[i, (last + length - 1) & INDEX_MASK].key ^ context.prefixes[i, last].key
        key = rotated(key, KEY_ROTATION * length % KEY_BITS)
        key ^= rotated(body, (KEY_BITS - KEY_ROTATION * last % KEY_BITS) % KEY_BITS)
        key ^= numbers[state.body_rings[i, (top - length + 1) & mask & INDEX_MASK]]
        key ^= numbers[cells + (state.snakes[i].health & (_HEALTHS - 1))]
    return _add_food(state, context.root_food, numbers, key)


@inlined
def _add_food(state: State, food_cells: Ints, numbers: Ints, key: int) -> int:
    if state.totals[0].food != 0:
        for at in range(food_cells.shape[0]):
            if state.food[food_cells[at] & INDEX_MASK] != 0:
                key = rotated(key, 1) ^ numbers[food_cells[at] & INDEX_MASK]
    return int(key)


_HEALTHS = 256
"""Numbers for health, which come after those of the cells; one for each snake comes last."""


@lru_cache(maxsize=64)
def zobrist_numbers(cells: int, snakes: int) -> Ints:
    """The random numbers that keys are made of, the same everywhere; shared, and never written to."""
    count = cells + _HEALTHS + snakes
    return np.array([derive(0x5EA7, number) >> 2 for number in range(count)], np.int64)
