"""Expected replies, compiled: what a position is worth after some throws, each answered by its best move.

Before a throw every face is as likely as the others, and the seat that throws picks the move best for
itself. At the end of the line stands a leaf: the value network or the hand-made race. A worth is
`[4, terms]`, a row for each seat; a seat wants the sum of its row as large as can be.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.ludo.evaluation.race_evaluation import WON, Race, judge_race
from engines.ludo.position import GOAL, PIECES, SEATS, SIX
from engines.ludo.rules import RING, Board, all_on, can_move, move, next_turn
from engines.ludo.td.network import NUMBERS, W, Weights, judge_board

NETWORK, RACE = range(2)
"""The leaves."""

Worth = NDArray[np.float64]
Work = tuple[
    NDArray[np.int64], NDArray[np.float64], NDArray[np.float64],
    NDArray[np.float64], NDArray[np.int64], NDArray[np.float32], NDArray[np.int64], NDArray[np.float32],
]  # fmt: skip
"""Scratch: boards, worths of moves and of best moves (by depth); chances, rows, numbers, hits, hidden."""
WORK = (
    "Tuple((int64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1], "
    "float64[::1], int64[::1], float32[::1], int64[::1], float32[::1]))"
)
DEEPEST = 6


@inline
def workroom(units: int, terms: int) -> Work:
    """Scratch for searches of up to DEEPEST throws."""
    return (
        np.empty((DEEPEST + 1, SEATS, PIECES), np.int64),
        np.empty((DEEPEST + 1, SEATS, terms)),
        np.empty((DEEPEST + 1, SEATS, terms)),
        np.empty(SEATS),
        np.empty(SEATS * PIECES, np.int64),
        np.empty(NUMBERS, np.float32),
        np.empty(RING, np.int64),
        np.empty(units, np.float32),
    )


@kernel(
    "Tuple((int64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1], "
    "float64[::1], int64[::1], float32[::1], int64[::1], float32[::1]))(int64, int64)"
)
def make_workroom(units: int, terms: int) -> Work:
    """`workroom`, for Python."""
    return workroom(units, terms)


@inline
def sum_row(worth: Worth, seat: int) -> float:
    """What a seat makes of a worth."""
    total = 0.0
    for term in range(worth.shape[1]):
        total += worth[seat, term]
    return total


@inline
def add(face: Worth, out: Worth) -> None:
    """Add the worth of one face of the die."""
    for seat in range(SEATS):
        for term in range(out.shape[1]):
            out[seat, term] += face[seat, term] / SIX


@inline
def judge_leaf(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, thrower: int,
    out: Worth, work: Work,
) -> None:  # fmt: skip
    """The worth before a throw, nothing looked ahead."""
    if leaf == NETWORK:
        judge_board(weights, board, ghosts, thrower, work[3], work[4], work[5], work[6], work[7])
        for seat in range(SEATS):
            out[seat, 0] = work[3][seat]
    else:
        judge_race(race, board, ghosts, thrower, out, work[6])


@inline
def judge_won(leaf: int, winner: int, out: Worth) -> None:
    """The worth of a finished game."""
    out[:] = 0.0
    if leaf == NETWORK:
        out[winner, 0] = 1.0
    else:
        for seat in range(SEATS):
            out[seat, WON] = 10_000.0 if seat == winner else -10_000.0


@inline
def is_twin(board: Board, seat: int, piece: int) -> bool:
    """Does an earlier piece of the seat stand on the same square, so that both moves are one?"""
    for other in range(piece):  # noqa: SIM110 (compiled code has no generators)
        if board[seat, other] == board[seat, piece]:
            return True
    return False


@kernel(
    f"void(int64, {W}, float64[::1], int64[:, ::1], int64, int64, int64, int64, int64, int64, "
    f"float64[:, ::1], {WORK})"
)
def reply(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int, dice: int,
    round_: int, attempts: int, depth: int, out: Worth, work: Work,
) -> None:  # fmt: skip
    """The worth of a throw, answered by the best move of `seat`, with `depth` more throws looked ahead."""
    after, worth, face = work[0][depth], work[1][depth], work[2][depth]
    chosen = -1
    top = 0.0
    for piece in range(PIECES + 1):
        if piece == PIECES:
            if chosen >= 0:
                break
            after[:] = board
        else:
            if not can_move(board[seat, piece], dice) or is_twin(board, seat, piece):
                continue
            after[:] = board
            move(after, seat, piece, dice)
        if all_on(after, seat, GOAL):
            judge_won(leaf, seat, worth)
        else:
            thrower, next_round, next_attempts = next_turn(after, ghosts, seat, dice, round_, attempts)
            if depth == 0:
                judge_leaf(leaf, weights, race, after, ghosts, thrower, worth, work)
            else:
                worth[:] = 0.0
                for number in range(1, SIX + 1):
                    reply(
                        leaf, weights, race, after, ghosts, thrower, number, next_round, next_attempts,
                        depth - 1, face, work,
                    )  # fmt: skip
                    add(face, worth)
        value = sum_row(worth, seat)
        if chosen < 0 or value > top:
            chosen = piece
            top = value
            out[:] = worth


@kernel(
    f"void(int64, {W}, float64[::1], int64[:, ::1], int64, int64, int64, int64, int64, int64, int64, int64, "
    f"float64[:, ::1], {WORK})"
)
def look(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int, piece: int, dice: int,
    round_: int, attempts: int, depth: int, number: int, out: Worth, work: Work,
) -> None:  # fmt: skip
    """The worth of moving a movable piece, `depth` throws looked ahead, where the next throw is `number`."""
    after = work[0][DEEPEST]
    after[:] = board
    move(after, seat, piece, dice)
    if all_on(after, seat, GOAL):
        judge_won(leaf, seat, out)
        return
    thrower, next_round, next_attempts = next_turn(after, ghosts, seat, dice, round_, attempts)
    if depth == 0:
        judge_leaf(leaf, weights, race, after, ghosts, thrower, out, work)
    else:
        reply(
            leaf,
            weights,
            race,
            after,
            ghosts,
            thrower,
            number,
            next_round,
            next_attempts,
            depth - 1,
            out,
            work,
        )


@inline
def best_ahead(
    leaf: int, weights: Weights, race: Race, board: Board, ghosts: int, seat: int,
    dice: int, round_: int, attempts: int, depth: int, worth: Worth, work: Work,
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
        if not can_move(board[seat, piece], dice) or is_twin(board, seat, piece):
            continue
        value = 0.0
        for number in range(1, SIX + 1 if depth > 0 else 2):
            look(
                leaf, weights, race, board, ghosts, seat, piece, dice, round_, attempts, depth, number,
                worth, work,
            )  # fmt: skip
            value += sum_row(worth, seat)
        if chosen < 0 or value > top:
            chosen = piece
            top = value
    return chosen
