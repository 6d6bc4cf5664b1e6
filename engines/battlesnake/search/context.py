"""What one worker's search takes along at every node: its settings, its tables, its room to work."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import float64, int64

from engines.battlesnake.evaluation import LEAF_WEIGHTS, TERMS, LeafWeights
from engines.battlesnake.search.matrix_game import TABLEAU_SHAPE
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.search.zobrist import zobrist_numbers
from engines.battlesnake.state import Floats, Ints, Records, State
from engines.battlesnake.territory.context import TERRITORY_TABLE, territory_table
from engines.core.jit import tuple_type


class SearchContext(NamedTuple):
    """Settings (which never change), the history heuristic, and scratch. C cells of the frame, S snakes."""

    me: int
    """Index of the snake that the search is for."""
    radius: int
    matrix_plies: int
    lmr: int
    draw: float
    """See `SearchConfig` for these four."""
    weights: LeafWeights
    """Of the evaluation."""
    zobrist: Ints
    """[C + 256 + S] random numbers, see `zobrist`."""
    history: Ints
    """[2, C, 4] how often a move from a cell was best, times the depth squared: yours, and the rivals'."""
    joint_move: Ints
    """[S] scratch: a move for every snake."""
    territory: Records
    """[S] scratch: what the last leaf's territory was."""
    terms: Floats
    """[terms] scratch: the last leaf's terms."""
    tableau: Floats
    """TABLEAU_SHAPE, scratch of `matrix_game.solve`, as is the next."""
    basis: Ints
    """[2, rows of the tableau]"""


_scratch = (int64[::1], TERRITORY_TABLE, float64[::1], float64[:, ::1], int64[:, ::1])
SEARCH_CONTEXT = tuple_type(
    SearchContext, *[int64] * 4, float64, LEAF_WEIGHTS, int64[::1], int64[:, :, ::1], *_scratch
)
"""A `SearchContext` in a kernel's signature."""


def search_context(state: State, me: int, config: SearchConfig, weights: LeafWeights) -> SearchContext:
    """A context for searches from that state, with an empty history."""
    cells, snakes = len(state.occupancy), len(state.snakes)
    return SearchContext(
        me=me,
        radius=config.radius,
        matrix_plies=config.matrix_plies,
        lmr=config.lmr,
        draw=config.draw,
        weights=weights,
        zobrist=zobrist_numbers(cells, snakes),
        history=np.zeros((2, cells, 4), np.int64),
        joint_move=np.zeros(snakes, np.int64),
        territory=territory_table(state),
        terms=np.zeros(len(TERMS), np.float64),
        tableau=np.zeros(TABLEAU_SHAPE, np.float64),
        basis=np.zeros((2, TABLEAU_SHAPE[0]), np.int64),
    )
