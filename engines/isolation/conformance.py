"""The vector files of Isolation, replayed through the rules that the agents search with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences
from engines.isolation.draw import draw
from engines.isolation.heuristics import heuristics
from engines.isolation.position import Position, parse, read_cell
from engines.isolation.rules import legal_cells, legal_squares, play, winner

TOLERANCE = 1e-9

PUBLISHED = (
    "open_move",
    "center",
    "improved",
    "moves_difference",
    "avoid_corners",
    "chase_opponent",
    "weighted_chase_opponent",
    "chase_fixed",
    "weighted_chase_fixed",
    "next_moves",
)
"""The heuristics that every line of the format has; any other of ours may be there too."""

_ENDGAME_MARKS = frozenset(("winning", "colourRule", "plainChecked", "filled"))
_STATE_MARKS = frozenset(("blocked", "players", "toMove"))


def field(record: Mapping[str, Any], name: str) -> Any:
    """A field that the line must have."""
    if name not in record:
        raise DamagedLineError(f"the field `{name}` is missing")
    return record[name]


def position_of(record: Mapping[str, Any]) -> Position:
    """The position of a line's state."""
    try:
        return parse(record)
    except PositionError as error:
        raise DamagedLineError(str(error)) from error


def _written(number: float | None) -> float | str | None:
    """A heuristic's value as the files write it."""
    if number is None or math.isfinite(number):
        return number
    return "inf" if number > 0 else "-inf"


def _heuristic_differences(record: Mapping[str, Any], position: Position) -> Iterator[Difference]:
    expected = field(record, "heuristics")
    got = {name: [_written(number) for number in pair] for name, pair in heuristics(position).items()}
    if isinstance(expected, Mapping):
        for name in PUBLISHED:
            if name not in expected:
                raise DamagedLineError(f"the field `heuristics.{name}` is missing")
        got = {name: pair for name, pair in got.items() if name in expected}
    yield from differences(expected, got, "heuristics", TOLERANCE)


def _result_differences(record: Mapping[str, Any], position: Position) -> Iterator[Difference]:
    """The move, and whether and how the game ended with it."""
    move, terminal, victor = (field(record, name) for name in ("move", "terminal", "winner"))
    squares = legal_squares(position)
    after = position
    if move is not None or squares:
        try:
            square = read_cell(move, position.height, position.width, ("move",))
        except PositionError:
            square = None
        if square not in squares:
            got = "one of the legal moves" if squares else None
            yield Difference("move", move, got)
            return
        after = play(position, square)
    yield from differences(terminal, winner(after) is not None, "terminal")
    yield from differences(victor, winner(after), "winner")


def _replay(record: Mapping[str, Any]) -> Replay:
    position = position_of(record)
    found = (
        *differences(field(record, "legal"), legal_cells(position), "legal"),
        *_heuristic_differences(record, position),
        *_result_differences(record, position),
    )
    return Replay(found, lambda: draw(position), lambda: f"move {record['move']}")


def _is_state(record: Mapping[str, Any]) -> bool:
    return bool(_STATE_MARKS & record.keys())


FORMATS = (
    VectorFormat(
        "isolation",
        lambda record: _is_state(record) and not _ENDGAME_MARKS & record.keys(),
        _replay,
    ),
    VectorFormat(
        "isolation-endgames",
        lambda record: _is_state(record) and bool(_ENDGAME_MARKS & record.keys()),
        None,
        agent="perfect",
    ),
    VectorFormat(
        "isolation-small", lambda record: "boards" in record, None, agent="perfect", whole_file=True
    ),
)
