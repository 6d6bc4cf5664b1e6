"""`POST /isolation/analyze`: every move's value, proved or estimated, and what each heuristic would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from app.decisions import text
from app.decisions.play import play
from app.decisions.question import Question, drawn_seed
from app.games.isolation.schemas import AnalysisAnswer, AnalyzeRequest
from app.games.table import WIRE_GAMES
from app.http import answered, parse, read_body, wants_text
from app.openapi import problems, request_body
from app.runtime.context import arrival, context_of

WIRE_GAME = WIRE_GAMES["isolation"]
AGENT = "analysis"
EXAMPLE = {"state": WIRE_GAME.example_state, "budgetMs": 500, "seed": 7, "heuristicNodes": 1000}


def add(app: FastAPI) -> None:
    """Add the analysis of Isolation."""

    @app.post(
        "/isolation/analyze",
        tags=["isolation"],
        operation_id="isolationAnalyze",
        response_model=AnalysisAnswer,
        responses={200: {"content": {"text/plain": {}}}, **problems(413, 415, 422, 503)},
        openapi_extra=request_body(AnalyzeRequest, EXAMPLE, WIRE_GAME.name),
        summary="What is every move worth, how is that proved, and what would each heuristic play?",
    )
    async def analyze(request: Request) -> Response:
        context = context_of(request)
        question = read(await read_body(request, context.settings.max_body_bytes))
        context.engines.game(WIRE_GAME.name)  # an analysis has no fallback: 503 while there is no game
        answer = await play(context, question, arrival(request))
        shown = answer.json()
        return answered(request, answer, shown if wants_text(request) else analysis(shown), as_text)


def read(raw: bytes) -> Question:
    """The question of a body, or 422."""
    body = parse(AnalyzeRequest, raw)
    return Question(
        WIRE_GAME.name,
        WIRE_GAME.position(body.state),
        agent=AGENT,
        params={"heuristic_nodes": body.heuristic_nodes},
        budget_ms=body.budget_ms,
        budget_iterations=body.budget_iterations,
        seed=drawn_seed() if body.seed is None else body.seed,
        explain=True,
    )


def analysis(shown: Mapping[str, Any]) -> dict[str, Any]:
    """An analysis in its own form, from the move answer that it came as."""
    known = shown["breakdown"]
    context = known["context"]
    return {
        "best": shown["move"],
        "outcome": shown["outcome"],
        "proof": context.get("proof"),
        "theorem": context.get("theorem"),
        "colourRule": context.get("colourRule"),
        "line": known["line"],
        "moves": [_move(candidate) for candidate in known["candidates"]],
        "heuristics": context.get("heuristics", []),
        "decisionId": shown["decisionId"],
        "stats": shown["stats"],
    }


def _move(candidate: Mapping[str, Any]) -> dict[str, Any]:
    details = candidate.get("details", {})
    proven = bool(details.get("proven", False))
    return {
        "move": candidate["move"],
        "proven": proven,
        "winner": details.get("winner"),
        "plies": details.get("plies"),
        "line": details.get("line", []),
        "theorem": details.get("theorem"),
        "estimate": None if proven else candidate["score"],
        "terms": {} if proven else candidate["terms"],
        "notes": candidate["notes"],
    }


def as_text(board: str, shown: Mapping[str, Any]) -> str:
    """The text form of a move answer, the heuristics in a table of their own."""
    known = shown["breakdown"]
    context = {key: value for key, value in known["context"].items() if key != "heuristics"}
    rendered = text.render(board, {**shown, "breakdown": {**known, "context": context}})
    entries = known["context"].get("heuristics")
    if not entries:
        return rendered
    rows = [["heuristic", "value", "goes to", "keeps the result", "searched", "keeps the result"]]
    for entry in entries:
        searched = entry.get("searched")
        rows.append(
            [
                entry["heuristic"],
                text.number(entry["value"]),
                text.show(entry["moves"]),
                _known(entry["keeps"]),
                f"{text.show(searched['move'])} depth {searched['depth']}" if searched else "-",
                _known(searched["keeps"]) if searched else "-",
            ]
        )
    return f"{rendered}\n{text.align(rows, text_columns={0, 2, 3, 4, 5})}\n"


def _known(value: bool | None) -> str:
    return "not proved" if value is None else text.show(value)
