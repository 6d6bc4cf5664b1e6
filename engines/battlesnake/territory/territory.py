"""Whose is which cell: the cells that each snake is the first to reach alive.

All snakes set out at once. At step `t` a snake comes to a cell beside one that it has, if

- nothing lies there any more: a segment leaves when its snake has moved on that far, a doubled tail one
  step later, a constrictor's never (nobody's meals on the way put that off);
- it comes alive: a step costs 1 health, hazards cost or heal by their layers, food sets health to 100 (later
  meals count as eaten with the first, which spares more ladders and hardly matters);
- no longer snake comes at the same step. Of equals nobody gets the cell, and it is closed from then on;
- it has lived that long: who has fewer than `t` cells to spend `t - 1` moves in is shut in, and ends there.

A snake may wait, an even number of steps, before a cell that is not free yet.

`territory` is what searches call. It has four forms that give the same: `flood`, on a board packed into two
words of bits, and `climb`, the same where hazards hurt or somebody may starve; `flood_rows`, on a word for
each row, where no hazard can be survived; `spread`, cell by cell, for all that is left.
"""

from __future__ import annotations

from numba import int64, void

from engines.battlesnake.state import STATE, Ints, State
from engines.battlesnake.territory.bitboards import flood
from engines.battlesnake.territory.cell_bfs import spread
from engines.battlesnake.territory.context import (
    CELL_BY_CELL,
    FINDINGS,
    FITS,
    FLOOD_CONTEXT,
    HAZARDS,
    HEALING,
    HURTING,
    PACKED,
    FloodContext,
)
from engines.battlesnake.territory.health_layers import climb
from engines.battlesnake.territory.row_bitboards import flood_rows
from engines.core.jit import borrowed, fused, kernel


@fused
def territory(state: State, context: FloodContext, found: Ints) -> None:
    """Find what belongs to each living snake; the rows of others are 0."""
    for i in range(found.shape[0]):
        for column in range(FINDINGS):
            found[i, column] = 0
    if context.plan[FITS] == PACKED:
        hazards = context.plan[HAZARDS]
        if hazards == HURTING or not flood(state, context, found):
            if hazards == HEALING:
                spread(state, context, found)
            else:
                climb(state, context, found)
    elif context.plan[FITS] == CELL_BY_CELL or not flood_rows(state, context, found):
        spread(state, context, found)


@kernel(void(STATE, FLOOD_CONTEXT, int64[:, ::1]))
def measure_territory(
    state: State,
    context: FloodContext,
    found: Ints,
) -> None:
    """`territory`, to be called from Python: `survey(state, chart(state), found)`."""
    territory(borrowed(state), borrowed(context), found)
