"""Deadline arithmetic: pure functions and one small estimator, tested without a clock."""

from __future__ import annotations

from dataclasses import dataclass

# The margin before anything was measured, for network, parsing and event loop: a share of the timeout, and at
# least this.
FIRST_MARGIN_MS = 15.0
FIRST_MARGIN_SHARE = 0.1
# Added to the overhead: timers and thread switches jitter by a few ms.
JITTER_MS = 8.0
# The margin never takes more than this share of the timeout: a short search is better than none.
MAX_MARGIN_SHARE = 0.6
# A high overhead is forgotten at this rate per move, so that one spike does not rule a whole game.
DECAY = 0.9
# After a late answer the margin grows by this share of the timeout at once.
LATE_SHARE = 0.15

DEFAULT_TIMEOUT_MS = 500.0
MAX_TIMEOUT_MS = 10_000.0


def referee_timeout(timeout: float | None) -> float:
    """The time a referee gives for one move; the official default where it gives none or nonsense."""
    if timeout is None or not 0 < timeout < float("inf"):
        return DEFAULT_TIMEOUT_MS
    return min(float(timeout), MAX_TIMEOUT_MS)


def fair_share(now: float, latest: float, waiting: int, workers: int) -> float:
    """When a search should end that may run from `now` to `latest`, if others wait.

    With `waiting` searches queued for `workers` threads it gets 1 / (1 + waiting / workers) of that time.
    """
    return now + max(0.0, latest - now) / (1.0 + waiting / workers)


@dataclass(slots=True)
class Margin:
    """The part of the timeout that is not for searching, learnt from the latencies that referees report.

    The overhead of a move is its reported latency less our own time from request to answer. The margin is the
    greatest overhead so far, decayed by `DECAY` a move, plus `JITTER_MS`.
    """

    overhead_ms: float | None = None

    def learn(self, latency_ms: float, own_ms: float | None, timeout_ms: float) -> None:
        """Take in a reported `latency_ms`; `own_ms` is our own time for that same move, if known."""
        if not 0 < latency_ms < float("inf"):
            return
        known = self.overhead_ms
        if latency_ms >= timeout_ms:
            # Late: the estimate was too low. By how much is unknown, so it grows by a fixed step.
            estimate = known if known is not None else first_margin(timeout_ms) - JITTER_MS
            self.overhead_ms = estimate + timeout_ms * LATE_SHARE
        elif own_ms is not None:
            seen = max(0.0, latency_ms - own_ms)
            self.overhead_ms = seen if known is None else max(seen, known * DECAY)

    def ms(self, timeout_ms: float) -> float:
        """The margin for a move of `timeout_ms`."""
        if self.overhead_ms is None:
            margin = first_margin(timeout_ms)
        else:
            margin = self.overhead_ms + JITTER_MS
        return min(margin, timeout_ms * MAX_MARGIN_SHARE)


def first_margin(timeout_ms: float) -> float:
    """The margin before anything is known."""
    return max(FIRST_MARGIN_MS, timeout_ms * FIRST_MARGIN_SHARE)
