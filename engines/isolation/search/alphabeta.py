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
from numpy.typing import NDArray

from engines.core.jit import borrowed, fused, kernel
from engines.isolation.board import MAX_CELLS, Table
from engines.isolation.heuristics import value
from engines.isolation.rules import first_square, reach, stuck, take

EVEN, ODD, MOVER, OTHER, REST_EVEN, REST_ODD, SQUARE, TRIED, LENGTH = range(9)
"""Columns of a frame: its node, moves to try, the one tried last, whether any was, the best line's length."""
ALPHA, BETA, BEST = range(3)
"""Columns of a frame's bounds."""
PLY, ENTERING = range(2)
"""Where the search is: the frame (-1 when it is over), and whether its node is still to be entered."""

PLIES = MAX_CELLS + 2


@fused
def try_leaves(
    frame: NDArray[np.int64],
    bound: NDArray[np.float64],
    line: NDArray[np.int64],
    asking: bool,
    which: int,
    prune: bool,
    board: Table,
    quota: int,
) -> int:
    """Tries the moves of a node whose children are leaves, at most `quota`; how many were tried.

    Most nodes are leaves: they are valued here, without frames of their own. `asking`: the side that asked
    is to move at the leaves.
    """
    even, odd, other = frame[EVEN], frame[ODD], frame[OTHER]
    rest_even, rest_odd = frame[REST_EVEN], frame[REST_ODD]
    best, enough, tried = bound[BEST], bound[BETA], frame[TRIED]
    count = 0
    while (rest_even | rest_odd) != 0 and count < quota and not (prune and tried == 1 and best >= enough):
        count += 1
        square = first_square(rest_even, rest_odd)
        rest_even, rest_odd = take(rest_even, rest_odd, square)
        next_even, next_odd = take(even, odd, square)
        found = math.inf
        if not stuck(next_even, next_odd, other, board):
            own, opponent = (other, square) if asking else (square, other)
            leaf = value(which, next_even, next_odd, own, opponent, board)
            if math.isnan(leaf):
                leaf = 0.0
            found = -leaf if asking else leaf
        if tried == 0 or found > best:
            best = found
            line[0] = square
            frame[LENGTH] = 1
        tried = 1
    frame[REST_EVEN], frame[REST_ODD], frame[TRIED] = rest_even, rest_odd, tried
    bound[BEST] = best
    return count


@kernel(
    "int64(int64[:, ::1], float64[:, ::1], int64[:, ::1], int64[::1],"
    " int64, int64, boolean, int64[:, ::1], int64)"
)
def advance(
    frames: NDArray[np.int64],
    bounds: NDArray[np.float64],
    lines: NDArray[np.int64],
    place: NDArray[np.int64],
    depth: int,
    which: int,
    prune: bool,
    board: Table,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. `place[PLY]` is -1 when all is done."""
    frames, bounds, lines, place, board = borrowed((frames, bounds, lines, place, board))
    nodes = 0
    ply = place[PLY]
    while ply >= 0:
        frame = frames[ply]
        bound = bounds[ply]
        if place[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            place[ENTERING] = 0
            even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
            rest_even, rest_odd = reach(even, odd, mover, board)
            bound[BEST] = -math.inf
            if ply == depth and (rest_even | rest_odd) != 0:
                rest_even, rest_odd = 0, 0
                # the side that asked waits at the root, so it moves at the odd plies
                asking = ply & 1 == 1
                own, opponent = (mover, other) if asking else (other, mover)
                leaf = value(which, even, odd, own, opponent, board)
                if math.isnan(leaf):
                    leaf = 0.0
                bound[BEST] = leaf if asking else -leaf
            frame[REST_EVEN], frame[REST_ODD] = rest_even, rest_odd
            frame[TRIED] = 0
            frame[LENGTH] = 0
        if ply + 1 == depth:
            nodes += try_leaves(frame, bound, lines[ply], depth & 1 == 1, which, prune, board, quota - nodes)
        rest_even, rest_odd = frame[REST_EVEN], frame[REST_ODD]
        cut = prune and frame[TRIED] == 1 and bound[BEST] >= bound[BETA]
        if (rest_even | rest_odd) != 0 and not cut:
            if ply + 1 == depth:
                break
            square = first_square(rest_even, rest_odd)
            if rest_even != 0:
                frame[REST_EVEN] = rest_even & (rest_even - 1)
            else:
                frame[REST_ODD] = rest_odd & (rest_odd - 1)
            frame[SQUARE] = square
            child = frames[ply + 1]
            child[EVEN], child[ODD] = take(frame[EVEN], frame[ODD], square)
            child[MOVER], child[OTHER] = frame[OTHER], square
            bounds[ply + 1, ALPHA] = -bound[BETA]
            bounds[ply + 1, BETA] = -max(bound[ALPHA], bound[BEST])
            ply += 1
            place[ENTERING] = 1
            continue
        ply -= 1
        if ply >= 0:
            parent = frames[ply]
            found = -bound[BEST]
            if parent[TRIED] == 0 or found > bounds[ply, BEST]:
                bounds[ply, BEST] = found
                length = frame[LENGTH]
                lines[ply, 0] = parent[SQUARE]
                lines[ply, 1 : length + 1] = lines[ply + 1, :length]
                parent[LENGTH] = length + 1
            parent[TRIED] = 1
    place[PLY] = ply
    return nodes


@dataclass(slots=True)
class Tree:
    """The private scratch of one search."""

    frames: NDArray[np.int64] = field(default_factory=lambda: np.zeros((PLIES, 9), np.int64))
    bounds: NDArray[np.float64] = field(default_factory=lambda: np.zeros((PLIES, 3)))
    lines: NDArray[np.int64] = field(default_factory=lambda: np.zeros((PLIES, PLIES), np.int64))
    place: NDArray[np.int64] = field(default_factory=lambda: np.full(2, -1, np.int64))

    def root(self, even: int, odd: int, mover: int, other: int, ceiling: float) -> None:
        """Start at a position in which the side that asks waits; a value of `ceiling` and more is enough."""
        self.frames[0, : OTHER + 1] = even, odd, mover, other
        self.bounds[0, ALPHA], self.bounds[0, BETA] = -math.inf, ceiling
        self.place[:] = 0, 1

    @property
    def done(self) -> bool:
        """Is the value of the root known?"""
        return bool(self.place[PLY] < 0)

    @property
    def best(self) -> float:
        """The value of the root for the side to move there (at least, where it reached the ceiling)."""
        return float(self.bounds[0, BEST])

    @property
    def line(self) -> list[int]:
        """The moves by which the root got its value."""
        return [int(square) for square in self.lines[0, : self.frames[0, LENGTH]]]
