"""What a depth-limited opponent would answer, and what it sees of the end, compiled.

The opponents are those of the study: minimax to a fixed depth, or alpha-beta that deepens for so many nodes,
each with a heuristic. They play here as `search.root` plays them; a test holds the two equal.
"""

from __future__ import annotations

import math

import numpy as np
from numba.types import UniTuple, int64
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below
from engines.isolation.board import MAX_CELLS, BoardTables, Knights
from engines.isolation.rules import BOARD_TABLES, lowest_square, moves_of, occupy
from engines.isolation.search.alphabeta import SEARCH_STATE, SearchState, advance, reset

Node = tuple[int, int, int, int]
"""The blank cells' bitboards, the squares of the side to move and of the other."""

SEES_LOSS, SEES_NOTHING, SEES_WIN, STUCK, STOPPED = range(-1, 4)
"""What the opponent sees of the end when it answers. STUCK: it has no answer. STOPPED: out of nodes."""


@compiled
def shuffled_moves(even: int, odd: int, at: int, knights: Knights, rng: Rng, moves: NDArray[np.int64]) -> int:
    """The legal moves in random order into `moves`; how many there are."""
    moves_even, moves_odd = moves_of(even, odd, at, knights)
    count = 0
    while (moves_even | moves_odd) != 0:
        square = lowest_square(moves_even, moves_odd)
        moves_even, moves_odd = occupy(moves_even, moves_odd, square)
        slot = below(rng, count + 1)
        moves[count] = moves[slot]
        moves[slot] = square
        count += 1
    return count


@compiled
def search_replies(
    state: SearchState,
    node: Node,
    moves: NDArray[np.int64],
    heuristic: int,
    fixed: int,
    quota: int,
    board: BoardTables,
) -> tuple[int, int, int]:
    """The move the opponent makes, what it sees, and the nodes it took; of equal moves the first.

    `fixed` is the depth of a minimax, or 0 for alpha-beta that deepens for `quota` nodes.
    """
    even, odd, _, other = node
    best = moves[0]
    nodes = 0
    depth = max(1, fixed)
    while True:
        top, top_value = moves[0], -math.inf
        for square in moves:
            next_even, next_odd = occupy(even, odd, square)
            beta = math.inf if fixed > 0 else -top_value
            reset(state, next_even, next_odd, other, square, beta)
            nodes += advance(state, depth - 1, heuristic, fixed == 0, board, quota - nodes)
            if state.cursor[0].ply >= 0:
                return best, STOPPED, nodes
            value = -state.frames[0].best
            if value > top_value:
                top, top_value = square, value
            if value == math.inf:
                return square, SEES_WIN, nodes
        if top_value == -math.inf:
            return best, SEES_LOSS, nodes
        best = top
        if fixed > 0:
            return best, SEES_NOTHING, nodes
        depth += 1


@kernel(UniTuple(int64, 3)(SEARCH_STATE, UniTuple(int64, 4), int64, int64, int64, BOARD_TABLES, int64[::1]))
def reply(
    state: SearchState,
    node: Node,
    heuristic: int,
    fixed: int,
    quota: int,
    board: BoardTables,
    rng: Rng,
) -> tuple[int, int, int]:
    """The opponent's move where it is to move, what it sees, and the nodes it took; ties by chance.

    An alpha-beta that deepens is always stopped, by its `quota`.
    """
    even, odd, mover, _ = node
    moves = np.empty(MAX_CELLS, np.int64)
    count = shuffled_moves(even, odd, mover, board.knights, rng, moves)
    if count == 0:
        return -1, STUCK, 0
    return search_replies(state, node, moves[:count], heuristic, fixed, quota, board)
