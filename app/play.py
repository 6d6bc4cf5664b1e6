"""Answers a question in time: the search in the pool, and behind it the plain legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from app.context import Context
from app.decisions import Question
from engines.core.decision import Decision

log = structlog.get_logger()

# A search that budgets shorten below this share of what was asked counts as shortened.
SHORTENED_SHARE = 0.98


@dataclass(frozen=True, slots=True)
class Played:
    """A decision that is on its way out, and what the runtime has to say about it."""

    decision: Decision
    stats: Mapping[str, Any]


async def play(
    context: Context, question: Question, *, latest: float, due: float, fallback: Callable[[], Any]
) -> Played:
    """The decision for `question`, or the last resort at `due` (both on the context's clock)."""
    game = question.game.name
    metrics = context.metrics
    before = context.clock()
    outcome = await context.pool.run(question.ask, question.budget, latest, due)
    metrics.in_hand.set(context.pool.in_hand)
    metrics.search_seconds.labels(game).observe(context.clock() - before)
    metrics.decisions.labels(game, question.agent.name).inc()
    if outcome.decision is None:
        return last_resort(context, game, outcome.reason, fallback, outcome.error)
    stats: dict[str, Any] = {}
    asked = question.budget.ms
    if asked is not None and outcome.granted_ms is not None and outcome.granted_ms < asked * SHORTENED_SHARE:
        metrics.shortened.labels(game).inc()
        stats["grantedMs"] = round(outcome.granted_ms, 1)
    if question.clamped:
        stats["clamped"] = list(question.clamped)
    return Played(outcome.decision, stats)


def last_resort(
    context: Context,
    game: str,
    reason: str,
    fallback: Callable[[], Any],
    error: BaseException | None = None,
) -> Played:
    """The plain legal move: flagged in the answer, counted, and logged."""
    context.metrics.fallbacks.labels(game, reason).inc()
    log.warning("last resort", game=game, reason=reason, exc_info=error)
    decision = Decision(move=fallback(), stats={"iterations": 0, "reason": f"last resort: {reason}"})
    return Played(decision, {"lastResort": reason})
