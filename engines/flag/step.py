"""One round in the vectors' forms: paths, collisions and events with names, from the compiled rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.core.errors import PositionError
from engines.flag import rules
from engines.flag.position import NAMES, SIZE, TEAMS, Orders, Position
from engines.flag.rules import Array


@dataclass(frozen=True, slots=True)
class Round:
    """What one round did: the position after it and, in the vectors' forms, everything in between."""

    before: Position
    """After step 1: pending rescuers are home."""
    after: Position
    paths: dict[str, list[int]]
    collisions: list[list[Any]]
    events: list[list[Any]]


def play(position: Position, orders: Orders) -> Round:
    """Play one round; a finished game accepts none."""
    if position.over:
        raise PositionError(("status",), "the game is finished and accepts no further round")
    before = with_rescuers_home(position)
    table, (trace, log) = rules.table_of(position), rules.scratch()
    rules.play_round(table, np.array(orders, np.int64), trace, log)
    return Round(
        before,
        rules.position_of(table, position.round + 1, position.side),
        {NAMES[i]: _path(trace, i) for i, piece in enumerate(before.pieces) if piece.alive},
        [_collision(trace, n) for n in range(trace[rules.RECORDS])],
        [_event(*row) for row in log[: trace[rules.LOGGED]].tolist()],
    )


def _path(trace: Array, piece: int) -> list[int]:
    x, y, dx, dy, steps = trace[piece : rules.RECORD : 6].tolist()
    return [x, y, x + dx * steps, y + dy * steps, steps]


def _collision(trace: Array, n: int) -> list[Any]:
    piece = int(trace[rules.SEQUENCE + n])
    y, x = divmod(int(trace[rules.RECORD + piece]), SIZE)
    return [NAMES[piece], x, y]


def _event(kind: int, first: int, second: int) -> list[Any]:
    match kind:
        case rules.RESCUER_RESET:
            return ["rescuer_reset", NAMES[first]]
        case rules.JAILED:
            return ["jailed", NAMES[first]]
        case rules.FLAG_HOME:
            return ["flag_home", TEAMS[first]]
        case rules.ZONE_RESET:
            return ["zone_reset", NAMES[first]]
        case rules.PICKUP:
            return ["pickup", NAMES[first], TEAMS[second]]
        case rules.SCORE:
            return ["score", TEAMS[first]]
        case _:
            return ["rescue", NAMES[first], [name for i, name in enumerate(NAMES) if second >> i & 1]]


def with_rescuers_home(position: Position) -> Position:
    """The position after step 1 of the next round, from which its paths begin."""
    table, (trace, log) = rules.table_of(position), rules.scratch()
    rules.go_home(table, trace, log)
    return rules.position_of(table, position.round, position.side)
