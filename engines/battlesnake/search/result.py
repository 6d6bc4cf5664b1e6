"""What a search is set to, and what it tells: values of words and replies, and the lines behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.evaluation import PLY_COST, WIN_SCORE
from engines.battlesnake.search.matrix_game import equilibrium

_HAIR: Final = 1 / 1024
"""What a value counts less that is a bound: who is only known to be no better comes after who is."""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How the tuned search takes draws, doubt and distance, and how it spends its turns."""

    draw: float = -60.0
    """What it is worth when all that are left die at once: worse than most boards, better than a loss (-100).
    At 0 two equals walk into each other on the first food that they share."""
    caution: float = 0.7
    """How much of a word's value is its worst case; the rest is its mean over plausible replies."""
    doubt: float = 0.3
    """How much of that plausibility goes to all replies alike; the rest to the rival's best mixed play."""
    radius: int = 14
    """With more than one rival: steps within which one may deviate from its habit. Who may not is taken
    to blunder: of all that was varied, this counts most with four at a board."""
    matrix_plies: int = 1
    """Turns after the first in which nodes where heads can meet are matrix games; later the rival sees your
    word. Without pruning between pairs they cost too much depth to be had everywhere."""
    lmr: int = 0
    """Turns less, at most and at each node, that later words and replies are looked ahead (0 to 3), unless
    they surprise: late move reductions. At 3 also one turn before the leaves."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What each of your words is worth against each reply, `depth` turns deep (nothing at 0; less deep along
    late words and replies, if the tuning says so).

    In a duel the replies are the rival's words, or by word `worst` alone. With more rivals they are `habit`,
    in which nobody deviates, and `worst`, the worst of all replies. Alone there is one, `habit`.
    """

    depth: int = 0
    moves: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    payoffs: tuple[tuple[float, ...], ...] = ()
    at_most: frozenset[str] = frozenset()
    """By word: those only shown to be no better than the best; their values are bounds from above."""

    @property
    def maximin(self) -> bool:
        """Is a word valued by its worst reply alone?"""
        return self.replies == ("worst",)

    def lost(self, move: str) -> bool:
        """Is it proven that a word loses, by word against the right reply, else against every one?"""
        return max(self.payoffs[self.moves.index(move)]) <= -WIN_SCORE

    def wins_in(self, move: str) -> int | None:
        """Turns in which a word wins by best play, whatever is replied; None where that is not proven."""
        worst = min(self.payoffs[self.moves.index(move)])
        if move in self.at_most or worst < WIN_SCORE:
            return None
        # Mixed play may come to a mean of two numbers of turns.
        return math.ceil((WIN_SCORE + 1 - worst) / PLY_COST - 0.001)

    @property
    def defeat(self) -> str:
        """What is told of a word that is lost."""
        return "loses to the best reply" if self.maximin else "loses against every reply"

    def plausible(self, doubt: float) -> tuple[float, ...]:
        """How likely each reply is taken to be."""
        if self.replies == ("habit", "worst"):
            return (1.0, 0.0)
        even = 1 / len(self.replies)
        by_column = equilibrium([list(row) for row in self.payoffs])[2]
        return tuple((1 - doubt) * chance + doubt * even for chance in by_column)

    def scores(self, search_config: SearchConfig) -> dict[str, float]:
        """What each word is worth, between its worst case and its mean."""
        if not self.moves:
            return {}
        chances = self.plausible(search_config.doubt)
        return {
            move: search_config.caution * min(row)
            + (1 - search_config.caution) * sum(c * value for c, value in zip(chances, row, strict=True))
            - (_HAIR if move in self.at_most else 0.0)
            for move, row in zip(self.moves, self.payoffs, strict=True)
        }


@dataclass(frozen=True, slots=True)
class PrincipalVariation:
    """Your words of a principal variation, and the terms of the leaf at its end (none if it ends a game)."""

    moves: tuple[str, ...]
    terms: dict[str, float]
    territory: dict[str, int]
    """At that leaf, the cells that each living snake is the first to reach."""
