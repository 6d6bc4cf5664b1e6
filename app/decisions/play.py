"""Answers a question in time: the search in the pool, and behind it the fallback move."""

from __future__ import annotations

from typing import Any

import structlog

from app.decisions.answer import Answer
from app.decisions.question import Question, resolve
from app.runtime.context import Context
from engines.core.decision import Decision

log = structlog.get_logger()

# A search that is not back this long after its time is answered by the fallback, where no referee waits.
GRACE_MS = 250.0

# A search that budgets shorten below this share of what was asked counts as shortened.
SHORTENED_SHARE = 0.98


async def play(
    context: Context,
    question: Question,
    arrived: float,
    *,
    thinking_ms: float | None = None,
    grace_ms: float = GRACE_MS,
) -> Answer:
    """The answer to `question`: an agent's decision, or the fallback.

    The search should end `thinking_ms` after `arrived` (on the context's clock); the fallback is answered if
    it is not back `grace_ms` later. `thinking_ms=None`: the search's own `budget.ms`, or for iterations alone
    the agent's maximum.
    """
    games = context.engines.games()
    if games is None:
        fallback, reported = _fallback(context, question, "loading")
        return Answer(question, fallback, None, _elapsed_ms(context, arrived), reported)
    search = resolve(question, games[question.game], context.settings.default_agent(question.game))
    if thinking_ms is None:
        thinking_ms = search.budget.ms or search.agent.budgets.ms.maximum
    latest, due = arrived + thinking_ms / 1000, arrived + (thinking_ms + grace_ms) / 1000
    metrics = context.metrics
    before = context.clock()
    outcome = await context.pool.run(search.run, search.budget, latest, due)
    metrics.in_hand.set(context.pool.in_hand)
    metrics.search_seconds.labels(question.game).observe(context.clock() - before)
    metrics.decisions.labels(question.game, search.agent.name).inc()
    stats: dict[str, Any] = {}
    asked, granted = search.budget.ms, outcome.granted_ms
    if (decision := outcome.decision) is None:
        decision, stats = _fallback(context, question, outcome.reason, outcome.error)
    elif granted is not None and (asked is None or granted < asked * SHORTENED_SHARE):
        metrics.shortened.labels(question.game).inc()
        stats = {"grantedMs": round(granted, 1)}
    return Answer(question, decision, search, _elapsed_ms(context, arrived), stats)


def _elapsed_ms(context: Context, arrived: float) -> float:
    return (context.clock() - arrived) * 1000


def _fallback(
    context: Context, question: Question, reason: str, error: BaseException | None = None
) -> tuple[Decision, dict[str, Any]]:
    """The fallback move and its stats: flagged in the answer, counted, and logged."""
    context.metrics.fallbacks.labels(question.game, reason).inc()
    log.warning("last resort", game=question.game, reason=reason, exc_info=error)
    stats = {"iterations": 0, "reason": f"last resort: {reason}"}
    return Decision(move=question.fallback(), stats=stats), {"lastResort": reason}
