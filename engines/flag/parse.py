"""The parser of Flag: positions and orders from JSON values. Needs no compiled code.

Every refusal names the field; nothing but PositionError comes out, whatever JSON goes in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.errors import PositionError
from engines.flag.position import (
    DIRECTIONS,
    HOMES,
    MAX_DISTANCE,
    MAX_ROUND,
    NAMES,
    SIZE,
    STAND,
    TEAMS,
    Orders,
    Piece,
    Position,
    members,
)

_Path = tuple[str | int, ...]


def parse(state: Mapping[str, Any], side: str | None = None) -> Position:
    """The position of a state; what follows from the rest (zones, keys, cells of flags) may be left out."""
    asked = None if side is None else _choice(side, TEAMS, ("side",))
    pieces = tuple(piece for name in TEAMS for piece in _team(state, name))
    carriers = [_carrier(state, flag, pieces) for flag in (0, 1)]
    rescuers = tuple(piece for name in TEAMS for piece in _rescuers(state, name, pieces))
    position = Position(
        pieces,
        (carriers[0], carriers[1]),
        rescuers,
        _integer(_need(state, "round"), 1, MAX_ROUND, ("round",)),
        _winner(state),
        asked,
    )
    _check_derived(state, position)
    return position


def _need(mapping: Any, key: str, path: _Path = ()) -> Any:
    if not isinstance(mapping, Mapping):
        raise PositionError(path, "must be an object")
    if key not in mapping:
        raise PositionError((*path, key), "is missing")
    return mapping[key]


def _integer(value: Any, low: int, high: int, path: _Path, what: str = "must be a whole number") -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(path, f"{what} from {low} to {high}")
    return value


def _choice(value: Any, choices: Sequence[str], path: _Path) -> str:
    if not isinstance(value, str) or value not in choices:
        raise PositionError(path, f"must be one of {', '.join(choices)}")
    return value


def _list(value: Any, path: _Path, most: int) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise PositionError(path, "must be a list")
    if len(value) > most:
        raise PositionError(path, f"has {len(value)} entries, at most {most} are possible")
    return value


def _team(state: Any, name: str) -> list[Piece]:
    path: _Path = ("pieces", name)
    found: dict[int, Piece] = {}
    for index, entry in enumerate(_list(_need(_need(state, "pieces"), name, ("pieces",)), path, 6)):
        here: _Path = (*path, index)
        if len(_list(entry, here, 4)) != 4:
            raise PositionError(here, "a piece is written [id, x, y, alive]")
        number = _integer(entry[0], 1, 3, (*here, 0), "piece ids are whole numbers")
        if number in found:
            raise PositionError((*here, 0), f"piece {number} of team {name} is there twice")
        x = _integer(entry[1], 0, SIZE - 1, (*here, 1), "off the board: x is a whole number")
        y = _integer(entry[2], 0, SIZE - 1, (*here, 2), "off the board: y is a whole number")
        alive = _integer(entry[3], 0, 1, (*here, 3), "alive is a whole number")
        found[number] = Piece(x, y, bool(alive))
    for number in (1, 2, 3):
        if number not in found:
            raise PositionError(path, f"piece {number} of team {name} is missing")
    return [found[number] for number in (1, 2, 3)]


def _flag_fields(state: Any, flag: int) -> tuple[Any, Any, _Path]:
    """The cell (None where left out) and the carrier of a flag as written, and the carrier's path."""
    path: _Path = ("flags", TEAMS[flag])
    entry = _need(_need(state, "flags"), TEAMS[flag], ("flags",))
    if entry is None or isinstance(entry, str):
        return None, entry, path
    if len(_list(entry, path, 3)) == 1:
        return None, entry[0], (*path, 0)
    if len(entry) != 3:
        raise PositionError(path, "a flag is written [x, y, carrier] or, without its cell, as its carrier")
    cell = None if entry[0] is None and entry[1] is None else (entry[0], entry[1])
    return cell, entry[2], (*path, 2)


def _carrier(state: Any, flag: int, pieces: tuple[Piece, ...]) -> int | None:
    cell, name, path = _flag_fields(state, flag)
    team = TEAMS[flag]
    if name is None:
        where, reason = HOMES[flag], f"nobody carries {team}'s flag, so it lies on its home cell"
        carrier = None
    else:
        carrier = NAMES.index(_choice(name, NAMES, path))
        if carrier in members(flag):
            raise PositionError(path, f"{name} cannot carry its own team's flag")
        if not pieces[carrier].alive:
            raise PositionError(path, f"{name} is dead and carries no flag")
        where, reason = pieces[carrier].cell, f"{name} carries {team}'s flag, so the flag is on its cell"
    if cell is not None:
        for index, value in enumerate(cell):
            _integer(value, 0, SIZE - 1, ("flags", team, index), "off the board: must be a whole number")
        if tuple(cell) != where:
            raise PositionError(("flags", team), f"{reason} {list(where)}")
    return carrier


def _rescuers(state: Any, name: str, pieces: tuple[Piece, ...]) -> list[int]:
    path: _Path = ("rescuers", name)
    found = []
    for index, entry in enumerate(_list(_need(_need(state, "rescuers"), name, ("rescuers",)), path, 3)):
        here: _Path = (*path, index)
        number = _integer(entry, 1, 3, here, "unknown piece: ids are whole numbers")
        piece = 3 * TEAMS.index(name) + number - 1
        if not pieces[piece].alive:
            raise PositionError(here, f"{NAMES[piece]} is dead and cannot be a pending rescuer")
        if piece in found:
            raise PositionError(here, f"{NAMES[piece]} is there twice")
        found.append(piece)
    return sorted(found)


def _winner(state: Any) -> int | None:
    status = _choice(_need(state, "status"), ("playing", "finished"), ("status",))
    winner = _need(state, "winner")
    if winner is None:
        if status == "finished":
            raise PositionError(("winner",), "a finished game has a winner, A or B")
        return None
    winner = _choice(winner, TEAMS, ("winner",))
    if status == "playing":
        raise PositionError(("winner",), "a game that is being played has no winner yet")
    return TEAMS.index(winner)


def _check_derived(state: Mapping[str, Any], position: Position) -> None:
    """Zones and keys, where they are given, must be those that follow."""
    for field in ("zones", "keys"):
        if state.get(field) is None:
            continue
        for team, name in enumerate(TEAMS):
            value = _need(state[field], name, (field,))
            path: _Path = (field, name)
            if field == "zones":
                active = position.zone_active(team)
                if value is not active:
                    state_of = (
                        "active, since nobody carries" if active else "inactive, since somebody carries"
                    )
                    raise PositionError(path, f"the zone of {name} is {state_of} its flag: must be {active}")
            else:
                key = position.key(team)
                given = None if value is None else tuple(_list(value, path, 2))
                if given != key or any(type(part) is not int for part in given or ()):
                    wanted = (
                        "null, since it has nobody in jail"
                        if key is None
                        else f"{list(key)}, since it has a piece in jail"
                    )
                    raise PositionError(path, f"the key of {name} must be {wanted}")


def parse_orders(moves: Any) -> Orders:
    """The orders of both teams, from `{"A": [{"piece", "direction", "distance"}], "B": [...]}`.

    A piece without an order stands; orders for dead pieces are read and have no effect.
    """
    if not isinstance(moves, Mapping):
        raise PositionError((), "must be an object with the orders of A and of B")
    orders = dict.fromkeys(range(6), STAND)
    seen = set()
    if any(name not in TEAMS for name in moves):
        raise PositionError((), "orders are given for A and for B and nobody else")
    for team, name in enumerate(TEAMS):
        for index, entry in enumerate(_list(moves.get(name, ()), (name,), 100)):
            path: _Path = (name, index)
            number = _integer(
                _need(entry, "piece", path), 1, 3, (*path, "piece"), "unknown piece: ids are whole numbers"
            )
            direction = _choice(_need(entry, "direction", path), DIRECTIONS, (*path, "direction"))
            distance = _integer(_need(entry, "distance", path), 0, MAX_DISTANCE, (*path, "distance"))
            piece = 3 * team + number - 1
            if piece in seen:
                raise PositionError((*path, "piece"), f"two orders for {NAMES[piece]}")
            seen.add(piece)
            orders[piece] = DIRECTIONS.index(direction), distance
    return tuple(orders[piece] for piece in range(6))
