"""A decision as it goes out: plain JSON values of one shape for every game, or text for a terminal."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic.alias_generators import to_camel

from app.decisions.question import AgentCall, Question
from engines.core.decision import Candidate, Decision

FALLBACK = "fallback"
"""The agent's name in answers while the engines are being loaded."""


def new_decision_id() -> str:
    """An id that nobody can guess."""
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision, the question that it answers, and statistics of the runtime."""

    question: Question
    decision: Decision
    call: AgentCall | None
    """None while the engines are being loaded."""
    elapsed_ms: float
    stats: Mapping[str, Any] = field(default_factory=dict)
    """By their JSON names."""
    decision_id: str = field(default_factory=new_decision_id)

    def json(self, more_stats: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The answer of a move route as plain JSON values."""
        decision, call = self.decision, self.call
        stats: dict[str, Any] = {"elapsedMs": round(self.elapsed_ms, 3), "seed": self.question.seed}
        stats.update(_camel(decision.stats))
        annotations: Mapping[str, Any] = {}
        if call is not None:
            stats["budgetMs"] = call.budget.ms
            stats["budgetIterations"] = call.budget.iterations
            if call.clamped:
                stats["clamped"] = call.clamped
            annotations = call.game.annotations(self.question.position, decision.move)
        stats.update(self.stats)
        stats.update(more_stats or {})
        return {
            "move": jsonable(decision.move),
            **jsonable(annotations),
            "agent": FALLBACK if call is None else call.agent.name,
            "score": _finite(decision.score),
            "outcome": _outcome(decision),
            "decisionId": self.decision_id,
            "stats": jsonable(stats),
            "breakdown": breakdown(decision) if self.question.explain else None,
        }

    def board(self) -> str:
        """The position for a terminal; nothing while the engines are being loaded."""
        return "" if self.call is None else self.call.game.render(self.question.position)


def breakdown(decision: Decision) -> dict[str, Any]:
    """The candidates and why one was chosen, in one shape for all games."""
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
