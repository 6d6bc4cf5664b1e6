"""The throws to come, each answered by the best move, over a hand-made race."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE, RaceWeights
from engines.ludo.position import PIECES, SIX, Position
from engines.ludo.search.expectimax import RACE_LEAF, Leaf
from engines.ludo.search.iterative_deepening import iterative_deepening
from engines.ludo.td.network import NO_NETWORK

Amount = Annotated[float, Ge(0.0), Le(1000.0)]


@dataclass(frozen=True)
class Parameters:
    """Search depth, and weights of the race evaluation in squares."""

    depth: Annotated[int, Ge(0), Le(4)] = 2
    """Chance plies (throws) after the own move; iterative deepening may stop earlier."""
    out: Amount = DEFAULT_RACE.out
    """Bonus of a piece that has left home."""
    goal: Amount = DEFAULT_RACE.goal
    """Bonus of a piece in goal."""
    corridor: Amount = DEFAULT_RACE.corridor
    """Bonus of a piece on 53 to 56."""
    safe: Amount = DEFAULT_RACE.safe
    """Bonus of a piece on a globe or its own start."""
    danger: Annotated[float, Ge(0.0), Le(10.0)] = DEFAULT_RACE.danger
    """Factor of the average loss to seats that throw before the exposed one."""
    later_danger: Annotated[float, Ge(0.0), Le(10.0)] = DEFAULT_RACE.later_danger
    """Factor of the average loss to seats that throw after it."""
    leader: Annotated[float, Ge(0.0), Le(1.0)] = DEFAULT_RACE.leader
    """Weight of the best rival's score; 1 minus this weighs the rivals' mean."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move of the best expected race; ties are drawn by the seed."""
    weights = (
        parameters.out,
        parameters.goal,
        parameters.corridor,
        parameters.safe,
        parameters.danger,
        parameters.later_danger,
        parameters.leader,
    )
    leaf = Leaf(RACE_LEAF, NO_NETWORK, RaceWeights(*map(float, weights)))
    return iterative_deepening(position, leaf, parameters.depth, meter, seed)


AGENT: Agent[Position] = Agent(
    "expectimax",
    "Expectimax: looks ahead over all throws, each answered by its best move, to a hand-made evaluation.",
    decide,
    "the first evaluates every move; each later one searches one face of the next throw after one move",
    Parameters,
    # 1 static evaluation + depth * pieces * faces: the default depth, searched to its end.
    Budgets(iterations=Range(1 + 2 * PIECES * SIX, 1, 1 + 4 * PIECES * SIX)),
)
