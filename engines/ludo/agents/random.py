"""Any movable piece."""

from __future__ import annotations

from typing import Any

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.position import Position, move_of


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """One of the movable pieces, each as likely as the others."""
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    return best_of(
        [Candidate.of(move_of(position, piece), {"uniform": 0.0}) for piece in position.movable], seed
    )


AGENT: Agent[Position] = Agent(
    "random",
    "Moves any movable piece, each as likely as the others.",
    decide,
    "one draw among the movable pieces",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
