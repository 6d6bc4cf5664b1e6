"""`random`: any movable piece."""

from __future__ import annotations

from typing import Any

from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.ludo.agents.common import best_of, without_thought
from engines.ludo.position import Position, answer


def decide(position: Position, params: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """One of the movable pieces, each as likely as the others."""
    simple = without_thought(position, meter)
    if simple is not None:
        return simple
    return best_of(
        [Candidate.of(answer(position, piece), {"uniform": 0.0}) for piece in position.movable], seed
    )


UNIFORM: Agent[Position] = Agent(
    "random",
    "Moves any movable piece, each as likely as the others.",
    decide,
    "one draw among the movable pieces",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
