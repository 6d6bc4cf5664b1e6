"""The board as numbers: squares, colours, and where a knight goes from each.

A knight changes colour with every move, so the blank cells are kept as two words, one for each
colour (`(row + column) % 2`), of at most 41 and 40 bits. Whatever a placed player can reach lies in
one word, on every board from 1x1 to 9x9.

A *square* is the number of a cell: `2 * place + colour`, where `place` is the cell's bit in the word
of its colour. Two neighbours in reading order share a place, so squares are 0..height*width-1, and
places of one colour rise in reading order.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MAX_SIDE = 9
MAX_CELLS = MAX_SIDE * MAX_SIDE

UNPLACED = -1
"""The square of a player who is not on the board yet."""

KNIGHT_STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))

Table = NDArray[np.int64]
"""What the kernels know of a board of one size: an `int64[4, 81]` with the rows named below."""

KNIGHTS = 0
"""`table[KNIGHTS, square]`: the cells a knight move away, a word of the other colour."""
ROWS = 1
COLUMNS = 2
"""`table[ROWS, square]`, `table[COLUMNS, square]`: where the square is."""
SHAPE = 3
"""`table[SHAPE, 0..3]`: height, width, the corners of colour 0, the corners of colour 1."""


def square_of(width: int, row: int, column: int) -> int:
    """The square of a cell of a board of that width."""
    return (row * width + column) // 2 * 2 + (row + column) % 2


def cell_of(width: int, square: int) -> tuple[int, int]:
    """Row and column of a square."""
    row, column = divmod(square, width)
    # On boards of even width the two cells of a place change sides in odd rows.
    return (row, column ^ 1) if width % 2 == 0 and row % 2 else (row, column)


def bitboards_of(squares: int) -> tuple[int, int]:
    """The two colour words of a set of squares that is given as one number."""
    words = [0, 0]
    for square in range(squares.bit_length()):
        words[square & 1] |= (squares >> square & 1) << (square >> 1)
    return words[0], words[1]


def squares_in(even: int, odd: int) -> list[int]:
    """The squares in two colour words, rising."""
    longest = max(even.bit_length(), odd.bit_length())
    return [
        2 * place + colour
        for place in range(longest)
        for colour, word in ((0, even), (1, odd))
        if word >> place & 1
    ]


@lru_cache(maxsize=MAX_CELLS)
def full_board(height: int, width: int) -> tuple[int, int]:
    """The words of an empty board."""
    return bitboards_of((1 << height * width) - 1)


@lru_cache(maxsize=MAX_CELLS)
def table(height: int, width: int) -> Table:
    """The kernels' table of a board of that size; shared, so nobody writes to it."""
    made = np.zeros((4, MAX_CELLS), np.int64)
    for square in range(height * width):
        row, column = cell_of(width, square)
        made[ROWS, square], made[COLUMNS, square] = row, column
        for down, right in KNIGHT_STEPS:
            if 0 <= row + down < height and 0 <= column + right < width:
                target = square_of(width, row + down, column + right)
                made[KNIGHTS, square] |= 1 << (target >> 1)
    corners = 0
    for row in (0, height - 1):
        for column in (0, width - 1):
            corners |= 1 << square_of(width, row, column)
    made[SHAPE, :4] = (height, width, *bitboards_of(corners))
    return made
