"""From a request to a decision and from a decision to an answer: the same for every game.

`Question` is everything a decision depends on; asking it again gives the same answer.
"""

from __future__ import annotations

import math
import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic.alias_generators import to_camel

from app.decisions.parameters import find, make_parameters, split_spec
from engines.core.agents import Agent
from engines.core.decision import Candidate, Decision
from engines.core.game import Game
from engines.core.limit import Budget, Meter

# Seeds that we draw ourselves survive a front end's JSON (numbers beyond 2**53 do not).
DRAWN_SEED_BITS = 53


@dataclass(frozen=True, slots=True)
class Question:
    """A position put to an agent. `clamped` names the budgets that were pulled into the agent's range."""

    game: Game[Any]
    agent: Agent[Any]
    parameters: Any
    position: Any
    budget: Budget
    seed: int
    memory: Any = None
    clamped: tuple[str, ...] = ()

    def ask(self, meter: Meter) -> Decision:
        """The decision, within what the meter allows."""
        return self.agent.decide(self.position, self.parameters, meter, self.seed, self.memory)


def make_question(
    game: Game[Any],
    position: Any,
    *,
    agent: str,
    params: Mapping[str, Any] | None = None,
    budget_ms: float | None = None,
    budget_iterations: int | None = None,
    seed: int | None = None,
    memory: Any = None,
) -> Question:
    """Find the agent, check its parameters, bring the budget into its range.

    `agent` may carry parameters (`name:key=value`); `params` win over those.
    """
    name, named = split_spec(agent)
    found = find(game, name)
    parameters = make_parameters(found, {**named, **(params or {})})
    if budget_ms is None and budget_iterations is None:
        budget_ms = found.budgets.ms.default
    clamped = []
    if budget_ms is not None and budget_ms != (bounded := found.budgets.ms.clamp(budget_ms)):
        budget_ms = bounded
        clamped.append("budgetMs")
    if budget_iterations is not None:
        bounded_iterations = int(found.budgets.iterations.clamp(budget_iterations))
        if bounded_iterations != budget_iterations:
            budget_iterations = bounded_iterations
            clamped.append("budgetIterations")
    if seed is None:
        seed = secrets.randbits(DRAWN_SEED_BITS)
    budget = Budget(budget_ms, budget_iterations)
    return Question(game, found, parameters, position, budget, seed, memory, tuple(clamped))


def new_decision_id() -> str:
    """An id that nobody can guess."""
    return uuid.uuid4().hex


def answer(
    decision: Decision,
    *,
    agent: str,
    seed: int,
    budget: Budget | None,
    decision_id: str,
    elapsed_ms: float,
    explain: bool,
    beside: Mapping[str, Any] | None = None,
    more_stats: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The answer of a move route as plain JSON values."""
    stats: dict[str, Any] = {"elapsedMs": round(elapsed_ms, 3), "seed": seed}
    stats.update(_camel(decision.stats))
    if budget is not None:
        stats["budgetMs"] = budget.ms
        stats["budgetIterations"] = budget.iterations
    stats.update(more_stats or {})
    return {
        "move": jsonable(decision.move),
        **jsonable(beside or {}),
        "agent": agent,
        "score": _finite(decision.score),
        "outcome": _outcome(decision),
        "decisionId": decision_id,
        "stats": jsonable(stats),
        "breakdown": breakdown(decision) if explain else None,
    }


def breakdown(decision: Decision) -> dict[str, Any]:
    """What was looked at and why, of one shape for all games."""
    return {
        "candidates": [_candidate(candidate) for candidate in decision.candidates],
        "chosen": jsonable(decision.move),
        "context": jsonable(_camel(decision.context)),
        "line": jsonable(list(decision.line)),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "move": jsonable(candidate.move),
        "score": _finite(candidate.score),
        "terms": jsonable(candidate.terms),
        "notes": list(candidate.notes),
    }
    if candidate.details:
        shown["details"] = jsonable(candidate.details)
    return shown


def _outcome(decision: Decision) -> dict[str, Any] | None:
    if decision.outcome is None:
        return None
    return {
        "winner": decision.outcome.winner,
        "proven": decision.outcome.proven,
        "plies": decision.outcome.plies,
    }


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else _plain_number(value)


def _plain_number(value: Any) -> Any:
    """numpy's numbers as Python's."""
    return value.item() if hasattr(value, "item") else value


def jsonable(value: Any) -> Any:
    """A plain JSON value; an infinite number is written as "inf" or "-inf"."""
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return [jsonable(item) for item in value]
    value = _plain_number(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "-inf")
    return value


def _camel(names: Mapping[str, Any]) -> dict[str, Any]:
    return {to_camel(name): value for name, value in names.items()}
