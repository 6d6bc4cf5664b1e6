"""Replays of vector files: turns through the rules, and requests that every agent answers with a legal move.

Called by `quadriga conformance` and the tests, through `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.battlesnake import fields
from engines.battlesnake.agents import AGENTS
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import Position, Settings, points
from engines.battlesnake.recorded import RecordedGames, recognises_game
from engines.battlesnake.render import render
from engines.battlesnake.turn import Outcome, play
from engines.core.budget import Budget, Meter
from engines.core.errors import PositionError
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences

_RESULTS = ("after", "gameOver", "noop")
_BOARD = ("height", "width", "food", "hazards", "snakes")
_SNAKE = ("id", "health", "body", "eliminatedCause", "eliminatedBy")


def recognises_step(record: Mapping[str, Any]) -> bool:
    return all(key in record for key in ("ruleset", "before", "moves"))


def recognises_request(record: Mapping[str, Any]) -> bool:
    return all(key in record for key in ("game", "board", "you"))


def replay_step(record: Mapping[str, Any]) -> Replay:
    """Play `moves` from `before` and compare every field of the outcome."""
    position = _position(record)
    moves = _moves(record, position)
    expected = {key: fields.get(record, key, "") for key in _RESULTS}
    _check_shape(expected["after"])
    got = _result_fields(position, play(position, moves))
    return Replay(
        tuple(differences(expected, got)),
        lambda: render(position),
        lambda: " ".join(f"{identity}:{move!r}" for identity, move in moves.items()),
    )


def replay_request(record: Mapping[str, Any]) -> Replay:
    """Every agent, with at most 8 iterations, and the fallback answer with a legal move.

    Where `you` is dead any of the four moves is legal.
    """
    try:
        position = parse(record)
    except PositionError as error:
        raise DamagedLineError(str(error)) from None
    me = position.me
    legal: tuple[str, ...] = ("up", "down", "left", "right")
    if me is not None:
        legal = legal_moves(move_safety(position, me, find_obstacles(position)))
    answers = {"fallback": fallback(position)}
    for agent in AGENTS.values():
        meter = Meter(Budget(iterations=max(8, agent.budgets.iterations.minimum)))
        answers[agent.name] = agent.decide(position, agent.parameters(), meter, 0, None).move
    wrong = tuple(
        Difference(f"move ({name})", " or ".join(legal), move)
        for name, move in answers.items()
        if move not in legal
    )
    return Replay(
        wrong,
        lambda: render(position),
        lambda: " ".join(f"{name}:{move}" for name, move in answers.items()),
    )


def _result_fields(position: Position, outcome: Outcome) -> dict[str, Any]:
    """The result fields of a line, computed by the rules."""
    return {
        "after": {
            "height": position.height,
            "width": position.width,
            "food": points(outcome.food),
            "hazards": points(position.hazards),
            "snakes": [
                {
                    "id": fate.snake.id,
                    "health": fate.snake.health,
                    "body": points(fate.snake.body),
                    "eliminatedCause": fate.cause,
                    "eliminatedBy": fate.by,
                }
                for fate in outcome.fates
            ],
        },
        "gameOver": outcome.over,
        "noop": not outcome.played,
    }


def _check_shape(after: Any) -> None:
    """Raises where a result field is missing; one of a wrong type is a difference."""
    if not isinstance(after, Mapping):
        return
    for key in _BOARD:
        fields.get(after, key, "after")
    for key in ("food", "hazards"):
        _check_points(after[key], f"after.{key}")
    if not isinstance(after["snakes"], list):
        return
    for index, snake in enumerate(after["snakes"]):
        if isinstance(snake, Mapping):
            where = f"after.snakes[{index}]"
            for key in _SNAKE:
                fields.get(snake, key, where)
            _check_points(snake["body"], f"{where}.body")


def _check_points(value: Any, where: str) -> None:
    for index, point in enumerate(value if isinstance(value, list) else ()):
        if isinstance(point, Mapping):
            for key in ("x", "y"):
                fields.get(point, key, f"{where}[{index}]")


def _position(record: Mapping[str, Any]) -> Position:
    ruleset = fields.mapping(record, "ruleset", "")
    settings = fields.mapping(ruleset, "settings", "ruleset")
    before = fields.board(record, "before")
    name = fields.string(ruleset, "name", "ruleset")
    return replace(
        before,
        ruleset=name,
        settings=Settings(hazard_damage=fields.integer(settings, "hazardDamagePerTurn", "ruleset.settings")),
        turn=fields.integer(record, "turn", ""),
        solo=fields.boolean(record, "solo", "") or name == "solo",
    )


def _moves(record: Mapping[str, Any], position: Position) -> dict[str, str]:
    raw = fields.mapping(record, "moves", "")
    return {snake.id: fields.string(raw, snake.id, "moves") for snake in position.snakes}


FORMATS = (
    VectorFormat("battlesnake", recognises_step, replay_step),
    VectorFormat("battlesnake_requests", recognises_request, replay_request),
    VectorFormat("battlesnake_games", recognises_game, replayer=RecordedGames),
)
