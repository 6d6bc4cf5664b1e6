"""The vector files of Flag, replayed: complete rounds, and the decisions of `heuristic`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Replay, VectorFormat, differences
from engines.flag import score, step
from engines.flag.agents.heuristic import plan
from engines.flag.parse import parse, parse_orders
from engines.flag.position import DIRECTIONS, NAMES, TEAMS, Orders, Position, dump
from engines.flag.render import render

ROUND_RESULTS: Final = ("after", "winner", "paths", "collisions", "events", "score", "scoreWithCaptures")
DECISION_RESULTS: Final = ("current", "enemy", "own", "evaluations")


def _need(record: Mapping[str, Any], *fields: str) -> None:
    missing = [field for field in fields if field not in record]
    if missing:
        raise DamagedLineError(f"no field {', '.join(missing)}")


def _position(record: Mapping[str, Any], field: str, side: str | None = None) -> Position:
    """The position of an input field, which in a vector line is complete."""
    state = record[field]
    try:
        position = parse(state, side)
    except PositionError as error:
        raise DamagedLineError(f"{field}: {error}") from None
    whole = dump(position)
    for name in whole:
        if name not in state:
            raise DamagedLineError(f"{field}: no field {name}")
    if any(not isinstance(flag, list) or len(flag) != 3 for flag in state["flags"].values()):
        raise DamagedLineError(f"{field}: a flag is not written [x, y, carrier]")
    return position


def _both(one: Any, other: Any) -> dict[str, Any]:
    return dict(zip(TEAMS, (one, other), strict=True))


def replay_round(record: Mapping[str, Any]) -> Replay:
    """Play the commands and compare everything that the line says of the round."""
    _need(record, "before", "commands", *ROUND_RESULTS)
    position = _position(record, "before")
    if isinstance(record["commands"], Mapping):
        _need(record["commands"], *TEAMS)
    try:
        orders = parse_orders(record["commands"])
        played = step.play(position, orders)
    except PositionError as error:
        raise DamagedLineError(f"commands: {error}") from None
    after = dump(played.after)
    got = {
        "after": after,
        "winner": after["winner"],
        "paths": played.paths,
        "collisions": played.collisions,
        "events": played.events,
        "score": _both(*(score.quick(played.after, side) for side in (0, 1))),
        "scoreWithCaptures": _both(*(score.full(played.after, side, played.before) for side in (0, 1))),
    }
    return Replay(
        tuple(found for name in ROUND_RESULTS for found in differences(record[name], got[name], name)),
        before=lambda: render(position),
        moves=lambda: _orders(orders),
    )


def _orders(orders: Orders) -> str:
    return ", ".join(
        f"{NAMES[piece]} {DIRECTIONS[direction]} {distance}" if distance else f"{NAMES[piece]} stands"
        for piece, (direction, distance) in enumerate(orders)
    )


def replay_decision(record: Mapping[str, Any]) -> Replay:
    """Decide again and compare every figure of every piece."""
    _need(record, "state", "side", *DECISION_RESULTS)
    if record["side"] is None:
        raise DamagedLineError("side: must be one of A, B")
    position = _position(record, "state", record["side"])
    if position.over:
        raise DamagedLineError("state: the game is finished, there is nothing to decide")
    made = plan(position, position.mover())
    got = {
        "current": _both(*(score.quick(position, side) for side in (0, 1))),
        "enemy": [found.entry(position) for found in made.enemy],
        "own": [found.entry(position) for found in made.own],
        "evaluations": made.evaluations,
    }
    return Replay(
        tuple(found for name in DECISION_RESULTS for found in differences(record[name], got[name], name)),
        before=lambda: render(position),
        moves=lambda: f"heuristic decides for {record['side']}",
    )


# Fields of one format alone: a line that has lost one of them is still known for what it is.
_ROUND: Final = frozenset({"before", "commands", "paths", "collisions"})
_DECISION: Final = frozenset({"enemy", "own", "evaluations"})

FORMATS: Final = (
    VectorFormat("flag", lambda record: not _ROUND.isdisjoint(record), replay_round),
    VectorFormat(
        "flag-heuristic", lambda record: not _DECISION.isdisjoint(record), replay_decision, "heuristic"
    ),
)
