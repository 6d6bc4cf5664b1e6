"""The stack of a search: what it keeps of each node between the root and the node that it is at.

`node` and `tree` work on one frame at a time through a `Node`; `worker` makes the stack and sets its root.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import float64, from_dtype, int64

from engines.battlesnake.state import Floats, Ints, Records
from engines.core.jit import borrowed, inlined, tuple_type
from engines.core.records import record_type

INFINITE: Final = 1e9
"""Beyond every score: an open end of a window."""

DEFAULT_REPLY: Final = 0
"""The reply in which every rival plays its default move. Other replies are 4 * (1 + snake) + move: that snake
deviates from its default move (in a duel: the rival plays that move)."""

# Kinds of node.
SERIAL: Final = 0
"""The rivals reply to your move: alpha-beta with you to move, then them."""
MATRIX: Final = 1
"""Both move at once: the node's value is that of the matrix game over its pairs of moves."""

# Phases of a matrix node.
FAIL_LOW_PROBE: Final = 0
FAIL_HIGH_PROBE: Final = 1
EXACT_SOLUTION: Final = 2

# What a value is (as in any transposition table), of a node and of a pair of moves.
UNKNOWN: Final = 0
EXACT: Final = 1
LOWER: Final = 2
"""It failed high: the true value is this or more."""
UPPER: Final = 3
"""It failed low: the true value is this or less."""

# How the present child is searched (late move reductions).
FULL_DEPTH: Final = 0
REDUCED: Final = 1
RESEARCH: Final = 2
"""In full after all: what the reduced search gave would change the node."""

MAX_MOVES: Final = 4
MAX_REPLIES: Final = 16
"""With more rivals the default and three deviations of each of up to `move_ordering.MAX_RIVALS` (4), less the
last one, for which there is no room."""

FRAME: Final = record_type(
    "Frame",
    kind=np.int64,  # SERIAL or MATRIX
    phase=np.int64,  # of a matrix node
    move_count=np.int64,
    reply_count=np.int64,
    move_index=np.int64,  # the present child, as an index of `moves` and one of `replies`
    reply_index=np.int64,
    best_move=np.int64,  # so far; of a resolved node its best move and the best reply to it
    best_reply=np.int64,
    refutation=np.int64,  # the best reply to the present move so far
    candidate=np.int64,  # of a matrix node: index of the move that the fail-high probe is about
    key=np.int64,  # Zobrist key of the node
    bound=np.int64,  # what `value` is, once the node is resolved: EXACT, LOWER or UPPER
    depth=np.int64,  # plies left to the leaves where nothing is reduced
    reduction=np.int64,  # FULL_DEPTH, REDUCED or RESEARCH: the present child
    state_copied=np.int64,  # 1 once the next ply's state is a copy of this one, to be restored
    alpha=np.float64,  # the node's window
    beta=np.float64,
    best=np.float64,  # the best of your moves so far
    worst=np.float64,  # the worst of the replies to the present move so far
    child_alpha=np.float64,  # the window of the present child
    child_beta=np.float64,
    value=np.float64,  # once the node is resolved
)


class SearchStack(NamedTuple):
    """A frame for each ply, and the arrays that belong to it. S snakes."""

    frames: Records
    """[plies, 1] of FRAME."""
    moves: Ints
    """[plies, MAX_MOVES] your moves, the most promising first."""
    replies: Ints
    """[plies, MAX_REPLIES] the replies, the most promising first."""
    default_moves: Ints
    """[plies, S] what each rival plays by the default policy (not used in a duel)."""
    known: Ints
    """[plies, MAX_MOVES, MAX_MOVES] of a matrix node: what `payoffs` holds of each pair, UNKNOWN to UPPER."""
    payoffs: Floats
    """[plies, MAX_MOVES, MAX_MOVES] of a matrix node: the value of each pair of a move and a reply."""


class Node(NamedTuple):
    """One ply of a `SearchStack`."""

    frame: Records
    """[1] of FRAME: a record by itself can't be part of a tuple."""
    moves: Ints
    replies: Ints
    default_moves: Ints
    known: Ints
    payoffs: Floats


SEARCH_STACK = tuple_type(
    SearchStack,
    *(from_dtype(FRAME)[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1]),
    *(int64[:, :, ::1], float64[:, :, ::1]),
)
"""A `SearchStack` in a kernel's signature."""


@inlined
def node_at(stack: SearchStack, ply: int) -> Node:
    """The node at a ply, for as long as the caller holds the stack."""
    return borrowed(
        Node(
            stack.frames[ply],
            stack.moves[ply],
            stack.replies[ply],
            stack.default_moves[ply],
            stack.known[ply],
            stack.payoffs[ply],
        )
    )


def search_stack(plies: int, snakes: int) -> SearchStack:
    """A stack with nothing on it."""
    return SearchStack(
        np.zeros((plies, 1), FRAME),
        np.zeros((plies, MAX_MOVES), np.int64),
        np.zeros((plies, MAX_REPLIES), np.int64),
        np.zeros((plies, snakes), np.int64),
        np.zeros((plies, MAX_MOVES, MAX_MOVES), np.int64),
        np.zeros((plies, MAX_MOVES, MAX_MOVES), np.float64),
    )
