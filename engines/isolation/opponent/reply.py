"""What a depth-limited opponent would answer, and what it sees of the end, compiled.

The opponents are those of the study: minimax to a fixed depth, or alpha-beta that deepens for so many nodes,
each with a heuristic. They play here as `agents.alphabeta` plays them; a test holds the two equal.
"""

from __future__ import annotations

import math

import numpy as np
from numba.types import UniTuple, float64, int64
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below
from engines.isolation.board import MAX_CELLS, BoardTables, Knights
from engines.isolation.kinds import BOARD
from engines.isolation.rules import lowest_square, moves_of, occupy
from engines.isolation.search.alphabeta import (
    ALPHA,
    BEST,
    BETA,
    ENTERING,
    EVEN,
    MOVER,
    ODD,
    OTHER,
    PLY,
    advance,
)

SEES_LOSS, SEES_NOTHING, SEES_WIN, STUCK, STOPPED = range(-1, 4)
"""What the opponent sees of the end when it answers. STUCK: it has no answer. STOPPED: out of nodes."""


@inline
def shuffled_moves(
    even: int, odd: int, at: int, knights: Knights, rng: State, moves: NDArray[np.int64]
) -> int:
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


@inline
def search_replies(
    frames: NDArray[np.int64],
    windows: NDArray[np.float64],
    pv: NDArray[np.int64],
    cursor: NDArray[np.int64],
    node: tuple[int, int, int, int],
    moves: NDArray[np.int64],
    count: int,
    heuristic: int,
    fixed: int,
    quota: int,
    board: BoardTables,
) -> tuple[int, int, int]:
    """The move the opponent makes, what it sees, and the nodes it took.

    `fixed` is the depth of a minimax, or 0 for alpha-beta that deepens for `quota` nodes.
    """
    even, odd, _, other = node
    best = moves[0]
    nodes = 0
    depth = max(1, fixed)
    while True:
        top, top_value = moves[0], -math.inf
        for number in range(count):
            square = moves[number]
            frame = frames[0]
            frame[EVEN], frame[ODD] = occupy(even, odd, square)
            frame[MOVER], frame[OTHER] = other, square
            windows[0, ALPHA] = -math.inf
            windows[0, BETA] = math.inf if fixed > 0 else -top_value
            cursor[PLY], cursor[ENTERING] = 0, 1
            nodes += advance(
                frames, windows, pv, cursor, depth - 1, heuristic, fixed == 0, board, quota - nodes
            )
            if cursor[PLY] >= 0:
                return best, STOPPED, nodes
            found = -windows[0, BEST]
            if found > top_value:
                top, top_value = square, found
            if found == math.inf:
                return square, SEES_WIN, nodes
        if top_value == -math.inf:
            return best, SEES_LOSS, nodes
        best = top
        if fixed > 0:
            return best, SEES_NOTHING, nodes
        depth += 1


@kernel(
    UniTuple(int64, 3)(
        *(int64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1]), *[int64] * 7, BOARD, int64[::1]
    )
)
def reply(
    frames: NDArray[np.int64],
    windows: NDArray[np.float64],
    pv: NDArray[np.int64],
    cursor: NDArray[np.int64],
    even: int,
    odd: int,
    mover: int,
    other: int,
    heuristic: int,
    fixed: int,
    quota: int,
    board: BoardTables,
    rng: State,
) -> tuple[int, int, int]:
    """The opponent's move where it is to move, what it sees, and the nodes it took; ties by chance.

    An alpha-beta that deepens is always stopped, by its `quota`.
    """
    moves = np.empty(MAX_CELLS, np.int64)
    count = shuffled_moves(even, odd, mover, board.knights, rng, moves)
    if count == 0:
        return -1, STUCK, 0
    return search_replies(
        frames, windows, pv, cursor, (even, odd, mover, other), moves, count, heuristic, fixed, quota, board
    )
