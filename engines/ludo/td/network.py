"""The value network, compiled: each seat's chance to win before a throw.

A position is encoded from the view of the seat that throws next: slot 0 is that seat, slot k the one k
seats further on. Every piece switches on one row of the first layer: slot, square, and how many own
pieces were already counted there. Further rows are scaled by features that single squares can't tell:
what lone pieces may lose to the next throws, and how far each seat has come. One hidden layer of
rectified units; a softmax over the seats that play. All weights are arguments.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import compiled
from engines.ludo.evaluation.exposure import LEAVE_HOME, Attacks, expected_loss, mark_attacks
from engines.ludo.position import GOAL, PIECES, SEATS
from engines.ludo.rules import RING, Board

SQUARES = GOAL + 1
SLOT_ROWS = SQUARES * PIECES

# The rows of the first layer: those of the pieces, then ...
EXPOSURE_ROWS = SEATS * SLOT_ROWS
"""... what a slot may lose to another: [slot of the victim, slot of the attacker],"""
PROGRESS_ROWS = EXPOSURE_ROWS + SEATS * SEATS
"""... how far each slot has come,"""
PRESENT_ROWS = PROGRESS_ROWS + SEATS
"""... and which slots play; together these are the bias."""
ROWS = PRESENT_ROWS + SEATS
FEATURES = PRESENT_ROWS - EXPOSURE_ROWS
"""The rows of exposure and progress, which are scaled by numbers."""

MAX_LOSS = GOAL + LEAVE_HOME
"""Squares: more than a single capture can cost; scales exposure to about 0..1."""

Floats = NDArray[np.float32]
Chances = NDArray[np.float64]
"""[seat]: each seat's chance to win."""
ActiveRows = NDArray[np.int64]
"""[SEATS * PIECES]: the row of each piece, by slot; -1 for those of empty seats."""


class Weights(NamedTuple):
    """A value network."""

    first: Floats
    """[ROWS, units]"""
    second: Floats
    """[units, slot]"""


class NetworkScratch(NamedTuple):
    """Scratch of one evaluation."""

    after: Board
    """[seat, piece]: the board after the move being searched."""
    chances: Chances
    """[seat]: the last evaluation's win probabilities."""
    active: ActiveRows
    features: Floats
    """[FEATURES]"""
    attacks: Attacks
    hidden: Floats
    """[units]"""


@compiled
def network_scratch(units: int) -> NetworkScratch:
    """Memory for networks of so many hidden units."""
    return NetworkScratch(
        np.empty((SEATS, PIECES), np.int64),
        np.empty(SEATS),
        np.empty(SEATS * PIECES, np.int64),
        np.empty(FEATURES, np.float32),
        np.empty(RING, np.int64),
        np.empty(units, np.float32),
    )


NO_NETWORK = Weights(np.zeros((1, 1), np.float32), np.zeros((1, SEATS), np.float32))
"""Stands where no network is asked."""
WEIGHTS = numba.typeof(NO_NETWORK)
NETWORK_SCRATCH = types.NamedTuple(
    (
        types.int64[:, ::1],
        types.float64[::1],
        types.int64[::1],
        types.float32[::1],
        types.int64[::1],
        types.float32[::1],
    ),
    NetworkScratch,
)


@compiled
def encode(
    board: Board, ghosts: int, thrower: int, active: ActiveRows, features: Floats, attacks: Attacks
) -> None:
    """Write what the network sees of a board into `active` and `features`; `attacks` is scratch."""
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


@compiled
def hidden_layer(
    weights: Weights, ghosts: int, thrower: int, active: ActiveRows, features: Floats, hidden: Floats
) -> None:
    """Write the hidden units, rectified."""
    first = weights.first
    units = hidden.shape[0]
    hidden[:] = 0.0
    for place in range(SEATS * PIECES):
        row = active[place]
        if row >= 0:
            for unit in range(units):
                hidden[unit] += first[row, unit]
    for place in range(FEATURES):
        feature = features[place]
        if feature != 0.0:
            for unit in range(units):
                hidden[unit] += feature * first[EXPOSURE_ROWS + place, unit]
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            for unit in range(units):
                hidden[unit] += first[PRESENT_ROWS + slot, unit]
    for unit in range(units):
        hidden[unit] = max(hidden[unit], np.float32(0.0))


@compiled
def output_layer(weights: Weights, ghosts: int, thrower: int, hidden: Floats, chances: Chances) -> None:
    """Write the chances by seat: a softmax over the slots that play."""
    second = weights.second
    chances[:] = 0.0
    for unit in range(hidden.shape[0]):
        for slot in range(SEATS):
            chances[slot] += hidden[unit] * second[unit, slot]
    top = -1e30
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            top = max(top, chances[slot])
    # Until here `chances` is in the order of the slots, from here in that of the seats.
    one = math.exp(chances[0] - top)
    two = 0.0 if (ghosts >> ((thrower + 1) & 3)) & 1 else math.exp(chances[1] - top)
    three = 0.0 if (ghosts >> ((thrower + 2) & 3)) & 1 else math.exp(chances[2] - top)
    four = 0.0 if (ghosts >> ((thrower + 3) & 3)) & 1 else math.exp(chances[3] - top)
    total = one + two + three + four
    chances[thrower] = one / total
    chances[(thrower + 1) & 3] = two / total
    chances[(thrower + 2) & 3] = three / total
    chances[(thrower + 3) & 3] = four / total


@compiled
def evaluate_board(
    weights: Weights, board: Board, ghosts: int, thrower: int, chances: Chances, scratch: NetworkScratch
) -> None:
    """Write each seat's chance before `thrower` throws."""
    encode(board, ghosts, thrower, scratch.active, scratch.features, scratch.attacks)
    hidden_layer(weights, ghosts, thrower, scratch.active, scratch.features, scratch.hidden)
    output_layer(weights, ghosts, thrower, scratch.hidden, chances)
