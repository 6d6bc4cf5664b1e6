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
from engines.ludo.evaluation.exposure import LEAVE_HOME, expected_loss, mark_attacks
from engines.ludo.position import GOAL, PIECES, SEATS
from engines.ludo.rules import (
    Board,
)

SQUARES = GOAL + 1
SLOT_ROWS = SQUARES * PIECES
EXPOSURE_ROWS = SEATS * SLOT_ROWS
"""First of the rows of exposure: [slot of the exposed, slot of the attacker]."""
PROGRESS_ROWS = EXPOSURE_ROWS + SEATS * SEATS
PRESENT_ROWS = PROGRESS_ROWS + SEATS
"""First of the rows that say which slots play; together they are the bias."""
ROWS = PRESENT_ROWS + SEATS
FEATURES = SEATS * SEATS + SEATS
"""How many rows are scaled by numbers."""

MAX_LOSS = GOAL + LEAVE_HOME

Weights = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The first layer [ROWS, units] and the second [units, 4]."""
Active = NDArray[np.int64]
"""[16]: the row of each piece; -1 for those of empty seats."""
Features = NDArray[np.float32]
"""[NUMBERS]: what scales the rows from EXPOSED on."""
Chances = NDArray[np.float64]
"""[4]: the chance of each seat to win."""

W = "Tuple((float32[:, ::1], float32[:, ::1]))"


@inline
def encode(
    board: Board, ghosts: int, thrower: int, active: Active, features: Features, attacks: Active
) -> None:
    """What the network sees of a board; `hits` is scratch of 52."""
    features[:] = 0.0
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
        features[SEATS * SEATS + slot] = np.float32(progress / (PIECES * GOAL))
    for attacker in range(SEATS):
        seat = (thrower + attacker) & 3
        if (ghosts >> seat) & 1:
            continue
        mark_attacks(board, seat, attacks)
        for further in range(1, SEATS):
            victim = (seat + further) & 3
            if not (ghosts >> victim) & 1:
                loss = expected_loss(board, victim, attacks)
                features[((attacker + further) & 3) * SEATS + attacker] = np.float32(loss / MAX_LOSS)


@inline
def hidden_layer(
    weights: Weights, ghosts: int, thrower: int, active: Active, features: Features, hidden: Features
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
    for place in range(FEATURES):
        number = features[place]
        if number != 0.0:
            for unit in range(units):
                hidden[unit] += number * first[EXPOSURE_ROWS + place, unit]
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            for unit in range(units):
                hidden[unit] += first[PRESENT_ROWS + slot, unit]
    for unit in range(units):
        hidden[unit] = max(hidden[unit], np.float32(0.0))


@inline
def output_layer(weights: Weights, ghosts: int, thrower: int, hidden: Features, chances: Chances) -> None:
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
def evaluate_board(
    weights: Weights,
    board: Board,
    ghosts: int,
    thrower: int,
    chances: Chances,
    active: Active,
    features: Features,
    attacks: Active,
    hidden: Features,
) -> None:
    """Each seat's chance before `thrower` throws."""
    encode(board, ghosts, thrower, active, features, attacks)
    hidden_layer(weights, ghosts, thrower, active, features, hidden)
    output_layer(weights, ghosts, thrower, hidden, chances)
