"""Alpha-beta that deepens while it may: the study's `ab_*`, and `ab` with any heuristic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.agent import Agent
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.isolation.agents.common import BUDGETS, heuristic_agent, lost, shuffled_squares
from engines.isolation.heuristics import Heuristic
from engines.isolation.position import Position
from engines.isolation.search.root import RootSearch, iterative_deepening


def alphabeta(position: Position, heuristic: str, meter: Meter, seed: int) -> Decision:
    """The best move of the deepest depth that was finished."""
    squares = shuffled_squares(position, seed)
    if not squares:
        return lost(position)
    search = RootSearch(position, heuristic, meter, prune=True)
    best, found, depth = iterative_deepening(search, squares)
    return search.decision(best, found, squares, depth)


@dataclass(frozen=True)
class Parameters:
    """Parameters of the alpha-beta agent."""

    heuristic: Heuristic = "improved"
    """The published heuristic that evaluates the leaves."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    return alphabeta(position, parameters.heuristic, meter, seed)


AGENTS: tuple[Agent[Position], ...] = (
    *(
        heuristic_agent("ab", "Alpha-beta with iterative deepening", alphabeta, heuristic)
        for heuristic in (
            "open_move",
            "center",
            "improved",
            "avoid_corners",
            "chase_opponent",
            "weighted_chase_opponent",
            "next_moves",
        )
    ),
    Agent(
        "ab",
        "Alpha-beta with iterative deepening, leaves by any heuristic.",
        decide,
        "one node",
        Parameters,
        BUDGETS,
    ),
)
"""The study's agents by their published names, and the one that takes any heuristic."""
