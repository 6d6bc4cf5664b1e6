"""What lone pieces may lose to the next throw, compiled.

Part of the race evaluation and of what the network sees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled
from engines.ludo.position import GOAL, HOME, PIECES, SIX, START
from engines.ludo.rules import CORRIDOR, IS_GLOBE, NEXT_STAR, QUARTER, RING, Board

LEAVE_HOME = 12
"""Squares: the cost of bringing a piece out again after a capture."""

Attacks = NDArray[np.int64]
"""[RING]: the throws, as bits (a one is bit 0), with which a seat might capture on each ring square."""

# Where a throw from a square may capture, in own numbers (0: nowhere): the square that the piece reaches,
# and the one to which a star takes it. Globes capture nobody. [square, dice]
_LANDING = np.zeros((GOAL + 1, SIX + 1), np.int64)
_STAR_LANDING = np.zeros((GOAL + 1, SIX + 1), np.int64)
_LANDING[HOME, SIX] = START
for _square in range(START, CORRIDOR):
    for _dice in range(1, SIX + 1):
        _to = _square + _dice
        if _to <= CORRIDOR and not IS_GLOBE[_to]:
            _LANDING[_square, _dice] = _to
            if 0 < NEXT_STAR[_to] < GOAL:
                _STAR_LANDING[_square, _dice] = NEXT_STAR[_to]
_BIT_COUNT = np.array([bin(bits).count("1") for bits in range(1 << SIX)], np.int64)


@compiled
def mark_attacks(board: Board, seat: int, attacks: Attacks) -> None:
    """Fill `attacks` for one seat."""
    attacks[:] = 0
    for piece in range(PIECES):
        square = board[seat, piece]
        if square < CORRIDOR:
            for dice in range(1, SIX + 1):
                landing = _LANDING[square, dice]
                if landing > 0:
                    attacks[(landing - 1 + QUARTER * seat) % RING] |= 1 << (dice - 1)
                    star = _STAR_LANDING[square, dice]
                    if star > 0:
                        attacks[(star - 1 + QUARTER * seat) % RING] |= 1 << (dice - 1)


@compiled
def expected_loss(board: Board, victim: int, attacks: Attacks) -> float:
    """What a seat's lone pieces lose on average to the next throw of the attacker, in squares.

    An upper bound: each piece counts as if the attacker always captured it.
    """
    loss = 0
    for piece in range(PIECES):
        square = board[victim, piece]
        # On its own start a piece can't be captured; on 52 it can (the rules' collision table).
        if START < square <= CORRIDOR:
            throws = attacks[(square - 1 + QUARTER * victim) % RING]
            if throws > 0:
                lone = True
                for other in range(PIECES):
                    if other != piece and board[victim, other] == square:
                        lone = False
                if lone:
                    loss += _BIT_COUNT[throws] * (square + LEAVE_HOME)
    return loss / SIX
