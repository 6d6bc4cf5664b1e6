"""What a position is worth by the leaf of the tuned searches, for tests."""

from __future__ import annotations

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, evaluate_position, leaf_weights
from engines.battlesnake.position import Position
from engines.battlesnake.state import pack
from engines.battlesnake.territory.context import flood_context, territory_table


def leaf(position: Position, weights: Weights) -> tuple[float, dict[str, float]]:
    """The value, and its terms by name."""
    state = pack(position)
    terms = np.zeros(len(TERMS))
    me = [snake.id for snake in position.snakes].index(position.you)
    value = evaluate_position(
        state, flood_context(state), me, leaf_weights(weights, position), territory_table(state), terms
    )
    return value, dict(zip(TERMS, terms.tolist(), strict=True))
