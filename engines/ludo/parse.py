"""The parser of Ludo: positions, empty seats and moves from JSON values. Needs no compiled code.

What it refuses is a PositionError that names the field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.errors import PositionError
from engines.ludo.position import (
    DEFAULT_ROUND,
    GOAL,
    HOME,
    LAST_ATTEMPT,
    PIECES,
    ROUND_LIMIT,
    SEATS,
    SIX,
    Pieces,
    Position,
    move_of,
)


def parse(state: Mapping[str, Any], side: str | None = None) -> Position:
    """The position of a `state` as the vector files write it; other fields are not looked at.

    `round` and `attempts` may be absent or null. `movable` may be absent, null or empty; if given
    it must be the list that the position has.
    """
    if side is not None:
        raise PositionError(("side",), "Ludo has no sides: the state's player is to move")
    for field in ("positions", "ghosts", "player", "dice"):
        if field not in state:
            raise PositionError((field,), "is missing")
    positions = _positions(state["positions"])
    ghosts = parse_ghosts(state["ghosts"])
    player = _integer(state["player"], ("player",), 0, SEATS - 1)
    if player in ghosts:
        raise PositionError(("player",), f"seat {player} is a ghost: an empty seat never moves")
    for ghost in ghosts:
        for piece, square in enumerate(positions[ghost]):
            if square != HOME:
                reason = f"seat {ghost} is a ghost: its pieces all stand on 0"
                raise PositionError(("positions", ghost, piece), reason)
    position = Position(
        positions,
        ghosts,
        player,
        _integer(state["dice"], ("dice",), 1, SIX),
        _integer(_given(state, "round", DEFAULT_ROUND), ("round",), 1, ROUND_LIMIT),
        _integer(_given(state, "attempts", 0), ("attempts",), 0, LAST_ATTEMPT),
    )
    _check_movable(state.get("movable"), position)
    return position


def parse_ghosts(value: Any, path: tuple[str | int, ...] = ("ghosts",)) -> tuple[int, ...]:
    """Empty seats, rising. Seat 0 always plays: a new round begins with it."""
    ghosts = [
        _integer(seat, (*path, index), 0, SEATS - 1) for index, seat in enumerate(_sequence(value, path))
    ]
    for index, seat in enumerate(ghosts):
        if seat == 0:
            raise PositionError((*path, index), "seat 0 can't be a ghost: every round begins with it")
        if seat in ghosts[:index]:
            raise PositionError((*path, index), f"seat {seat} is listed twice")
    return tuple(sorted(ghosts))


def parse_move(value: Any, position: Position) -> int | None:
    """The piece that `{"piece": n or null}` (with or without `action`) moves."""
    if not isinstance(value, Mapping) or "piece" not in value:
        raise PositionError(("piece",), "is missing: give the piece to move, or null where none can move")
    movable = position.movable
    if value["piece"] is None:
        if movable:
            raise PositionError(("piece",), f"one of the movable pieces must move: {_listed(movable)}")
        piece = None
    else:
        piece = _integer(value["piece"], ("piece",), 0, PIECES - 1)
        if not movable:
            raise PositionError(("piece",), f"no piece can move with a {position.dice}: play null")
        if piece not in movable:
            reason = f"piece {piece} can't move with a {position.dice}; movable: {_listed(movable)}"
            raise PositionError(("piece",), reason)
    action = _given(value, "action", None)
    if action is not None:
        true = move_of(position, piece)["action"]
        if _integer(action, ("action",), 0, PIECES - 1) != true:
            raise PositionError(
                ("action",), f"the action of this piece is {true}, its index among the movable"
            )
    return piece


def _positions(value: Any) -> tuple[Pieces, Pieces, Pieces, Pieces]:
    seats = _sequence(value, ("positions",))
    if len(seats) != SEATS:
        raise PositionError(("positions",), f"takes four lists, one a seat; here are {len(seats)}")
    rows: list[Pieces] = []
    for seat, row in enumerate(seats):
        squares = _sequence(row, ("positions", seat))
        if len(squares) != PIECES:
            reason = f"a seat has four pieces; here are {len(squares)}"
            raise PositionError(("positions", seat), reason)
        one, two, three, four = (
            _integer(square, ("positions", seat, piece), HOME, GOAL) for piece, square in enumerate(squares)
        )
        rows.append((one, two, three, four))
    return rows[0], rows[1], rows[2], rows[3]


def _check_movable(value: Any, position: Position) -> None:
    if value is None:
        return
    given = [
        _integer(piece, ("movable", index), 0, PIECES - 1)
        for index, piece in enumerate(_sequence(value, ("movable",)))
    ]
    if given and tuple(given) != position.movable:
        true = _listed(position.movable) or "none"
        raise PositionError(("movable",), f"contradicts the position: with this throw the movable are {true}")


def _given(state: Mapping[str, Any], field: str, default: Any) -> Any:
    value = state.get(field)
    return default if value is None else value


def _sequence(value: Any, path: tuple[str | int, ...]) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise PositionError(path, "is not a list")
    return value


def _integer(value: Any, path: tuple[str | int, ...], low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise PositionError(path, "is not an integer")
    if not low <= value <= high:
        raise PositionError(path, f"must lie between {low} and {high}")
    return value


def _listed(pieces: Sequence[int]) -> str:
    return ", ".join(map(str, pieces))
