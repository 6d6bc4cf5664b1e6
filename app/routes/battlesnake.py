"""The official Battlesnake API: the default snake at the root, every agent below `/snakes/{agent}`.

These routes answer with a move wherever a board and the own head can be read: a league repeats
the last move of a snake that answers anything else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import structlog
from fastapi import FastAPI, Request
from starlette.responses import Response

from app.decisions.answer import Answer
from app.decisions.parameters import named
from app.decisions.play import play
from app.decisions.question import Question
from app.games.battlesnake import schemas
from app.games.bodies import SnakeInfo, SnakeMove
from app.games.table import WIRE_GAMES
from app.http import answered, json_response, read_body, truth, wants_text
from app.openapi import problems, request_body
from app.runtime.context import Context, arrival, context_of
from app.runtime.deadline import referee_timeout
from app.runtime.sessions import Key
from app.version import VERSION
from engines.battlesnake.position import Position
from engines.core.errors import PositionError

log = structlog.get_logger()

WIRE_GAME = WIRE_GAMES["battlesnake"]
TAGS: list[Any] = ["battlesnake"]

# The share of the margin for which a late search is still awaited before the fallback is played.
RETURN_SHARE = 0.5
# The most warnings in one log line or answer.
MAX_WARNINGS = 8
MAX_INTEGER = 2**63 - 1


def add(app: FastAPI) -> None:
    """Add the snake at `/` and the snakes below `/snakes/{agent}`."""
    _add_snake(app, "", "")
    _add_snake(app, "/snakes/{agent}", "Agent")


def _add_snake(app: FastAPI, prefix: str, suffix: str) -> None:
    body = request_body(schemas.State, WIRE_GAME.example_state, WIRE_GAME.name)
    refusals = problems(404, 413, 422) if prefix else problems(413, 422)
    # With a prefix the snake's base URL answers with and without its last slash.
    for path, shown in (("/", True), ("", False)) if prefix else (("/", True),):
        app.add_api_route(
            prefix + path,
            info,
            methods=["GET"],
            tags=TAGS,
            operation_id=f"snakeInfo{suffix}" if shown else None,
            response_model=SnakeInfo,
            responses=problems(404, 422) if prefix else {},
            include_in_schema=shown,
            summary="The snake's looks",
        )
    app.add_api_route(
        prefix + "/start",
        start,
        methods=["POST"],
        tags=TAGS,
        operation_id=f"snakeStart{suffix}",
        openapi_extra=body,
        responses=refusals,
        summary="A game begins",
    )
    app.add_api_route(
        prefix + "/move",
        move,
        methods=["POST"],
        tags=TAGS,
        operation_id=f"snakeMove{suffix}",
        response_model=SnakeMove,
        openapi_extra={**body, "parameters": QUERY},
        responses={200: {"content": {"text/plain": {}}}, **problems(404, 413, 422)},
        summary="Where should the snake go, and why?",
    )
    app.add_api_route(
        prefix + "/end",
        end,
        methods=["POST"],
        tags=TAGS,
        operation_id=f"snakeEnd{suffix}",
        openapi_extra=body,
        responses=refusals,
        summary="A game is over",
    )


QUERY = [
    {
        "name": "seed",
        "in": "query",
        "schema": {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER},
        "description": "Absent: derived from game id, snake id and turn.",
    },
    {
        "name": "budgetIterations",
        "in": "query",
        "schema": {"type": "integer", "minimum": 1},
        "description": "Think this much, whatever the timeout is: exact on any machine.",
    },
    {
        "name": "explain",
        "in": "query",
        "schema": {"type": "boolean", "default": False},
        "description": "Add agent, score, stats and breakdown to the answer.",
    },
]


async def info(request: Request) -> Response:
    """The official info; also the check that the agent's name and parameters are right."""
    context = context_of(request)
    _check_spec(context, request.path_params.get("agent"))
    settings = context.settings
    return json_response(
        {
            "apiversion": "1",
            "author": settings.snake_author,
            "color": settings.snake_color,
            "head": settings.snake_head,
            "tail": settings.snake_tail,
            "version": VERSION,
        }
    )


async def start(request: Request) -> Response:
    """A game begins. Nothing depends on it: a lost start is harmless."""
    _check_spec(context_of(request), request.path_params.get("agent"))
    schemas.decode(await _body(request))
    return json_response({})


async def end(request: Request) -> Response:
    """A game is over: its session is forgotten."""
    context = context_of(request)
    _check_spec(context, request.path_params.get("agent"))
    body = schemas.decode(await _body(request))
    try:
        position = WIRE_GAME.entry.parse(body)
    except PositionError:
        return json_response({})
    context.sessions.end(_key(request, position))
    return json_response({})


async def move(request: Request) -> Response:
    """The move, within the referee's timeout less the margin."""
    context = context_of(request)
    position = schemas.read_position(await _body(request))
    options = _options(request)
    warnings = _warnings(context, position)
    session = context.sessions.get(_key(request, position))
    timeout = referee_timeout(position.timeout)
    session.learn(position.turn, position.latency, timeout)
    margin = session.margin.ms(timeout)
    # Iterations are for debugging: no referee waits, and cutting the search short would change the answer.
    exact = options.budget_iterations is not None
    question = Question(
        WIRE_GAME.name,
        position,
        agent=request.path_params.get("agent"),
        budget_ms=None if exact else timeout - margin,
        budget_iterations=options.budget_iterations,
        seed=schemas.derived_seed(position) if options.seed is None else options.seed,
        memory=session.before(position.turn),
        explain=options.explain or wants_text(request),
    )
    in_time = {} if exact else {"thinking_ms": timeout - margin, "grace_ms": margin * RETURN_SHARE}
    answer = await play(context, question, arrival(request), **in_time)
    session.moved(position.turn, answer.decision.memory, answer.elapsed_ms)
    shown = {"move": answer.decision.move, "shout": _shout(context, answer)}
    if question.explain:
        stats = {"timeoutMs": timeout, "marginMs": round(margin, 1)}
        lists = {"warnings": warnings, "ignored": options.ignored}
        shown.update(answer.json({**stats, **{name: found for name, found in lists.items() if found}}))
    return answered(request, answer, shown)


async def _body(request: Request) -> bytes:
    return await read_body(request, context_of(request).settings.max_body_bytes, any_type=True)


def _check_spec(context: Context, spec: str | None) -> None:
    games = context.engines.games()
    if spec is not None and games is not None:
        named(games["battlesnake"], spec)


def _key(request: Request, position: Position) -> Key:
    return (request.path_params.get("agent") or "", position.game, position.you)


def _warnings(context: Context, position: Position) -> tuple[str, ...]:
    """The first warnings about the request, which are counted and logged."""
    found = position.warnings[:MAX_WARNINGS]
    if found:
        context.metrics.warnings.inc()
        log.info("odd request", game=position.game, warnings=found)
    return found


def _shout(context: Context, answer: Answer) -> str:
    """The text of an override, which is counted and logged; else what the settings say."""
    override = answer.decision.context.get("override")
    if not override:
        return context.settings.snake_shout
    position: Position = answer.question.position
    context.metrics.overrides.labels("battlesnake").inc()
    log.info("override", game=position.game, turn=position.turn, override=override)
    return str(override["text"])


@dataclass(slots=True)
class _Options:
    """Options of the query. Invalid ones are listed in `ignored` and reported, but do not prevent a move."""

    seed: int | None = None
    budget_iterations: int | None = None
    explain: bool = False
    ignored: list[str] = field(default_factory=list)


def _options(request: Request) -> _Options:
    found = _Options()
    found.seed = _integer(request, "seed", 0, found.ignored)
    found.budget_iterations = _integer(request, "budgetIterations", 1, found.ignored)
    explain = truth(request, "explain")
    if explain is None:
        found.ignored.append("explain")
    found.explain = bool(explain)
    return found


def _integer(request: Request, name: str, least: int, ignored: list[str]) -> int | None:
    given = request.query_params.get(name)
    if given is None:
        return None
    if given.isascii() and given.isdigit() and len(given) <= 19 and least <= int(given) <= MAX_INTEGER:
        return int(given)
    ignored.append(name)
    return None
