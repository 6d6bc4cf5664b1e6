"""Minimax and alpha-beta to a fixed depth, with any heuristic at the leaves, in slices.

The recursion is an explicit stack of frames, so that the search can stop after any node and go on later: what
it finds depends on the nodes alone, never on how they were sliced.

Values are negamax values, for the side to move at each node. The leaves are evaluated from the view of the
side that searches, which waits at the root of this tree (its move has just been made): not every heuristic is
the opponent's with the sign changed.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype
from numba.types import boolean, float64, int64, void
from numpy.typing import NDArray

from engines.core.jit import borrowed, inlined, kernel, tuple_type
from engines.core.records import record_type
from engines.isolation.board import MAX_CELLS, BoardTables
from engines.isolation.heuristics import evaluate
from engines.isolation.rules import BOARD_TABLES, lowest_square, moves_of, occupy, stuck

PLIES = MAX_CELLS + 2
"""Frames of a stack: a game has at most MAX_CELLS plies."""

FRAME: Final = record_type(
    "Frame",
    even=np.int64,  # blank cells, a bitboard for each colour
    odd=np.int64,
    mover=np.int64,  # squares
    other=np.int64,
    moves_even=np.int64,  # moves still to be searched, bitboards
    moves_odd=np.int64,
    move=np.int64,  # the move being searched, a square
    searched=np.int64,  # 1 where `best` is the value of a move
    pv_length=np.int64,  # plies
    alpha=np.float64,  # the window, and the best value so far
    beta=np.float64,
    best=np.float64,
)
CURSOR: Final = record_type(
    "Cursor",
    ply=np.int64,  # the frame on top of the stack; -1 when the search is over
    entering=np.int64,  # 1 where its node is still to be entered
)


class SearchState(NamedTuple):
    """A search between two slices."""

    frames: Any
    """`FRAME[PLIES]`, by ply."""
    pv: NDArray[np.int64]
    """`int64[PLIES, PLIES]`: the principal variation from each ply on, squares."""
    cursor: Any
    """`CURSOR[1]`"""


SEARCH_STATE = tuple_type(SearchState, from_dtype(FRAME)[::1], int64[:, ::1], from_dtype(CURSOR)[::1])


@inlined
def leaf_value(
    heuristic: int, even: int, odd: int, mover: int, other: int, searcher_to_move: bool, board: BoardTables
) -> float:
    """The value of a leaf for the side to move there; an undefined heuristic counts 0."""
    own, opponent = (mover, other) if searcher_to_move else (other, mover)
    value = evaluate(heuristic, even, odd, own, opponent, board)
    if math.isnan(value):
        value = 0.0
    return value if searcher_to_move else -value


@inlined
def enter(
    frame: np.record, is_leaf: bool, heuristic: int, searcher_to_move: bool, board: BoardTables
) -> None:
    """Lists the moves of a frame's node; a leaf gets its value instead. Stuck is -inf, at any depth."""
    even, odd, mover = frame.even, frame.odd, frame.mover
    moves_even, moves_odd = moves_of(even, odd, mover, board.knights)
    frame.best = -math.inf
    if is_leaf and (moves_even | moves_odd) != 0:
        moves_even, moves_odd = 0, 0
        frame.best = leaf_value(heuristic, even, odd, mover, frame.other, searcher_to_move, board)
    frame.moves_even, frame.moves_odd = moves_even, moves_odd
    frame.searched = 0
    frame.pv_length = 0


@inlined
def search_frontier(
    frame: np.record,
    pv: NDArray[np.int64],
    heuristic: int,
    searcher_to_move: bool,
    prune: bool,
    board: BoardTables,
    quota: int,
) -> int:
    """Searches the moves of a frontier node, whose children are leaves, at most `quota`; how many there were.

    Most nodes are leaves: they are evaluated here, without frames of their own. `searcher_to_move` is said of
    the leaves.
    """
    even, odd, other = frame.even, frame.odd, frame.other
    moves_even, moves_odd = frame.moves_even, frame.moves_odd
    best, beta, searched = frame.best, frame.beta, frame.searched
    nodes = 0
    while (moves_even | moves_odd) != 0 and nodes < quota and not (prune and searched == 1 and best >= beta):
        nodes += 1
        square = lowest_square(moves_even, moves_odd)
        moves_even, moves_odd = occupy(moves_even, moves_odd, square)
        next_even, next_odd = occupy(even, odd, square)
        value = math.inf
        if not stuck(next_even, next_odd, other, board.knights):
            value = -leaf_value(heuristic, next_even, next_odd, other, square, searcher_to_move, board)
        if searched == 0 or value > best:
            best = value
            pv[0] = square
            frame.pv_length = 1
        searched = 1
    frame.moves_even, frame.moves_odd, frame.searched = moves_even, moves_odd, searched
    frame.best = best
    return nodes


@inlined
def descend(frame: np.record, child: np.record) -> None:
    """Makes the next move of a frame; the child gets the node behind it and the negated window."""
    square = lowest_square(frame.moves_even, frame.moves_odd)
    frame.moves_even, frame.moves_odd = occupy(frame.moves_even, frame.moves_odd, square)
    frame.move = square
    child.even, child.odd = occupy(frame.even, frame.odd, square)
    child.mover, child.other = frame.other, square
    child.alpha = -frame.beta
    child.beta = -max(frame.alpha, frame.best)


@inlined
def back_up(frames: Any, pv: NDArray[np.int64], ply: int) -> None:
    """Hands the value of the node at `ply + 1` up to the node at `ply`, with its principal variation."""
    frame, child = frames[ply], frames[ply + 1]
    value = -child.best
    if frame.searched == 0 or value > frame.best:
        frame.best = value
        length = child.pv_length
        pv[ply, 0] = frame.move
        for i in range(length):
            pv[ply, 1 + i] = pv[ply + 1, i]
        frame.pv_length = length + 1
    frame.searched = 1


@kernel(int64(SEARCH_STATE, int64, int64, boolean, BOARD_TABLES, int64))
def advance(
    state: SearchState, depth: int, heuristic: int, prune: bool, board: BoardTables, quota: int
) -> int:
    """Search on for at most `quota` nodes; how many there were. The cursor's ply is -1 when all is done."""
    state, board = borrowed(state), borrowed(board)
    frames, pv, cursor = state.frames, state.pv, state.cursor[0]
    nodes = 0
    ply = cursor.ply
    while ply >= 0:
        frame = frames[ply]
        if cursor.entering == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor.entering = 0
            # the side that searches waits at the root, so it moves at the odd plies
            enter(frame, ply == depth, heuristic, ply & 1 == 1, board)
        if ply + 1 == depth:
            nodes += search_frontier(frame, pv[ply], heuristic, depth & 1 == 1, prune, board, quota - nodes)
        cut = prune and frame.searched == 1 and frame.best >= frame.beta
        if (frame.moves_even | frame.moves_odd) != 0 and not cut:
            if ply + 1 == depth:
                break  # the quota ended among the leaves
            descend(frame, frames[ply + 1])
            ply += 1
            cursor.entering = 1
            continue
        ply -= 1
        if ply >= 0:
            back_up(frames, pv, ply)
    cursor.ply = ply
    return nodes


@kernel(void(SEARCH_STATE, int64, int64, int64, int64, float64))
def reset(state: SearchState, even: int, odd: int, mover: int, other: int, beta: float) -> None:
    """Start at a position in which the side that searches waits; a value of `beta` and more is enough."""
    root, cursor = state.frames[0], state.cursor[0]
    root.even, root.odd, root.mover, root.other = even, odd, mover, other
    root.alpha, root.beta = -math.inf, beta
    cursor.ply, cursor.entering = 0, 1


class SearchStack:
    """The private state of one search, for callers in Python."""

    def __init__(self) -> None:
        self.state = SearchState(
            np.zeros(PLIES, FRAME), np.zeros((PLIES, PLIES), np.int64), np.zeros(1, CURSOR)
        )
        # columns of fields, for a record's field is slow to read in Python
        self._ply, self._best = self.state.cursor["ply"], self.state.frames["best"]
        self._pv_length = self.state.frames["pv_length"]
        self._ply[0] = -1

    @property
    def done(self) -> bool:
        """Is the value of the root known?"""
        return bool(self._ply[0] < 0)

    @property
    def best(self) -> float:
        """The value of the root for the side to move there (at least, where it reached `beta`)."""
        return float(self._best[0])

    @property
    def pv(self) -> list[int]:
        """The principal variation, squares."""
        return [int(square) for square in self.state.pv[0, : self._pv_length[0]]]
