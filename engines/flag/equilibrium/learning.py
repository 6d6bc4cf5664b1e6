"""How the value network learns: positions of self-play, each valued by solving its next round.

`harvest` plays both sides by their mixtures, with naive orders mixed in, and notes each position with the
discounted value of its solved round. `fit` moves a network towards these values. While it learns, a row of
the embedding is the sum of a part of its own, one for its column and one for its row of the board (virtual
features, as where NNUE networks are trained), so that what is learnt on one cell helps its neighbours;
`coalesce` adds them up. Called by `training/flag.py` alone.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numba
import numpy as np

from engines.core.arrays import copy_into
from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below, unit
from engines.flag import rules
from engines.flag.equilibrium.fast_round import (
    AFTER,
    CARRIER,
    DEAD,
    WINNER,
    empty_survey,
    fast_round,
    survey_round,
    unpack,
)
from engines.flag.equilibrium.local_search import (
    NAIVE,
    SHARES,
    Effort,
    find_naive,
    no_strategies,
    solve,
    value_with_slips,
)
from engines.flag.equilibrium.payoff import Floats, RoundGame
from engines.flag.equilibrium.value import (
    CELLS,
    FEATURES,
    HIDDEN,
    JAILED,
    NETWORK,
    Network,
    Weights,
    carried,
    feature,
    living,
)
from engines.flag.position import SIZE, STARTS
from engines.flag.rules import NOBODY, Array

FACTORED: Final = FEATURES + 4 * SIZE
"""Rows while learning: own parts, then columns and rows of free pieces, then those of carriers."""
LONGEST: Final = 40
"""Rounds of a game of self-play."""
_START: Final = tuple(x + SIZE * y for x, y in STARTS)
_NO_PART: Final = -1


class Valuation(NamedTuple):
    """How positions are valued."""

    effort: Effort
    """How much is done for a round."""
    discount: float
    """What a win is worth when it comes a round later."""
    slip: float
    """How often a side errs."""


class Learner(NamedTuple):
    """The weights while they are learnt, and the running mean square of each one's gradients."""

    factored: Weights
    """float32[4, 2, FACTORED, HIDDEN]."""
    factored_square: Weights
    """As `factored`."""
    head: Weights
    """float32[HEAD]."""
    head_square: Weights
    """As `head`."""


_F8: Final = numba.types.float64
_I8: Final = numba.types.int64
_F4_4D: Final = numba.types.float32[:, :, :, ::1]
VALUATION: Final = numba.types.NamedTuple((numba.types.NamedUniTuple(_I8, 3, Effort), _F8, _F8), Valuation)
LEARNER: Final = numba.types.NamedUniTuple(_F4_4D, 4, Learner)


@compiled
def _scatter(rng: Rng, after: Array) -> None:
    """The start of a game of self-play: the real one, or pieces, prisoners and carriers anywhere."""
    after[CARRIER] = NOBODY
    after[CARRIER + 1] = NOBODY
    after[WINNER] = NOBODY
    real = below(rng, 2) == 0
    for piece in range(6):
        after[piece] = _START[piece]
        if not real:
            after[piece] = below(rng, CELLS)
            if below(rng, 5) == 0:
                after[piece] = DEAD
    for flag in range(2):
        carrier = 3 - 3 * flag + below(rng, 3)
        if not real and below(rng, 3) == 0 and after[carrier] != DEAD:
            after[CARRIER + flag] = carrier


@compiled
def _draw(rng: Rng, probabilities: Floats | tuple[float, ...], size: int) -> int:
    """An index by its probability."""
    left = unit(rng)
    for k in range(size - 1):
        left -= probabilities[k]
        if left < 0.0:
            return k
    return size - 1


@kernel(numba.types.int64(_I8[::1], NETWORK, _I8[::1], _I8[:, ::1], _F8[::1], VALUATION))
def harvest(
    rng: Rng, network: Network, after: Array, seen: Array, values: Floats, valuation: Valuation
) -> int:
    """Fill `seen` (int64[n, AFTER]) with positions of self-play, `values` with theirs; goes on from `after`.

    Nobody plays perfectly: with chance `slip` a side is taken to play a naive order instead of its mixture,
    in the games and in the values. Without this a side that loses against perfect play sees no difference
    between its orders. `after[WINNER]` other than NOBODY begins a new game. Returns the games begun.
    """
    table = np.zeros(rules.TABLE, np.int64)
    survey = empty_survey()
    game = RoundGame(survey, network)
    strategies = no_strategies()
    size, orders, mix = strategies
    chosen = np.zeros(6, np.int64)
    naive = np.zeros((NAIVE, 6), np.int64)
    scratch = np.zeros(AFTER, np.int64)
    games = 0
    rounds_left = 0
    for number in range(seen.shape[0]):
        if after[WINNER] != NOBODY or rounds_left == 0:
            _scatter(rng, after)
            rounds_left = 1 + below(rng, LONGEST)
            games += 1
        rounds_left -= 1
        unpack(after, table)
        survey_round(table, survey)
        solved = solve(game, valuation.effort, strategies, scratch)
        find_naive(rng, table, game, strategies, naive, scratch)
        copy_into(seen[number], after)
        values[number] = valuation.discount * value_with_slips(
            game, solved, valuation.slip, strategies, naive, scratch
        )
        for side in range(2):
            if unit(rng) < valuation.slip:
                k = _draw(rng, SHARES, NAIVE)
                for piece in range(3 * side, 3 * side + 3):
                    chosen[piece] = naive[k, piece]
            else:
                k = _draw(rng, mix[side], size[side])
                for piece in range(3):
                    chosen[3 * side + piece] = orders[side, k, piece]
        fast_round(survey, chosen, after)
    return games


@compiled
def _parts(number: int, parts: Array) -> None:
    """The rows of `factored` that add up to a feature, into `parts` (int64[3]): own, column, row."""
    parts[0] = number
    parts[1] = _NO_PART
    parts[2] = _NO_PART
    if number != JAILED:
        cell = number % CELLS
        first = FEATURES + (2 * SIZE if number >= CELLS else 0)
        parts[1] = first + cell % SIZE
        parts[2] = first + SIZE + cell // SIZE


@kernel("void(float32[:, :, :, ::1], float32[:, :, :, ::1])")
def coalesce(factored: Weights, embedding: Weights) -> None:
    """The network's embedding from the parts of which it is made while learning."""
    parts = np.empty(3, np.int64)
    for flags in range(4):
        for team in range(2):
            for number in range(FEATURES):
                _parts(number, parts)
                for h in range(HIDDEN):
                    total = factored[flags, team, number, h]
                    if parts[1] != _NO_PART:
                        total += factored[flags, team, parts[1], h]
                        total += factored[flags, team, parts[2], h]
                    embedding[flags, team, number, h] = total


@compiled
def _mirror(after: Array, image: Array) -> None:
    """Left and right exchanged: fair as long as nobody needs a key."""
    copy_into(image, after)
    for piece in range(6):
        cell = after[piece]
        image[piece] = cell - cell % SIZE + SIZE - 1 - cell % SIZE


@compiled
def _draw_example(rng: Rng, seen: Array, image: Array) -> int:
    """A position of `seen` into `image`, mirrored half of the time where that is fair; its number."""
    number = below(rng, seen.shape[0])
    copy_into(image, seen[number])
    nobody_jailed = True
    for piece in range(6):
        nobody_jailed = nobody_jailed and image[piece] != DEAD
    if nobody_jailed and below(rng, 2) == 0:
        _mirror(seen[number], image)
    return number


@compiled
def _step(gradient: float, square: float, rate: float) -> float:
    """By how much RMSProp lessens a weight, `square` being the running mean square of its gradients."""
    return rate * gradient / (math.sqrt(square) + 1e-4)


@kernel(_F8(_I8[::1], LEARNER, _I8[:, ::1], _F8[::1], _I8, _F8))
def fit(rng: Rng, learner: Learner, seen: Array, values: Floats, steps: int, rate: float) -> float:
    """Move the network towards the values of positions drawn at random; the mean squared error met.

    One function, since forward pass, error and update share their scratch and make sense in this order alone.
    """
    factored, factored_square, head, head_square = learner
    image = np.empty(AFTER, np.int64)
    parts = np.empty((6, 3), np.int64)
    hidden = np.empty(HIDDEN)
    back = np.empty(HIDDEN)
    error_sum = 0.0
    for _ in range(steps):
        number = _draw_example(rng, seen, image)
        flags = carried(image)
        na = living(image, 0)
        nb = living(image, 1)
        hidden[:] = 0.0
        for piece in range(6):
            _parts(feature(image, piece), parts[piece])
            for part in range(3):
                row = parts[piece, part]
                if row != _NO_PART:
                    for h in range(HIDDEN):
                        hidden[h] += factored[flags, piece // 3, row, h]
        raw = float(head[flags, na, nb, HIDDEN])
        for h in range(HIDDEN):
            if hidden[h] > 0.0:
                raw += hidden[h] * head[flags, na, nb, h]
        # The network's answer is raw / sqrt(1 + raw^2); its derivative is slope^3.
        slope = 1.0 / math.sqrt(1.0 + raw * raw)
        error = raw * slope - values[number]
        error_sum += error * error
        push = error * slope * slope * slope
        for h in range(HIDDEN + 1):
            gradient = push
            if h < HIDDEN:
                back[h] = push * head[flags, na, nb, h] if hidden[h] > 0.0 else 0.0
                gradient = push * max(hidden[h], 0.0)
            square = 0.999 * head_square[flags, na, nb, h] + 0.001 * gradient * gradient
            head_square[flags, na, nb, h] = square
            head[flags, na, nb, h] -= _step(gradient, square, rate)
        for piece in range(6):
            team = piece // 3
            for part in range(3):
                row = parts[piece, part]
                if row == _NO_PART:
                    continue
                for h in range(HIDDEN):
                    gradient = back[h]
                    if gradient != 0.0:
                        square = 0.999 * factored_square[flags, team, row, h] + 0.001 * gradient * gradient
                        factored_square[flags, team, row, h] = square
                        factored[flags, team, row, h] -= _step(gradient, square, rate)
    return error_sum / steps
