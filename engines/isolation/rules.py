"""The rules as compiled: where a player may go, what a ply does, who has lost.

The kernels see a position as four numbers: the two bitboards of blank cells (`even`, `odd`) and the squares
of the side to move (`mover`) and of the other. The searches use the same helpers.
"""

from __future__ import annotations

from numba.types import int64

from engines.core.bits import lowest, popcount
from engines.core.jit import compiled, kernel, tuple_type
from engines.core.rng import Rng, below
from engines.isolation.board import UNPLACED, BoardTables, Knights, board_tables, squares_in
from engines.isolation.position import Position, cells

BOARD_TABLES = tuple_type(BoardTables, *[int64] * 4, *[int64[::1]] * 3)
"""The type of BoardTables, for the signatures of kernels: `board` is read without Numba."""


@compiled
def moves_of(even: int, odd: int, at: int, knights: Knights) -> tuple[int, int]:
    """The bitboards of the cells where the player at that square may go."""
    if at == UNPLACED:
        return even, odd
    if at & 1:
        return knights[at] & even, 0
    return 0, knights[at] & odd


@compiled
def mobility(even: int, odd: int, at: int, knights: Knights) -> int:
    """How many cells the player at that square may go to."""
    moves_even, moves_odd = moves_of(even, odd, at, knights)
    return popcount(moves_even) + popcount(moves_odd)


@compiled
def stuck(even: int, odd: int, at: int, knights: Knights) -> bool:
    """Has the player at that square nowhere to go?"""
    moves_even, moves_odd = moves_of(even, odd, at, knights)
    return (moves_even | moves_odd) == 0


@compiled
def occupy(even: int, odd: int, square: int) -> tuple[int, int]:
    """The bitboards after somebody took the blank square."""
    if square & 1:
        return even, odd ^ (1 << (square >> 1))
    return even ^ (1 << (square >> 1)), odd


@compiled
def lowest_square(even: int, odd: int) -> int:
    """The lowest square of two bitboards that are not both empty: colour 0 before colour 1."""
    if even != 0:
        return 2 * lowest(even)
    return 2 * lowest(odd) + 1


@compiled
def nth_square(even: int, odd: int, n: int) -> int:
    """The n-th square (from 0) of two bitboards, colour 0 before colour 1."""
    for _ in range(n):
        if even != 0:
            even &= even - 1
        else:
            odd &= odd - 1
    return lowest_square(even, odd)


@kernel("UniTuple(int64, 2)(int64, int64, int64, int64[::1])")
def compiled_moves(even: int, odd: int, at: int, knights: Knights) -> tuple[int, int]:
    """`moves_of` for callers in Python."""
    return moves_of(even, odd, at, knights)


@kernel("UniTuple(int64, 4)(int64, int64, int64, int64, int64)")
def make_move(even: int, odd: int, mover: int, other: int, square: int) -> tuple[int, int, int, int]:
    """The four numbers after the side to move took that square; the sides change places."""
    even, odd = occupy(even, odd, square)
    return even, odd, other, square


@kernel("int64(int64, int64, int64, int64, int64[::1], int64[::1])")
def random_game(even: int, odd: int, mover: int, other: int, knights: Knights, rng: Rng) -> int:
    """Play uniformly random moves until the side to move is stuck; how many plies that took."""
    plies = 0
    while True:
        moves_even, moves_odd = moves_of(even, odd, mover, knights)
        count = popcount(moves_even) + popcount(moves_odd)
        if count == 0:
            return plies
        square = nth_square(moves_even, moves_odd, below(rng, count))
        even, odd = occupy(even, odd, square)
        mover, other = other, square
        plies += 1


def tables_of(position: Position) -> BoardTables:
    """The kernels' tables for this position."""
    return board_tables(position.height, position.width)


def legal_squares(position: Position) -> list[int]:
    """The legal moves of the side to move."""
    even, odd = compiled_moves(*position.blank, position.mover_at, tables_of(position).knights)
    return squares_in(int(even), int(odd))


def legal_cells(position: Position) -> list[list[int]]:
    """The legal moves of the side to move, in reading order."""
    return cells(position, legal_squares(position))


def play(position: Position, square: int) -> Position:
    """The position after the side to move took a legal square."""
    even, odd, _, taken = make_move(*position.blank, position.mover_at, position.other_at, square)
    at = [position.other_at, position.other_at]
    at[position.to_move] = int(taken)
    return Position(
        position.height, position.width, (int(even), int(odd)), (at[0], at[1]), 1 - position.to_move
    )


def winner(position: Position) -> int | None:
    """The other side, where the side to move has nowhere to go; else None."""
    return None if legal_squares(position) else 1 - position.to_move
