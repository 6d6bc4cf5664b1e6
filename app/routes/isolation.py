"""`POST /isolation/analyze`: every move's value, proved or estimated, and what each heuristic would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import FastAPI, Request
from pydantic import Field
from starlette.responses import PlainTextResponse, Response

from app.decisions import text
from app.decisions.answer import answer, make_question, new_decision_id
from app.decisions.play import play
from app.games.bodies import BudgetIterations, BudgetMs, Seed
from app.games.isolation.schemas import AnalysisAnswer, State
from app.games.table import EDGES
from app.games.wire import Wire
from app.http import json_response, parse, problems, read_body, request_body, wants_text
from app.routes.board_games import parse_position
from app.runtime.context import arrival, context_of

AGENT = "analysis"


class AnalyzeRequest(Wire):
    """What is there to know about `state`?"""

    state: State
    """The position, in the form of the vector files."""
    budget_ms: BudgetMs | None = None
    """Thinking time, 1000 without it; clamped to the range of the agent `analysis`, and `stats` says so."""
    budget_iterations: BudgetIterations | None = None
    """Thinking effort in nodes; alone it makes the answer exact, on any machine."""
    seed: Seed | None = None
    """Breaks ties between moves of equal worth. Absent: drawn, and told in `stats`."""
    heuristic_nodes: Annotated[int, Field(ge=0, le=100_000)] = 0
    """Nodes of alpha-beta that show where each heuristic goes when it searches; 0: one ply alone."""
    match: Annotated[str, Field(max_length=200)] | None = None
    """Any id under which the caller files this analysis."""


def add(app: FastAPI) -> None:
    """Add the analysis of Isolation."""
    edge = EDGES["isolation"]
    example = {"state": edge.example_state, "budgetMs": 500, "seed": 7, "heuristicNodes": 1000}

    @app.post(
        "/isolation/analyze",
        tags=["isolation"],
        operation_id="isolationAnalyze",
        response_model=AnalysisAnswer,
        responses={200: {"content": {"text/plain": {}}}, **problems(413, 415, 422, 503)},
        openapi_extra=request_body(AnalyzeRequest, example),
        summary="What is every move worth, how is that proved, and what would each heuristic play?",
    )
    async def analyze(request: Request) -> Response:
        context = context_of(request)
        body = parse(AnalyzeRequest, await read_body(request, context.settings.max_body_bytes))
        position = parse_position(edge, body)
        game = context.engines.game(edge.name)
        arrived = arrival(request)
        question = make_question(
            game,
            position,
            agent=AGENT,
            params={"heuristic_nodes": body.heuristic_nodes},
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
        decision_id = new_decision_id()
        shown = answer(
            played.decision,
            agent=AGENT,
            seed=question.seed,
            budget=question.budget,
            decision_id=decision_id,
            elapsed_ms=(context.clock() - arrived) * 1000,
            explain=True,
            more_stats=played.stats,
        )
        headers = {"X-Decision-Id": decision_id}
        if wants_text(request):
            return PlainTextResponse(as_text(game.draw(position), shown), headers=headers)
        return json_response(analysis(shown), headers)


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
