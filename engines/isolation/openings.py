"""The solution of 7x7, as `solve` made it: the first moves that win after each pair of placements.

All 315 pairs up to symmetry, in 171 CPU seconds on one core (November 2026); `solve` tells the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engines.isolation.position import Position
from engines.isolation.solve import Pair, decode, values

SOLVED = {
    (7, 7): (
        "00a000a000a0a000a000a000a000a000a0a000a000a000a0a000a00000e000e000e000e000e000e000e000e000"
        "e000e000e000e000e000e000e000e000e000e000e000e000e000e000e000f00000f000f000f000f000f000f000"
        "f000f000f000f000f000f000f000f000f000f000f000f000f000f000f000f000f000f000f000f00000f000f0f0"
        "00f00000f000f0f000f00000f000f0e800e800e800e800e800e800e800e800e8e800e800e800e8e800e800fc00"
        "fc00fc00fc0000fc00fc00f800fc00fc00fc00fc00fc00fc00fc00fc00fc00fc00fc00f800fc00fc00fc00fc00"
        "fc00fc0000fc00fc00fc0000fc00fcfc00fc0000fc00fcfc00fc00ff00ff00ff00ffff00ff00ff0000ff00ffff"
        "00ff00ff00ffff00ff00ff00ffff00ff0000ff00ff00ff0000ff00ffff00ff0000ff00ffff00ff00ff80ffff00"
    )
}
"""Encoded solutions by height and width."""


@lru_cache(maxsize=len(SOLVED))
def _masks(height: int, width: int) -> Mapping[Pair, int]:
    return decode(height, width, SOLVED[height, width])


@lru_cache(maxsize=256)
def opening(position: Position) -> Mapping[int, bool] | None:
    """Which moves win, where the shipped solution knows: until both have placed and one more move is due."""
    size = position.height, position.width
    blank = sum(word.bit_count() for word in position.blank)
    if size not in SOLVED or size[0] * size[1] - blank > 2:
        return None
    return values(position, _masks(position.height, position.width))
