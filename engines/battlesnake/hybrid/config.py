"""The figures of the hybrid: those of its search, and how search and evolution are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engines.battlesnake.position import Position
from engines.battlesnake.search.result import SearchConfig

SEARCH_CONFIG: Final = SearchConfig(lmr=3)
"""The search of the hybrid: with the same number of nodes two to four plies deeper, at the price of moves
that are searched less deep (docs/decisions/0008-late-move-reductions.md)."""


@dataclass(frozen=True, slots=True)
class HybridConfig:
    """How search and evolution are put together.

    By hand; in duels an experiment found `margin`, `blend` and `horizon` within two errors of the best
    (docs/battlesnake.md, "What the evolution is worth beside the search").
    """

    share: float = 0.05
    """The evolution's share of the slices. Small, since a slice is worth more to the search."""
    margin: float = 8.0
    """A move is vetoed if its search value is so much lower than the best one's."""
    blend: float = 0.1
    """Weight of the evaluations and meals along the evolution's best line; the search's value has 1."""
    horizon: float = 0.5
    """Weight of the deaths and draws on that line, which lie far beyond the search's horizon."""


DUEL_CONFIG: Final = HybridConfig(blend=0.0, horizon=0.0)
"""In duels most moves that the evolution liked better turned out to be worse: it proposes, and decides only
where the search has no value yet."""
DEFAULT_CONFIG: Final = HybridConfig()


def hybrid_config(position: Position) -> HybridConfig:
    """The one that a position is played by."""
    return DUEL_CONFIG if len(position.snakes) == 2 else DEFAULT_CONFIG
