"""What a position is worth by the leaf of the tuned searches, for tests."""

from __future__ import annotations

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, evaluate_position, factors
from engines.battlesnake.position import Position
from engines.battlesnake.state import pack
from engines.battlesnake.territory.context import chart, findings


def leaf(position: Position, weights: Weights) -> tuple[float, dict[str, float]]:
    """The value, and its terms by name."""
    state = pack(position)
    terms = np.zeros(len(TERMS))
    me = [snake.id for snake in position.snakes].index(position.you)
    value = evaluate_position(state, chart(state), me, factors(weights, position), findings(state), terms)
    return value, dict(zip(TERMS, terms.tolist(), strict=True))
