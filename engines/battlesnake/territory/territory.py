"""The one call by which evaluations count territory; `territory/__init__.py` says what is counted, how."""

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
from engines.core.jit import borrowed, inlined, kernel


@inlined
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
