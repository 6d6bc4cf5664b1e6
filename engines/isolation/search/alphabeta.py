"""Minimax and alpha-beta to a fixed depth, with any heuristic at the leaves, in slices.

The tree stands in arrays, so that the search can stop after any node and go on later: what it finds
depends on the nodes alone, never on how they were sliced.

Values are from the view of the side to move at each node (`best` of a child, negated, is a value of
its parent); the leaves are valued from the view of the one side that asked, the player who waits at
the root of the tree, because not every heuristic is the opponent's with the sign changed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numba.types import boolean, float64, int64
from numpy.typing import NDArray

from engines.core.jit import borrowed, fused, kernel
from engines.isolation.board import MAX_CELLS, BoardTables
from engines.isolation.heuristics import evaluate
from engines.isolation.kinds import BOARD
from engines.isolation.rules import lowest_square, moves_of, occupy, stuck

EVEN, ODD, MOVER, OTHER, MOVES_EVEN, MOVES_ODD, MOVE, TRIED, PV_LENGTH = range(9)
"""Columns of a frame: its node, moves to try, the one tried last, whether any was, the best line's length."""
ALPHA, BETA, BEST = range(3)
"""Columns of a frame's bounds."""
PLY, ENTERING = range(2)
"""Where the search is: the frame (-1 when it is over), and whether its node is still to be entered."""

PLIES = MAX_CELLS + 2


@fused
def search_frontier(
    frame: NDArray[np.int64],
    window: NDArray[np.float64],
    pv: NDArray[np.int64],
    searcher_to_move: bool,
    heuristic: int,
    prune: bool,
    board: BoardTables,
    quota: int,
) -> int:
    """Tries the moves of a node whose children are leaves, at most `quota`; how many were tried.

    Most nodes are leaves: they are evaluated here, without frames of their own. `searcher_to_move`: the side
    that searches is to move at the leaves.
    """
    even, odd, other = frame[EVEN], frame[ODD], frame[OTHER]
    moves_even, moves_odd = frame[MOVES_EVEN], frame[MOVES_ODD]
    best, enough, tried = window[BEST], window[BETA], frame[TRIED]
    visited = 0
    while (moves_even | moves_odd) != 0 and visited < quota and not (prune and tried == 1 and best >= enough):
        visited += 1
        square = lowest_square(moves_even, moves_odd)
        moves_even, moves_odd = occupy(moves_even, moves_odd, square)
        next_even, next_odd = occupy(even, odd, square)
        found = math.inf
        if not stuck(next_even, next_odd, other, board.knights):
            own, opponent = (other, square) if searcher_to_move else (square, other)
            leaf = evaluate(heuristic, next_even, next_odd, own, opponent, board)
            if math.isnan(leaf):
                leaf = 0.0
            found = -leaf if searcher_to_move else leaf
        if tried == 0 or found > best:
            best = found
            pv[0] = square
            frame[PV_LENGTH] = 1
        tried = 1
    frame[MOVES_EVEN], frame[MOVES_ODD], frame[TRIED] = moves_even, moves_odd, tried
    window[BEST] = best
    return visited


@kernel(int64(int64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1], int64, int64, boolean, BOARD, int64))
def advance(
    frames: NDArray[np.int64],
    windows: NDArray[np.float64],
    pv: NDArray[np.int64],
    cursor: NDArray[np.int64],
    depth: int,
    heuristic: int,
    prune: bool,
    board: BoardTables,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. `place[PLY]` is -1 when all is done."""
    frames, windows, pv, cursor = borrowed((frames, windows, pv, cursor))
    board = borrowed(board)
    nodes = 0
    ply = cursor[PLY]
    while ply >= 0:
        frame = frames[ply]
        window = windows[ply]
        if cursor[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor[ENTERING] = 0
            even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
            moves_even, moves_odd = moves_of(even, odd, mover, board.knights)
            window[BEST] = -math.inf
            if ply == depth and (moves_even | moves_odd) != 0:
                moves_even, moves_odd = 0, 0
                # the side that asked waits at the root, so it moves at the odd plies
                searcher_to_move = ply & 1 == 1
                own, opponent = (mover, other) if searcher_to_move else (other, mover)
                leaf = evaluate(heuristic, even, odd, own, opponent, board)
                if math.isnan(leaf):
                    leaf = 0.0
                window[BEST] = leaf if searcher_to_move else -leaf
            frame[MOVES_EVEN], frame[MOVES_ODD] = moves_even, moves_odd
            frame[TRIED] = 0
            frame[PV_LENGTH] = 0
        if ply + 1 == depth:
            nodes += search_frontier(
                frame, window, pv[ply], depth & 1 == 1, heuristic, prune, board, quota - nodes
            )
        moves_even, moves_odd = frame[MOVES_EVEN], frame[MOVES_ODD]
        cut = prune and frame[TRIED] == 1 and window[BEST] >= window[BETA]
        if (moves_even | moves_odd) != 0 and not cut:
            if ply + 1 == depth:
                break
            square = lowest_square(moves_even, moves_odd)
            if moves_even != 0:
                frame[MOVES_EVEN] = moves_even & (moves_even - 1)
            else:
                frame[MOVES_ODD] = moves_odd & (moves_odd - 1)
            frame[MOVE] = square
            child = frames[ply + 1]
            child[EVEN], child[ODD] = occupy(frame[EVEN], frame[ODD], square)
            child[MOVER], child[OTHER] = frame[OTHER], square
            windows[ply + 1, ALPHA] = -window[BETA]
            windows[ply + 1, BETA] = -max(window[ALPHA], window[BEST])
            ply += 1
            cursor[ENTERING] = 1
            continue
        ply -= 1
        if ply >= 0:
            parent = frames[ply]
            found = -window[BEST]
            if parent[TRIED] == 0 or found > windows[ply, BEST]:
                windows[ply, BEST] = found
                length = frame[PV_LENGTH]
                pv[ply, 0] = parent[MOVE]
                pv[ply, 1 : length + 1] = pv[ply + 1, :length]
                parent[PV_LENGTH] = length + 1
            parent[TRIED] = 1
    cursor[PLY] = ply
    return nodes


@dataclass(slots=True)
class SearchStack:
    """The private scratch of one search."""

    frames: NDArray[np.int64] = field(default_factory=lambda: np.zeros((PLIES, 9), np.int64))
    windows: NDArray[np.float64] = field(default_factory=lambda: np.zeros((PLIES, 3)))
    pv: NDArray[np.int64] = field(default_factory=lambda: np.zeros((PLIES, PLIES), np.int64))
    cursor: NDArray[np.int64] = field(default_factory=lambda: np.full(2, -1, np.int64))

    def root(self, even: int, odd: int, mover: int, other: int, ceiling: float) -> None:
        """Start at a position in which the side that asks waits; a value of `ceiling` and more is enough."""
        self.frames[0, : OTHER + 1] = even, odd, mover, other
        self.windows[0, ALPHA], self.windows[0, BETA] = -math.inf, ceiling
        self.cursor[:] = 0, 1

    @property
    def done(self) -> bool:
        """Is the value of the root known?"""
        return bool(self.cursor[PLY] < 0)

    @property
    def best(self) -> float:
        """The value of the root for the side to move there (at least, where it reached the ceiling)."""
        return float(self.windows[0, BEST])

    @property
    def variation(self) -> list[int]:
        """The moves by which the root got its value."""
        return [int(square) for square in self.pv[0, : self.frames[0, PV_LENGTH]]]
