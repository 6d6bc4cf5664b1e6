"""Who has the last word: the evolution proposes, the search vetoes, and both weigh what is left.

Both value words on one scale, by one leaf: the search a few turns deep against all replies, the
evolution along lines of twenty turns against some. A word is vetoed that is proven to lose while
another is not, or that is worth clearly less to the search than its best. Of the others the one
with the greatest sum of both values is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.simultaneous import Findings
from engines.battlesnake.worth import SURE

VETO: Final = -4 * SURE
"""What a veto adds to a sum: no word that is vetoed is worth more than one that is not."""


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """Every figure of the hybrid by its name."""

    share: float = 0.3
    """Of the work, the part that the evolution does; the rest is the search's."""
    margin: float = 8.0
    """How far below the search's best a word may be worth before it is vetoed."""
    blend: float = 0.5
    """Weight of the evolution's value beside the search's."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word to play, the one that was proposed, and why words were vetoed."""

    word: str
    proposal: str
    vetoes: Mapping[str, str]
    sums: Mapping[str, float]
    """Of the words that both have valued (or the one that has anything to say)."""


def verdict(
    findings: Findings, scores: Mapping[str, float], fitness: Mapping[str, float], config: HybridConfig
) -> Verdict | None:
    """What is made of the search's `scores` and the evolution's `fitness`; None where neither has any."""
    if not scores and not fitness:
        return None
    words = tuple(scores) or tuple(fitness)
    vetoes = _vetoes(findings, scores, config)
    # A word that the evolution has no line for counts as its worst.
    worst = min(fitness.values(), default=0.0)
    sums = {word: scores.get(word, 0.0) + config.blend * fitness.get(word, worst) for word in words}
    proposal = max(words, key=lambda word: fitness.get(word, worst))
    word = max(words, key=lambda word: (word not in vetoes, sums[word]))
    return Verdict(word, proposal, vetoes, sums)


def _vetoes(findings: Findings, scores: Mapping[str, float], config: HybridConfig) -> dict[str, str]:
    lost = {
        word
        for word, row in zip(findings.words, findings.payoffs, strict=True)
        if max(row, default=0.0) <= -SURE
    }
    alive = [word for word in scores if word not in lost]
    if not alive:
        # All lose against every reply: nothing to choose by but how long, and against whom.
        return {}
    vetoes = dict.fromkeys(sorted(lost), "loses against every reply")
    best = max(alive, key=lambda word: scores[word])
    for word in alive:
        short = scores[best] - scores[word]
        if short > config.margin:
            vetoes[word] = f"negamax {scores[word]:.1f}, {best} {scores[best]:.1f}"
    return vetoes
