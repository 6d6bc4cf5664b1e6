"""Replaying vector files: steps of the rules, and requests that want a legal word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.battlesnake.agents import AGENTS
from engines.battlesnake.board import (
    MAX_ITEMS,
    MAX_OUTSIDE,
    MAX_SEGMENTS,
    MAX_SIDE,
    MAX_SNAKES,
    Cell,
    Position,
    Settings,
    Snake,
    points,
)
from engines.battlesnake.outcome import Outcome, play
from engines.battlesnake.picture import draw
from engines.battlesnake.position import fallback, parse
from engines.battlesnake.words import ground, legal_words, outlooks
from engines.core.errors import PositionError
from engines.core.limit import Budget, Meter
from engines.core.vectors import DamagedLineError, Difference, Replay, VectorFormat, differences

_BOUND = 1_000_000_000
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
    expected = {key: _get(record, key, "") for key in _RESULTS}
    _check_shape(expected["after"])
    got = _written(position, play(position, moves))
    return Replay(
        tuple(differences(expected, got)),
        lambda: draw(position),
        lambda: " ".join(f"{identity}:{word!r}" for identity, word in moves.items()),
    )


def replay_request(record: Mapping[str, Any]) -> Replay:
    """Every agent, asked for at most 8 iterations, and the plain fallback answer with a legal word.

    Where `you` is dead any of the four words is legal.
    """
    try:
        position = parse(record)
    except PositionError as error:
        raise DamagedLineError(str(error)) from None
    me = position.me
    legal: tuple[str, ...] = ("up", "down", "left", "right")
    if me is not None:
        legal = legal_words(outlooks(position, me, ground(position)))
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
        lambda: draw(position),
        lambda: " ".join(f"{name}:{move}" for name, move in answers.items()),
    )


def _written(position: Position, outcome: Outcome) -> dict[str, Any]:
    """The result fields of a line, as the rules have them."""
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
    """A result field that is missing is damage; one of a wrong type will differ by itself."""
    if not isinstance(after, Mapping):
        return
    for key in _BOARD:
        _get(after, key, "after")
    for key in ("food", "hazards"):
        _check_points(after[key], f"after.{key}")
    if not isinstance(after["snakes"], list):
        return
    for index, snake in enumerate(after["snakes"]):
        if isinstance(snake, Mapping):
            where = f"after.snakes[{index}]"
            for key in _SNAKE:
                _get(snake, key, where)
            _check_points(snake["body"], f"{where}.body")


def _check_points(value: Any, where: str) -> None:
    for index, point in enumerate(value if isinstance(value, list) else ()):
        if isinstance(point, Mapping):
            for key in ("x", "y"):
                _get(point, key, f"{where}[{index}]")


def _position(record: Mapping[str, Any]) -> Position:
    ruleset = _object(record, "ruleset", "")
    settings = _object(ruleset, "settings", "ruleset")
    before = _object(record, "before", "")
    width = _whole(before, "width", "before", 1, MAX_SIDE)
    height = _whole(before, "height", "before", 1, MAX_SIDE)
    snakes = tuple(
        _snake(raw, f"before.snakes[{index}]", width, height)
        for index, raw in enumerate(_array(before, "snakes", "before", MAX_SNAKES))
    )
    if len({snake.id for snake in snakes}) < len(snakes):
        raise DamagedLineError("before.snakes: two snakes of one id")
    if sum(len(snake.body) for snake in snakes) > MAX_SEGMENTS:
        raise DamagedLineError(f"before.snakes: more than {MAX_SEGMENTS} segments")
    return Position(
        width=width,
        height=height,
        snakes=snakes,
        food=_places(before, "food", "before"),
        hazards=_places(before, "hazards", "before"),
        ruleset=_string(ruleset, "name", "ruleset"),
        settings=Settings(
            hazard_damage=_whole(settings, "hazardDamagePerTurn", "ruleset.settings", -_BOUND, _BOUND)
        ),
        turn=_whole(record, "turn", "", -_BOUND, _BOUND),
        solo=_boolean(record, "solo") or ruleset["name"] == "solo",
        you=snakes[0].id if snakes else "",
    )


def _moves(record: Mapping[str, Any], position: Position) -> dict[str, str]:
    raw = _object(record, "moves", "")
    return {snake.id: _string(raw, snake.id, "moves") for snake in position.snakes}


def _snake(raw: Any, where: str, width: int, height: int) -> Snake:
    if not isinstance(raw, Mapping):
        raise DamagedLineError(f"{where}: not an object")
    body = _places(raw, "body", where)
    if not body:
        raise DamagedLineError(f"{where}.body: empty")
    for x, y in body:
        if not (-MAX_OUTSIDE <= x < width + MAX_OUTSIDE and -MAX_OUTSIDE <= y < height + MAX_OUTSIDE):
            raise DamagedLineError(f"{where}.body: more than {MAX_OUTSIDE} cells off the board")
    return Snake(_string(raw, "id", where), _whole(raw, "health", where, -_BOUND, _BOUND), body)


def _places(whole: Mapping[str, Any], key: str, where: str) -> tuple[Cell, ...]:
    name = f"{where}.{key}"
    cells = []
    for index, point in enumerate(_array(whole, key, where, MAX_ITEMS)):
        at = f"{name}[{index}]"
        if not isinstance(point, Mapping):
            raise DamagedLineError(f"{at}: not an object")
        cells.append((_whole(point, "x", at, -_BOUND, _BOUND), _whole(point, "y", at, -_BOUND, _BOUND)))
    return tuple(cells)


def _get(whole: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in whole:
        raise DamagedLineError(f"{_path(where, key)}: missing")
    return whole[key]


def _object(whole: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = _get(whole, key, where)
    if not isinstance(value, Mapping):
        raise DamagedLineError(f"{_path(where, key)}: not an object")
    return value


def _array(whole: Mapping[str, Any], key: str, where: str, limit: int) -> list[Any]:
    value = _get(whole, key, where)
    if not isinstance(value, list) or len(value) > limit:
        raise DamagedLineError(f"{_path(where, key)}: not a list of at most {limit}")
    return value


def _whole(whole: Mapping[str, Any], key: str, where: str, low: int, high: int) -> int:
    value = _get(whole, key, where)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise DamagedLineError(f"{_path(where, key)}: not an integer from {low} to {high}")
    return value


def _string(whole: Mapping[str, Any], key: str, where: str) -> str:
    value = _get(whole, key, where)
    if not isinstance(value, str):
        raise DamagedLineError(f"{_path(where, key)}: not a string")
    return value


def _boolean(whole: Mapping[str, Any], key: str) -> bool:
    value = _get(whole, key, "")
    if not isinstance(value, bool):
        raise DamagedLineError(f"{key}: not true or false")
    return value


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


FORMATS = (
    VectorFormat("battlesnake", recognises_step, replay_step),
    VectorFormat("battlesnake_requests", recognises_request, replay_request),
)
