"""One move valued as a step in a race, compiled: what it gains, takes, and leaves hanging.

A piece is worth its number, and once on the board also what it costs to bring one out. All
amounts are squares, from the mover's view.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.rules import Board, can_move, move

TERMS = ("progress", "leave_home", "goal", "captures", "sent_home", "danger")
PROGRESS, LEAVE_HOME, GOAL_BONUS, CAPTURES, SENT_HOME, DANGER = range(len(TERMS))

MoveWeights = NDArray[np.float64]
"""[4]: what leaving home and reaching goal are worth, and the factors of captures and of danger."""


@inline
def piece_value(square: int, leave_home: float) -> float:
    """What its owner loses when a piece on this square is sent home."""
    return 0.0 if square == HOME else square + leave_home


@inline
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
                scratch[:] = board
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


@kernel("void(int64[:, ::1], int64, int64, int64, float64[::1], float64[:, ::1])")
def evaluate_moves(
    board: Board, seat: int, dice: int, ghosts: int, weights: MoveWeights, terms: NDArray[np.float64]
) -> None:
    """Fill `terms[piece]` (in the order of TERMS) for every movable piece; other rows stay as they are."""
    leave_home, goal, captures, caution = weights[0], weights[1], weights[2], weights[3]
    after = np.empty_like(board)
    scratch = np.empty_like(board)
    for piece in range(PIECES):
        before = board[seat, piece]
        if not can_move(before, dice):
            continue
        after[:] = board
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
                            row[CAPTURES] += captures * piece_value(board[enemy, other], leave_home)
        row[DANGER] = 0.0 - caution * danger(after, seat, ghosts, leave_home, scratch)
