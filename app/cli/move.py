"""`quadriga move`: one decision without a server."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.games import Name, load, resolve
from app.cli.output import Json, Refusal

if TYPE_CHECKING:
    from app.settings import Settings


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
    from pydantic import ValidationError

    from app.decisions import text
    from app.decisions.answer import answer, new_decision_id
    from app.errors import Problem
    from app.settings import load_settings
    from engines.core.limit import Meter

    name = resolve(game)
    raw = sys.stdin.buffer.read()
    try:
        question, body_explain = _question(
            name, raw, agent, budget_ms, budget_iterations, seed, load_settings()
        )
    except Problem as problem:
        errors = [f"{error.field}: {error.reason}" for error in problem.errors]
        raise Refusal("; ".join(errors) or problem.detail) from None
    except ValidationError as error:
        raise Refusal(f"settings: {error.errors()[0]['msg']}") from None
    began = time.perf_counter()
    decision = question.ask(Meter(question.budget, time.perf_counter, began))
    shown = answer(
        decision,
        agent=question.agent.name,
        seed=question.seed,
        budget=question.budget,
        decision_id=new_decision_id(),
        elapsed_ms=(time.perf_counter() - began) * 1000,
        explain=explain or body_explain,
        beside=question.game.beside(question.position, decision.move),
        more_stats={"clamped": list(question.clamped)} if question.clamped else None,
    )
    if as_json or not explain:
        typer.echo(json.dumps(shown, allow_nan=False))
    else:
        typer.echo(text.render(question.game.draw(question.position), shown), nl=False)


def _question(
    name: str,
    raw: bytes,
    agent: str | None,
    budget_ms: float | None,
    budget_iterations: int | None,
    seed: int | None,
    settings: Settings,
) -> tuple[Any, bool]:
    """The question of a body, options winning over the body's own fields; and its `explain`."""
    from app.decisions.answer import make_question
    from app.errors import FieldError, from_position, invalid
    from app.games.table import EDGES
    from app.http import parse
    from app.routes.battlesnake import derived_seed
    from app.routes.board_games import move_model, parse_position
    from engines.core.errors import PositionError

    if budget_ms is not None and not 0 < budget_ms <= 1e9:
        raise Refusal("--budget-ms: a number above 0, 1e9 at most")
    if budget_iterations is not None and not 0 < budget_iterations <= 10**12:
        raise Refusal("--budget-iterations: a number above 0, 10^12 at most")
    if seed is not None and not 0 <= seed < 2**63:
        raise Refusal("--seed: 0 to 2^63-1")
    edge = EDGES[name]
    chosen: dict[str, Any] = {"agent": agent or settings.default_agent(name), "seed": seed}
    if name == "battlesnake":
        try:
            position = edge.parse(json.loads(raw))
        except (ValueError, RecursionError) as error:
            if isinstance(error, PositionError):
                raise from_position(error, ()) from None
            raise invalid([FieldError(field="body", reason="this is not JSON")]) from None
        if seed is None:
            chosen["seed"] = derived_seed(position)
        explain = False
    else:
        body: Any = parse(move_model(edge), raw)
        position = parse_position(edge, body)
        chosen["agent"] = agent or body.agent or chosen["agent"]
        chosen["params"] = body.params if agent is None else {}
        chosen["seed"] = seed if seed is not None else body.seed
        if budget_ms is None and budget_iterations is None:
            budget_ms, budget_iterations = body.budget_ms, body.budget_iterations
        explain = body.explain
    question = make_question(
        load(name), position, budget_ms=budget_ms, budget_iterations=budget_iterations, **chosen
    )
    return question, explain
