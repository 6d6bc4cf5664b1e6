"""What the solver looks up of a board: its mirrors, hash keys, and the knight moves of many cells at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba.types import int64
from numpy.typing import NDArray

from engines.core.jit import tuple_type
from engines.core.rng import derive
from engines.isolation.board import MAX_CELLS, Knights, board_tables, cell_of, square_of

MIRRORS = 5
PART_BITS, PARTS = 7, 6
"""A bitboard of 41 bits is looked up in six parts of seven bits: 12 KB of tables, which stay in the cache."""
PART_SIZE = 1 << PART_BITS


class SolverTables(NamedTuple):
    """What the solver knows of a board of one size. Shared, so nobody writes to it."""

    cells: int
    knights: Knights
    mirrors: NDArray[np.int64]
    """`int64[MIRRORS, 81]`: the image of each square; -1 where the board has no such mirror."""
    swapping: NDArray[np.int64]
    """`int64[81, 81]`: the mirrors that swap two squares, one bit each."""
    attacks: NDArray[np.int64]
    """`int64[2 * PARTS * PART_SIZE]`: at `(colour * PARTS + part) * PART_SIZE + bits` the cells a knight move
    away from those that a part of a bitboard of that colour holds."""
    cell_keys: NDArray[np.int64]
    """`int64[81]`: Zobrist keys of a blank cell, of the square of the side to move, and of the other."""
    mover_keys: NDArray[np.int64]
    other_keys: NDArray[np.int64]


SOLVER_TABLES = tuple_type(
    SolverTables,
    int64,
    int64[::1],
    int64[:, ::1],
    int64[:, ::1],
    *[int64[::1]] * 4,
)


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


def _attacks(knights: Knights, cells: int) -> NDArray[np.int64]:
    """`SolverTables.attacks` of a board."""
    attacks = np.zeros((2, PARTS, PART_SIZE), np.int64)
    for square in range(cells):
        part, bit = divmod(square >> 1, PART_BITS)
        holds = (np.arange(PART_SIZE) >> bit & 1).astype(bool)
        attacks[square & 1, part, holds] |= knights[square]
    return attacks.ravel()


def _keys(stream: int) -> NDArray[np.int64]:
    return np.array([derive(stream, square) for square in range(MAX_CELLS)], np.int64)


@lru_cache(maxsize=MAX_CELLS)
def solver_tables(height: int, width: int) -> SolverTables:
    """The solver's tables of a board of that size."""
    mirrors = np.full((MIRRORS, MAX_CELLS), -1, np.int64)
    swapping = np.zeros((MAX_CELLS, MAX_CELLS), np.int64)
    for number, images in enumerate(_mirrors(height, width)):
        mirrors[number, : len(images)] = images
        for square, image in enumerate(images):
            if image != square:
                swapping[square, image] |= 1 << number
    knights = board_tables(height, width).knights
    attacks = _attacks(knights, height * width)
    # the streams of random numbers for the keys are 5, 6 and 7: with others the distances' table would
    # overwrite other entries, and the same nodes would find other things
    return SolverTables(height * width, knights, mirrors, swapping, attacks, _keys(5), _keys(6), _keys(7))
