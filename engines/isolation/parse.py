"""The parser of Isolation: positions and cells from JSON values. Needs no compiled code.

Whatever the rules refuse is refused here by name. Counts and turns that fit no real game are legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.errors import PositionError
from engines.isolation.board import (
    MAX_SIDE,
    UNPLACED,
    full_board,
    square_of,
)
from engines.isolation.position import Position


def whole(value: Any, path: tuple[str | int, ...], low: int, high: int, what: str) -> int:
    """An int of that range, or a refusal that names it."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(path, f"{what} must be a whole number from {low} to {high}")
    return value


def parse_cell(value: Any, height: int, width: int, path: tuple[str | int, ...]) -> int:
    """The square of a cell written [row, column]."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise PositionError(path, "a cell is written [row, column]")
    for number, size, what in zip(value, (height, width), ("row", "column"), strict=True):
        if isinstance(number, bool) or not isinstance(number, int):
            raise PositionError(path, f"the {what} must be a whole number")
        if not 0 <= number < size:
            raise PositionError(path, f"the {what} is off the board: it must be 0 to {size - 1}")
    return square_of(width, value[0], value[1])


def _field(state: Mapping[str, Any], name: str) -> Any:
    if name not in state:
        raise PositionError((name,), "this field is missing")
    return state[name]


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise PositionError((name,), "this must be a list")
    return list(value)


def parse(state: Mapping[str, Any], side: str | None = None) -> Position:
    """The position of a state; `side` says nothing in a game where the state knows whose turn it is.

    A blocked cell that is named twice is blocked all the same.
    """
    width = whole(_field(state, "width"), ("width",), 1, MAX_SIDE, "the width")
    height = whole(_field(state, "height"), ("height",), 1, MAX_SIDE, "the height")
    blank = list(full_board(height, width))
    for index, value in enumerate(_list(_field(state, "blocked"), "blocked")):
        square = parse_cell(value, height, width, ("blocked", index))
        blank[square % 2] &= ~(1 << square // 2)
    players = _list(_field(state, "players"), "players")
    if len(players) != 2:
        raise PositionError(("players",), "there are two players: give a cell or null for each")
    at = [UNPLACED, UNPLACED]
    for index, value in enumerate(players):
        if value is None:
            continue
        square = parse_cell(value, height, width, ("players", index))
        if blank[square % 2] >> (square // 2) & 1:
            raise PositionError(
                ("players", index), "the player stands on a cell that is blank: add it to `blocked`"
            )
        at[index] = square
    if at[0] == at[1] != UNPLACED:
        raise PositionError(("players", 1), "both players stand on one cell")
    to_move = whole(_field(state, "toMove"), ("toMove",), 0, 1, "the side to move")
    return Position(height, width, (blank[0], blank[1]), (at[0], at[1]), to_move)
