"""What the agents share: nothing to play, squares in the order of a seed, and agents by heuristic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Decision, Outcome
from engines.core.rng import derive
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares

BUDGETS = Budgets(iterations=Range(10_000, 1, 1_000_000_000))


def shuffled_squares(position: Position, seed: int) -> list[int]:
    """The legal squares, shuffled by the seed: whoever takes the first best breaks ties by it."""
    return sorted(legal_squares(position), key=lambda square: derive(seed, square))


def lost(position: Position) -> Decision:
    """The answer of every agent where the side to move has nowhere to go."""
    return Decision(
        None,
        outcome=Outcome(1 - position.to_move, plies=0),
        stats={"iterations": 0, "reason": "the side to move has no legal move: it has lost"},
    )


def heuristic_agent(
    prefix: str, description: str, search: Callable[[Position, str, Meter, int], Decision], heuristic: str
) -> Agent[Position]:
    """An agent of the study, `<prefix>_<heuristic>`: a search with that heuristic at its leaves."""

    def decide(
        position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any
    ) -> Decision:
        return search(position, heuristic, meter, seed)

    name = heuristic.removesuffix("_move")
    return Agent(
        f"{prefix}_{name}",
        f"{description}, leaves by `{heuristic}`.",
        decide,
        "one node",
        budgets=BUDGETS,
    )
