"""Self-play of the value network, compiled: whole games, and the step down the gradient.

Before each throw the network's chances are compared with what the six throws would make of them, each
answered by the network's own best move. That difference holds no luck, so the chain of differences up
to the end of a game (damped by lambda) is a target of little noise: TD(lambda) on expectations.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.rules import RING, Board, all_on, can_move, move, next_turn
from engines.ludo.search.expectimax import is_duplicate
from engines.ludo.td.network import (
    EXPOSURE_ROWS,
    FEATURES,
    PRESENT_ROWS,
    ROWS,
    Active,
    Chances,
    Features,
    W,
    Weights,
    encode,
    evaluate_board,
    hidden_layer,
    output_layer,
)

LONGEST = 4096
"""Throws after which a game of self-play is given up."""


@inline
def best_reply(
    weights: Weights,
    board: Board,
    ghosts: int,
    seat: int,
    dice: int,
    round_: int,
    attempts: int,
    after: Board,
    chances: Chances,
    best: Chances,
    active: Active,
    features: Features,
    attacks: Active,
    hidden: Features,
) -> int:
    """The piece whose move leaves `seat` the best chance (-1: none can move); the chances left in `best`."""
    chosen = -1
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        after[:] = board
        move(after, seat, piece, dice)
        if all_on(after, seat, GOAL):
            best[:] = 0.0
            best[seat] = 1.0
            return piece
        thrower, _, _ = next_turn(after, ghosts, seat, dice, round_, attempts)
        evaluate_board(weights, after, ghosts, thrower, chances, active, features, attacks, hidden)
        if chosen < 0 or chances[seat] > best[seat]:
            chosen = piece
            best[:] = chances
    if chosen < 0:
        thrower, _, _ = next_turn(board, ghosts, seat, dice, round_, attempts)
        evaluate_board(weights, board, ghosts, thrower, best, active, features, attacks, hidden)
    return chosen


@kernel(
    f"int64({W}, int64, int64[::1], float64, int64[:, ::1], float32[:, ::1], int64[::1], float64[:, ::1])"
)
def record_game(
    weights: Weights,
    ghosts: int,
    rng: State,
    decay: float,
    rows: NDArray[np.int64],
    scales: NDArray[np.float32],
    throwers: NDArray[np.int64],
    targets: NDArray[np.float64],
) -> int:
    """One game; what the network saw before each throw, and what it should have said. Returns the throws."""
    board = np.zeros((SEATS, PIECES), np.int64)
    board[:] = HOME
    after = np.empty_like(board)
    chances = np.empty(SEATS)
    best = np.empty((SIX, SEATS))
    active = np.empty(SEATS * PIECES, np.int64)
    features = np.empty(FEATURES, np.float32)
    attacks = np.empty(RING, np.int64)
    hidden = np.empty(weights[0].shape[1], np.float32)
    afterstate = np.empty((rows.shape[0], SEATS))
    seat, round_, attempts = 0, 1, 0
    throws = 0
    over = False
    while throws < rows.shape[0] and not over:
        encode(board, ghosts, seat, rows[throws], scales[throws], attacks)
        throwers[throws] = seat
        dice = 1 + below(rng, SIX)
        targets[throws] = 0.0
        chosen = -1
        for face in range(1, SIX + 1):
            piece = best_reply(
                weights, board, ghosts, seat, face, round_, attempts, after, chances, best[face - 1],
                active, features, attacks, hidden,
            )  # fmt: skip
            for other in range(SEATS):
                targets[throws, other] += best[face - 1, other] / SIX
            if face == dice:
                chosen = piece
        afterstate[throws] = best[dice - 1]
        throws += 1
        if chosen >= 0:
            move(board, seat, chosen, dice)
            over = all_on(board, seat, GOAL)
        seat, round_, attempts = next_turn(board, ghosts, seat, dice, round_, attempts)
    for throw in range(throws - 2, -1, -1):
        for other in range(SEATS):
            targets[throw, other] += decay * (targets[throw + 1, other] - afterstate[throw, other])
    return throws


@inline
def add_gradient(
    weights: Weights,
    ghosts: int,
    thrower: int,
    active: Active,
    features: Features,
    target: Chances,
    hidden: Features,
    hidden_gradient: Features,
    chances: Chances,
    first: NDArray[np.float32],
    second: NDArray[np.float32],
) -> float:
    """Add one position's gradient of the cross entropy to `first` and `second`; the squared error."""
    units = hidden.shape[0]
    hidden_layer(weights, ghosts, thrower, active, features, hidden)
    output_layer(weights, ghosts, thrower, hidden, chances)
    hidden_gradient[:] = 0.0
    error = 0.0
    for slot in range(SEATS):
        seat = (thrower + slot) & 3
        off = chances[seat] - target[seat]
        error += off * off
        slope = np.float32(off)
        for unit in range(units):
            second[unit, slot] += slope * hidden[unit]
            hidden_gradient[unit] += slope * weights[1][unit, slot]
    for unit in range(units):
        if hidden[unit] <= 0.0:
            hidden_gradient[unit] = 0.0
    for place in range(SEATS * PIECES):
        row = active[place]
        if row >= 0:
            for unit in range(units):
                first[row, unit] += hidden_gradient[unit]
    for place in range(FEATURES):
        number = features[place]
        if number != 0.0:
            for unit in range(units):
                first[EXPOSURE_ROWS + place, unit] += number * hidden_gradient[unit]
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            for unit in range(units):
                first[PRESENT_ROWS + slot, unit] += hidden_gradient[unit]
    return error


@inline
def adam_step(
    weights: NDArray[np.float32],
    gradient: NDArray[np.float32],
    mean: NDArray[np.float32],
    square: NDArray[np.float32],
    scale: float,
    rate: float,
    step: int,
) -> None:
    """One step of Adam; the gradient is cleared."""
    one, two = np.float32(0.9), np.float32(0.999)
    rest_one, rest_two = np.float32(0.1), np.float32(0.001)
    by = np.float32(scale)
    step_size = np.float32(rate * math.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step))
    least = np.float32(1e-8)
    for row in range(weights.shape[0]):
        for unit in range(weights.shape[1]):
            slope = gradient[row, unit] * by
            gradient[row, unit] = 0.0
            mean[row, unit] = one * mean[row, unit] + rest_one * slope
            square[row, unit] = two * square[row, unit] + rest_two * slope * slope
            weights[row, unit] -= step_size * mean[row, unit] / (np.sqrt(square[row, unit]) + least)


@kernel(
    f"Tuple((int64, int64, float64))({W}, float32[:, ::1], float32[:, ::1], float32[:, ::1], "
    "float32[:, ::1], int64[::1], int64[::1], float64, float64, int64, int64)"
)
def train_games(
    weights: Weights,
    mean_one: NDArray[np.float32],
    square_one: NDArray[np.float32],
    mean_two: NDArray[np.float32],
    square_two: NDArray[np.float32],
    seatings: NDArray[np.int64],
    rng: State,
    decay: float,
    rate: float,
    batch: int,
    step: int,
) -> tuple[int, int, float]:
    """Play `batch` games and descend once for every four of them.

    Returns the steps made so far, the throws played, and the sum of the squared errors.
    """
    units = weights[0].shape[1]
    first = np.zeros((ROWS, units), np.float32)
    second = np.zeros((units, SEATS), np.float32)
    rows = np.empty((LONGEST, SEATS * PIECES), np.int64)
    scales = np.empty((LONGEST, FEATURES), np.float32)
    throwers = np.empty(LONGEST, np.int64)
    targets = np.empty((LONGEST, SEATS))
    hidden = np.empty(units, np.float32)
    hidden_gradient = np.empty(units, np.float32)
    chances = np.empty(SEATS)
    total = 0
    error = 0.0
    positions = 0
    for game in range(batch):
        ghosts = seatings[below(rng, seatings.shape[0])]
        throws = record_game(weights, ghosts, rng, decay, rows, scales, throwers, targets)
        for throw in range(throws):
            error += add_gradient(
                weights, ghosts, throwers[throw], rows[throw], scales[throw], targets[throw],
                hidden, hidden_gradient, chances, first, second,
            )  # fmt: skip
        total += throws
        positions += throws
        if game % 4 == 3:
            step += 1
            adam_step(weights[0], first, mean_one, square_one, 1.0 / positions, rate, step)
            adam_step(weights[1], second, mean_two, square_two, 1.0 / positions, rate, step)
            positions = 0
    return step, total, error
