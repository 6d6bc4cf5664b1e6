"""Minimax to depth 3 with the study's heuristics: `mm_open`, `mm_center`, `mm_improved`."""

from __future__ import annotations

from engines.core.agent import Agent
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.isolation.agents.common import heuristic_agent, lost, shuffled_squares
from engines.isolation.position import Position
from engines.isolation.search.root import MINIMAX_DEPTH, RootSearch, fixed_depth


def minimax(position: Position, heuristic: str, meter: Meter, seed: int) -> Decision:
    """The best move three plies deep; of the moves that were finished, when time is up before."""
    squares = shuffled_squares(position, seed)
    if not squares:
        return lost(position)
    search = RootSearch(position, heuristic, meter, prune=False)
    best, found = fixed_depth(search, squares)
    return search.decision(best, found, squares, MINIMAX_DEPTH if found else 0)


AGENTS: tuple[Agent[Position], ...] = tuple(
    heuristic_agent("mm", "Minimax to depth 3", minimax, heuristic)
    for heuristic in ("open_move", "center", "improved")
)
"""The study's agents by their published names."""
