"""`POST /ludo/move`, `/isolation/move`, `/flag/move`."""

from __future__ import annotations

import secrets
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import PlainTextResponse, Response

from app.decisions import text
from app.decisions.answer import DRAWN_SEED_BITS, answer, make_question, new_decision_id
from app.decisions.play import last_resort, play
from app.errors import from_position
from app.games.bodies import MoveAnswer, MoveRequest, SidedMoveRequest
from app.games.table import EDGES, Edge
from app.http import json_response, parse, problems, read_body, request_body, truth, wants_text
from app.runtime.context import arrival, context_of
from engines.core.errors import PositionError


def add(app: FastAPI) -> None:
    """Add the move route of each board game."""
    for edge in EDGES.values():
        if edge.name != "battlesnake":
            _add_game(app, edge)


def move_model(edge: Edge) -> Any:
    """The move request of a game."""
    return (SidedMoveRequest if edge.sided else MoveRequest)[edge.state]


def move_example(edge: Edge) -> dict[str, Any]:
    """A request that works as it stands."""
    side = {"side": "A"} if edge.sided else {}
    return {"state": edge.example_state, **side, "budgetMs": 150, "seed": 7, "explain": True}


def parse_position(edge: Edge, body: Any) -> Any:
    """The position of a validated move request, or 422."""
    try:
        return edge.parse(body.state.plain(), *([body.side] if edge.sided else []))
    except PositionError as error:
        raise from_position(error) from None


def _add_game(app: FastAPI, edge: Edge) -> None:
    model = move_model(edge)

    @app.post(
        f"/{edge.name}/move",
        tags=[edge.name],
        operation_id=f"{edge.name}Move",
        response_model=MoveAnswer,
        responses={200: {"content": {"text/plain": {}}}, **problems(404, 413, 415, 422)},
        openapi_extra=request_body(model, move_example(edge)),
        summary=f"What should be played, and why? ({edge.name})",
    )
    async def move(request: Request) -> Response:
        context = context_of(request)
        body = parse(model, await read_body(request, context.settings.max_body_bytes))
        position = parse_position(edge, body)
        as_text = wants_text(request)
        explain = body.explain or as_text or bool(truth(request, "explain"))
        arrived = arrival(request)
        decision_id = new_decision_id()
        games = context.engines.games()
        if games is None:
            played = last_resort(context, edge.name, "loading", lambda: edge.fallback(position))
            seed = secrets.randbits(DRAWN_SEED_BITS) if body.seed is None else body.seed
            agent, budget, beside, board = "fallback", None, None, ""
        else:
            game = games[edge.name]
            question = make_question(
                game,
                position,
                agent=body.agent or context.settings.default_agent(edge.name),
                params=body.params,
                budget_ms=body.budget_ms,
                budget_iterations=body.budget_iterations,
                seed=body.seed,
            )
            played = await play(
                context,
                question,
                arrived=arrived,
                fallback=lambda: edge.fallback(position),
            )
            seed, agent, budget = question.seed, question.agent.name, question.budget
            beside = game.beside(position, played.decision.move)
            board = game.draw(position) if as_text else ""
        shown = answer(
            played.decision,
            agent=agent,
            seed=seed,
            budget=budget,
            decision_id=decision_id,
            elapsed_ms=(context.clock() - arrived) * 1000,
            explain=explain,
            beside=beside,
            more_stats=played.stats,
        )
        headers = {"X-Decision-Id": decision_id}
        if as_text:
            return PlainTextResponse(text.render(board, shown), headers=headers)
        return json_response(shown, headers)
