"""`POST /ludo/move`, `/isolation/move`, `/flag/move`, and that of every game added to them."""

from __future__ import annotations

from dataclasses import replace

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.decisions.play import play
from app.games.bodies import MoveAnswer
from app.games.table import BOARD_GAMES, WireGame
from app.http import answered, read_body, truth, wants_text
from app.openapi import problems, request_body
from app.runtime.context import arrival, context_of


def add(app: FastAPI) -> None:
    """Add the move route of each board game."""
    for wire_game in BOARD_GAMES:
        _add_game(app, wire_game)


def _add_game(app: FastAPI, wire_game: WireGame) -> None:
    @app.post(
        f"/{wire_game.name}/move",
        tags=[wire_game.name],
        operation_id=f"{wire_game.name}Move",
        response_model=MoveAnswer,
        responses={200: {"content": {"text/plain": {}}}, **problems(404, 413, 415, 422)},
        openapi_extra=request_body(wire_game.request, wire_game.example_request(), wire_game.name),
        summary=f"What should be played, and why? ({wire_game.name})",
    )
    async def move(request: Request) -> Response:
        context = context_of(request)
        question = wire_game.read(await read_body(request, context.settings.max_body_bytes))
        if not question.explain and (wants_text(request) or truth(request, "explain")):
            question = replace(question, explain=True)
        answer = await play(context, question, arrival(request))
        return answered(request, answer, answer.json())
