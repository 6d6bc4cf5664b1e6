"""Self-play of the value network, compiled: whole games, and the steps down the gradient.

Before each throw the network's chances are compared with what the six throws would make of them, each
answered by the network's own best move. That difference holds no luck, so the chain of differences up
to the end of a game (damped by lambda) is a target of little noise: TD(lambda) on expectations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.arrays import copy_into
from engines.core.jit import borrowed, compiled, inlined_once, kernel
from engines.core.rng import Rng, below
from engines.ludo.memory import keep_alive
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, SIX
from engines.ludo.rules import Board, Turn, all_on, can_move, copy_board, move, next_turn
from engines.ludo.search.expectimax import is_duplicate
from engines.ludo.td.network import (
    EXPOSURE_ROWS,
    FEATURES,
    PRESENT_ROWS,
    ROWS,
    WEIGHTS,
    Chances,
    Floats,
    NetworkScratch,
    Weights,
    encode,
    evaluate_board,
    hidden_layer,
    network_scratch,
    output_layer,
)

MAX_THROWS = 4096
"""Throws after which a game of self-play is given up."""
GAMES_A_STEP = 4
"""Games whose gradients make one step."""

# Adam's usual settings.
MEAN_DECAY, SQUARE_DECAY = 0.9, 0.999
EPSILON = np.float32(1e-8)


class Moments(NamedTuple):
    """What Adam remembers: running means of the gradient and of its square, in the shapes of the weights."""

    mean_first: Floats
    square_first: Floats
    mean_second: Floats
    square_second: Floats


class GameRecord(NamedTuple):
    """A game as the network saw it: one entry for each throw."""

    active: NDArray[np.int64]
    """[throw, SEATS * PIECES]"""
    features: Floats
    """[throw, FEATURES]"""
    throwers: NDArray[np.int64]
    """[throw]: the seat that throws."""
    targets: NDArray[np.float64]
    """[throw, seat]: what the chances should have been."""
    afterstates: NDArray[np.float64]
    """[throw, seat]: the chances after the move that was played."""


class GradientScratch(NamedTuple):
    """Memory of one position's gradient."""

    hidden: Floats
    """[units]"""
    hidden_gradient: Floats
    """[units]"""
    chances: Chances


_MOMENTS = numba.typeof(Moments(*[np.zeros((1, 1), np.float32)] * 4))


@compiled
def best_reply(
    weights: Weights, board: Board, turn: Turn, dice: int, best: Chances, scratch: NetworkScratch
) -> int:
    """The piece whose move leaves the seat the best chance (-1: none can move); all chances in `best`."""
    seat = turn.seat
    after, chances = scratch.after, scratch.chances
    chosen = -1
    for piece in range(PIECES):
        if not can_move(board[seat, piece], dice) or is_duplicate(board, seat, piece):
            continue
        copy_board(after, board)
        move(after, seat, piece, dice)
        if all_on(after, seat, GOAL):
            best[:] = 0.0
            best[seat] = 1.0
            return piece
        thrower = next_turn(after, turn, dice).seat
        evaluate_board(weights, after, turn.ghosts, thrower, chances, scratch)
        if chosen < 0 or chances[seat] > best[seat]:
            chosen = piece
            copy_into(best, chances)
    if chosen < 0:
        thrower = next_turn(board, turn, dice).seat
        evaluate_board(weights, board, turn.ghosts, thrower, best, scratch)
    return chosen


@inlined_once
def record_game(weights: Weights, ghosts: int, rng: Rng, decay: float, record: GameRecord) -> int:
    """Play one game into `record`, with the targets of TD(`decay`). Returns the throws played."""
    board = np.zeros((SEATS, PIECES), np.int64)
    board[:] = HOME
    best = np.empty((SIX, SEATS))
    memory = network_scratch(weights.first.shape[1])
    scratch = borrowed(memory)
    turn = Turn(ghosts, 0, 1, 0)
    targets, afterstates = record.targets, record.afterstates
    throws = 0
    over = False
    while throws < MAX_THROWS and not over:
        seat = turn.seat
        encode(board, ghosts, seat, record.active[throws], record.features[throws], scratch.attacks)
        record.throwers[throws] = seat
        dice = 1 + below(rng, SIX)
        targets[throws] = 0.0
        chosen = -1
        for face in range(1, SIX + 1):
            piece = best_reply(weights, board, turn, face, best[face - 1], scratch)
            for other in range(SEATS):
                targets[throws, other] += best[face - 1, other] / SIX
            if face == dice:
                chosen = piece
        afterstates[throws] = best[dice - 1]
        throws += 1
        if chosen >= 0:
            move(board, seat, chosen, dice)
            over = all_on(board, seat, GOAL)
        turn = next_turn(board, turn, dice)
    for throw in range(throws - 2, -1, -1):
        for other in range(SEATS):
            targets[throw, other] += decay * (targets[throw + 1, other] - afterstates[throw, other])
    keep_alive(memory)
    return throws


@inlined_once
def add_gradient(
    weights: Weights, ghosts: int, record: GameRecord, throw: int, gradient: Weights, scratch: GradientScratch
) -> float:
    """Add one position's gradient of the cross entropy to `gradient`; returns its squared error."""
    hidden, hidden_gradient, chances = scratch.hidden, scratch.hidden_gradient, scratch.chances
    active, features = record.active[throw], record.features[throw]
    thrower, target = record.throwers[throw], record.targets[throw]
    units = hidden.shape[0]
    hidden_layer(weights, ghosts, thrower, active, features, hidden)
    output_layer(weights, ghosts, thrower, hidden, chances)
    hidden_gradient[:] = 0.0
    squared = 0.0
    for slot in range(SEATS):
        seat = (thrower + slot) & 3
        error = chances[seat] - target[seat]
        squared += error * error
        slope = np.float32(error)
        for unit in range(units):
            gradient.second[unit, slot] += slope * hidden[unit]
            hidden_gradient[unit] += slope * weights.second[unit, slot]
    for unit in range(units):
        if hidden[unit] <= 0.0:
            hidden_gradient[unit] = 0.0
    for place in range(SEATS * PIECES):
        row = active[place]
        if row >= 0:
            for unit in range(units):
                gradient.first[row, unit] += hidden_gradient[unit]
    for place in range(FEATURES):
        feature = features[place]
        if feature != 0.0:
            for unit in range(units):
                gradient.first[EXPOSURE_ROWS + place, unit] += feature * hidden_gradient[unit]
    for slot in range(SEATS):
        if not (ghosts >> ((thrower + slot) & 3)) & 1:
            for unit in range(units):
                gradient.first[PRESENT_ROWS + slot, unit] += hidden_gradient[unit]
    return squared


@compiled
def adam_step(
    weights: Floats, gradient: Floats, mean: Floats, square: Floats, scale: float, rate: float, step: int
) -> None:
    """One step of Adam down the `scale`d gradient, which is cleared."""
    mean_decay, square_decay = np.float32(MEAN_DECAY), np.float32(SQUARE_DECAY)
    mean_rest, square_rest = np.float32(0.1), np.float32(0.001)
    factor = np.float32(scale)
    pace = rate * math.sqrt(1.0 - SQUARE_DECAY**step) / (1.0 - MEAN_DECAY**step)
    step_size = np.float32(pace)
    for row in range(weights.shape[0]):
        for unit in range(weights.shape[1]):
            slope = gradient[row, unit] * factor
            gradient[row, unit] = 0.0
            mean[row, unit] = mean_decay * mean[row, unit] + mean_rest * slope
            square[row, unit] = square_decay * square[row, unit] + square_rest * slope * slope
            weights[row, unit] -= step_size * mean[row, unit] / (np.sqrt(square[row, unit]) + EPSILON)


@kernel(
    types.Tuple((types.int64, types.int64, types.float64))(
        WEIGHTS, _MOMENTS, types.int64[::1], types.int64[::1], types.float64, types.float64,
        types.int64, types.int64,
    )
)  # fmt: skip
def train_games(
    weights: Weights, moments: Moments, seatings: NDArray[np.int64], rng: Rng, decay: float, rate: float,
    games: int, step: int,
) -> tuple[int, int, float]:  # fmt: skip
    """Play some games, one Adam step for every GAMES_A_STEP; `seatings` are the empty seats to draw from.

    Returns the steps made so far, the throws played, and the sum of the squared errors.
    """
    units = weights.first.shape[1]
    network = borrowed(weights)
    gradient = Weights(np.zeros((ROWS, units), np.float32), np.zeros((units, SEATS), np.float32))
    record = GameRecord(
        np.empty((MAX_THROWS, SEATS * PIECES), np.int64),
        np.empty((MAX_THROWS, FEATURES), np.float32),
        np.empty(MAX_THROWS, np.int64),
        np.empty((MAX_THROWS, SEATS)),
        np.empty((MAX_THROWS, SEATS)),
    )
    scratch = GradientScratch(np.empty(units, np.float32), np.empty(units, np.float32), np.empty(SEATS))
    sums, game_record, room = borrowed(gradient), borrowed(record), borrowed(scratch)
    total = 0
    error = 0.0
    positions = 0
    for game in range(games):
        ghosts = seatings[below(rng, seatings.shape[0])]
        throws = record_game(network, ghosts, rng, decay, game_record)
        for throw in range(throws):
            error += add_gradient(network, ghosts, game_record, throw, sums, room)
        total += throws
        positions += throws
        if game % GAMES_A_STEP == GAMES_A_STEP - 1:
            step += 1
            scale = 1.0 / positions
            adam_step(
                weights.first, gradient.first, moments.mean_first, moments.square_first, scale, rate, step
            )
            adam_step(
                weights.second, gradient.second, moments.mean_second, moments.square_second, scale, rate, step
            )
            positions = 0
    keep_alive((gradient, record, scratch))
    return step, total, error
