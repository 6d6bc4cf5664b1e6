"""The round solved in a fraction of a millisecond: best responses are found by local search.

Double oracle as in `double_oracle`, but a response comes from improving a joint order one piece at a time
until no single piece can do better, from the likeliest orders so far. All actions of all pieces are tried, a
few hundred rounds instead of one for each joint order. Where two pieces would have to change together it can
miss a response; over positions of play the value comes out within a hundredth of a win or two.

The value of a position by its solved round is what the network learns, and what the second ply asks for.
There a side errs now and then (`slip`): it plays one of NAIVE orders instead of its mixture. Against perfect
play a side that is lost would see no difference between its orders.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numba
import numpy as np

from engines.core.jit import borrowed, compiled, inlined, inlined_once, kernel
from engines.core.rng import Rng, below
from engines.flag import rules
from engines.flag.equilibrium.double_oracle import match_regrets
from engines.flag.equilibrium.fast_round import (
    AFTER,
    WINNER,
    action_of,
    choose_joint_order,
    empty_survey,
    fast_round,
    survey_round,
    unpack,
)
from engines.flag.equilibrium.payoff import ROUND_GAME, Floats, RoundGame, payoff
from engines.flag.equilibrium.value import DISCOUNT, living, value_of
from engines.flag.one_round import heuristic_orders
from engines.flag.rules import DIRECTION, DISTANCE, NOBODY, Array

MAX_KEPT_ORDERS: Final = 24
"""Joint orders that each side keeps at most."""


class Strategies(NamedTuple):
    """What both sides play in a solved round."""

    size: Array
    """int64[2]: joint orders kept by each side."""
    orders: Array
    """int64[2, MAX_KEPT_ORDERS, 3]: the actions of each; 0 is standing, 1 the best response to the
    enemy's standing."""
    mix: Floats
    """float64[2, MAX_KEPT_ORDERS]: how likely each is played."""


class Mixture(NamedTuple):
    """One side's mixed strategy."""

    size: int
    orders: Array
    """int64[size or more, 3]: the actions of each joint order."""
    mix: Floats
    """float64[size or more]: how likely each is played."""


class Effort(NamedTuple):
    """How much is done for a round."""

    iterations: int
    """Responses that are added for each side at most."""
    rounds: int
    """Rounds of regret matching+ in each iteration."""
    starts: int
    """Orders from which a local search starts; the best of what they lead to is the response."""


_F8: Final = numba.types.float64
_I8: Final = numba.types.int64
STRATEGIES: Final = numba.types.NamedTuple((_I8[::1], _I8[:, :, ::1], _F8[:, ::1]), Strategies)

# Naive orders, as in level-k thinking: standing, the best response to it, the best response to that; then the
# design document's strategy, and any order by chance, for which a few stand.
STAND_STILL: Final = 0
BEST_RESPONSE: Final = 1
SECOND_RESPONSE: Final = 2
HEURISTIC: Final = 3
RANDOM: Final = 4
NAIVE: Final = 7
"""Rows of `naive`: four fixed kinds and three random draws."""
SHARES: Final = (0.125, 0.125, 0.125, 0.5, 0.125 / 3, 0.125 / 3, 0.125 / 3)
"""How likely a side that errs plays each."""
SLIP: Final = 0.2
"""Probability that a side errs, in the network's targets and the second ply."""
ENOUGH: Final = 0.01
"""NashConv at which a round counts as solved."""
# More than rounding can make of two equal values, or a piece would change back and forth for ever.
LEAST_GAIN: Final = 1e-9
ITERATIONS: Final = 12
ROUNDS: Final = 40
STARTS: Final = 1


@kernel(STRATEGIES())
def no_strategies() -> Strategies:
    """Room for what both sides play."""
    return Strategies(
        np.zeros(2, np.int64), np.zeros((2, MAX_KEPT_ORDERS, 3), np.int64), np.zeros((2, MAX_KEPT_ORDERS))
    )


@compiled
def _mixture(strategies: Strategies, side: int) -> Mixture:
    return Mixture(strategies.size[side], strategies.orders[side], strategies.mix[side])


@compiled
def _copy_actions(source: Array, chosen: Array, side: int) -> None:
    """The actions of a side's joint order (int64[3]) into `chosen`."""
    for piece in range(3):
        chosen[3 * side + piece] = source[piece]


@inlined
def _expected(game: RoundGame, side: int, chosen: Array, opponent: Mixture, after: Array) -> float:
    """The payoff to A of the actions that `chosen` has for a side against the other's mixture."""
    survey, network = borrowed(game.survey), borrowed(game.network)
    size, orders, mix = borrowed(opponent)
    theirs = 3 - 3 * side
    total = 0.0
    for k in range(size):
        if mix[k] > 0.0:
            for piece in range(3):
                chosen[theirs + piece] = orders[k, piece]
            total += mix[k] * payoff(survey, network, chosen, after)
    return total


@compiled
def _improve(game: RoundGame, side: int, chosen: Array, opponent: Mixture, after: Array) -> float:
    """Local search: better a side's actions in `chosen` piece by piece; their value to it in the end."""
    counts = game.survey.counts
    sign = 1.0 if side == 0 else -1.0
    best = sign * _expected(game, side, chosen, opponent, after)
    unchanged = 0
    piece = 3 * side
    while unchanged < 3:
        before = chosen[piece]
        take = before
        for action in range(counts[piece]):
            if action != before:
                chosen[piece] = action
                value = sign * _expected(game, side, chosen, opponent, after)
                if value > best + LEAST_GAIN:
                    best = value
                    take = action
        chosen[piece] = take
        unchanged = unchanged + 1 if take == before else 1
        piece = 3 * side + (piece + 1) % 3
    return best


@compiled
def _next_likeliest(mix: Floats, size: int, last: int) -> int:
    """The likeliest order after `last` (-1: of all); -1 when there is none."""
    found = -1
    for k in range(size):
        behind = last < 0 or mix[k] < mix[last] or (mix[k] == mix[last] and k > last)
        if behind and (found < 0 or mix[k] > mix[found]):
            found = k
    return found


@compiled
def _response(
    game: RoundGame, side: int, starts: int, strategies: Strategies, after: Array, best: Array
) -> float:
    """A side's best response to the other's mixture into `best` (int64[3]); its value to the side."""
    opponent = _mixture(strategies, 1 - side)
    chosen = np.zeros(6, np.int64)
    top = -2.0
    last = -1
    for _ in range(starts):
        last = _next_likeliest(strategies.mix[side], strategies.size[side], last)
        if last < 0:
            break
        _copy_actions(strategies.orders[side, last], chosen, side)
        value = _improve(game, side, chosen, opponent, after)
        if value > top:
            top = value
            for piece in range(3):
                best[piece] = chosen[3 * side + piece]
    return top


@compiled
def _keep(
    game: RoundGame,
    side: int,
    order: Array,
    strategies: Strategies,
    payoffs: Floats,
    chosen: Array,
    after: Array,
) -> bool:
    """Keep a joint order (int64[3]) and its payoffs, unless it is known or there is no room; was it kept?"""
    size, orders = strategies.size, strategies.orders
    own = size[side]
    for k in range(own):
        if (
            orders[side, k, 0] == order[0]
            and orders[side, k, 1] == order[1]
            and orders[side, k, 2] == order[2]
        ):
            return False
    if own == MAX_KEPT_ORDERS:
        return False
    survey, network = borrowed(game.survey), borrowed(game.network)
    _copy_actions(order, chosen, side)
    size[side] = own + 1
    for piece in range(3):
        orders[side, own, piece] = order[piece]
    for k in range(size[1 - side]):
        _copy_actions(orders[1 - side, k], chosen, 1 - side)
        payoffs[own if side == 0 else k, k if side == 0 else own] = payoff(survey, network, chosen, after)
    return True


@compiled
def solve(game: RoundGame, effort: Effort, strategies: Strategies, after: Array) -> float:
    """The value of a round to A, nearly; `strategies` receives what both sides do, `after` is scratch."""
    size, orders, mix = strategies
    payoffs = np.zeros((MAX_KEPT_ORDERS, MAX_KEPT_ORDERS))
    regret = np.zeros((2, MAX_KEPT_ORDERS))
    chosen = np.zeros(6, np.int64)
    best = np.zeros((2, 3), np.int64)
    size[:] = 1
    orders[:] = 0
    mix[:] = 0.0
    mix[0, 0] = 1.0
    mix[1, 0] = 1.0
    payoffs[0, 0] = payoff(game.survey, game.network, chosen, after)
    value: float = payoffs[0, 0]
    for _ in range(effort.iterations):
        high = _response(game, 0, effort.starts, strategies, after, best[0])
        low = -_response(game, 1, effort.starts, strategies, after, best[1])
        value = 0.5 * (high + low)
        if high - low < ENOUGH:
            break
        added_a = _keep(game, 0, best[0], strategies, payoffs, chosen, after)
        added_b = _keep(game, 1, best[1], strategies, payoffs, chosen, after)
        if not (added_a or added_b):
            break
        match_regrets(payoffs, size, regret, mix, effort.rounds)
    return value


@inlined_once
def _heuristic_actions(table: Array, game: RoundGame, naive: Array) -> None:
    """The actions of all pieces by the design document's strategy, into row HEURISTIC of `naive`."""
    orders = np.zeros((6, 2), np.int64)
    heuristic_orders(table, 0, orders)
    heuristic_orders(table, 1, orders)
    for piece in range(6):
        direction, steps = orders[piece, DIRECTION], orders[piece, DISTANCE]
        naive[HEURISTIC, piece] = action_of(game.survey, piece, direction, steps)


@compiled
def find_naive(
    rng: Rng, table: Array, game: RoundGame, strategies: Strategies, naive: Array, after: Array
) -> None:
    """The naive orders of both sides into `naive`, int64[NAIVE, 6]: the actions of all six pieces in each."""
    counts = game.survey.counts
    size, orders, _ = strategies
    chosen = np.zeros(6, np.int64)
    certain = np.ones(1)
    for side in range(2):
        first = 3 * side
        other = 1 - side
        _copy_actions(orders[side, min(1, size[side] - 1)], chosen, side)
        for piece in range(first, first + 3):
            naive[STAND_STILL, piece] = 0
            naive[BEST_RESPONSE, piece] = chosen[piece]
        _improve(
            game,
            side,
            chosen,
            Mixture(certain.size, orders[other, min(1, size[other] - 1) :], certain),
            after,
        )
        for piece in range(first, first + 3):
            naive[SECOND_RESPONSE, piece] = chosen[piece]
            for number in range(RANDOM, NAIVE):
                naive[number, piece] = below(rng, counts[piece])
    _heuristic_actions(table, game, naive)


@compiled
def value_with_slips(
    game: RoundGame, solved: float, slip: float, strategies: Strategies, naive: Array, after: Array
) -> float:
    """The value of a solved round in which a side plays a naive order now and then (`slip`), never both."""
    chosen = np.zeros(6, np.int64)
    slipped = 0.0
    for side in range(2):
        opponent = _mixture(strategies, 1 - side)
        for number in range(NAIVE):
            _copy_actions(naive[number, 3 * side :], chosen, side)
            slipped += SHARES[number] * _expected(game, side, chosen, opponent, after)
    return (1.0 - 2.0 * slip) * solved + slip * slipped


@kernel(numba.types.void(ROUND_GAME, STRATEGIES))
def warm_start(game: RoundGame, strategies: Strategies) -> None:
    """What both sides play in a round, nearly: where the exact double oracle may begin."""
    # Twice the usual effort: this is done once a decision, and each order it finds saves an iteration.
    solve(game, Effort(MAX_KEPT_ORDERS, 2 * ROUNDS, 2 * STARTS), strategies, np.zeros(AFTER, np.int64))


@kernel(numba.types.void(_I8[::1], ROUND_GAME, _I8[:, ::1], _F8, _F8[::1]))
def second_ply(rng: Rng, game: RoundGame, profiles: Array, slip: float, values: Floats) -> None:
    """The values of choices of joint orders (int64[n, 2]: A's and B's number) by the round after this one.

    The values are those that the network learns: of the next round solved, with slips, and discounted.
    """
    survey, network = game
    table = np.zeros(rules.TABLE, np.int64)
    following = RoundGame(empty_survey(), network)
    strategies = no_strategies()
    naive = np.zeros((NAIVE, 6), np.int64)
    chosen = np.zeros(6, np.int64)
    after = np.zeros(AFTER, np.int64)
    scratch = np.zeros(AFTER, np.int64)
    for number in range(profiles.shape[0]):
        choose_joint_order(survey.counts, 0, profiles[number, 0], chosen)
        choose_joint_order(survey.counts, 1, profiles[number, 1], chosen)
        fast_round(survey, chosen, after)
        if after[WINNER] != NOBODY or living(after, 0) == 0 or living(after, 1) == 0:
            values[number] = value_of(network, after)
            continue
        unpack(after, table)
        survey_round(table, following.survey)
        solved = solve(following, Effort(ITERATIONS, ROUNDS, STARTS), strategies, scratch)
        find_naive(rng, table, following, strategies, naive, scratch)
        values[number] = DISCOUNT * value_with_slips(following, solved, slip, strategies, naive, scratch)
