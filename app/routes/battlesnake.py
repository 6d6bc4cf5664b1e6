"""The official Battlesnake API: the default snake at the root, every agent below `/snakes/{agent}`.

These routes answer with a move wherever a board and the own head can be read: a league repeats
the last move of a snake that answers anything else.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

import structlog
from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse, Response

from app.decisions import text
from app.decisions.answer import answer, make_question, new_decision_id
from app.decisions.parameters import find, make_parameters, split_spec
from app.decisions.play import last_resort, play
from app.errors import FieldError, from_position, invalid
from app.games.battlesnake import schemas
from app.games.bodies import SnakeInfo, SnakeMove
from app.games.table import EDGES
from app.http import json_response, problems, read_body, request_body, truth, wants_text
from app.runtime.context import Context, arrival, context_of
from app.runtime.deadline import told_time
from app.runtime.sessions import Session
from app.version import VERSION
from engines.battlesnake.position import Position
from engines.core.errors import PositionError
from engines.core.limit import Budget

log = structlog.get_logger()

EDGE = EDGES["battlesnake"]
TAGS: list[Any] = ["battlesnake"]

# Between the end of a search and the answer on the wire: the share of the margin that the last
# resort may still wait for a search that is on its way back.
RETURN_SHARE = 0.5
# Words of oddities that one log line may carry.
MAX_ODDITIES = 8


def add(app: FastAPI) -> None:
    """Add the snake at `/` and the snakes below `/snakes/{agent}`."""
    _add_snake(app, "", "")
    _add_snake(app, "/snakes/{agent}", "Agent")


def _add_snake(app: FastAPI, prefix: str, suffix: str) -> None:
    body = request_body(schemas.State, EDGE.example_state)
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
        "schema": {"type": "integer", "minimum": 0, "maximum": 2**63 - 1},
        "description": "Absent: derived from game id, snake id and turn.",
    },
    {
        "name": "budgetIterations",
        "in": "query",
        "schema": {"type": "integer", "minimum": 1},
        "description": "Think this much, whatever the told time is: exact on any machine.",
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
    await _read(request)
    return json_response({})


async def end(request: Request) -> Response:
    """A game is over: what was remembered of it goes."""
    context = context_of(request)
    _check_spec(context, request.path_params.get("agent"))
    data = await _read(request)
    try:
        position = EDGE.parse(data)
    except PositionError:
        return json_response({})
    context.sessions.end(_key(request, position))
    return json_response({})


async def move(request: Request) -> Response:
    """The move, in the told time less what the way takes."""
    context = context_of(request)
    data = await _read(request)
    try:
        position = EDGE.parse(data)
    except PositionError as error:
        raise from_position(error, ()) from None
    arrived = arrival(request)
    query = _query(request)
    if position.oddities:
        context.metrics.oddities.inc()
        log.info("odd request", game=position.game, oddities=position.oddities[:MAX_ODDITIES])
    session = context.sessions.get(_key(request, position))
    told = told_time(position.timeout)
    _learn(session, position, told)
    margin = session.margin.ms(told)
    thinking = told - margin
    as_text = wants_text(request)
    explain = query["explain"] or as_text
    seed = query["seed"] if query["seed"] is not None else derived_seed(position)
    decision_id = new_decision_id()
    games = context.engines.games()
    spec = request.path_params.get("agent") or context.settings.default_agent("battlesnake")
    budget: Budget | None = None
    if games is None:
        agent, board = "fallback", ""
        played = last_resort(context, "battlesnake", "loading", lambda: EDGE.fallback(position))
    else:
        game = games["battlesnake"]
        iterations = query["budgetIterations"]
        question = make_question(
            game,
            position,
            agent=spec,
            budget_ms=thinking if iterations is None else None,
            budget_iterations=iterations,
            seed=seed,
            memory=session.before(position.turn),
        )
        # Who asks for iterations debugs: no referee's clock runs, and cut short it were another answer.
        in_time = {} if iterations else {"thinking_ms": thinking, "grace_ms": margin * RETURN_SHARE}
        played = await play(
            context, question, arrived=arrived, fallback=lambda: EDGE.fallback(position), **in_time
        )
        agent, budget = question.agent.name, question.budget
        board = game.draw(position) if as_text else ""
    override = played.decision.context.get("override")
    if override:
        context.metrics.overrides.labels("battlesnake").inc()
        log.info("override", game=position.game, turn=position.turn, override=override)
    elapsed_ms = (context.clock() - arrived) * 1000
    session.moved(position.turn, played.decision.memory, elapsed_ms)
    shown: dict[str, Any] = {
        "move": played.decision.move,
        "shout": override["text"] if override else context.settings.snake_shout,
    }
    headers = {"X-Decision-Id": decision_id}
    if explain:
        shown.update(
            answer(
                played.decision,
                agent=agent,
                seed=seed,
                budget=budget,
                decision_id=decision_id,
                elapsed_ms=elapsed_ms,
                explain=True,
                more_stats={
                    **played.stats,
                    "toldMs": told,
                    "marginMs": round(margin, 1),
                    **({"oddities": position.oddities[:MAX_ODDITIES]} if position.oddities else {}),
                    **({"ignored": query["ignored"]} if query["ignored"] else {}),
                },
            )
        )
    if as_text:
        return PlainTextResponse(text.render(board, shown), headers=headers)
    return json_response(shown, headers)


async def _read(request: Request) -> Any:
    """The body as Python's lenient parser reads it; odd values are for the engine to judge."""
    raw = await read_body(request, context_of(request).settings.max_body_bytes, any_type=True)
    try:
        data = _decoded(raw)
    except (ValueError, RecursionError):
        reason = "this is not JSON, or nested too deep"
        raise invalid([FieldError(field="body", reason=reason)]) from None
    if not isinstance(data, dict):
        raise invalid([FieldError(field="body", reason="a JSON object is expected")])
    return data


def _decoded(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        # Integers of thousands of digits are JSON, and no number of ours.
        return json.loads(raw, parse_int=lambda digits: int(digits) if len(digits) < 400 else math.inf)


def _check_spec(context: Context, spec: str | None) -> None:
    games = context.engines.games()
    if spec is None or games is None:
        return
    name, parameters = split_spec(spec)
    make_parameters(find(games["battlesnake"], name), parameters)


def _key(request: Request, position: Position) -> tuple[str, str, str]:
    return (request.path_params.get("agent") or "", position.game, position.you)


def _learn(session: Session, position: Position, told: float) -> None:
    """What the referee measured for our previous move tells what the way takes."""
    if position.turn > 0:
        own = session.own_ms if session.turn == position.turn - 1 else None
        session.margin.learn(position.latency, own, told)


def derived_seed(position: Position) -> int:
    """The same request gets the same answer."""
    text_form = f"{position.game}\0{position.you}\0{position.turn}".encode()
    return int.from_bytes(hashlib.blake2b(text_form, digest_size=8).digest(), "big") >> 11


def _query(request: Request) -> dict[str, Any]:
    """The query's options. One that makes no sense is ignored and told: a league's move comes first."""
    found: dict[str, Any] = {"seed": None, "budgetIterations": None, "explain": False, "ignored": []}
    for name, least, most in (("seed", 0, 2**63 - 1), ("budgetIterations", 1, 2**63 - 1)):
        given = request.query_params.get(name)
        if given is None:
            continue
        if given.isascii() and given.isdigit() and len(given) <= 19 and least <= int(given) <= most:
            found[name] = int(given)
        else:
            found["ignored"].append(name)
    explain = truth(request, "explain")
    found["explain"] = bool(explain)
    if explain is None:
        found["ignored"].append("explain")
    return found
