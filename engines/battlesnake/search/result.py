"""What a search is set to, and what it finds: a payoff matrix at the root, and principal variations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from engines.battlesnake.evaluation import PLY_COST, WIN_SCORE
from engines.battlesnake.search.matrix_game import equilibrium

DEFAULT: Final = "default"
"""The reply in which every rival plays its default move."""
WORST: Final = "worst"
"""The worst of all replies."""

_BOUND_PENALTY: Final = 1 / 1024
"""What an upper bound loses in the score that is reported: so an exact value comes before an equal bound."""


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """How the search takes draws, uncertain replies and distant rivals, and where it saves nodes."""

    draw: float = -60.0
    """The value of all that are left dying at once: worse than most positions, better than a loss (-100).
    At 0 two equals walk into each other on the first food that they share."""
    caution: float = 0.7
    """The weight of a move's worst case in its score; the rest is its mean over the likely replies: of a
    rival's in a duel; with more rivals the value against the default reply alone."""
    doubt: float = 0.3
    """In a duel: how much of that likelihood is spread evenly over all replies; the rest is the rival's
    equilibrium strategy."""
    radius: int = 14
    """With more than one rival: the head distance within which one may deviate from its default move. Who may
    not is taken to blunder: of all that was varied, this counts most with four at a board."""
    matrix_plies: int = 1
    """Plies after the first in which nodes where heads can meet are matrix games; later the rival sees your
    move. They prune so little that they would cost too much depth everywhere."""
    lmr: int = 0
    """Late move reductions: plies, at most and at each node (0 to 3), that later moves and replies are
    searched less deep, unless they surprise. At 3 also one ply before the leaves."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The payoff matrix at the root, `depth` plies deep (nothing at 0; less deep along reduced moves).

    `depth` is the deepest complete one; values proven by the next depth may already be in the matrix.

    In a duel the replies are the rival's moves; with the maximin root WORST alone. With more rivals they are
    DEFAULT and WORST. Alone there is DEFAULT only.
    """

    depth: int = 0
    moves: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    payoffs: tuple[tuple[float, ...], ...] = ()
    """[moves, replies]"""
    upper_bounds: frozenset[str] = frozenset()
    """With the maximin root: moves that failed low against the best; their values are upper bounds."""

    @property
    def maximin(self) -> bool:
        """Is a move's value that against its worst reply alone?"""
        return self.replies == (WORST,)

    def lost(self, move: str) -> bool:
        """Is it proven that a move loses: with the maximin root against the right reply, else against all?"""
        return max(self.payoffs[self.moves.index(move)]) <= -WIN_SCORE

    def wins_in(self, move: str) -> int | None:
        """Plies in which a move wins by best play, whatever is replied; None where that is not proven."""
        worst = min(self.payoffs[self.moves.index(move)])
        if move in self.upper_bounds or worst < WIN_SCORE:
            return None
        # A matrix game's value may be a mean of wins in different numbers of plies.
        return math.ceil((WIN_SCORE + 1 - worst) / PLY_COST - 0.001)

    @property
    def loss_note(self) -> str:
        """The note for a move that is lost."""
        return "loses to the best reply" if self.maximin else "loses against every reply"

    def reply_probabilities(self, doubt: float) -> tuple[float, ...]:
        """How likely each reply is taken to be."""
        if self.replies == (DEFAULT, WORST):
            return (1.0, 0.0)
        even = 1 / len(self.replies)
        strategy = equilibrium([list(row) for row in self.payoffs])[2]
        return tuple((1 - doubt) * probability + doubt * even for probability in strategy)

    def scores(self, search_config: SearchConfig) -> dict[str, float]:
        """Each move's score, between its worst case and its mean.

        Those of `upper_bounds` are bounds, less `_BOUND_PENALTY`, so that an exact score wins a tie: they say
        that a move is no better than the best, not by how much it is worse. All others may be compared.
        """
        if not self.moves:
            return {}
        probabilities = self.reply_probabilities(search_config.doubt)
        caution = search_config.caution
        return {
            move: caution * min(row)
            + (1 - caution) * sum(p * value for p, value in zip(probabilities, row, strict=True))
            - (_BOUND_PENALTY if move in self.upper_bounds else 0.0)
            for move, row in zip(self.moves, self.payoffs, strict=True)
        }


@dataclass(frozen=True, slots=True)
class PrincipalVariation:
    """Your moves of a principal variation, and the terms of the leaf at its end (none if the game ends)."""

    moves: tuple[str, ...]
    terms: dict[str, float]
    territory: dict[str, int]
    """At that leaf, the cells that each living snake is the first to reach."""
