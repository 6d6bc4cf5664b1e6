"""The board as numbers: squares, colours, and where a knight goes from each.

A knight changes colour with every move, so a set of cells is kept as two bitboards, one for each
colour (`(row + column) % 2`): `even` for colour 0, of at most 41 bits, `odd` for colour 1, of at most
40. Whatever a placed player can move to lies in one of them, on every board from 1x1 to 9x9.

A *square* is the number of a cell: `2 * bit + colour`, where `bit` is the cell's bit in the bitboard of
its colour. Two neighbours in reading order share a bit number, so squares are 0..height*width-1, and
those of one colour rise in reading order.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_SIDE = 9
MAX_CELLS = MAX_SIDE * MAX_SIDE

UNPLACED = -1
"""The square of a player who is not on the board yet."""

KNIGHT_STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))

Knights = NDArray[np.int64]
"""`int64[81]`: for each square the bitboard, of the other colour, of the cells a knight move away."""


class BoardTables(NamedTuple):
    """What the kernels look up of a board of one size. Shared, so nobody writes to it."""

    height: int
    width: int
    corners_even: int
    """The corners of colour 0, a bitboard."""
    corners_odd: int
    knights: Knights
    rows: NDArray[np.int64]
    """`int64[81]`: the row of each square."""
    columns: NDArray[np.int64]
    """`int64[81]`: the column of each square."""


def square_of(width: int, row: int, column: int) -> int:
    """The square of a cell of a board of that width."""
    return (row * width + column) // 2 * 2 + (row + column) % 2


def cell_of(width: int, square: int) -> tuple[int, int]:
    """Row and column of a square."""
    row, column = divmod(square, width)
    # On boards of even width the two cells with one bit number change sides in odd rows.
    return (row, column ^ 1) if width % 2 == 0 and row % 2 else (row, column)


def bitboards_of(squares: int) -> tuple[int, int]:
    """The two bitboards of a set of squares that is given as one number, bit n for square n."""
    boards = [0, 0]
    for square in range(squares.bit_length()):
        boards[square & 1] |= (squares >> square & 1) << (square >> 1)
    return boards[0], boards[1]


def squares_in(even: int, odd: int) -> list[int]:
    """The squares in two bitboards, rising."""
    squares = []
    for colour, board in ((0, even), (1, odd)):
        while board:
            squares.append(2 * (board & -board).bit_length() - 2 + colour)
            board &= board - 1
    return sorted(squares)


@lru_cache(maxsize=MAX_CELLS)
def full_board(height: int, width: int) -> tuple[int, int]:
    """The bitboards of an empty board."""
    return bitboards_of((1 << height * width) - 1)


@lru_cache(maxsize=MAX_CELLS)
def board_tables(height: int, width: int) -> BoardTables:
    """The kernels' tables of a board of that size."""
    knights, rows, columns = (np.zeros(MAX_CELLS, np.int64) for _ in range(3))
    for square in range(height * width):
        row, column = cell_of(width, square)
        rows[square], columns[square] = row, column
        for down, right in KNIGHT_STEPS:
            if 0 <= row + down < height and 0 <= column + right < width:
                target = square_of(width, row + down, column + right)
                knights[square] |= 1 << (target >> 1)
    corners = 0
    for row in (0, height - 1):
        for column in (0, width - 1):
            corners |= 1 << square_of(width, row, column)
    return BoardTables(height, width, *bitboards_of(corners), knights, rows, columns)
