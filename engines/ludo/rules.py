"""The rules of Ludo, compiled: one move, and whose throw comes next.

Everything that plays or searches calls them; they know no agent.

A board is an `int64[4, 4]` array of the pieces of each seat, in the seat's own numbering; ghosts
are a bit mask of seats. Helpers are called from kernels; `play` and `turn` from Python as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, inlined, kernel
from engines.ludo.position import GOAL, HOME, LAST_ATTEMPT, PIECES, SEATS, SIX, START

Board = NDArray[np.int64]
"""[seat, piece]: the squares, in each seat's own numbering."""


class Turn(NamedTuple):
    """Whose throw it is."""

    ghosts: int
    """The empty seats, a bit mask."""
    seat: int
    round: int
    """From 1."""
    attempts: int
    """Throws of round 1 that left all four pieces of the seat at home."""


QUARTER = 13
RING = 52
CORRIDOR = 52
"""The first square of the corridor, and by the collision table also the ring square behind the start."""

STARS = (5, 12, 18, 25, 31, 38, 44, 51)
GLOBES = (9, 22, 35, 48)
ENEMY_STARTS = (14, 27, 40)

# What lies on a square that a throw can point at (0..63): the square a star jumps to, else 0 ...
NEXT_STAR = np.zeros(64, np.int64)
NEXT_STAR[list(STARS)] = (*STARS[1:], GOAL)
# ... and whether it is a globe, or which seat further on starts there.
IS_GLOBE = np.zeros(64, np.bool_)
IS_GLOBE[list(GLOBES)] = True
START_OF = np.zeros(64, np.int64)
START_OF[list(ENEMY_STARTS)] = (1, 2, 3)

# The nth member of a set of pieces (a bit mask), and how many it has: no branches to guess wrong.
_MEMBERS = [[piece for piece in range(PIECES) if mask >> piece & 1] for mask in range(1 << PIECES)]
COUNT = np.array([len(members) for members in _MEMBERS], np.int64)
NTH = np.array([members + [-1] * (PIECES - len(members)) for members in _MEMBERS], np.int64)


def board_of(positions: Sequence[Sequence[int]]) -> Board:
    """A fresh board for the kernels to play on."""
    return np.array(positions, np.int64)


def mask_of(ghosts: Sequence[int]) -> int:
    """The empty seats as a bit mask."""
    return sum(1 << seat for seat in ghosts)


@compiled
def ring_of(seat: int, square: int) -> int:
    """The square of the shared ring (0..51) on which own number 1..51 of a seat lies."""
    return (square - 1 + QUARTER * seat) % RING


@compiled
def can_move(square: int, dice: int) -> bool:
    """Can a piece on this square use the throw?"""
    return (square != GOAL) & ((square != HOME) | (dice == SIX))


@compiled
def land(square: int, dice: int) -> int:
    """Where a movable piece ends when nobody stands in its way."""
    if square == HOME:
        return START
    aim = square + dice
    if square >= CORRIDOR:
        # The overshoot is taken off the old square, so a six from the corridor leads back to 51.
        return aim if aim <= GOAL else GOAL - dice
    return NEXT_STAR[aim] if NEXT_STAR[aim] else aim


@inlined
def met(board: Board, seat: int, square: int) -> tuple[int, int, int]:
    """Whom a piece of `seat` meets on its number `square`: enemy, how many pieces, the last of them.

    The first enemy in seat order with a piece there counts, others on the square do not. Enemy -1:
    nobody. Number 52 is met as the ring square behind its owner's start, and on that start too.
    """
    if START <= square <= CORRIDOR:
        for further in range(1, SEATS):
            theirs = square - QUARTER * further
            # Only on the enemy's own start is its 52 met as well.
            also = theirs
            if theirs == START:
                also = CORRIDOR
            elif theirs < START:
                theirs += RING
                also = theirs
            enemy = (seat + further) & 3
            count = 0
            which = -1
            for piece in range(PIECES):
                stands = board[enemy, piece]
                if (stands == theirs) | (stands == also):
                    count += 1
                    which = piece
            if count > 0:
                return enemy, count, which
    return -1, 0, -1


@inlined
def clash(board: Board, seat: int, square: int) -> int:
    """Settle who stays on a square: 1 a lone enemy was sent home, -1 the mover must go, 0 nobody there."""
    enemy, count, which = met(board, seat, square)
    if count == 0:
        return 0
    if count > 1:
        return -1
    board[enemy, which] = HOME
    return 1


@inlined
def move(board: Board, seat: int, piece: int, dice: int) -> tuple[int, bool]:
    """Move a movable piece, in place: enemy pieces captured (0..2), and whether the mover was sent home."""
    square = board[seat, piece]
    target = land(square, dice)
    if square >= CORRIDOR:
        board[seat, piece] = target
        return 0, False
    captures = 0
    refused = False
    if IS_GLOBE[target] or START_OF[target] > 0:
        enemy, _, _ = met(board, seat, target)
        owner = (seat + START_OF[target]) & 3
        refused = enemy >= 0 and (IS_GLOBE[target] or enemy == owner)
    if not refused and not IS_GLOBE[target]:
        aim = START if square == HOME else square + dice
        outcome = clash(board, seat, aim)
        refused = outcome < 0
        captures = max(outcome, 0)
        if target != aim:
            outcome = clash(board, seat, target)
            refused = refused or outcome < 0
            captures += max(outcome, 0)
    board[seat, piece] = HOME if refused else target
    return captures, refused


@inlined
def copy_board(target: Board, source: Board) -> None:
    """`target[:] = source`, without what Numba checks and compiles for that (`core.arrays`)."""
    for seat in range(SEATS):
        for piece in range(PIECES):
            target[seat, piece] = source[seat, piece]


@inlined
def all_on(board: Board, seat: int, square: int) -> bool:
    """Do all four pieces of a seat stand on this square?"""
    for piece in range(PIECES):  # noqa: SIM110 (compiled code has no generators)
        if board[seat, piece] != square:
            return False
    return True


@inlined
def next_thrower(
    board: Board, ghosts: int, seat: int, dice: int, round_: int, attempts: int
) -> tuple[int, int, int]:
    """Seat, round and attempts of the turn after this one's throw was played, `board` as it left it."""
    if round_ == 1:
        # No extra throw for a six in round 1; LAST_ATTEMPT more throws for who can't come out.
        if attempts < LAST_ATTEMPT and all_on(board, seat, HOME):
            return seat, round_, attempts + 1
    elif dice == SIX:
        return seat, round_, 0
    seat += 1
    while seat < SEATS and (ghosts >> seat) & 1:
        seat += 1
    if seat == SEATS:
        return 0, round_ + 1, 0
    return seat, round_, 0


@inlined
def next_turn(board: Board, turn: Turn, dice: int) -> Turn:
    """The turn after this one's throw was played. `board` is the one after the move."""
    seat, round_, attempts = next_thrower(board, turn.ghosts, turn.seat, dice, turn.round, turn.attempts)
    return Turn(turn.ghosts, seat, round_, attempts)


@kernel("Tuple((int64, boolean))(int64[:, ::1], int64, int64, int64)")
def play(board: Board, seat: int, piece: int, dice: int) -> tuple[int, bool]:
    """`move`, for Python."""
    return move(board, seat, piece, dice)


@kernel("UniTuple(int64, 3)(int64[:, ::1], int64, int64, int64, int64, int64)")
def turn(board: Board, ghosts: int, seat: int, dice: int, round_: int, attempts: int) -> tuple[int, int, int]:
    """`next_thrower`, for Python."""
    return next_thrower(board, ghosts, seat, dice, round_, attempts)
