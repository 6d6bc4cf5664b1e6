"""What counting territory needs beside a world: the board as numbers and bits, and room to work in."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numba import int64

from engines.battlesnake.position import FULL_HEALTH
from engines.battlesnake.state import Ints, Shorts, State
from engines.core.jit import tuple_type

REACH: Final = 100
"""Steps that are looked ahead."""
BITS: Final = 63

CELLS: Final = 0
"""Cells that are the snake's, its head left out."""
HOT: Final = 1
"""Those of them where hazards take health."""
MEALS: Final = 2
"""Those of them with food."""
MEAL: Final = 3
"""Steps to the nearest of its food; 0 where it has none."""
TAIL: Final = 4
"""1 where the cell of its last segment is its own: then it can live by following itself."""
FINDINGS: Final = 5

# Rows of a chart's plan.
FITS: Final = 0
"""Which form of counting fits the board."""
HALF: Final = 1
"""Half the cells of a row, rounded down; rows are made odd, so that colours alternate in the numbers too."""
FULL: Final = 2
NOT_FIRST: Final = 4
NOT_LAST: Final = 6
"""From here on a word for each colour: the board, without its first column, without its last."""
WIDTH: Final = 8
HEIGHT: Final = 9
WRAPPED: Final = 10
HAZARDS: Final = 11
"""What hazards there are."""
RUNGS: Final = 12
"""Packed: layers of hazard that a snake may come through alive, and one more."""
DEEPEST: Final = 13
"""Packed: of those, the most that lie on one cell."""
KEPT: Final = 14
"""Packed: 1 where a search keeps the trails as it goes."""
PLAN: Final = 15
BURNING: Final = PLAN
"""Packed: from here on a word for each colour of the cells with no layer, with one, and so on to the deepest.
Cells with more are in none: only who eats there comes through. Row by row: a word for each row of the cells
where only who eats survives."""

ROW_SHIFT: Final = 6
"""Row by row a place is the row times 64, and the column."""
COLUMN: Final = (1 << ROW_SHIFT) - 1
"""Masks a place's column."""

# Columns of a chart's notes, a row for each snake.
ORDER: Final = 0
OWN: Final = 1
NEW: Final = 3
SHUT: Final = 4
COLOUR: Final = 5
COUNT: Final = 6
RISEN: Final = 7
"""For each ladder a bit for each rung that the last step has added to; the next goes on from there."""
RISING: Final = 9
"""The same for the present step."""
TOPS: Final = 11
"""The highest rung of each ladder that holds anything."""
BASE: Final = 13
"""What a snake's TOP is ahead of its place in its trail."""
CLIMB: Final = 14
"""From here on the rungs of both ladders."""
EACH_RUNG: Final = 4
"""Columns of a rung: the cells of each colour, those that the last step brought, and the present one's."""

# Rows of a chart's marks, a column for each cell.
OWNER: Final = 0
SINCE: Final = 1
POWER: Final = 2
"""Health on coming, plus the step: what a snake can spend from the start of the count."""
UNTIL: Final = 3
ASKED: Final = 4
"""The step at which the cell was last asked for; by whom, how long, with what power."""
WHO: Final = 5
HOW_LONG: Final = 6
WITH: Final = 7
EDGE: Final = 8
"""Two lists of cells, of this step and the next, and one of cells asked for."""
MARKS: Final = 11

# The same room where rows of the board are counted: OPEN cells, FOOD_LIES, those got by LONGER snakes,
# asked for ONCE, and TWICE by as long ones (UNTIL stands between); and EACH snake's cells that it has since
# an even step, since an odd one, and new.
OPEN: Final = 0
FOOD_LIES: Final = 1
LONGER: Final = 2
ONCE: Final = 4
TWICE: Final = 5
SHARED: Final = 6
EACH: Final = 3

# What a plan's FITS may be.
CELL_BY_CELL: Final = 0
PACKED: Final = 1
ROW_BY_ROW: Final = 2
MOST_RUNGS: Final = 16
"""Where a snake may come through so many layers, cells are counted one by one."""

# And its HAZARDS.
HARMLESS: Final = 0
HURTING: Final = 1
HEALING: Final = 2
"""They count for those alone who may starve."""


class FloodContext(NamedTuple):
    """What `territory` needs beside a world: the board as bits, and room to work in.

    Made once by `chart` for a root; good for every world that turns make of it, in one thread.
    Entry points take its arrays one by one, in this order (as `survey` does), and `findings`.
    """

    places: Ints
    """The number of each cell of the frame among the bits (packed: its colour is the lowest bit); -1 on the
    rim."""
    plan: Ints
    meals: Ints
    """Cells of the frame where food lies at the root."""
    body_masks: Ints
    """For each step a word of each colour: what is still taken."""
    notes: Ints
    marks: Ints
    trails: Ints
    """Packed: see `trails`. Two rows for each snake; where a search keeps them a third, after all these."""


FLOOD_CONTEXT = tuple_type(FloodContext, *[int64[::1]] * 3, *[int64[:, ::1]] * 4)
"""A chart's arrays in a kernel's signature."""


def flood_context(state: State, form: int | None = None) -> FloodContext:
    """The chart of a root, for the quickest form of counting that it admits, or for a slower one."""
    stride, rows, margin = (int(state.rules[0][name]) for name in ("stride", "rows", "margin"))
    width, height = stride - 2 * margin, rows - 2 * margin
    corner = margin * stride + margin
    wrapped = int(state.neighbours[corner, 2]) != corner - 1
    cells = len(state.occupancy)
    odd = width | 1
    damage = int(state.rules[0].damage)
    hazards = HARMLESS
    if damage != 0 and (state.hazard_layers > 0).any():
        hazards = HURTING if damage > 0 else HEALING
    # The first step costs 1 health, and 1 is left at the end.
    rungs = 1 + (FULL_HEALTH - 2) // damage if hazards == HURTING else 1
    fits = CELL_BY_CELL
    if not wrapped and odd * height <= 2 * BITS and rungs <= MOST_RUNGS:
        fits = PACKED
    elif width < BITS and rungs == 1:
        fits = ROW_BY_ROW
    if form is not None:
        fits = form
    places, plan = _drawn(width, height, margin, wrapped, fits, cells)
    if hazards != HARMLESS and fits != CELL_BY_CELL:
        plan = _burnt(plan, places, state.hazard_layers, hazards, rungs)
    return FloodContext(
        places,
        plan,
        np.flatnonzero((state.food != 0) & (places >= 0)),
        np.zeros((REACH + 2, 2), np.int64),
        np.zeros((len(state.snakes), CLIMB + 2 * EACH_RUNG * rungs), np.int64),
        np.zeros((max(MARKS, SHARED + EACH * len(state.snakes)), cells), np.int64),
        np.zeros((2 * len(state.snakes), state.body_rings.shape[1] + 1 if fits == PACKED else 1), np.int64),
    )


def _burnt(plan: Ints, places: Ints, hazard_layers: Shorts, hazards: int, rungs: int) -> Ints:
    """The plan of a board with hazards."""
    burnt = plan.copy()
    burnt[HAZARDS], burnt[RUNGS] = hazards, rungs
    if hazards == HEALING:
        return burnt
    deepest = int(hazard_layers[hazard_layers < rungs].max(initial=0))
    burnt[DEEPEST] = deepest
    if plan[FITS] == PACKED:
        burnt = np.concatenate([burnt, np.zeros(2 * deepest, np.int64)])
    for cell in np.flatnonzero((places >= 0) & (hazard_layers > 0)).tolist():
        place, layers = int(places[cell]), int(hazard_layers[cell])
        if plan[FITS] == ROW_BY_ROW:
            burnt[BURNING + (place >> ROW_SHIFT)] |= 1 << (place & COLUMN)
            continue
        word, bit = place & 1, 1 << (place >> 1)
        burnt[BURNING + word] ^= bit
        if layers <= deepest:
            burnt[BURNING + 2 * layers + word] |= bit
    return burnt


@lru_cache(maxsize=64)
def _drawn(width: int, height: int, margin: int, wrapped: bool, fits: int, cells: int) -> tuple[Ints, Ints]:
    """`places` and `plan` of a board; shared, and never written to."""
    stride, odd = width + 2 * margin, width | 1
    board = [y * stride + x for y in range(margin, margin + height) for x in range(margin, margin + width)]
    places = np.full(cells, -1, np.int64)
    for cell in board:
        row, column = cell // stride - margin, cell % stride - margin
        places[cell] = row * odd + column if fits == PACKED else row << ROW_SHIFT | column
    plan = np.zeros(PLAN + (2 if fits == PACKED else height), np.int64)
    plan[FITS], plan[WIDTH], plan[HEIGHT], plan[WRAPPED] = fits, width, height, wrapped
    plan[HALF], plan[RUNGS] = odd // 2, 1
    if fits == PACKED:
        for cell in board:
            place, column = int(places[cell]), cell % stride - margin
            word, bit = place & 1, 1 << (place >> 1)
            plan[FULL + word] |= bit
            plan[NOT_FIRST + word] |= bit * (column > 0)
            plan[NOT_LAST + word] |= bit * (column < width - 1)
        plan[BURNING : BURNING + 2] = plan[FULL : FULL + 2]
    return places, plan


def uses_bitboards(flood_context: FloodContext, starving: bool = False) -> bool:
    """Is it by words of bits that cells are counted, also where somebody is `starving`? Else it takes several
    times as long."""
    fits, hazards = int(flood_context.plan[FITS]), int(flood_context.plan[HAZARDS])
    return fits == PACKED and hazards != HEALING if starving else fits != CELL_BY_CELL


def uses_two_bitboards(flood_context: FloodContext) -> bool:
    """Is it the quickest form?"""
    return int(flood_context.plan[FITS]) == PACKED and int(flood_context.plan[HAZARDS]) != HURTING


def territory_table(state: State) -> Ints:
    """An array for what `territory` finds: a row for each snake, the columns named above."""
    return np.zeros((len(state.snakes), FINDINGS), np.int64)
