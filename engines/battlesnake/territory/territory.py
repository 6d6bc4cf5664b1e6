"""Whose is which cell: the cells that each snake is the first to reach alive.

All snakes flood the board at once. At step `t` a snake comes to a cell beside one that it has, if

- no body is there any more: a segment leaves when its snake has moved on that far, a doubled tail one step
  later, a constrictor's never (nobody's food on the way puts that off);
- it comes alive: a step costs 1 health, hazards cost or heal by their layers, food sets health to 100 (later
  food counts as eaten with the first, which spares further health layers and hardly matters);
- no longer snake comes at the same step. Of equals nobody gets the cell, and it is closed from then on;
- it has lived that long: who has fewer than `t` cells to spend `t - 1` moves in is shut in, and ends there.

A snake may wait, an even number of steps, before a cell that is not free yet.

`territory` is what evaluations call. It has four forms that find the same: `flood`, on boards of up to 126
squares as two bitboards, and `flood_health`, the same where hazards hurt or somebody may starve;
`flood_rows`, on a bitboard for each row, where no hazard can be survived; `flood_cells`, cell by cell, for
all that is left.
"""

from __future__ import annotations

from numba import void

from engines.battlesnake.state import STATE, Records, State
from engines.battlesnake.territory.cell_bfs import flood_cells
from engines.battlesnake.territory.context import (
    BITBOARDS,
    CELL_BFS,
    FLOOD_CONTEXT,
    HEALING,
    HURTING,
    TERRITORY_TABLE,
    FloodContext,
)
from engines.battlesnake.territory.row_bitboards import flood_rows
from engines.battlesnake.territory.simultaneous_flood import flood, flood_health
from engines.core.jit import borrowed, fused, kernel


@fused
def territory(state: State, context: FloodContext, table: Records) -> None:
    """Find what belongs to each living snake; the rows of others are 0."""
    # In two loops: of one LLVM would make a call of memset, which costs a twentieth of a whole count.
    for i in range(table.shape[0]):
        table[i].cells = 0
        table[i].hazard_cells = 0
    for i in range(table.shape[0]):
        table[i].food_cells = 0
        table[i].food_distance = 0
        table[i].tail_reached = 0
    if context.grid[0].form == BITBOARDS:
        hazards = context.grid[0].hazards
        if hazards == HURTING or not flood(state, context, table):
            if hazards == HEALING:
                flood_cells(state, context, table)
            else:
                flood_health(state, context, table)
    elif context.grid[0].form == CELL_BFS or not flood_rows(state, context, table):
        flood_cells(state, context, table)


@kernel(void(STATE, FLOOD_CONTEXT, TERRITORY_TABLE))
def measure_territory(state: State, context: FloodContext, table: Records) -> None:
    """`territory`, to be called from Python."""
    territory(borrowed(state), borrowed(context), table)
