"""What the agents share: the answer with nothing to play, and ties that a seed breaks."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.decision import Decision, Outcome
from engines.core.rng import derive
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares


def shuffled(squares: Sequence[int], seed: int) -> list[int]:
    """The squares in an order that the seed gives: whoever takes the first best breaks ties by it."""
    return sorted(squares, key=lambda square: derive(seed, square))


def lost(position: Position) -> Decision:
    """The answer of every agent where the side to move has nowhere to go."""
    return Decision(
        None,
        outcome=Outcome(1 - position.to_move, plies=0),
        stats={"iterations": 0, "reason": "the side to move has no legal move: it has lost"},
    )


def options(position: Position, seed: int) -> list[int]:
    """The legal squares in the order of the seed."""
    return shuffled(legal_squares(position), seed)
