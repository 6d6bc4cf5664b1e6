"""Directions and distances on the frame, for kernels."""

from __future__ import annotations

from engines.battlesnake.rules import NATURAL
from engines.battlesnake.state import HEAD, LENGTH, ROWS, STRIDE, TOP, World
from engines.core.jit import fused


@fused
def straight(world: World, i: int) -> int:
    """The word that carries on from neck to head, over edges too; up where there is none."""
    if world.snakes[i, LENGTH] < 2:
        return 0
    mask = world.rings.shape[1] - 1
    neck = world.rings[i, (world.snakes[i, TOP] - 1) & mask & NATURAL]
    if neck == world.snakes[i, HEAD]:
        return 0
    for word in range(4):
        if world.exits[neck, word] == world.snakes[i, HEAD]:
            return word
    return 0


@fused
def off_centre(world: World, cell: int) -> float:
    """Steps from a cell to the middle of the board."""
    stride = world.rules[STRIDE]
    return float(abs(cell % stride - (stride - 1) / 2) + abs(cell // stride - (world.rules[ROWS] - 1) / 2))
