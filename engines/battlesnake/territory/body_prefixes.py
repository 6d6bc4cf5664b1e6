"""Bodies as differences of two words, without a walk along them.

A trail tells, for each cell that a snake has entered, which cells it had entered by then, a word of bits
for each colour; a cell entered again is left out, until the next time. So what lies of a body after so many
steps is the difference of the trail at its head and further back. A doubled tail needs no mark there: its
last segment is gone with the next step.

Beside it runs a third row of numbers, turned by seven bits more for each cell, of which `keys` makes the
key of a position in the same way.

A search keeps the trails of its snakes as it goes (`kept`, `enter`): a level below writes beyond what those
above need. Elsewhere they are laid at each count (`lay`). Either is only for bodies that nowhere lie on
themselves but with a doubled tail.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.context import BASE, FITS, KEPT, ORDER, PACKED, FloodContext
from engines.core.jit import fused

WHEEL: Final = 61
"""Bits of a key."""
TURN: Final = 7
"""Bits by which each cell of a body turns it."""


@fused
def turned(word: int, by: int) -> int:
    """A word of `WHEEL` bits turned round by less than all of them."""
    return int(((word << by) & ((1 << WHEEL) - 1)) | (word >> (WHEEL - by)))


@fused
def body(trails: Ints, i: int, colour: int, at: int, top: int) -> int:
    """The cells of one colour that a snake has entered after the place `at` of its trail, up to `top`."""
    row = (2 * i + colour) & INDEX_MASK
    return int(trails[row, at & INDEX_MASK] ^ trails[row, top & INDEX_MASK])


@fused
def lay(state: State, context: FloodContext) -> bool:
    """Fill the trails of the two living snakes; False where a body lies on itself, but for a doubled tail."""
    notes, places, trails = context.notes, context.places, context.trails
    mask = state.body_rings.shape[1] - 1
    for at in range(2):
        i = notes[at, ORDER] & INDEX_MASK
        length = state.snakes[i].length
        base = state.snakes[i].top - length
        notes[i, BASE] = base
        even = 0
        odd = 0
        for entered in range(1, length + 1):
            place = places[state.body_rings[i, (base + entered) & mask & INDEX_MASK]]
            if place >= 0:
                bit = 1 << (place >> 1)
                if (odd if place & 1 else even) & bit:
                    if entered != 2:
                        return False
                    # As if the last segment were not there: it is gone with the next step.
                    trails[2 * i, 1] = 0
                    trails[2 * i + 1, 1] = 0
                elif place & 1:
                    odd |= bit
                else:
                    even |= bit
            trails[2 * i, entered & INDEX_MASK] = even
            trails[2 * i + 1, entered & INDEX_MASK] = odd
    return True


def kept(context: FloodContext, state: State, levels: int, numbers: Ints) -> FloodContext:
    """The chart of a search from `world`, `levels` turns deep, that calls `enter` for whoever lives after
    each turn. The same chart, which is laid at each count, where a body lies on itself or might come to."""
    if context.plan[FITS] != PACKED or bool((state.food > 1).any()):
        return context
    mask = state.body_rings.shape[1] - 1
    count = len(state.snakes)
    notes = np.zeros_like(context.notes)
    trails = np.zeros((3 * count, int(state.snakes["length"].max()) + levels + 2), np.int64)
    for i in range(count):
        if state.snakes[i].cause > 0:
            continue
        length = int(state.snakes[i].length)
        notes[i, BASE] = base = int(state.snakes[i].top) - length
        cells = [int(state.body_rings[i, (base + entered) & mask]) for entered in range(1, length + 1)]
        if len(set(cells[1:])) < length - 1 or cells[0] in cells[2:]:
            return context
        words = [0, 0, 0]
        for entered, cell in enumerate(cells, 1):
            place = int(context.places[cell])
            if place >= 0:
                words[place & 1] ^= 1 << (place >> 1)
            # `turned`, said again: called from here it would be compiled within a request.
            by, number = TURN * entered % WHEEL, int(numbers[cell])
            words[2] ^= (number << by) % (1 << WHEEL) | number >> (WHEEL - by)
            trails[[2 * i, 2 * i + 1, 2 * count + i], entered] = words
    plan = context.plan.copy()
    plan[KEPT] = 1
    return context._replace(plan=plan, notes=notes, trails=trails)


@fused
def enter(state: State, context: FloodContext, i: int, numbers: Ints) -> None:
    """Add to a snake's kept trail the cell that it has just entered."""
    trails = context.trails
    at = (state.snakes[i].top - context.notes[i, BASE]) & INDEX_MASK
    before = (at - 1) & INDEX_MASK
    head = state.snakes[i].head & INDEX_MASK
    place = context.places[head]
    bit = 0 if place < 0 else 1 << (place >> 1)
    same, other = (2 * i + (place & 1)) & INDEX_MASK, (2 * i + 1 - (place & 1)) & INDEX_MASK
    scent = (2 * state.snakes.shape[0] + i) & INDEX_MASK
    trails[same, at] = trails[same, before] ^ bit
    trails[other, at] = trails[other, before]
    trails[scent, at] = trails[scent, before] ^ turned(numbers[head], TURN * at % WHEEL)
