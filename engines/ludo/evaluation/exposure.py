"""What lone pieces may lose to the next throw, compiled.

Part of the race evaluation and of what the network sees.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline
from engines.ludo.position import GOAL, HOME, PIECES, SIX, START
from engines.ludo.rules import CORRIDOR, IS_GLOBE, NEXT_STAR, QUARTER, RING, Board

LEAVE_HOME = 12
"""What a piece on the board is worth beyond its number, in squares."""

SQUARES = GOAL + 1
Active = NDArray[np.int64]

# Ring squares, in own numbering, on which a throw from a square may capture (0: none): where the piece
# lands, and where a star takes it. Globes capture nobody.
_LANDING = np.zeros((SQUARES, SIX + 1), np.int64)
_STAR_LANDING = np.zeros((SQUARES, SIX + 1), np.int64)
_LANDING[HOME, SIX] = START
for _square in range(START, CORRIDOR):
    for _dice in range(1, SIX + 1):
        _to = _square + _dice
        if _to <= CORRIDOR and not IS_GLOBE[_to]:
            _LANDING[_square, _dice] = _to
            if 0 < NEXT_STAR[_to] < GOAL:
                _STAR_LANDING[_square, _dice] = NEXT_STAR[_to]
_BITS = np.array([bin(bits).count("1") for bits in range(1 << SIX)], np.int64)


@inline
def mark_attacks(board: Board, seat: int, attacks: Active) -> None:
    """On each ring square, the throws (as bits) with which a seat might capture."""
    attacks[:] = 0
    for piece in range(PIECES):
        square = board[seat, piece]
        if square < CORRIDOR:
            for dice in range(1, SIX + 1):
                to = _LANDING[square, dice]
                if to > 0:
                    attacks[(to - 1 + QUARTER * seat) % RING] |= 1 << (dice - 1)
                    jump = _STAR_LANDING[square, dice]
                    if jump > 0:
                        attacks[(jump - 1 + QUARTER * seat) % RING] |= 1 << (dice - 1)


@inline
def expected_loss(board: Board, victim: int, attacks: Active) -> float:
    """What a seat's lone pieces may lose to the next throw of the one who aims, on average, in squares."""
    loss = 0
    for piece in range(PIECES):
        square = board[victim, piece]
        # On its own start a piece can't be captured; on 52 it can.
        if START < square <= CORRIDOR:
            bits = attacks[(square - 1 + QUARTER * victim) % RING]
            if bits > 0:
                lone = True
                for other in range(PIECES):
                    if other != piece and board[victim, other] == square:
                        lone = False
                if lone:
                    loss += _BITS[bits] * (square + LEAVE_HOME)
    return loss / SIX
