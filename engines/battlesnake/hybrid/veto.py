"""The choice of a move from what search and evolution have found: proposal, vetoes, greatest sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.evolution.evolution import Individual
from engines.battlesnake.hybrid.config import HybridConfig
from engines.battlesnake.search.result import SearchResult

VETO: Final = -4 * WIN_SCORE
"""The term of a vetoed move: so much that no vetoed move has a greater sum than one that is not."""

_TERMINAL_TERMS: Final = ("death", "draw")
"""Terms of a line's end that count by `config.horizon`. Not wins: most are blunders that no rival makes."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The move to play, the evolution's proposal, and by move the reason of its veto."""

    move: str
    proposal: str
    vetoes: Mapping[str, str]
    evolution_terms: Mapping[str, Mapping[str, float]]
    """By move: what the evolution adds to the search's value."""


def choose_move(
    result: SearchResult,
    scores: Mapping[str, float],
    lines: Mapping[str, Individual],
    config: HybridConfig,
) -> Choice | None:
    """Choose by the search's `scores` and the evolution's `lines`, fittest first; None where neither has any.

    In a duel the evolution's terms are 0, by `DUEL_CONFIG`. A veto then only labels the override: a vetoed
    move has not the highest score anyway, unless it is lost and merely lasts longer than one that is not.
    Without scores all sums are 0, and the first of the lines, the fittest, decides. Of equal sums the first
    in the order of `scores` wins.
    """
    if not scores and not lines:
        return None
    moves = tuple(scores) or tuple(lines)
    vetoes = _vetoes(result, scores, config)
    terms = _evolution_terms(moves, lines, config)
    sums = {move: scores.get(move, 0.0) + sum(terms[move].values()) for move in moves}
    proposal = max(lines or moves, key=lambda move: lines[move].fitness if lines else sums[move])
    move = max(moves, key=lambda move: (move not in vetoes, sums[move]))
    return Choice(move, proposal, vetoes, terms)


def _evolution_terms(
    moves: tuple[str, ...], lines: Mapping[str, Individual], config: HybridConfig
) -> dict[str, dict[str, float]]:
    """What the evolution adds to each move's value: its best line's end, and evaluations and meals on it."""
    ends = {move: sum(line.terms.get(term, 0.0) for term in _TERMINAL_TERMS) for move, line in lines.items()}
    # Fitness less death, draw and win: evaluations and meals.
    evaluations = {
        move: line.fitness - ends[move] - line.terms.get("win", 0.0) for move, line in lines.items()
    }
    # A move without a line counts as the worst one that has a line.
    end, evaluation = min(ends.values(), default=0.0), min(evaluations.values(), default=0.0)
    return {
        move: {
            "horizon": config.horizon * ends.get(move, end),
            "evolution": config.blend * evaluations.get(move, evaluation),
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
