"""How the value network learns: positions of self-play, each worth what the game of its next round is worth.

`harvest` plays both sides by their mixtures over thinned ways, with some random orders mixed in, and notes
each position with the discounted value of its solved round. `fit` moves a network towards these values.
While it learns, a row of the network is the sum of a part of its own, one for its column and one for its
row of the board, so that what is learnt on one cell helps its neighbours; `merge` adds them up.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from engines.core.jit import inline, kernel
from engines.core.rng import State, below, unit
from engines.flag import rules
from engines.flag.equilibrium.double_oracle import Floats, prepare
from engines.flag.equilibrium.fast_round import (
    AFTER,
    CARRIERS,
    DEAD,
    MOST_WAYS,
    VICTOR,
    WAY,
    lay_out,
    settle,
)
from engines.flag.equilibrium.local_search import (
    FEW,
    NAIVE,
    drawn_naive,
    find_naive,
    solve_quickly,
    with_slips,
)
from engines.flag.equilibrium.value import CELLS, FEATURES, HIDDEN, JAILED, Weights, carried, feature, living
from engines.flag.position import SIZE, STARTS
from engines.flag.rules import NOBODY, Array

PARTS: Final = FEATURES + 4 * SIZE
"""Rows while learning: own parts, then columns and rows of free pieces, then those of carriers."""
LONGEST: Final = 40
"""Rounds of a game of self-play."""
_START: Final = tuple(x + SIZE * y for x, y in STARTS)


@inline
def _scatter(random: State, after: Array) -> None:
    """The start of a game of self-play: the real one, or pieces, prisoners and carriers anywhere."""
    after[CARRIERS] = NOBODY
    after[CARRIERS + 1] = NOBODY
    after[VICTOR] = NOBODY
    real = below(random, 2) == 0
    for piece in range(6):
        after[piece] = _START[piece]
        if not real:
            after[piece] = below(random, CELLS)
            if below(random, 5) == 0:
                after[piece] = DEAD
    for flag in range(2):
        carrier = 3 - 3 * flag + below(random, 3)
        if not real and below(random, 3) == 0 and after[carrier] != DEAD:
            after[CARRIERS + flag] = carrier


@inline
def _drawn(random: State, mix: Floats, size: int) -> int:
    """An index by its probability."""
    left = unit(random)
    for k in range(size - 1):
        left -= mix[k]
        if left < 0.0:
            return k
    return size - 1


@kernel(
    "int64(int64[::1], float32[:, :, :, ::1], float32[:, :, :, ::1], int64[::1], int64[:, ::1], float64[::1],"
    " int64, int64, int64, float64, float64)"
)
def harvest(
    random: State,
    rows: Weights,
    head: Weights,
    after: Array,
    seen: Array,
    worth: Floats,
    iterations: int,
    rounds: int,
    starts: int,
    discount: float,
    slip: float,
) -> int:
    """Fill `seen` with positions of self-play and `worth` with their values; goes on from `after`.

    Nobody plays perfectly: with chance `slip` a side is taken to play a naive order instead of its mixture,
    in the games and in the values. Without this a side that loses against perfect play sees no difference
    between its orders. `after[VICTOR]` other than NOBODY begins a new game. Returns the games begun.
    """
    table = np.zeros(rules.TABLE, np.int64)
    ways = np.zeros((6, MOST_WAYS, WAY), np.int64)
    counts = np.zeros(6, np.int64)
    touch = np.zeros((6, 6, MOST_WAYS, MOST_WAYS), np.int8)
    stand = np.zeros(3, np.int64)
    size = np.zeros(2, np.int64)
    kept = np.zeros((2, FEW, 3), np.int64)
    mix = np.zeros((2, FEW))
    chosen = np.zeros(6, np.int64)
    naive = np.zeros((NAIVE, 6), np.int64)
    scratch = np.zeros(AFTER, np.int64)
    board = (ways, counts, touch, stand, rows, head)
    play = (size, kept, mix)
    games = 0
    rounds_left = 0
    for number in range(seen.shape[0]):
        if after[VICTOR] != NOBODY or rounds_left == 0:
            _scatter(random, after)
            rounds_left = 1 + below(random, LONGEST)
            games += 1
        rounds_left -= 1
        lay_out(after, table)
        prepare(random, table, ways, counts, touch, stand, MOST_WAYS)
        solved = solve_quickly(board, iterations, rounds, starts, play, scratch)
        find_naive(random, table, board, play, naive, scratch)
        seen[number] = after
        worth[number] = discount * with_slips(board, solved, slip, play, naive, scratch)
        for side in range(2):
            if unit(random) < slip:
                k = drawn_naive(random)
                for piece in range(3 * side, 3 * side + 3):
                    chosen[piece] = naive[k, piece]
            else:
                k = _drawn(random, mix[side], size[side])
                for piece in range(3):
                    chosen[3 * side + piece] = kept[side, k, piece]
        settle(ways, touch, stand, chosen, after)
    return games


@kernel("void(float32[:, :, :, ::1], float32[:, :, :, ::1])")
def merge(parts: Weights, rows: Weights) -> None:
    """The network's rows from the parts of which they are made while learning."""
    for flags in range(4):
        for team in range(2):
            for number in range(FEATURES):
                for h in range(HIDDEN):
                    total = parts[flags, team, number, h]
                    if number != JAILED:
                        cell = number % CELLS
                        first = FEATURES + (2 * SIZE if number >= CELLS else 0)
                        total += parts[flags, team, first + cell % SIZE, h]
                        total += parts[flags, team, first + SIZE + cell // SIZE, h]
                    rows[flags, team, number, h] = total


@inline
def _mirrored(after: Array, image: Array) -> None:
    """Left and right exchanged: fair as long as nobody needs a key."""
    image[:] = after
    for piece in range(6):
        cell = after[piece]
        image[piece] = cell - cell % SIZE + SIZE - 1 - cell % SIZE


@kernel(
    "float64(int64[::1], float32[:, :, :, ::1], float32[:, :, :, ::1], float32[:, :, :, ::1],"
    " float32[:, :, :, ::1], int64[:, ::1], float64[::1], int64, float64)"
)
def fit(
    random: State,
    parts: Weights,
    parts_force: Weights,
    head: Weights,
    head_force: Weights,
    seen: Array,
    worth: Floats,
    steps: int,
    rate: float,
) -> float:
    """Move the network towards the values of positions drawn at random; the mean squared error met.

    Each weight's step is scaled by the running mean square of its own gradients (RMSProp).
    """
    image = np.empty(AFTER, np.int64)
    used = np.empty((6, 3), np.int64)
    hidden = np.empty(HIDDEN)
    back = np.empty(HIDDEN)
    error_sum = 0.0
    for _ in range(steps):
        number = below(random, seen.shape[0])
        image[:] = seen[number]
        nobody_jailed = True
        for piece in range(6):
            nobody_jailed = nobody_jailed and image[piece] != DEAD
        if nobody_jailed and below(random, 2) == 0:
            _mirrored(seen[number], image)
        flags = carried(image)
        na = living(image, 0)
        nb = living(image, 1)
        hidden[:] = 0.0
        for piece in range(6):
            number_of = feature(image, piece)
            used[piece, 0] = number_of
            used[piece, 1] = -1
            if number_of != JAILED:
                first = FEATURES + (2 * SIZE if number_of >= CELLS else 0)
                used[piece, 1] = first + number_of % CELLS % SIZE
                used[piece, 2] = first + SIZE + number_of % CELLS // SIZE
            for part in range(3 if used[piece, 1] >= 0 else 1):
                for h in range(HIDDEN):
                    hidden[h] += parts[flags, piece // 3, used[piece, part], h]
        raw = float(head[flags, na, nb, HIDDEN])
        for h in range(HIDDEN):
            if hidden[h] > 0.0:
                raw += hidden[h] * head[flags, na, nb, h]
        slope = 1.0 / math.sqrt(1.0 + raw * raw)
        error = raw * slope - worth[number]
        error_sum += error * error
        push = error * slope * slope * slope
        for h in range(HIDDEN + 1):
            gradient = push
            if h < HIDDEN:
                back[h] = push * head[flags, na, nb, h] if hidden[h] > 0.0 else 0.0
                gradient = push * max(hidden[h], 0.0)
            force = 0.999 * head_force[flags, na, nb, h] + 0.001 * gradient * gradient
            head_force[flags, na, nb, h] = force
            head[flags, na, nb, h] -= rate * gradient / (math.sqrt(force) + 1e-4)
        for piece in range(6):
            team = piece // 3
            for part in range(3 if used[piece, 1] >= 0 else 1):
                row = used[piece, part]
                for h in range(HIDDEN):
                    gradient = back[h]
                    if gradient != 0.0:
                        force = 0.999 * parts_force[flags, team, row, h] + 0.001 * gradient * gradient
                        parts_force[flags, team, row, h] = force
                        parts[flags, team, row, h] -= rate * gradient / (math.sqrt(force) + 1e-4)
    return error_sum / steps
