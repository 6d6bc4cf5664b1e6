"""Answers a question in time: by an agent call in the pool, or by the fallback move if that is late."""

from __future__ import annotations

from typing import Any

import structlog

from app.decisions.answer import Answer
from app.decisions.question import Question, resolve
from app.runtime.context import Context
from engines.core.decision import Decision

log = structlog.get_logger()

# The default of `grace_ms`: how late an agent call may be before the fallback is played.
GRACE_MS = 250.0

# A call granted less than this share of the time it asked for is reported as shortened.
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

    The agent call should end `thinking_ms` after `arrived` (on the context's clock); if it has not ended
    `grace_ms` later, the fallback is played. `thinking_ms=None`: the call's own `budget.ms`, or with a budget
    of iterations alone the agent's maximum.
    """
    games = context.engines.games()
    if games is None:
        fallback, reported = _fallback(context, question, "loading")
        return Answer(question, fallback, None, _elapsed_ms(context, arrived), reported)
    call = resolve(question, games[question.game], context.settings.default_agent(question.game))
    if thinking_ms is None:
        thinking_ms = call.budget.ms or call.agent.budgets.ms.maximum
    latest, due = arrived + thinking_ms / 1000, arrived + (thinking_ms + grace_ms) / 1000
    metrics = context.metrics
    before = context.clock()
    outcome = await context.pool.run(call.run, call.budget, latest, due)
    metrics.in_hand.set(context.pool.in_hand)
    metrics.search_seconds.labels(question.game).observe(context.clock() - before)
    metrics.decisions.labels(question.game, call.agent.name).inc()
    stats: dict[str, Any] = {}
    asked, granted = call.budget.ms, outcome.granted_ms
    if (decision := outcome.decision) is None:
        decision, stats = _fallback(context, question, outcome.reason, outcome.error)
    elif granted is not None and (asked is None or granted < asked * SHORTENED_SHARE):
        metrics.shortened.labels(question.game).inc()
        stats = {"grantedMs": round(granted, 1)}
    return Answer(question, decision, call, _elapsed_ms(context, arrived), stats)


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
