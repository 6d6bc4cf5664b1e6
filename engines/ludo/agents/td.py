"""`td`: chances to win by a network that learnt from its own games, with expected replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Decision
from engines.core.limit import Meter
from engines.ludo.position import PIECES, SEATS, Position
from engines.ludo.search.expectimax import NETWORK
from engines.ludo.search.iterative_deepening import FACES, iterative_deepening
from engines.ludo.weights import networks

NO_RACE = np.zeros(1)


@dataclass(frozen=True)
class TdParameters:
    """How far it looks."""

    depth: Annotated[int, Ge(0), Le(4)] = 3
    """Throws looked ahead after the own move, each answered by the thrower's best move; the budget may
    end it sooner."""


def decide(position: Position, params: TdParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move after which the own chance to win is best; ties are drawn by the seed."""
    weights = networks()[max(2, SEATS - len(position.ghosts))]
    return iterative_deepening(position, NETWORK, weights, NO_RACE, ("value",), params.depth, meter, seed)


TD: Agent[Position] = Agent(
    "td",
    "Chances to win by a network that learnt from playing itself, with the expected replies looked ahead.",
    decide,
    "the first one look at every move; then one face of the next throw, for one move, at one depth",
    TdParameters,
    Budgets(iterations=Range(1 + 3 * PIECES * FACES, 1, 1 + 4 * PIECES * FACES)),
)
