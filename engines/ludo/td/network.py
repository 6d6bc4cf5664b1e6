"""The value network, compiled: each seat's chance to win, seen before a throw.

A position is told from the view of the seat that throws next. Slot 0 is that seat, slot k the one k
seats further on. Every piece switches on one row of the first layer: slot, square, and how many own
pieces were already counted there. Further rows are scaled by numbers that single squares can't tell:
who may capture whom with the next throws, and how far each seat has come. One hidden layer of
rectified units; a softmax over the seats that play. All weights are arguments.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline
from engines.ludo.evaluation.exposure import LEAVE_HOME, aim, exposure
from engines.ludo.position import GOAL, PIECES, SEATS
from engines.ludo.rules import (
    Board,
)

SQUARES = GOAL + 1
SLOT_ROWS = SQUARES * PIECES
EXPOSED = SEATS * SLOT_ROWS
"""First of the rows of exposure: [slot of the exposed, slot of the attacker]."""
PROGRESS = EXPOSED + SEATS * SEATS
PRESENT = PROGRESS + SEATS
"""First of the rows that say which slots play; together they are the bias."""
ROWS = PRESENT + SEATS
NUMBERS = SEATS * SEATS + SEATS
"""How many rows are scaled by numbers."""

FULL = GOAL + LEAVE_HOME

Weights = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The first layer [ROWS, units] and the second [units, 4]."""
Active = NDArray[np.int64]
"""[16]: the row of each piece; -1 for those of empty seats."""
Numbers = NDArray[np.float32]
"""[NUMBERS]: what scales the rows from EXPOSED on."""
Chances = NDArray[np.float64]
"""[4]: the chance of each seat to win."""

W = "Tuple((float32[:, ::1], float32[:, ::1]))"


@inline
def read(board: Board, ghosts: int, thrower: int, active: Active, numbers: Numbers, hits: Active) -> None:
    """What the network sees of a board; `hits` is scratch of 52."""
    numbers[:] = 0.0
    for slot in range(SEATS):
        seat = (thrower + slot) & 3
        if (ghosts >> seat) & 1:
            for piece in range(PIECES):
                active[slot * PIECES + piece] = -1
            continue
        progress = 0
        for piece in range(PIECES):
            square = board[seat, piece]
            same = 0
            for other in range(piece):
                same += board[seat, other] == square
            active[slot * PIECES + piece] = (slot * SQUARES + square) * PIECES + same
            progress += square
        numbers[SEATS * SEATS + slot] = np.float32(progress / (PIECES * GOAL))
    for attacker in range(SEATS):
        seat = (thrower + attacker) & 3
        if (ghosts >> seat) & 1:
            continue
        aim(board, seat, hits)
        for further in range(1, SEATS):
            victim = (seat + further) & 3
            if not (ghosts >> victim) & 1:
                loss = exposure(board, victim, hits)
                numbers[((attacker + further) & 3) * SEATS + attacker] = np.float32(loss / FULL)


@inline
def activate(
    weights: Weights, ghosts: int, thrower: int, active: Active, numbers: Numbers, hidden: Numbers
) -> None:
    """The hidden units, rectified."""
    first = weights[0]
    units = hidden.shape[0]
    hidden[:] = 0.0
    for place in range(SEATS * PIECES):
        row = active[place]
        if row >= 0:
            for unit in range(units):
                hidden[unit] += first[row, unit]
    for place in range(NUMBERS):
        number = numbers[place]
        if number != 0.0:
            for unit in range(units):
                hidden[unit] += number * first[EXPOSED + place, unit]
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            for unit in range(units):
                hidden[unit] += first[PRESENT + slot, unit]
    for unit in range(units):
        hidden[unit] = max(hidden[unit], np.float32(0.0))


@inline
def weigh(weights: Weights, ghosts: int, thrower: int, hidden: Numbers, chances: Chances) -> None:
    """From hidden units to chances, by seat."""
    second = weights[1]
    chances[:] = 0.0
    for unit in range(hidden.shape[0]):
        for slot in range(SEATS):
            chances[slot] += hidden[unit] * second[unit, slot]
    top = -1e30
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            top = max(top, chances[slot])
    one = math.exp(chances[0] - top)
    two = 0.0 if (ghosts >> ((thrower + 1) & 3)) & 1 else math.exp(chances[1] - top)
    three = 0.0 if (ghosts >> ((thrower + 2) & 3)) & 1 else math.exp(chances[2] - top)
    four = 0.0 if (ghosts >> ((thrower + 3) & 3)) & 1 else math.exp(chances[3] - top)
    total = one + two + three + four
    chances[thrower] = one / total
    chances[(thrower + 1) & 3] = two / total
    chances[(thrower + 2) & 3] = three / total
    chances[(thrower + 3) & 3] = four / total


@inline
def judge_board(
    weights: Weights,
    board: Board,
    ghosts: int,
    thrower: int,
    chances: Chances,
    active: Active,
    numbers: Numbers,
    hits: Active,
    hidden: Numbers,
) -> None:
    """Each seat's chance before `thrower` throws."""
    read(board, ghosts, thrower, active, numbers, hits)
    activate(weights, ghosts, thrower, active, numbers, hidden)
    weigh(weights, ghosts, thrower, hidden, chances)
