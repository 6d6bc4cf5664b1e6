"""What a territory count needs beside a state: the board as bitboards, and scratch to work in.

A context is made once for the root of a search or evolution (`flood_context`) and serves every state that
moves make of it, in one thread; another thread takes `own_scratch`. Nothing here plays moves or scores.
S snakes, C cells of the frame, H rows of the board.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numba import from_dtype, int64

from engines.battlesnake.position import FULL_HEALTH
from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, Records, Shorts, State
from engines.core.jit import inlined, tuple_type
from engines.core.records import record_type

HORIZON: Final = 100
"""Steps that are looked ahead: who doesn't eat has starved by then."""
BITBOARD_SIZE: Final = 63
"""Bits of a bitboard: an int64 without its sign."""

# The forms of counting, `grid[0].form`.
CELL_BFS: Final = 0
BITBOARDS: Final = 1
ROW_BITBOARDS: Final = 2

# What hazards do, `grid[0].hazards`.
HARMLESS: Final = 0
HURTING: Final = 1
HEALING: Final = 2
"""They count only for a snake that may starve."""

MOST_LAYERS: Final = 16
"""A weaker hazard, which a snake may cross more often than that, is counted cell by cell."""

ROW_SHIFT: Final = 6
COLUMN_MASK: Final = (1 << ROW_SHIFT) - 1
"""The square of a row bitboard is `row << ROW_SHIFT | column`."""

TERRITORY: Final = record_type(
    "Territory",
    cells=np.int64,  # cells that are the snake's, its head left out
    hazard_cells=np.int64,  # those of them where hazards take health: without food
    food_cells=np.int64,  # those of them with food
    food_distance=np.int64,  # steps to the nearest of these, 0 where there is none
    tail_reached=np.int64,  # 1 if the cell of its last segment is its own; see `territory/__init__.py`
)
GRID: Final = record_type(
    "Grid",
    form=np.int64,  # the form of counting that fits the board
    hazards=np.int64,
    width=np.int64,
    height=np.int64,
    wrapped=np.int64,
    half_row=np.int64,  # half the squares of a row, rounded down; see `bitboards`
    layers=np.int64,  # health layers: hazard layers that a snake may cross alive, and one more
    deepest=np.int64,  # the most hazard layers on one cell that a snake may cross alive
    incremental=np.int64,  # 1 where a search keeps the body prefixes up to date as it goes
    board=(np.int64, 2),  # bitboards, one a colour: the squares of the board,
    not_first=(np.int64, 2),  # those without the first column,
    not_last=(np.int64, 2),  # and those without the last
)
FLOOD_SNAKE: Final = record_type(
    "FloodSnake",
    colour=np.int64,  # of its head's square
    closed=np.int64,  # 1 once it comes to no more cells
    own=(np.int64, 2),  # bitboards, one a colour: its cells
    claim=np.int64,  # bitboard: what it claims in this step
    count=np.int64,  # its cells, where they are not counted by `own`
    gained=np.int64,  # of these, cells of this step
    highest=(np.int64, 2),  # unfed and fed: the highest health layer that ever held a cell
    widened=(np.int64, 2),  # a bit for each health layer that the last step has added to
    widening=(np.int64, 2),  # the same for this step
    prefix_base=np.int64,  # its `top` less the index of its head in its body prefix
)
PREFIX: Final = record_type(
    "Prefix",
    cells=(np.int64, 2),  # bitboards, one a colour
    key=np.int64,  # of the Zobrist key; only where prefixes are incremental
)
HEALTH_LAYER: Final = record_type(
    "HealthLayer",
    cells=(np.int64, 2),  # bitboards, one a colour
    frontier=np.int64,  # those that the last step brought
    arriving=np.int64,  # those that this step may bring
)
FLOOD_CELL: Final = record_type(
    "FloodCell",
    owner=np.int32,  # index of a snake, NOBODY or CLOSED
    since=np.int32,  # the step at which the owner came
    budget=np.int32,  # its health then plus that step: comparable between steps
    blocked_until=np.int32,  # the first step at which no body is there any more
    claim_step=np.int32,  # the last step at which the cell was claimed
    claimant=np.int32,  # by whom; CLOSED for two of the same length
    claim_length=np.int32,  # of what length
    claim_budget=np.int32,  # with what budget
)

# Rows of `rows`.
OPEN: Final = 0
"""Cells that nobody has and no body lies on."""
FOOD: Final = 1
DEADLY: Final = 2
"""Cells where only a snake that eats survives; constant."""
LONGER: Final = 3
"""Claimed in this step by longer snakes,"""
CLAIMED: Final = 4
"""by snakes as long as the present one,"""
TIED: Final = 5
"""and by more than one of these."""
SNAKE_ROWS: Final = 6
"""From here on three for each snake: its cells of even steps, of odd steps, and claimed in this step."""
ROWS_PER_SNAKE: Final = 3

# Rows of `queues`.
FRONTIER: Final = 0
"""Two: the cells that the last even and the last odd step brought or improved."""
CONTESTED: Final = 2
"""Cells claimed in this step."""
IMPROVED: Final = 3
"""Cells that their owner comes to with a better budget in this step."""


class FloodContext(NamedTuple):
    """The board for a territory count (the first four arrays, never written to), and scratch."""

    grid: Records
    """[1] of GRID."""
    squares: Ints
    """[C] the bit of each cell; -1 off the board. Bitboards: 2 * bit + colour."""
    root_food: Ints
    """[F] cells where food lies at the root."""
    layer_masks: Ints
    """[1 + grid.deepest, 2] bitboards: the squares with no hazard layer, with one, and so on."""
    order: Ints
    """[S] the living snakes in the order of their claims."""
    snakes: Records
    """[S] of FLOOD_SNAKE."""
    prefixes: Records
    """[S, P] of PREFIX; see `body_prefixes`."""
    body_masks: Ints
    """[HORIZON + 2, 2] bitboards: what bodies still block at each step."""
    layers: Records
    """[S, 2, grid.layers] of HEALTH_LAYER, for the unfed snake and the fed; see `health_layers`."""
    rows: Ints
    """[SNAKE_ROWS + ROWS_PER_SNAKE * S, H] row bitboards."""
    cells: Records
    """[C] of FLOOD_CELL."""
    queues: Ints
    """[4, C] lists of cells."""


TERRITORY_TABLE = from_dtype(TERRITORY)[::1]
"""A `territory_table` in a kernel's signature."""
FLOOD_CONTEXT = tuple_type(
    FloodContext,
    *(from_dtype(GRID)[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1]),
    *(from_dtype(FLOOD_SNAKE)[::1], from_dtype(PREFIX)[:, ::1], int64[:, ::1]),
    *(from_dtype(HEALTH_LAYER)[:, :, ::1], int64[:, ::1], from_dtype(FLOOD_CELL)[::1], int64[:, ::1]),
)
"""A `FloodContext` in a kernel's signature."""


@inlined
def ranked(context: FloodContext, rank: int) -> int:
    """The index of the snake at a rank of the order."""
    return int(context.order[rank & INDEX_MASK] & INDEX_MASK)


def territory_table(state: State) -> Records:
    """[S] of TERRITORY, for `territory` to fill."""
    return np.zeros(len(state.snakes), TERRITORY)


def flood_context(state: State, form: int | None = None) -> FloodContext:
    """The context of a root, for the fastest form of counting that its board admits, or for a slower one."""
    count, cells = len(state.snakes), len(state.occupancy)
    grid, squares = _grid(state, form)
    shape = grid[0]
    layer_masks = np.zeros((1 + int(shape.deepest), 2), np.int64)
    layer_masks[0] = shape.board
    rows = np.zeros((SNAKE_ROWS + ROWS_PER_SNAKE * count, int(shape.height)), np.int64)
    if shape.hazards == HURTING:
        _lay_hazards(int(shape.form), squares, state.hazard_layers, layer_masks, rows)
    return FloodContext(
        grid=grid,
        squares=squares,
        root_food=np.flatnonzero((state.food != 0) & (squares >= 0)),
        layer_masks=layer_masks,
        order=np.zeros(count, np.int64),
        snakes=np.zeros(count, FLOOD_SNAKE),
        prefixes=np.zeros((count, state.body_rings.shape[1] + 1 if shape.form == BITBOARDS else 1), PREFIX),
        body_masks=np.zeros((HORIZON + 2, 2), np.int64),
        layers=np.zeros((count, 2, int(shape.layers)), HEALTH_LAYER),
        rows=rows,
        cells=np.zeros(cells, FLOOD_CELL),
        queues=np.zeros((4, cells), np.int64),
    )


def own_scratch(context: FloodContext) -> FloodContext:
    """The same context for another thread."""
    scratch = FloodContext(*context[:4], *(np.zeros(array.shape, array.dtype) for array in context[4:]))
    scratch.rows[DEADLY] = context.rows[DEADLY]
    return scratch


def uses_bitboards(context: FloodContext, starving: bool = False) -> bool:
    """Are cells counted by bitboards of whatever kind, also where a snake may be `starving`? Cell by cell it
    takes several times as long."""
    grid = context.grid[0]
    return bool(grid.form == BITBOARDS and grid.hazards != HEALING if starving else grid.form != CELL_BFS)


def uses_two_bitboards(context: FloodContext) -> bool:
    """Is it by the fastest form?"""
    grid = context.grid[0]
    return bool(grid.form == BITBOARDS and grid.hazards != HURTING)


def _grid(state: State, form: int | None) -> tuple[Records, Ints]:
    """The grid of a board, and its squares."""
    stride, frame_rows, margin = (int(state.rules[0][name]) for name in ("stride", "rows", "margin"))
    width, height = stride - 2 * margin, frame_rows - 2 * margin
    corner = margin * stride + margin
    wrapped = int(state.neighbours[corner, 2]) != corner - 1
    damage = int(state.rules[0].damage)
    hazards = HARMLESS
    if damage != 0 and (state.hazard_layers > 0).any():
        hazards = HURTING if damage > 0 else HEALING
    # The first step costs 1 health, and 1 is left at the end.
    layers = 1 + (FULL_HEALTH - 2) // damage if hazards == HURTING else 1
    if form is None:
        form = CELL_BFS
        if not wrapped and (width | 1) * height <= 2 * BITBOARD_SIZE and layers <= MOST_LAYERS:
            form = BITBOARDS
        elif width < BITBOARD_SIZE and layers == 1:
            form = ROW_BITBOARDS
    grid, squares = _empty_grid(width, height, margin, wrapped, form, len(state.occupancy))
    if hazards != HARMLESS and form != CELL_BFS:
        grid = grid.copy()
        grid[0].hazards, grid[0].layers = hazards, layers
        if hazards == HURTING:
            depths = state.hazard_layers
            grid[0].deepest = int(depths[depths < layers].max(initial=0))
    return grid, squares


@lru_cache(maxsize=64)
def _empty_grid(
    width: int, height: int, margin: int, wrapped: bool, form: int, cells: int
) -> tuple[Records, Ints]:
    """The grid of a board without hazards, and its squares; shared, and never written to."""
    stride, row_squares = width + 2 * margin, width | 1
    grid, squares = np.zeros(1, GRID), np.full(cells, -1, np.int64)
    shape = grid[0]
    shape.form, shape.width, shape.height, shape.wrapped = form, width, height, wrapped
    shape.half_row, shape.layers = row_squares // 2, 1
    for row in range(height):
        for column in range(width):
            cell = (row + margin) * stride + column + margin
            if form != BITBOARDS:
                squares[cell] = row << ROW_SHIFT | column
                continue
            square = squares[cell] = row * row_squares + column
            colour, bit = square & 1, 1 << (square >> 1)
            shape.board[colour] |= bit
            shape.not_first[colour] |= bit * (column > 0)
            shape.not_last[colour] |= bit * (column < width - 1)
    return grid, squares


def _lay_hazards(form: int, squares: Ints, hazard_layers: Shorts, masks: Ints, rows: Ints) -> None:
    """Fill the layer masks, or the rows' deadly cells, of a board whose hazards hurt."""
    cells = np.flatnonzero((squares >= 0) & (hazard_layers > 0))
    layers = masks.tolist()
    for square, depth in zip(squares[cells].tolist(), hazard_layers[cells].tolist(), strict=True):
        if form == ROW_BITBOARDS:
            rows[DEADLY, square >> ROW_SHIFT] |= 1 << (square & COLUMN_MASK)
        elif form == BITBOARDS:
            colour, bit = square & 1, 1 << (square >> 1)
            layers[0][colour] ^= bit
            # Deeper ones are in no mask: only who eats there survives.
            if depth < len(layers):
                layers[depth][colour] |= bit
    masks[:] = layers
