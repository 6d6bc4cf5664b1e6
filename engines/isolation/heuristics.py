"""The published heuristics, compiled, with their quirks; beside them the readings their prose meant.

`evaluate` is a heuristic by its number, whoever has won; `evaluate_all` adds what the published functions
do about that: `open_move`, `center` and `improved` are infinite where the side to move is stuck. NaN
stands for "undefined": a player whose cell is asked for is not placed.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numba.types import UniTuple, float64, int64, void
from numpy.typing import NDArray

from engines.core.bits import lowest, popcount
from engines.core.jit import inlined, kernel
from engines.isolation.board import UNPLACED, BoardTables
from engines.isolation.position import Position
from engines.isolation.rules import BOARD_TABLES, mobility, moves_of, stuck, tables_of

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
"""The heuristics up to this number are infinite where the game is over, as published."""


@inlined
def corner_moves(even: int, odd: int, at: int, board: BoardTables) -> int:
    """How many of a player's legal moves are corners."""
    moves_even, moves_odd = moves_of(even, odd, at, board.knights)
    return popcount(moves_even & board.corners_even) + popcount(moves_odd & board.corners_odd)


@inlined
def next_moves(even: int, odd: int, at: int, board: BoardTables) -> int:
    """How many blank cells are a knight move away from any of a player's legal moves."""
    moves_even, moves_odd = moves_of(even, odd, at, board.knights)
    next_even = 0
    while moves_odd != 0:
        next_even |= board.knights[2 * lowest(moves_odd) + 1]
        moves_odd &= moves_odd - 1
    next_odd = 0
    while moves_even != 0:
        next_odd |= board.knights[2 * lowest(moves_even)]
        moves_even &= moves_even - 1
    return popcount(next_even & even) + popcount(next_odd & odd)


@inlined
def few_blank(even: int, odd: int, board: BoardTables) -> bool:
    """Are fewer than a quarter of the cells blank?"""
    return bool(4 * (popcount(even) + popcount(odd)) < board.height * board.width)


@inlined
def chase(own: int, opponent: int, board: BoardTables, sign: int) -> float:
    """Minus the length of (own + sign * opponent), as vectors from the top left corner."""
    down = board.rows[own] + sign * board.rows[opponent]
    right = board.columns[own] + sign * board.columns[opponent]
    return -math.sqrt(down * down + right * right)


@inlined
def evaluate(heuristic: int, even: int, odd: int, own: int, opponent: int, board: BoardTables) -> float:
    """A heuristic for the player at `own` against the one at `opponent`; NaN where undefined."""
    if heuristic == CENTER:
        if own == UNPLACED:
            return math.nan
        down = board.height / 2.0 - board.rows[own]
        right = board.width / 2.0 - board.columns[own]
        return float(down * down + right * right)
    if heuristic in CHASES:
        if own == UNPLACED or opponent == UNPLACED:
            return math.nan
        base = chase(own, opponent, board, 1 if heuristic in SUMMING else -1)
        if heuristic in UNWEIGHTED or not few_blank(even, odd, board):
            return base
        return base / 4.0
    own_moves = mobility(even, odd, own, board.knights)
    if heuristic == OPEN_MOVE:
        return float(own_moves)
    difference = own_moves - mobility(even, odd, opponent, board.knights)
    if heuristic in CORNERS:
        sign = -1 if heuristic == AVOID_CORNERS else 1
        difference -= corner_moves(even, odd, own, board)
        difference += sign * corner_moves(even, odd, opponent, board)
    elif heuristic == NEXT_MOVES:
        difference += next_moves(even, odd, own, board) - next_moves(even, odd, opponent, board)
    return float(difference)


@kernel(void(int64, int64, int64, int64, BOARD_TABLES, float64[:, ::1]))
def evaluate_all(
    even: int, odd: int, mover: int, other: int, board: BoardTables, out: NDArray[np.float64]
) -> None:
    """Every heuristic, as published, into `out[number]`: for the side to move and for the other."""
    lost = stuck(even, odd, mover, board.knights)
    for heuristic in range(len(NAMES)):
        if lost and heuristic <= TERMINAL_AWARE:
            out[heuristic, 0] = -math.inf
            out[heuristic, 1] = math.inf
        else:
            out[heuristic, 0] = evaluate(heuristic, even, odd, mover, other, board)
            out[heuristic, 1] = evaluate(heuristic, even, odd, other, mover, board)


@inlined
def counts_of(even: int, odd: int, at: int, board: BoardTables) -> tuple[int, int, int]:
    """A player's legal moves, corner moves and next moves."""
    return (
        mobility(even, odd, at, board.knights),
        corner_moves(even, odd, at, board),
        next_moves(even, odd, at, board),
    )


@kernel(UniTuple(UniTuple(int64, 3), 2)(int64, int64, int64, int64, BOARD_TABLES))
def move_counts(
    even: int, odd: int, own: int, opponent: int, board: BoardTables
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Both players' legal moves, corner moves and next moves."""
    return counts_of(even, odd, own, board), counts_of(even, odd, opponent, board)


def heuristics(position: Position) -> dict[str, list[float | None]]:
    """Every heuristic by name, as published: [for the side to move, for the other]; None: undefined."""
    out = np.empty((len(NAMES), 2))
    evaluate_all(*position.blank, position.mover_at, position.other_at, tables_of(position), out)
    return {
        name: [None if math.isnan(number) else number for number in pair]
        for name, pair in zip(NAMES, out.tolist(), strict=True)
    }
