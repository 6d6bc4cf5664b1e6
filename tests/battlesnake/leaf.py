"""What a position is worth by the leaf of the tuned searches, for tests."""

from __future__ import annotations

import numpy as np

from engines.battlesnake.board import Position
from engines.battlesnake.chart import chart, findings
from engines.battlesnake.world import pack
from engines.battlesnake.worth import TERMS, Weights, factors, weigh


def leaf(position: Position, weights: Weights) -> tuple[float, dict[str, float]]:
    """The value, and its terms by name."""
    world = pack(position)
    terms = np.zeros(len(TERMS))
    me = [snake.id for snake in position.snakes].index(position.you)
    value = weigh(*world, *chart(world), me, factors(weights, position), findings(world), terms)
    return value, dict(zip(TERMS, terms.tolist(), strict=True))
