"""Wald's sequential probability ratio test on paired games.

H0: the first contestant is `elo0` stronger than the second; H1: `elo1`. The log-likelihood ratio is
the generalised one: under each hypothesis the likeliest distribution of results that has its mean
(M. Van den Bergh, "Comments on Normalized Elo"), on the five results of a pair, or on the three of
a game where games are not paired. Elo is logistic. The bounds are fixed before the first game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from arena.errors import ArenaError
from arena.wire import Written

NEVER_SEEN = 1e-3
"""Stands for a count of 0, so that one-sided results keep a likelihood (as in fastchess)."""


class Sprt(Written):
    """The test, as stated beforehand."""

    elo0: float
    elo1: float
    alpha: float = Field(default=0.05, gt=0, lt=1)
    beta: float = Field(default=0.05, gt=0, lt=1)

    @property
    def lower(self) -> float:
        """At or below it H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above it H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, llr: float) -> Literal["H0", "H1"] | None:
        """The accepted hypothesis, None while the games do not tell."""
        if llr >= self.upper:
            return "H1"
        return "H0" if llr <= self.lower else None

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0, of counts of equally spaced results, worst first."""
        return llr(counts, expected_score(self.elo0), expected_score(self.elo1)) if sum(counts) else 0.0


def checked(elo0: float, elo1: float, alpha: float, beta: float) -> Sprt:
    """A test that makes sense, or an `ArenaError`."""
    if not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
        raise ArenaError("--sprt ELO0 ELO1: the first must be less than the second")
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise ArenaError("--alpha and --beta lie between 0 and 1, and so does their sum")
    return Sprt(elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)


def expected_score(elo: float) -> float:
    """The score per game of someone `elo` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def llr(counts: Sequence[int], score0: float, score1: float) -> float:
    """The generalised log-likelihood ratio of mean `score1` to mean `score0`."""
    seen = [count or NEVER_SEEN for count in counts]
    total = sum(seen)
    results = [index / (len(seen) - 1) for index in range(len(seen))]
    shares = [count / total for count in seen]
    tilt0, tilt1 = (_tilt(results, shares, score) for score in (score0, score1))
    return total * sum(
        share * (math.log1p(tilt0 * (result - score0)) - math.log1p(tilt1 * (result - score1)))
        for share, result in zip(shares, results, strict=True)
    )


def _tilt(results: Sequence[float], shares: Sequence[float], mean: float) -> float:
    """The t for which the shares p/(1 + t(x - mean)) have that mean: by bisection, the sum falls in t."""
    low, high = -1 / (results[-1] - mean), -1 / (results[0] - mean)
    for _ in range(200):
        t = (low + high) / 2
        if t in (low, high):
            break
        total = sum(p * (x - mean) / (1 + t * (x - mean)) for p, x in zip(shares, results, strict=True))
        low, high = (t, high) if total > 0 else (low, t)
    return (low + high) / 2
