"""Bodies as differences of two bitboards, without a pass over their segments.

prefix[k] = exclusive or of the bitboards of the first k cells entered, one a colour; the difference of two
prefixes is what lies of a body between them. So what is left of a body after so many steps is the difference
of the prefix at its head and one further back. A doubled tail needs no bit there: its last segment is gone
with the next step.

The part of a body in a Zobrist key stands here because it is the same trick: beside the bitboards runs the
exclusive or of the cells' random numbers, each rotated by seven bits more than the one before, and the
difference of two of these is the body's part of the key (`search.zobrist` makes the key of it).

A search keeps the prefixes of its snakes up to date (`incremental_context`, `extend_prefix`): a deeper ply
writes beyond what those above it need. Elsewhere they are laid at each count (`lay_prefixes`). Either is only
for bodies that nowhere cross themselves but with a doubled tail.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, Records, State
from engines.battlesnake.territory.context import BITBOARDS, PREFIX, FloodContext, ranked
from engines.core.jit import inlined

KEY_BITS: Final = 61
"""Bits of a Zobrist key: a prime, so that a cell's rotations differ for as many segments."""
KEY_ROTATION: Final = 7
"""Bits by which each segment of a body rotates its key."""


@inlined
def rotated(key: int, by: int) -> int:
    """A key rotated to the left by less than `KEY_BITS`."""
    return int(((key << by) & ((1 << KEY_BITS) - 1)) | (key >> (KEY_BITS - by)))


@inlined
def body_cells(prefixes: Records, i: int, colour: int, start: int, end: int) -> int:
    """The cells of one colour that a snake has entered after the index `start` of its prefix, up to `end`."""
    return int(
        prefixes[i, start & INDEX_MASK].cells[colour & 1] ^ prefixes[i, end & INDEX_MASK].cells[colour & 1]
    )


@inlined
def lay_prefixes(state: State, context: FloodContext) -> bool:
    """Lay the prefixes of the two living snakes; False where a body crosses itself beyond a doubled tail."""
    squares, prefixes = context.squares, context.prefixes
    mask = state.body_rings.shape[1] - 1
    for rank in range(2):
        i = ranked(context, rank)
        length = state.snakes[i].length
        base = state.snakes[i].top - length
        context.snakes[i].prefix_base = base
        even = 0
        odd = 0
        for entered in range(1, length + 1):
            square = squares[state.body_rings[i, (base + entered) & mask & INDEX_MASK]]
            if square >= 0:
                bit = 1 << (square >> 1)
                if (odd if square & 1 else even) & bit:
                    if entered != 2:
                        return False
                    # As if the last segment were not there: it is gone with the next step.
                    prefixes[i, 1].cells[0] = 0
                    prefixes[i, 1].cells[1] = 0
                elif square & 1:
                    odd |= bit
                else:
                    even |= bit
            prefixes[i, entered & INDEX_MASK].cells[0] = even
            prefixes[i, entered & INDEX_MASK].cells[1] = odd
    return True


def incremental_context(context: FloodContext, state: State, plies: int, numbers: Ints) -> FloodContext:
    """The context of a search from `state`, `plies` deep, that calls `extend_prefix` for whoever lives after
    each ply. The same context, whose prefixes are laid at each count, where a body crosses itself or might
    come to (by food in heaps)."""
    if context.grid[0].form != BITBOARDS or bool((state.food > 1).any()):
        return context
    mask = state.body_rings.shape[1] - 1
    count = len(state.snakes)
    snakes = np.zeros_like(context.snakes)
    prefixes = np.zeros((count, int(state.snakes["length"].max()) + plies + 2), PREFIX)
    for i in range(count):
        if state.snakes[i].cause > 0:
            continue
        length = int(state.snakes[i].length)
        snakes[i].prefix_base = base = int(state.snakes[i].top) - length
        cells = [int(state.body_rings[i, (base + entered) & mask]) for entered in range(1, length + 1)]
        if len(set(cells[1:])) < length - 1 or cells[0] in cells[2:]:
            return context
        masks, key = [0, 0], 0
        all_masks, keys = [], []
        for entered, (cell, square) in enumerate(zip(cells, context.squares[cells].tolist(), strict=True), 1):
            if square >= 0:
                masks[square & 1] ^= 1 << (square >> 1)
            # `rotated`, said again: called from here it would be compiled within a request.
            by, number = KEY_ROTATION * entered % KEY_BITS, int(numbers[cell])
            key ^= (number << by) % (1 << KEY_BITS) | number >> (KEY_BITS - by)
            all_masks.append(tuple(masks))
            keys.append(key)
        prefixes["cells"][i, 1 : length + 1], prefixes["key"][i, 1 : length + 1] = all_masks, keys
    grid = context.grid.copy()
    grid[0].incremental = 1
    return context._replace(grid=grid, snakes=snakes, prefixes=prefixes)


@inlined
def extend_prefix(state: State, context: FloodContext, i: int, numbers: Ints) -> None:
    """Add to a snake's incremental prefix the cell that it has just entered."""
    end = (state.snakes[i].top - context.snakes[i].prefix_base) & INDEX_MASK
    head = state.snakes[i].head & INDEX_MASK
    square = context.squares[head]
    bit = 0 if square < 0 else 1 << (square >> 1)
    same = square & 1
    before, after = context.prefixes[i, (end - 1) & INDEX_MASK], context.prefixes[i, end]
    after.cells[same] = before.cells[same] ^ bit
    after.cells[1 - same] = before.cells[1 - same]
    after.key = before.key ^ rotated(numbers[head], KEY_ROTATION * end % KEY_BITS)
