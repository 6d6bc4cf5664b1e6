"""`quadriga move`: one decision without a server."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.games import Name, load, resolve
from app.cli.output import Json, Refusal, settings

if TYPE_CHECKING:
    from app.decisions.question import Question


def move(
    game: Name,
    agent: Annotated[
        str | None, typer.Option(help="Who answers, with parameters if you like: name:key=value.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the board, every candidate and its terms.")
    ] = False,
    budget_ms: Annotated[float | None, typer.Option(help="Thinking time in milliseconds.")] = None,
    budget_iterations: Annotated[
        int | None, typer.Option(help="Thinking effort; exact on any machine.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of every random choice.")] = None,
    as_json: Json = False,
) -> None:
    """One decision without a server: the body of the game's move route on standard input.

    Example: quadriga move ludo --explain < body.json
    """
    from app.decisions import question as questions
    from app.decisions import text
    from app.decisions.answer import Answer
    from app.errors import Problem
    from app.games.table import WIRE_GAMES
    from engines.core.budget import Meter

    name = resolve(game)
    try:
        question = WIRE_GAMES[name].read(sys.stdin.buffer.read())
        question = _with_options(question, agent, budget_ms, budget_iterations, seed, explain)
        call = questions.resolve(question, load(name), settings().default_agent(name))
    except Problem as problem:
        errors = [f"{error.field}: {error.reason}" for error in problem.errors]
        raise Refusal("; ".join(errors) or problem.detail) from None
    began = time.perf_counter()
    decision = call.run(Meter(call.budget, time.perf_counter, began))
    answer = Answer(question, decision, call, (time.perf_counter() - began) * 1000)
    if as_json or not explain:
        typer.echo(json.dumps(answer.json(), allow_nan=False))
    else:
        typer.echo(text.render(answer.board(), answer.json()), nl=False)


def _with_options(
    question: Question,
    agent: str | None,
    budget_ms: float | None,
    budget_iterations: int | None,
    seed: int | None,
    explain: bool,
) -> Question:
    """The question of the body, the options that were given winning over its fields."""
    from dataclasses import replace

    if budget_ms is not None and not 0 < budget_ms <= 1e9:
        raise Refusal("--budget-ms: a number above 0, 1e9 at most")
    if budget_iterations is not None and not 0 < budget_iterations <= 10**12:
        raise Refusal("--budget-iterations: a number above 0, 10^12 at most")
    if seed is not None and not 0 <= seed < 2**63:
        raise Refusal("--seed: 0 to 2^63-1")
    if agent is not None:
        question = replace(question, agent=agent, params={})
    if budget_ms is not None or budget_iterations is not None:
        question = replace(question, budget_ms=budget_ms, budget_iterations=budget_iterations)
    if seed is not None:
        question = replace(question, seed=seed)
    return replace(question, explain=explain or question.explain)
