"""The evaluation of one move, compiled: progress, captures, danger.

A piece's value is its number plus, on the board, `leave_home`. Squares, mover's view.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.ludo.boundary import plain_type
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.rules import Board, can_move, copy_board, move

TERMS = ("progress", "leave_home", "goal", "captures", "sent_home", "danger")
PROGRESS, LEAVE_HOME, GOAL_BONUS, CAPTURES, SENT_HOME, DANGER = range(len(TERMS))


class MoveWeights(NamedTuple):
    """How much the parts of a move's value count."""

    leave_home: float
    """Squares: value of being out."""
    goal: float
    """Squares: bonus for reaching goal."""
    captures: float
    """Factor of what an enemy loses."""
    caution: float
    """Factor of what the next throws may take."""


DEFAULT_WEIGHTS = MoveWeights(12.0, 5.0, 1.0, 1.0)
MOVE_WEIGHTS = plain_type(numba.typeof(DEFAULT_WEIGHTS))


@compiled
def piece_value(square: int, leave_home: float) -> float:
    """What its owner loses when a piece on this square is sent home."""
    return 0.0 if square == HOME else square + leave_home


@compiled
def danger(board: Board, seat: int, ghosts: int, leave_home: float, scratch: Board) -> float:
    """What the others' next throws take, on average, if each captures the most it can."""
    total = 0.0
    for enemy in range(SEATS):
        if enemy == seat or (ghosts >> enemy) & 1:
            continue
        for dice in range(1, SIX + 1):
            most = 0.0
            for piece in range(PIECES):
                if not can_move(board[enemy, piece], dice):
                    continue
                copy_board(scratch, board)
                captured, _ = move(scratch, enemy, piece, dice)
                if captured == 0:
                    continue
                loss = 0.0
                for own in range(PIECES):
                    if scratch[seat, own] != board[seat, own]:
                        loss += piece_value(board[seat, own], leave_home)
                most = max(most, loss)
            total += most
    return total / SIX


@kernel(
    types.void(
        types.int64[:, ::1], types.int64, types.int64, types.int64, MOVE_WEIGHTS, types.float64[:, ::1]
    )
)
def evaluate_moves(
    board: Board, seat: int, dice: int, ghosts: int, amounts: tuple[float, ...], terms: NDArray[np.float64]
) -> None:
    """Fill `terms[piece]` (in the order of TERMS) for every movable piece; other rows stay as they are.

    `amounts` are the MoveWeights as a plain tuple.
    """
    leave_home, goal, capture_factor, caution = amounts
    after = np.empty_like(board)
    scratch = np.empty_like(board)
    for piece in range(PIECES):
        before = board[seat, piece]
        if not can_move(before, dice):
            continue
        copy_board(after, board)
        captured, refused = move(after, seat, piece, dice)
        row = terms[piece]
        row[:] = 0.0
        if refused:
            row[SENT_HOME] = 0.0 - piece_value(before, leave_home)
        else:
            row[PROGRESS] = after[seat, piece] - before
            row[LEAVE_HOME] = leave_home if before == HOME else 0.0
            row[GOAL_BONUS] = goal if after[seat, piece] == GOAL else 0.0
        if captured > 0:
            for enemy in range(SEATS):
                if enemy != seat:
                    for other in range(PIECES):
                        if after[enemy, other] != board[enemy, other]:
                            row[CAPTURES] += capture_factor * piece_value(board[enemy, other], leave_home)
        row[DANGER] = 0.0 - caution * danger(after, seat, ghosts, leave_home, scratch)
