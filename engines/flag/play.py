"""One round in words: paths, collisions, events and scores with names, from the compiled rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.core.errors import PositionError
from engines.flag import rules
from engines.flag.position import (
    DIRECTIONS,
    NAMES,
    SIZE,
    STAND,
    TEAMS,
    Order,
    Orders,
    Position,
    order_of,
)
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


# Scores.


def quick_terms(position: Position, side: int) -> dict[str, int]:
    """The quick score from one side's view, by its named terms: it is their sum."""
    terms = np.zeros(rules.N_TERMS, np.int64)
    rules.score(rules.table_of(position), side, terms)
    return dict(zip(rules.TERMS, terms.tolist(), strict=True))


def quick(position: Position, side: int) -> int:
    """The quick score from one side's view; the other side's is its negative."""
    return sum(quick_terms(position, side).values())


def full_terms(position: Position, side: int, before: Position) -> dict[str, int]:
    """The quick score and what was captured since `before` (freed pieces count back)."""
    lost = [
        sum(before.pieces[i].alive - position.pieces[i].alive for i in range(3 * team, 3 * team + 3))
        for team in (0, 1)
    ]
    captures = 0 if position.over else rules.CAPTURE * (lost[1 - side] - lost[side])
    return quick_terms(position, side) | {"captures": captures}


def full(position: Position, side: int, before: Position) -> int:
    """The full score from one side's view."""
    return sum(full_terms(position, side, before).values())


# What a piece can do.


def ends(position: Position, piece: int) -> Iterator[tuple[Order, list[int]]]:
    """Each distinct end cell of a piece from where it stands, with its shortest order; standing first."""
    table = rules.table_of(position)
    yield STAND, list(position.pieces[piece].cell)
    for direction, most in enumerate(rules.reach(table, piece)):
        for distance in range(1, most + 1):
            yield (direction, distance), _cell(position, piece, direction, distance)


def _cell(position: Position, piece: int, direction: int, steps: int) -> list[int]:
    x, y = position.pieces[piece].cell
    return [x + rules.DX[direction] * steps, y + rules.DY[direction] * steps]


def legal(position: Position) -> dict[str, list[dict[str, Any]]]:
    """Per team every end cell that its living pieces can really reach in the next round."""
    before = with_rescuers_home(position)
    sides = (0, 1) if position.side is None else (position.mover(),)
    return {
        TEAMS[team]: [
            order_of(piece, order) | {"end": end}
            for piece in ([] if position.over else before.living(team))
            for order, end in ends(before, piece)
        ]
        for team in sides
    }


def timeline(position: Position, orders: Orders) -> list[dict[str, Any]]:
    """Per living piece of the mover the cells that it will pass, its start first, and why it stops."""
    before = with_rescuers_home(position)
    table = rules.table_of(before)
    entries = []
    for piece in [] if position.over else before.living(position.mover()):
        direction, distance = orders[piece]
        steps = rules.calculate_path(table, piece, direction, distance)
        path = [_cell(before, piece, direction, step) for step in range(steps + 1)]
        notes = []
        if piece in position.rescuers:
            notes.append(f"freed its team, so it begins on its start cell {tuple(path[0])}")
        if steps < distance:
            x, y = _cell(before, piece, direction, steps + 1)
            why = "its own no-guard zone" if 0 <= x < SIZE and 0 <= y < SIZE else "the edge of the board"
            notes.append(f"{DIRECTIONS[direction]} {distance} ends after {steps}: {why} is ahead")
        entries.append({"piece": piece % 3 + 1, "path": path, "end": path[-1], "notes": notes})
    return entries
