"""An Isolation position as a value, and how it is written as a state. Needs no compiled code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from engines.isolation.board import (
    UNPLACED,
    board_tables,
    cell_of,
    full_board,
    squares_in,
)


@dataclass(frozen=True, slots=True)
class Position:
    """The blank cells as two bitboards (see `board`), the players' squares, and whose turn it is.

    `at[p]` is the square of player p, or UNPLACED.
    """

    height: int
    width: int
    blank: tuple[int, int]
    at: tuple[int, int]
    to_move: int

    @property
    def mover_at(self) -> int:
        """The square of the side to move."""
        return self.at[self.to_move]

    @property
    def other_at(self) -> int:
        """The square of the side that waits."""
        return self.at[1 - self.to_move]


def cell(position: Position, square: int) -> list[int]:
    """A square as it is written: [row, column]."""
    return list(cell_of(position.width, square))


def cells(position: Position, squares: Iterable[int]) -> list[list[int]]:
    """Squares as they are written, in reading order."""
    return sorted(cell(position, square) for square in squares)


def moves_of(position: Position, player: int) -> tuple[int, int]:
    """The bitboards of the player's legal moves, whoever is to move."""
    even, odd = position.blank
    at = position.at[player]
    if at == UNPLACED:
        return even, odd
    knights = int(board_tables(position.height, position.width).knights[at])
    return (knights & even, 0) if at % 2 else (0, knights & odd)


def after(position: Position, square: int) -> Position:
    """The position after the side to move took that square, which is not checked."""
    blank = list(position.blank)
    blank[square % 2] &= ~(1 << square // 2)
    at = (square, position.at[1]) if position.to_move == 0 else (position.at[0], square)
    return replace(position, blank=(blank[0], blank[1]), at=at, to_move=1 - position.to_move)


def start(height: int, width: int) -> Position:
    """The empty board."""
    return Position(height, width, full_board(height, width), (UNPLACED, UNPLACED), 0)


def dump(position: Position) -> dict[str, Any]:
    """The state of a position, its blocked cells in reading order."""
    even, odd = full_board(position.height, position.width)
    taken = squares_in(even & ~position.blank[0], odd & ~position.blank[1])
    return {
        "width": position.width,
        "height": position.height,
        "blocked": cells(position, taken),
        "players": [None if at == UNPLACED else cell(position, at) for at in position.at],
        "toMove": position.to_move,
    }
