"""Directions and distances on the frame, for kernels."""

from __future__ import annotations

from engines.battlesnake.rules import INDEX_MASK, segment
from engines.battlesnake.state import State
from engines.core.jit import inlined


@inlined
def straight(state: State, i: int) -> int:
    """The move that continues from neck to head, over edges too; up where there is no direction."""
    if state.snakes[i].length < 2:
        return 0
    neck = segment(state, i, 1) & INDEX_MASK
    if neck == state.snakes[i].head:
        return 0
    for move in range(4):
        if state.neighbours[neck, move] == state.snakes[i].head:
            return move
    return 0


@inlined
def off_centre(state: State, cell: int) -> float:
    """Manhattan distance from a cell to the middle of the board."""
    stride = state.rules[0].stride
    return float(abs(cell % stride - (stride - 1) / 2) + abs(cell // stride - (state.rules[0].rows - 1) / 2))
