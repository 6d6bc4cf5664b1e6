"""The rules over HTTP: `GET /games…`, and `new`, `legal`, `step` of every game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from app.decisions.answer import jsonable
from app.decisions.parameters import describe
from app.errors import Problem, from_position, printable
from app.games.bodies import (
    AgentList,
    GameList,
    LegalAnswer,
    LegalRequest,
    NewRequest,
    StateAnswer,
    StepAnswer,
    StepRequest,
)
from app.games.table import WIRE_GAMES, WireGame
from app.http import json_response, parse, read_body
from app.openapi import problems, request_body
from app.runtime.context import Context, context_of
from engines.catalogue import ENTRIES
from engines.core.errors import PositionError
from engines.core.game import Game

TAGS: list[Any] = ["rules"]
REFUSALS = problems(413, 415, 422, 503)


def add(app: FastAPI) -> None:
    """Add `/games` and the rules of each game."""

    @app.get(
        "/games",
        tags=TAGS,
        operation_id="games",
        response_model=GameList,
        summary="The games that are served",
    )
    async def games(request: Request) -> Response:
        settings = context_of(request).settings
        return json_response(
            {
                "games": [
                    {"name": name, "summary": entry.summary, "defaultAgent": settings.default_agent(name)}
                    for name, entry in ENTRIES.items()
                ]
            }
        )

    @app.get(
        "/games/{game}/agents",
        tags=TAGS,
        operation_id="agents",
        response_model=AgentList,
        responses=problems(404, 503),
        summary="The agents of a game, their parameters and budgets",
    )
    async def agents(request: Request, game: str) -> Response:
        context = context_of(request)
        wire_game = _wire_game(game)
        return json_response(
            describe(context.engines.game(wire_game.name), context.settings.default_agent(wire_game.name))
        )

    for wire_game in WIRE_GAMES.values():
        _add_new(app, wire_game)
        _add_legal(app, wire_game)
        _add_step(app, wire_game)

    @app.post("/games/{game}/{verb}", include_in_schema=False)
    async def nothing(game: str, verb: str) -> Response:
        _wire_game(game)
        raise Problem(404, f"There is no {printable(verb, 40)!r} here; there are new, legal and step.")


def _wire_game(game: str) -> WireGame:
    if game not in WIRE_GAMES:
        raise Problem(
            404,
            f"There is no game {printable(game, 40)!r}; there are {', '.join(WIRE_GAMES)}.",
            known=list(WIRE_GAMES),
        )
    return WIRE_GAMES[game]


def _add_new(app: FastAPI, wire_game: WireGame) -> None:
    model: Any = NewRequest[wire_game.options]  # type: ignore[name-defined]

    @app.post(
        f"/games/{wire_game.name}/new",
        tags=TAGS,
        operation_id=f"{wire_game.name}New",
        response_model=StateAnswer,
        responses=REFUSALS,
        openapi_extra=request_body(model, {"options": {}, "seed": 7}, wire_game.name),
        summary=f"Start a game ({wire_game.name})",
    )
    async def new(request: Request) -> Response:
        context, body = await _read(request, model)
        game = context.engines.game(wire_game.name)
        options = {} if body.options is None else body.options.model_dump(by_alias=True, exclude_unset=True)
        position = await _rules(lambda: game.new(options, body.seed), ("options",))
        return json_response({"state": jsonable(game.dump(position))})


def _add_legal(app: FastAPI, wire_game: WireGame) -> None:
    model: Any = LegalRequest[wire_game.state]  # type: ignore[name-defined]

    @app.post(
        f"/games/{wire_game.name}/legal",
        tags=TAGS,
        operation_id=f"{wire_game.name}Legal",
        response_model=LegalAnswer,
        responses=REFUSALS,
        openapi_extra=request_body(model, {"state": wire_game.example_state}, wire_game.name),
        summary=f"The legal moves of a state ({wire_game.name})",
    )
    async def legal(request: Request) -> Response:
        context, body = await _read(request, model)
        game = context.engines.game(wire_game.name)
        position = await _rules(lambda: wire_game.position(body.state), ("state",))
        return json_response({"moves": jsonable(game.legal(position))})


def _add_step(app: FastAPI, wire_game: WireGame) -> None:
    model: Any = StepRequest[wire_game.state, wire_game.moves]  # type: ignore[name-defined]

    @app.post(
        f"/games/{wire_game.name}/step",
        tags=TAGS,
        operation_id=f"{wire_game.name}Step",
        response_model=StepAnswer,
        responses=REFUSALS,
        openapi_extra=request_body(
            model,
            {"state": wire_game.example_state, "moves": wire_game.example_moves, "seed": 7},
            wire_game.name,
        ),
        summary=f"Play moves in a state ({wire_game.name})",
    )
    async def step(request: Request) -> Response:
        context, body = await _read(request, model)
        game: Game[Any] = context.engines.game(wire_game.name)
        position = await _rules(lambda: wire_game.position(body.state), ("state",))
        moves = plain_moves(body.moves)
        after = await _rules(lambda: game.step(position, moves, body.seed), ("moves",))
        return json_response(
            {
                "state": jsonable(game.dump(after.position)),
                "events": jsonable(after.events),
                "over": after.over,
                "winner": after.winner,
            }
        )


def plain_moves(moves: Any) -> Any:
    """Moves as plain JSON values, whatever models they were read with."""
    if hasattr(moves, "model_dump"):
        return moves.model_dump(by_alias=True, exclude_unset=True)
    if isinstance(moves, dict):
        return {key: plain_moves(value) for key, value in moves.items()}
    if isinstance(moves, list | tuple):
        return [plain_moves(item) for item in moves]
    return moves


async def _read(request: Request, model: Any) -> tuple[Context, Any]:
    context = context_of(request)
    return context, parse(model, await read_body(request, context.settings.max_body_bytes))


async def _rules(call: Callable[[], Any], root: tuple[str, ...]) -> Any:
    try:
        return await run_in_threadpool(call)
    except PositionError as error:
        raise from_position(error, root) from None
