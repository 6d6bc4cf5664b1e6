"""Numbers that say how sure they are: Wilson intervals, Elo from results, ratings by a fit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
"""A normal variable is within this many deviations 95 times of 100."""

ELO = 400 / math.log(10)
"""Elo in one unit of natural-log strength."""


def wilson(points: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The interval of a rate (E. B. Wilson 1927), a draw being half a win. Without games: 0 to 1."""
    if games == 0:
        return 0.0, 1.0
    rate = points / games
    spread = z * z / games
    centre = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / games + spread / (4 * games))
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def elo(score: float) -> float:
    """The Elo difference of an expected score; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return -math.inf if score <= 0 else math.inf
    return ELO * math.log(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much stronger one contestant was than another, in Elo; 95% within `error`.

    `los` is the likelihood of superiority. None where the results are too one-sided to tell.
    """

    elo: float | None
    error: float | None
    los: float | None


def difference(counts: Sequence[int]) -> Difference:
    """From counts of equally spaced results, worst first: three of games, or five of pairs.

    The pairs' own variance is used: games of one opening are not independent.
    """
    total = sum(counts)
    if not total:
        return Difference(None, None, None)
    results = [index / (len(counts) - 1) for index in range(len(counts))]
    mean = sum(result * count for result, count in zip(results, counts, strict=True)) / total
    variance = (
        sum(count * (result - mean) ** 2 for result, count in zip(results, counts, strict=True)) / total
    )
    deviation = math.sqrt(variance / total)
    low, high = elo(mean - Z95 * deviation), elo(mean + Z95 * deviation)
    found = elo(mean)
    los: float | None
    if deviation > 0:
        los = 0.5 * math.erfc(-(mean - 0.5) / deviation / math.sqrt(2))
    else:
        los = 0.5 if mean == 0.5 else None
    finite = math.isfinite(found)
    sure = finite and math.isfinite(low) and math.isfinite(high) and deviation > 0
    return Difference(found if finite else None, (high - low) / 2 if sure else None, los)


Choices = Mapping[tuple[int, tuple[int, ...]], int]
"""What a fit is made from: (first, those behind) -> how often, in halves (a draw is half a win each way)."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each contestant around a mean of 0; 95% of it within `error`.

    `prior` tells that a draw was added between all who met, since somebody won or lost everything
    and no finite rating would fit. A contestant without games has None.
    """

    elo: tuple[float | None, ...]
    error: tuple[float | None, ...]
    prior: bool


def ratings(count: int, choices: Choices) -> Ratings:
    """The maximum-likelihood fit: Bradley–Terry where two meet, Plackett–Luce where more do.

    `choix` fits; the error bars are the inverse of the observed information.
    """
    import choix

    met = sorted({who for winner, losers in choices for who in (winner, *losers)})
    if len(met) < 2:
        return Ratings((None,) * count, (None,) * count, False)
    place = {who: index for index, who in enumerate(met)}
    weighted = {
        (place[winner], tuple(place[who] for who in losers)): halves
        for (winner, losers), halves in sorted(choices.items())
        if halves
    }
    prior = not _connected(len(met), weighted)
    if prior:
        for one, two in sorted(
            {(a, b) for winner, losers in weighted for b in losers for a in (winner,) if a != b}
        ):
            for pair in ((one, two), (two, one)):
                weighted[pair[0], (pair[1],)] = weighted.get((pair[0], (pair[1],)), 0) + 1
    if not _connected(len(met), weighted):  # separate groups that never met cannot be compared
        return Ratings((None,) * count, (None,) * count, prior)
    if all(len(losers) == 1 for _, losers in weighted):
        wins = np.zeros((len(met), len(met)))
        for (winner, losers), halves in weighted.items():
            wins[winner, losers[0]] += halves / 2
        fit = choix.ilsr_pairwise_dense(wins, max_iter=10_000)
    else:
        data = [
            (winner, list(losers)) for (winner, losers), halves in weighted.items() for _ in range(halves)
        ]
        fit = choix.ilsr_top1(len(met), data, max_iter=10_000)
    strengths = np.asarray(fit) - np.mean(fit)
    deviations = np.sqrt(np.clip(np.diag(np.linalg.pinv(_information(strengths, weighted))), 0, None))
    found: list[float | None] = [None] * count
    errors: list[float | None] = [None] * count
    for who, index in place.items():
        found[who] = float(strengths[index] * ELO)
        errors[who] = float(Z95 * deviations[index] * ELO)
    return Ratings(tuple(found), tuple(errors), prior)


def _information(strengths: NDArray[np.float64], weighted: Choices) -> NDArray[np.float64]:
    """The observed information; its pseudo-inverse is the covariance about the mean of all."""
    matrix = np.zeros((len(strengths),) * 2)
    for (winner, losers), halves in weighted.items():
        those = [winner, *losers]
        shares = np.exp(strengths[those])
        shares /= shares.sum()
        matrix[np.ix_(those, those)] += halves / 2 * (np.diag(shares) - np.outer(shares, shares))
    return matrix


def _connected(count: int, weighted: Choices) -> bool:
    """Can everybody be reached from everybody by "has beaten"? Else no finite rating fits best."""
    ahead: list[set[int]] = [set() for _ in range(count)]
    behind: list[set[int]] = [set() for _ in range(count)]
    for winner, losers in weighted:
        ahead[winner].update(losers)
        for loser in losers:
            behind[loser].add(winner)
    return all(_reached(edges) == count for edges in (ahead, behind))


def _reached(edges: Sequence[set[int]]) -> int:
    seen, waiting = {0}, [0]
    while waiting:
        new = edges[waiting.pop()] - seen
        seen |= new
        waiting += new
    return len(seen)


class Percentiles:
    """Times of any number, in bounded memory: percentiles to within 1%, the largest exactly."""

    GROWTH = math.log(1.02)

    def __init__(self) -> None:
        self._bins: dict[int, int] = {}
        self.count = 0
        self.total = 0
        self.largest = 0

    def add(self, microseconds: int) -> None:
        place = round(math.log(max(1, microseconds)) / self.GROWTH)
        self._bins[place] = self._bins.get(place, 0) + 1
        self.count += 1
        self.total += microseconds
        self.largest = max(self.largest, microseconds)

    def ms(self, share: float) -> float | None:
        """The time in ms that `share` of them did not exceed; None where there are none."""
        wanted = math.ceil(share * self.count)
        for place, count in sorted(self._bins.items()):
            wanted -= count
            if wanted <= 0:
                return min(math.exp(place * self.GROWTH), self.largest) / 1000
        return None
