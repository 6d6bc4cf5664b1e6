"""Expected replies, compiled: what a position is worth after some throws, each answered by its best move.

Before a throw every face is as likely as the others, and the seat that throws picks the move best for
itself. At the end of the line stands a leaf: the value network or the hand-made race. A worth is
`[4, terms]`, a row for each seat; a seat wants the sum of its row as large as can be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.ludo.evaluation.race_evaluation import WON, Race, evaluate_race
from engines.ludo.position import GOAL, PIECES, SEATS, SIX
from engines.ludo.rules import RING, Board, all_on, can_move, move, next_turn
from engines.ludo.td.network import FEATURES, W, Weights, evaluate_board

NETWORK, RACE = range(2)
"""The leaves."""

SeatTerms = NDArray[np.float64]
Scratch = tuple[
    NDArray[np.int64], NDArray[np.float64], NDArray[np.float64],
    NDArray[np.float64], NDArray[np.int64], NDArray[np.float32], NDArray[np.int64], NDArray[np.float32],
]  # fmt: skip
"""Scratch: boards, worths of moves and of best moves (by depth); chances, rows, numbers, hits, hidden."""
SCRATCH = (
    "Tuple((int64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1], "
    "float64[::1], int64[::1], float32[::1], int64[::1], float32[::1]))"
)
MAX_DEPTH = 6


@inline
def expectimax_scratch(units: int, terms: int) -> Scratch:
    """Scratch for searches of up to DEEPEST throws."""
    return (
        np.empty((MAX_DEPTH + 1, SEATS, PIECES), np.int64),
        np.empty((MAX_DEPTH + 1, SEATS, terms)),
        np.empty((MAX_DEPTH + 1, SEATS, terms)),
        np.empty(SEATS),
        np.empty(SEATS * PIECES, np.int64),
        np.empty(FEATURES, np.float32),
        np.empty(RING, np.int64),
        np.empty(units, np.float32),
    )


@kernel(
    "Tuple((int64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1], "
    "float64[::1], int64[::1], float32[::1], int64[::1], float32[::1]))(int64, int64)"
)
def make_scratch(units: int, terms: int) -> Scratch:
    """`workroom`, for Python."""
    return expectimax_scratch(units, terms)


@inline
def seat_score(worth: SeatTerms, seat: int) -> float:
    """What a seat makes of a worth."""
    total = 0.0
    for term in range(worth.shape[1]):
        total += worth[seat, term]
    return total


@inline
def add(one_face: SeatTerms, out: SeatTerms) -> None:
    """Add the worth of one face of the die."""
    for seat in range(SEATS):
        for term in range(out.shape[1]):
            out[seat, term] += one_face[seat, term] / SIX


@inline
def evaluate_leaf(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, thrower: int,
    out: SeatTerms, scratch: Scratch,
) -> None:  # fmt: skip
    """The worth before a throw, nothing looked ahead."""
    if leaf == NETWORK:
        evaluate_board(
            weights, board, ghosts, thrower, scratch[3], scratch[4], scratch[5], scratch[6], scratch[7]
        )
        for seat in range(SEATS):
            out[seat, 0] = scratch[3][seat]
    else:
        evaluate_race(race, board, ghosts, thrower, out, scratch[6])


@inline
def evaluate_win(leaf: int, winner: int, out: SeatTerms) -> None:
    """The worth of a finished game."""
    out[:] = 0.0
    if leaf == NETWORK:
        out[winner, 0] = 1.0
    else:
        for seat in range(SEATS):
            out[seat, WON] = 10_000.0 if seat == winner else -10_000.0


@inline
def is_duplicate(board: Board, seat: int, piece: int) -> bool:
    """Does an earlier piece of the seat stand on the same square, so that both moves are one?"""
    for other in range(piece):  # noqa: SIM110 (compiled code has no generators)
        if board[seat, other] == board[seat, piece]:
            return True
    return False


@kernel(
    f"void(int64, {W}, float64[::1], int64[:, ::1], int64, int64, int64, int64, int64, int64, "
    f"float64[:, ::1], {SCRATCH})"
)
def search_throw(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int, dice: int,
    round_: int, attempts: int, depth: int, out: SeatTerms, scratch: Scratch,
) -> None:  # fmt: skip
    """The worth of a throw, answered by the best move of `seat`, with `depth` more throws looked ahead."""
    after, worth, one_face = scratch[0][depth], scratch[1][depth], scratch[2][depth]
    chosen = -1
    top = 0.0
    for piece in range(PIECES + 1):
        if piece == PIECES:
            if chosen >= 0:
                break
            after[:] = board
        else:
            if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
                continue
            after[:] = board
            move(after, seat, piece, dice)
        if all_on(after, seat, GOAL):
            evaluate_win(leaf, seat, worth)
        else:
            thrower, next_round, next_attempts = next_turn(after, ghosts, seat, dice, round_, attempts)
            if depth == 0:
                evaluate_leaf(leaf, weights, race, after, ghosts, thrower, worth, scratch)
            else:
                worth[:] = 0.0
                for face in range(1, SIX + 1):
                    search_throw(
                        leaf, weights, race, after, ghosts, thrower, face, next_round, next_attempts,
                        depth - 1, one_face, scratch,
                    )  # fmt: skip
                    add(one_face, worth)
        value = seat_score(worth, seat)
        if chosen < 0 or value > top:
            chosen = piece
            top = value
            out[:] = worth


@kernel(
    f"void(int64, {W}, float64[::1], int64[:, ::1], int64, int64, int64, int64, int64, int64, int64, int64, "
    f"float64[:, ::1], {SCRATCH})"
)
def search_move(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int, piece: int, dice: int,
    round_: int, attempts: int, depth: int, face: int, out: SeatTerms, scratch: Scratch,
) -> None:  # fmt: skip
    """The worth of moving a movable piece, `depth` throws looked ahead, where the next throw is `number`."""
    after = scratch[0][MAX_DEPTH]
    after[:] = board
    move(after, seat, piece, dice)
    if all_on(after, seat, GOAL):
        evaluate_win(leaf, seat, out)
        return
    thrower, next_round, next_attempts = next_turn(after, ghosts, seat, dice, round_, attempts)
    if depth == 0:
        evaluate_leaf(leaf, weights, race, after, ghosts, thrower, out, scratch)
    else:
        search_throw(
            leaf,
            weights,
            race,
            after,
            ghosts,
            thrower,
            face,
            next_round,
            next_attempts,
            depth - 1,
            out,
            scratch,
        )


@inline
def expectimax_piece(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int,
    dice: int, round_: int, attempts: int, depth: int, worth: SeatTerms, scratch: Scratch,
) -> int:  # fmt: skip
    """The movable piece of the best worth for `seat`, the first of equals; -1 where none can move."""
    chosen = -1
    count = 0
    for piece in range(PIECES):
        if can_move(board[seat, piece], dice):
            count += 1
            chosen = piece
    if count < 2:
        return chosen
    chosen = -1
    top = 0.0
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        value = 0.0
        for face in range(1, SIX + 1 if depth > 0 else 2):
            search_move(
                leaf, weights, race, board, ghosts, seat, piece, dice, round_, attempts, depth, face,
                worth, scratch,
            )  # fmt: skip
            value += seat_score(worth, seat)
        if chosen < 0 or value > top:
            chosen = piece
            top = value
    return chosen
