"""Expectimax over the chances to win that a network learnt from its own games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE
from engines.ludo.position import PIECES, SEATS, SIX, Position
from engines.ludo.search.expectimax import NETWORK_LEAF, Leaf
from engines.ludo.search.iterative_deepening import iterative_deepening
from engines.ludo.weights import networks


@dataclass(frozen=True)
class Parameters:
    """Search depth."""

    depth: Annotated[int, Ge(0), Le(4)] = 3
    """Chance plies (throws) after the own move, each answered by the thrower's best move; iterative
    deepening may stop earlier."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move after which the own chance to win is best; ties are drawn by the seed."""
    weights = networks()[max(2, SEATS - len(position.ghosts))]
    leaf = Leaf(NETWORK_LEAF, weights, DEFAULT_RACE)
    return iterative_deepening(position, leaf, parameters.depth, meter, seed)


AGENT: Agent[Position] = Agent(
    "td",
    "Expectimax over the chances to win of a network that learnt from self-play by TD(lambda).",
    decide,
    "the first evaluates every move; each later one searches one face of the next throw after one move",
    Parameters,
    # 1 static evaluation + depth * pieces * faces: the default depth, searched to its end.
    Budgets(iterations=Range(1 + 3 * PIECES * SIX, 1, 1 + 4 * PIECES * SIX)),
)
