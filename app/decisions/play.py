"""Answers a question in time: the search in the pool, and behind it the plain legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import structlog

from app.decisions.answer import Question
from app.runtime.context import Context
from engines.core.decision import Decision

log = structlog.get_logger()

# A search that is not back this long after its time is answered by the last resort, where no referee waits.
GRACE_MS = 250.0

# A search that budgets shorten below this share of what was asked counts as shortened.
SHORTENED_SHARE = 0.98


@dataclass(frozen=True, slots=True)
class Played:
    """A decision that is on its way out, and what the runtime has to say about it."""

    decision: Decision
    stats: Mapping[str, Any]


async def play(
    context: Context,
    question: Question,
    *,
    arrived: float,
    fallback: Callable[[], Any],
    thinking_ms: float | None = None,
    grace_ms: float = GRACE_MS,
) -> Played:
    """The decision for `question`, or the last resort.

    A search should end `thinking_ms` after the request has `arrived` (by the context's clock), and what is
    not back `grace_ms` later is not waited for. Without that it has its budget; of iterations alone, all the
    time that its agent may take.
    """
    if thinking_ms is None:
        thinking_ms = question.budget.ms or question.agent.budgets.ms.maximum
    latest, due = arrived + thinking_ms / 1000, arrived + (thinking_ms + grace_ms) / 1000
    game = question.game.name
    metrics = context.metrics
    before = context.clock()
    outcome = await context.pool.run(question.ask, question.budget, latest, due)
    metrics.in_hand.set(context.pool.in_hand)
    metrics.search_seconds.labels(game).observe(context.clock() - before)
    metrics.decisions.labels(game, question.agent.name).inc()
    stats: dict[str, Any] = {"clamped": list(question.clamped)} if question.clamped else {}
    if outcome.decision is None:
        resort = last_resort(context, game, outcome.reason, fallback, outcome.error)
        return Played(resort.decision, {**stats, **resort.stats})
    asked = question.budget.ms
    if outcome.granted_ms is not None and (asked is None or outcome.granted_ms < asked * SHORTENED_SHARE):
        metrics.shortened.labels(game).inc()
        stats["grantedMs"] = round(outcome.granted_ms, 1)
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
