"""`expectimax`: the throws to come, each answered by the best move, over a hand-made race."""

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
class ExpectimaxParameters:
    """How far it looks ahead, and how the race is evaluated; amounts are squares."""

    depth: Annotated[int, Ge(0), Le(4)] = 2
    """Throws looked ahead after the own move; the budget may end it sooner."""
    out: Amount = DEFAULT_RACE.out
    """What a piece on the board is worth beyond its number."""
    goal: Amount = DEFAULT_RACE.goal
    """What a piece in goal is worth beyond its number."""
    corridor: Amount = DEFAULT_RACE.corridor
    """What a piece on 53 to 56 is worth beyond its number."""
    safe: Amount = DEFAULT_RACE.safe
    """What a piece on a globe or its own start is worth beyond its number."""
    danger: Annotated[float, Ge(0.0), Le(10.0)] = DEFAULT_RACE.danger
    """Factor of the average loss to seats that throw before the exposed one."""
    later_danger: Annotated[float, Ge(0.0), Le(10.0)] = DEFAULT_RACE.later_danger
    """Factor of the average loss to seats that throw after it."""
    leader: Annotated[float, Ge(0.0), Le(1.0)] = DEFAULT_RACE.leader
    """How much the best of the others counts, the rest being their mean."""


def decide(
    position: Position, params: ExpectimaxParameters, meter: Meter, seed: int, memory: Any
) -> Decision:
    """The move of the best expected race; ties are drawn by the seed."""
    weights = (
        params.out,
        params.goal,
        params.corridor,
        params.safe,
        params.danger,
        params.later_danger,
        params.leader,
    )
    leaf = Leaf(RACE_LEAF, NO_NETWORK, RaceWeights(*map(float, weights)))
    return iterative_deepening(position, leaf, params.depth, meter, seed)


EXPECTIMAX: Agent[Position] = Agent(
    "expectimax",
    "Expectimax: looks ahead over all throws, each answered by its best move, to a hand-made evaluation.",
    decide,
    "the first evaluates every move; each later one searches one face of the next throw after one move",
    ExpectimaxParameters,
    Budgets(iterations=Range(1 + 2 * PIECES * SIX, 1, 1 + 4 * PIECES * SIX)),
)
