"""Whole games in compiled code, for measuring and training.

A game begins with all pieces at home and seat 0 to throw, and ends at the first finished seat
(`cap` throws at the latest). All chance comes from one generator, dice and choices alike.
"""

from __future__ import annotations

import numpy as np

from engines.core.jit import inline, kernel
from engines.core.rng import State, below
from engines.ludo.position import GOAL, HOME, PIECES, SIX
from engines.ludo.rules import Board, all_on, can_move, move, next_turn

# The nth member of a set of pieces (a bit mask), and how many it has: no branches to guess wrong.
_MEMBERS = [[piece for piece in range(PIECES) if mask >> piece & 1] for mask in range(1 << PIECES)]
COUNT = np.array([len(members) for members in _MEMBERS], np.int64)
NTH = np.array([members + [-1] * (PIECES - len(members)) for members in _MEMBERS], np.int64)


@inline
def random_piece(board: Board, seat: int, dice: int, rng: State) -> int:
    """A movable piece, each as likely as the others; -1 where none can move."""
    movable = 0
    for piece in range(PIECES):
        movable |= int(can_move(board[seat, piece], dice)) << piece
    if movable == 0:
        return -1
    return int(NTH[movable, below(rng, COUNT[movable])])


@kernel("UniTuple(int64, 2)(int64[:, ::1], int64, int64[::1], int64)")
def play_random(board: Board, ghosts: int, rng: State, cap: int) -> tuple[int, int]:
    """One game of random moves on `board`, which is set up first: winner (-1 at the cap) and throws."""
    board[:] = HOME
    seat, round_, attempts = 0, 1, 0
    for throws in range(1, cap + 1):
        dice = 1 + below(rng, SIX)
        piece = random_piece(board, seat, dice, rng)
        if piece >= 0:
            move(board, seat, piece, dice)
            if all_on(board, seat, GOAL):
                return seat, throws
        seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
    return -1, cap


@kernel("int64(int64, int64[:, ::1], int64, int64[::1], int64, int64[::1])")
def random_games(games: int, board: Board, ghosts: int, rng: State, cap: int, wins: State) -> int:
    """Many games in a row; adds to `wins` (a seat each) and returns the throws played."""
    total = 0
    for _ in range(games):
        winner, throws = play_random(board, ghosts, rng, cap)
        if winner >= 0:
            wins[winner] += 1
        total += throws
    return total
