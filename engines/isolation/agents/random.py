"""A legal cell, drawn by the seed."""

from __future__ import annotations

from typing import Any

from engines.core.agent import Agent, NoParameters
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.isolation.agents.common import lost, shuffled_squares
from engines.isolation.position import Position, cell
from engines.isolation.rules import legal_cells


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """Any legal cell, each as likely as another."""
    squares = shuffled_squares(position, seed)
    if not squares:
        return lost(position)
    candidates = tuple(Candidate.of(place, {"uniform": 0.0}) for place in legal_cells(position))
    return Decision(cell(position, squares[0]), 0.0, candidates=candidates, stats={"iterations": 1})


AGENT: Agent[Position] = Agent(
    "random", "Any legal cell, each as likely as another.", decide, "one draw among the legal cells"
)
