"""What the solver looks up of a board: its mirrors, hash keys, and the knight moves of many cells at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engines.core.rng import derive
from engines.isolation.board import MAX_CELLS, board_tables, cell_of, square_of

SolverTables = NDArray[np.int64]
"""What the solver knows of a board: lines of 128 numbers, one after the other, with the offsets below."""
LINE = 128
MIRRORS = 5
CELL_KEY, MOVER_KEY, OTHER_KEY = 5 * LINE, 6 * LINE, 7 * LINE
"""After five mirror images of each square three hash keys of each."""
SIZE = 8 * LINE
"""How many cells the board has."""
SWAPPED = 9 * LINE
"""At `SWAPPED + a * LINE + b`: the mirrors that swap squares a and b, one bit each."""
ATTACKS = SWAPPED + MAX_CELLS * LINE
PART, PARTS = 7, 6
"""At `LEAPS + (colour * PARTS + part) * LINE + bits`: the cells a knight move away from seven cells' bits."""


def _mirrors(height: int, width: int) -> list[list[int]]:
    """The images of every square under the half turn, the two flips, and both diagonals of a square board."""
    bottom, right = height - 1, width - 1
    images: list[Callable[[int, int], tuple[int, int]]] = [
        lambda r, c: (bottom - r, right - c),
        lambda r, c: (bottom - r, c),
        lambda r, c: (r, right - c),
    ]
    if height == width:
        images += [lambda r, c: (c, r), lambda r, c: (right - c, bottom - r)]
    return [
        [square_of(width, *image(*cell_of(width, square))) for square in range(height * width)]
        for image in images
    ]


@lru_cache(maxsize=MAX_CELLS)
def solver_tables(height: int, width: int) -> SolverTables:
    """What the solver knows of a board of that size; shared, so nobody writes to it."""
    tables = np.zeros((ATTACKS // LINE + 2 * PARTS, LINE), np.int64)
    tables[:MIRRORS] = -1
    for key in (CELL_KEY, MOVER_KEY, OTHER_KEY):
        tables[key // LINE, :MAX_CELLS] = [derive(key // LINE, square) for square in range(MAX_CELLS)]
    tables[SIZE // LINE, 0] = height * width
    for number, images in enumerate(_mirrors(height, width)):
        tables[number, : len(images)] = images
        for square, image in enumerate(images):
            if image != square:
                tables[SWAPPED // LINE + square, image] |= 1 << number
    knights = board_tables(height, width).knights
    for square in range(height * width):
        part, bit = divmod(square >> 1, PART)
        line = ATTACKS // LINE + (square & 1) * PARTS + part
        holds = (np.arange(LINE) >> bit & 1).astype(bool)
        tables[line, holds] |= knights[square]
    return tables.ravel()
