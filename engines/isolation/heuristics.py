"""The published heuristics, compiled, with their quirks; beside them the readings their prose meant.

`value` is a heuristic by its number, without any look at who has won; `values` and `valued` add what
the published functions do about that: `open_move`, `center` and `improved` are infinite where the
side to move is stuck. NaN stands for "undefined": a player whose cell is asked for is not placed.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.isolation.bits import lowest, popcount
from engines.isolation.board import COLUMNS, KNIGHTS, ROWS, SHAPE, UNPLACED, Table
from engines.isolation.position import Position
from engines.isolation.rules import board_of, mobility, reach, stuck

OPEN_MOVE = 0
CENTER = 1
IMPROVED = 2
MOVES_DIFFERENCE = 3
AVOID_CORNERS = 4
CHASE_OPPONENT = 5
WEIGHTED_CHASE_OPPONENT = 6
NEXT_MOVES = 7
CHASE_FIXED = 8
WEIGHTED_CHASE_FIXED = 9
AVOID_CORNERS_FIXED = 10

NAMES = (
    "open_move",
    "center",
    "improved",
    "moves_difference",
    "avoid_corners",
    "chase_opponent",
    "weighted_chase_opponent",
    "next_moves",
    "chase_fixed",
    "weighted_chase_fixed",
    "avoid_corners_fixed",
)
"""The heuristics by their numbers: eight as published, three as their prose describes them."""

Heuristic = Literal[
    "open_move",
    "center",
    "improved",
    "moves_difference",
    "avoid_corners",
    "chase_opponent",
    "weighted_chase_opponent",
    "next_moves",
    "chase_fixed",
    "weighted_chase_fixed",
    "avoid_corners_fixed",
]
"""The same for a parameter's schema."""

CHASES = (CHASE_OPPONENT, WEIGHTED_CHASE_OPPONENT, CHASE_FIXED, WEIGHTED_CHASE_FIXED)
SUMMING = (CHASE_OPPONENT, WEIGHTED_CHASE_OPPONENT)
UNWEIGHTED = (CHASE_OPPONENT, CHASE_FIXED)
CORNERS = (AVOID_CORNERS, AVOID_CORNERS_FIXED)

TERMINAL_AWARE = IMPROVED
"""The heuristics up to this number look at who has won, as published."""


@inline
def corner_moves(even: int, odd: int, at: int, board: Table) -> int:
    """How many of a player's legal moves are corners."""
    reach_even, reach_odd = reach(even, odd, at, board)
    return popcount(reach_even & board[SHAPE, 2]) + popcount(reach_odd & board[SHAPE, 3])


@inline
def next_reach(even: int, odd: int, at: int, board: Table) -> int:
    """How many blank cells are a knight move away from any of a player's legal moves."""
    reach_even, reach_odd = reach(even, odd, at, board)
    next_even = 0
    while reach_odd != 0:
        next_even |= board[KNIGHTS, 2 * lowest(reach_odd) + 1]
        reach_odd &= reach_odd - 1
    next_odd = 0
    while reach_even != 0:
        next_odd |= board[KNIGHTS, 2 * lowest(reach_even)]
        reach_even &= reach_even - 1
    return popcount(next_even & even) + popcount(next_odd & odd)


@inline
def near_end(even: int, odd: int, board: Table) -> bool:
    """Are fewer than a quarter of the cells blank?"""
    return bool(4 * (popcount(even) + popcount(odd)) < board[SHAPE, 0] * board[SHAPE, 1])


@inline
def chase(own: int, opponent: int, board: Table, sign: int) -> float:
    """Minus the length of (own + sign * opponent), as vectors from the top left corner."""
    down = board[ROWS, own] + sign * board[ROWS, opponent]
    right = board[COLUMNS, own] + sign * board[COLUMNS, opponent]
    return -math.sqrt(down * down + right * right)


@inline
def value(which: int, even: int, odd: int, own: int, opponent: int, board: Table) -> float:
    """A heuristic for the player at `own` against the one at `opponent`; NaN where undefined."""
    if which == CENTER:
        if own == UNPLACED:
            return math.nan
        down = board[SHAPE, 0] / 2.0 - board[ROWS, own]
        right = board[SHAPE, 1] / 2.0 - board[COLUMNS, own]
        return float(down * down + right * right)
    if which in CHASES:
        if own == UNPLACED or opponent == UNPLACED:
            return math.nan
        base = chase(own, opponent, board, 1 if which in SUMMING else -1)
        if which in UNWEIGHTED or not near_end(even, odd, board):
            return base
        return base / 4.0
    own_moves = mobility(even, odd, own, board)
    if which == OPEN_MOVE:
        return float(own_moves)
    difference = own_moves - mobility(even, odd, opponent, board)
    if which in CORNERS:
        sign = -1 if which == AVOID_CORNERS else 1
        difference -= corner_moves(even, odd, own, board)
        difference += sign * corner_moves(even, odd, opponent, board)
    elif which == NEXT_MOVES:
        difference += next_reach(even, odd, own, board) - next_reach(even, odd, opponent, board)
    return float(difference)


@kernel("void(int64, int64, int64, int64, int64[:, ::1], float64[:, ::1])")
def values(even: int, odd: int, mover: int, other: int, board: Table, out: NDArray[np.float64]) -> None:
    """Every heuristic, as published, into `out[number]`: for the side to move and for the other."""
    lost = stuck(even, odd, mover, board)
    for which in range(len(NAMES)):
        if lost and which <= TERMINAL_AWARE:
            out[which, 0] = -math.inf
            out[which, 1] = math.inf
        else:
            out[which, 0] = value(which, even, odd, mover, other, board)
            out[which, 1] = value(which, even, odd, other, mover, board)


@kernel("UniTuple(int64, 3)(int64, int64, int64, int64[:, ::1])")
def counts(even: int, odd: int, at: int, board: Table) -> tuple[int, int, int]:
    """A player's legal moves, corner moves and next moves."""
    return (
        mobility(even, odd, at, board),
        corner_moves(even, odd, at, board),
        next_reach(even, odd, at, board),
    )


def heuristics(position: Position) -> dict[str, list[float | None]]:
    """Every heuristic by name, as published: [for the side to move, for the other]; None: undefined."""
    out = np.empty((len(NAMES), 2))
    values(*position.blank, position.mover_at, position.other_at, board_of(position), out)
    return {
        name: [None if math.isnan(number) else number for number in pair]
        for name, pair in zip(NAMES, out.tolist(), strict=True)
    }
