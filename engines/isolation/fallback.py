"""A legal move at once, where there is no time for any other. Needs no compiled code."""

from __future__ import annotations

from engines.core.decision import Move
from engines.isolation.board import squares_in
from engines.isolation.position import Position, cells, moves_of


def fallback(position: Position) -> Move:
    """The first legal cell in reading order; None where the side to move has lost."""
    return next(iter(cells(position, squares_in(*moves_of(position, position.to_move)))), None)
