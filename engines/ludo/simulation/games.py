"""Whole games in compiled code, for measuring and training.

A game begins with all pieces at home and seat 0 to throw, and ends at the first finished seat
(`cap` throws at the latest). All chance comes from one generator, dice and choices alike.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below
from engines.ludo.evaluation.rule_evaluation import DEFAULT_READINGS, MOVE, READINGS, Readings, rule_piece
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.rules import COUNT, NTH, Board, all_on, can_move, move, next_thrower

RANDOM, RULE_BASED = range(2)
"""Who sits on a seat."""

Seats = NDArray[np.int64]
"""[4]: one number a seat (who plays there, or how many games it won)."""


@compiled
def random_piece(board: Board, seat: int, dice: int, rng: Rng) -> int:
    """A movable piece, each as likely as the others; -1 where none can move."""
    movable = 0
    for piece in range(PIECES):
        movable |= int(can_move(board[seat, piece], dice)) << piece
    if movable == 0:
        return -1
    return int(NTH[movable, below(rng, COUNT[movable])])


@compiled
def play_game(
    board: Board, ghosts: int, players: Seats, readings: Readings, rng: Rng, cap: int
) -> tuple[int, int, int]:
    """One game on `board`, which is set up first: winner (-1 at the cap), throws, choices made by rules."""
    board[:] = HOME
    scratch = np.empty_like(board)
    rows = np.empty(1, MOVE)
    seat, round_, attempts = 0, 1, 0
    choices = 0
    for throws in range(1, cap + 1):
        dice = 1 + below(rng, SIX)
        if players[seat] == RULE_BASED:
            piece = rule_piece(board, seat, dice, readings, scratch, rows[0], rng)
            choices += piece >= 0
        else:
            piece = random_piece(board, seat, dice, rng)
        if piece >= 0:
            move(board, seat, piece, dice)
            if all_on(board, seat, GOAL):
                return seat, throws, choices
        seat, round_, attempts = next_thrower(board, ghosts, seat, dice, round_, attempts)
    return -1, cap, choices


@kernel("UniTuple(int64, 2)(int64[:, ::1], int64, int64[::1], int64)")
def play_random(board: Board, ghosts: int, rng: Rng, cap: int) -> tuple[int, int]:
    """A game of random moves: winner (-1 at the cap) and throws. The last board is left in `board`."""
    nobody = np.zeros(SEATS, np.int64)
    winner, throws, _ = play_game(board, ghosts, nobody, DEFAULT_READINGS, rng, cap)
    return winner, throws


@kernel("int64(int64, int64[:, ::1], int64, int64[::1], int64, int64[::1])")
def random_games(games: int, board: Board, ghosts: int, rng: Rng, cap: int, wins: Seats) -> int:
    """Many games of random moves; adds to `wins` and returns the throws played."""
    total = 0
    for _ in range(games):
        winner, throws = play_random(board, ghosts, rng, cap)
        if winner >= 0:
            wins[winner] += 1
        total += throws
    return total


@kernel(types.UniTuple(types.int64, 2)(types.int64, types.int64, READINGS, types.int64[::1], types.int64))
def lone_rule_player(games: int, ghosts: int, readings: Readings, rng: Rng, cap: int) -> tuple[int, int]:
    """The rule-based player against random ones, moving on by one taken seat with each game.

    Seat 0 always throws first, so the start goes round with the seats. Returns games won and
    choices made.
    """
    board = np.empty((SEATS, PIECES), np.int64)
    players = np.zeros(SEATS, np.int64)
    seat = 0
    won = 0
    choices = 0
    for _ in range(games):
        players[:] = RANDOM
        players[seat] = RULE_BASED
        winner, _, made = play_game(board, ghosts, players, readings, rng, cap)
        won += winner == seat
        choices += made
        seat = (seat + 1) & 3
        while (ghosts >> seat) & 1:
            seat = (seat + 1) & 3
    return won, choices
