"""`expectimax`: the throws to come, each answered by the best move, over a hand-made race."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Decision
from engines.core.limit import Meter
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE, RACE_TERMS
from engines.ludo.position import PIECES, SEATS, Position
from engines.ludo.search.expectimax import RACE
from engines.ludo.search.iterative_deepening import FACES, iterative_deepening

Amount = Annotated[float, Ge(0.0), Le(1000.0)]
NO_NETWORK = (np.zeros((1, 1), np.float32), np.zeros((1, SEATS), np.float32))


@dataclass(frozen=True)
class ExpectimaxParameters:
    """How far it looks, and how the race is valued; amounts are squares."""

    depth: Annotated[int, Ge(0), Le(4)] = 2
    """Throws looked ahead after the own move; the budget may end it sooner."""
    out: Amount = float(DEFAULT_RACE[0])
    """What a piece on the board is worth beyond its number."""
    goal: Amount = float(DEFAULT_RACE[1])
    """What a piece in goal is worth beyond its number."""
    corridor: Amount = float(DEFAULT_RACE[2])
    """What a piece on 53 to 56 is worth beyond its number."""
    safe: Amount = float(DEFAULT_RACE[3])
    """What a piece on a globe or its own start is worth beyond its number."""
    danger: Annotated[float, Ge(0.0), Le(10.0)] = float(DEFAULT_RACE[4])
    """Factor of the average loss to seats that throw before the exposed one."""
    later_danger: Annotated[float, Ge(0.0), Le(10.0)] = float(DEFAULT_RACE[5])
    """Factor of the average loss to seats that throw after it."""
    leader: Annotated[float, Ge(0.0), Le(1.0)] = float(DEFAULT_RACE[6])
    """How much the best of the others counts, the rest being their mean."""


def decide(
    position: Position, params: ExpectimaxParameters, meter: Meter, seed: int, memory: Any
) -> Decision:
    """The move of the best expected race; ties are drawn by the seed."""
    race = np.array(
        [
            params.out,
            params.goal,
            params.corridor,
            params.safe,
            params.danger,
            params.later_danger,
            params.leader,
        ]
    )
    return iterative_deepening(position, RACE, NO_NETWORK, race, RACE_TERMS, params.depth, meter, seed)


EXPECTIMAX: Agent[Position] = Agent(
    "expectimax",
    "Looks ahead over all throws, each answered by its best move, and values the race by hand-made terms.",
    decide,
    "the first one look at every move; then one face of the next throw, for one move, at one depth",
    ExpectimaxParameters,
    Budgets(iterations=Range(1 + 2 * PIECES * FACES, 1, 1 + 4 * PIECES * FACES)),
)
