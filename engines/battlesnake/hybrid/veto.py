"""Who has the last word: the evolution proposes, the search vetoes, and both weigh what is left.

Both value words on one scale, by one leaf: the search a few turns deep against all replies, the
evolution along lines of twenty turns against some. A word is vetoed that is proven to lose while
another is not, or that is worth clearly less to the search than its best. Of the others the one
with the greatest sum of both values is played.

In a duel the evolution's value weighs nothing. Where every word of a duel loses to the right reply, the
search goes on by pairs, and its matrix of words and replies also tells which reply suits the rival: how often
it has played so is remembered, and how much the forecast counts goes by that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.evolution.evolution import Line
from engines.battlesnake.position import Position
from engines.battlesnake.search.result import SearchConfig, SearchResult

FATES: Final = ("death", "draw")
"""The terms of a line that tell how it ends. Not wins: most are blunders that no rival makes."""
VETO: Final = -4 * WIN_SCORE
"""What a veto adds to a sum: no word that is vetoed is worth more than one that is not."""


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """Every figure of the hybrid by its name."""

    share: float = 0.05
    """Of the work, the part that the evolution does; the rest is the search's, to which it is worth more."""
    margin: float = 8.0
    """How far below the search's best a word may be worth before it is vetoed."""
    blend: float = 0.1
    """Weight of what the evolution holds of the boards along its lines, beside the search's value."""
    horizon: float = 0.5
    """Weight of the deaths and draws on its lines, which lie far beyond the search."""


CONFIGS: Final[Mapping[str, HybridConfig]] = {
    # Most words that the evolution liked better in duels turned out to be worse; so it proposes there, and
    # answers where the search has not valued anything.
    "duel": HybridConfig(blend=0.0, horizon=0.0),
    "otherwise": HybridConfig(),
}
"""How the parts are put together, by `rivals`."""


def rivals(position: Position) -> str:
    """By which entry of `CONFIGS` a position is played."""
    return "duel" if len(position.snakes) == 2 else "otherwise"


SEARCH_CONFIG: Final = SearchConfig(lmr=3)
"""How its search is set: in as many turns played two to four turns deeper, worth more than what is looked at
less deep (docs/decisions/0008-late-move-reductions.md)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The word to play, the one that was proposed, and why words were vetoed."""

    move: str
    proposal: str
    vetoes: Mapping[str, str]
    parts: Mapping[str, Mapping[str, float]]
    """What the evolution adds to the search's value of each word."""


def verdict(
    result: SearchResult,
    scores: Mapping[str, float],
    lines: Mapping[str, Line],
    config: HybridConfig,
) -> Verdict | None:
    """What is made of the search's `scores` and the evolution's `lines`; None where neither has any."""
    if not scores and not lines:
        return None
    moves = tuple(scores) or tuple(lines)
    vetoes = _vetoes(result, scores, config)
    fates = {move: sum(line.terms.get(fate, 0.0) for fate in FATES) for move, line in lines.items()}
    boards = {move: line.fitness - fates[move] - line.terms.get("win", 0.0) for move, line in lines.items()}
    # A word that the evolution has no line for counts as its worst.
    fate, board = min(fates.values(), default=0.0), min(boards.values(), default=0.0)
    parts = {
        move: {
            "horizon": config.horizon * fates.get(move, fate),
            "evolution": config.blend * boards.get(move, board),
        }
        for move in moves
    }
    sums = {move: scores.get(move, 0.0) + sum(parts[move].values()) for move in moves}
    proposal = max(lines or moves, key=lambda move: lines[move].fitness if lines else sums[move])
    move = max(moves, key=lambda move: (move not in vetoes, sums[move]))
    return Verdict(move, proposal, vetoes, parts)


def _vetoes(result: SearchResult, scores: Mapping[str, float], config: HybridConfig) -> dict[str, str]:
    lost = {move for move in result.moves if result.lost(move)}
    alive = [move for move in scores if move not in lost]
    if not alive:
        # All lose against every reply: nothing to choose by but how long, and against whom.
        return {}
    vetoes = dict.fromkeys(sorted(lost), result.defeat)
    best = max(alive, key=lambda move: scores[move])
    for move in alive:
        short = scores[best] - scores[move]
        if short > config.margin:
            vetoes[move] = f"negamax {scores[move]:.1f}, {best} {scores[best]:.1f}"
    return vetoes
