"""The fields of vector lines: read with their type and bounds, or a `DamagedLineError` that names them.

For the formats in `conformance` and `recorded`; requests of a referee are read by `parse`, which corrects
what is invalid.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.battlesnake.position import (
    MAX_ITEMS,
    MAX_OUTSIDE,
    MAX_SEGMENTS,
    MAX_SIDE,
    MAX_SNAKES,
    Cell,
    Position,
    Snake,
)
from engines.core.vectors import DamagedLineError

BOUND = 1_000_000_000
"""Of integers without a bound of their own, either way."""


def board(record: Mapping[str, Any], key: str) -> Position:
    """The board in a field, as a position of standard rules on turn 0."""
    raw = mapping(record, key, "")
    width = integer(raw, "width", key, 1, MAX_SIDE)
    height = integer(raw, "height", key, 1, MAX_SIDE)
    snakes = tuple(
        _snake(one, f"{key}.snakes[{index}]", width, height)
        for index, one in enumerate(array(raw, "snakes", key, MAX_SNAKES))
    )
    if len({snake.id for snake in snakes}) < len(snakes):
        raise DamagedLineError(f"{key}.snakes: two snakes of one id")
    if sum(len(snake.body) for snake in snakes) > MAX_SEGMENTS:
        raise DamagedLineError(f"{key}.snakes: more than {MAX_SEGMENTS} segments")
    return Position(
        width=width,
        height=height,
        snakes=snakes,
        food=_cells(raw, "food", key),
        hazards=_cells(raw, "hazards", key),
        you=snakes[0].id if snakes else "",
    )


def get(record: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in record:
        raise DamagedLineError(f"{_path(where, key)}: missing")
    return record[key]


def mapping(record: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = get(record, key, where)
    if not isinstance(value, Mapping):
        raise DamagedLineError(f"{_path(where, key)}: not an object")
    return value


def array(record: Mapping[str, Any], key: str, where: str, limit: int) -> list[Any]:
    value = get(record, key, where)
    if not isinstance(value, list) or len(value) > limit:
        raise DamagedLineError(f"{_path(where, key)}: not a list of at most {limit}")
    return value


def integer(record: Mapping[str, Any], key: str, where: str, low: int = -BOUND, high: int = BOUND) -> int:
    value = get(record, key, where)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DamagedLineError(f"{_path(where, key)}: not an integer from {low} to {high}")
    return value


def string(record: Mapping[str, Any], key: str, where: str) -> str:
    value = get(record, key, where)
    if not isinstance(value, str):
        raise DamagedLineError(f"{_path(where, key)}: not a string")
    return value


def boolean(record: Mapping[str, Any], key: str, where: str) -> bool:
    value = get(record, key, where)
    if not isinstance(value, bool):
        raise DamagedLineError(f"{_path(where, key)}: not true or false")
    return value


def _snake(raw: Any, where: str, width: int, height: int) -> Snake:
    if not isinstance(raw, Mapping):
        raise DamagedLineError(f"{where}: not an object")
    body = _cells(raw, "body", where)
    if not body:
        raise DamagedLineError(f"{where}.body: empty")
    for x, y in body:
        if not (-MAX_OUTSIDE <= x < width + MAX_OUTSIDE and -MAX_OUTSIDE <= y < height + MAX_OUTSIDE):
            raise DamagedLineError(f"{where}.body: more than {MAX_OUTSIDE} cells off the board")
    return Snake(string(raw, "id", where), integer(raw, "health", where), body)


def _cells(record: Mapping[str, Any], key: str, where: str) -> tuple[Cell, ...]:
    cells = []
    for index, point in enumerate(array(record, key, where, MAX_ITEMS)):
        at = f"{where}.{key}[{index}]"
        if not isinstance(point, Mapping):
            raise DamagedLineError(f"{at}: not an object")
        cells.append((integer(point, "x", at), integer(point, "y", at)))
    return tuple(cells)


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
