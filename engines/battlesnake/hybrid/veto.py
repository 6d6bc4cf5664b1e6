"""The choice of a move from what search and evolution have found: proposal, vetoes, greatest sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.evolution.evolution import Individual
from engines.battlesnake.position import Position
from engines.battlesnake.search.result import SearchConfig, SearchResult

VETO: Final = -4 * WIN_SCORE
"""The term of a vetoed move: so much that no vetoed move has a greater sum than one that is not."""

_TERMINAL_TERMS: Final = ("death", "draw")
"""Terms of a line's end that count by `horizon`. Not wins: most are blunders that no rival makes."""

SEARCH_CONFIG: Final = SearchConfig(lmr=3)
"""The search of the hybrid: with the same number of nodes two to four plies deeper, at the price of moves
that are searched less deep (docs/decisions/0008-late-move-reductions.md)."""


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """How search and evolution are put together."""

    share: float = 0.05
    """The evolution's share of the slices. Small, since a slice is worth more to the search."""
    margin: float = 8.0
    """A move is vetoed if its search value is so much lower than the best one's."""
    blend: float = 0.1
    """Weight of the leaf values along the evolution's best line; the search's value has weight 1."""
    horizon: float = 0.5
    """Weight of the deaths and draws on that line, which lie far beyond the search's horizon."""


DUEL_CONFIG: Final = HybridConfig(blend=0.0, horizon=0.0)
"""In duels most moves that the evolution liked better turned out to be worse: it proposes, and decides only
where the search has no value yet."""
DEFAULT_CONFIG: Final = HybridConfig()


def hybrid_config(position: Position) -> HybridConfig:
    """The one that a position is played by."""
    return DUEL_CONFIG if len(position.snakes) == 2 else DEFAULT_CONFIG


@dataclass(frozen=True, slots=True)
class Choice:
    """The move to play, the evolution's proposal, and by move the reason of its veto."""

    move: str
    proposal: str
    vetoes: Mapping[str, str]
    shares: Mapping[str, Mapping[str, float]]
    """By move: the evolution's terms, added to the search's value."""


def choose_move(
    result: SearchResult,
    scores: Mapping[str, float],
    lines: Mapping[str, Individual],
    config: HybridConfig,
) -> Choice | None:
    """Choose by the search's `scores` and the evolution's `lines`; None where neither has any."""
    if not scores and not lines:
        return None
    moves = tuple(scores) or tuple(lines)
    vetoes = _vetoes(result, scores, config)
    shares = _evolution_shares(moves, lines, config)
    sums = {move: scores.get(move, 0.0) + sum(shares[move].values()) for move in moves}
    proposal = max(lines or moves, key=lambda move: lines[move].fitness if lines else sums[move])
    move = max(moves, key=lambda move: (move not in vetoes, sums[move]))
    return Choice(move, proposal, vetoes, shares)


def _evolution_shares(
    moves: tuple[str, ...], lines: Mapping[str, Individual], config: HybridConfig
) -> dict[str, dict[str, float]]:
    """What the evolution adds to each move's value: the ends of its best line, and the leaves along it."""
    ends = {move: sum(line.terms.get(term, 0.0) for term in _TERMINAL_TERMS) for move, line in lines.items()}
    leaves = {move: line.fitness - ends[move] - line.terms.get("win", 0.0) for move, line in lines.items()}
    # A move without a line counts as the worst one that has a line.
    end, leaf = min(ends.values(), default=0.0), min(leaves.values(), default=0.0)
    return {
        move: {
            "horizon": config.horizon * ends.get(move, end),
            "evolution": config.blend * leaves.get(move, leaf),
        }
        for move in moves
    }


def _vetoes(result: SearchResult, scores: Mapping[str, float], config: HybridConfig) -> dict[str, str]:
    """By vetoed move the reason. None where all moves lose: then only how long they last tells them apart."""
    lost = {move for move in result.moves if result.lost(move)}
    alive = [move for move in scores if move not in lost]
    if not alive:
        return {}
    vetoes = dict.fromkeys(sorted(lost), result.loss_note)
    best = max(alive, key=lambda move: scores[move])
    for move in alive:
        if scores[best] - scores[move] > config.margin:
            vetoes[move] = f"negamax {scores[move]:.1f}, {best} {scores[best]:.1f}"
    return vetoes
