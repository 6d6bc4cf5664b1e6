"""The game of one round between all joint orders of both sides, solved without building its payoff matrix.

Double oracle (McMahan, Gordon and Blum 2003): each side keeps a few joint orders; the restricted game
between them is solved by regret matching+; then the best response among *all* joint orders to the other's
mixture is added on each side. For each kept order of one side its column, the payoff to A against every joint
order of the other, is computed once, so a best response is a weighted sum of columns.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.flag.equilibrium.fast_round import SURVEY, Survey, choose_orders
from engines.flag.equilibrium.payoff import ROUND_GAME, Floats, RoundGame, fill_column, game_of
from engines.flag.equilibrium.value import Network
from engines.flag.rules import Array

Columns = NDArray[np.float32]

MAX_KEPT_COLUMNS: Final = 96
"""Joint orders that each side keeps at most."""
NO_SEEDS: Final = (-1, -1)
"""No joint order of A and B to be added in place of the best responses."""


class RestrictedGame(NamedTuple):
    """The joint orders kept so far, and what is known of them. All payoffs are to A.

    N is how many joint orders a side has: it differs, so what is known of A's and of B's has a field each.
    """

    size: Array
    """int64[2]: how many each side keeps."""
    orders: Array
    """int64[2, MAX_KEPT_COLUMNS]: their numbers."""
    columns_a: Columns
    """float32[MAX_KEPT_COLUMNS, N of B]: every order of B against A's k-th."""
    columns_b: Columns
    """float32[MAX_KEPT_COLUMNS, N of A]: every order of A against B's k-th."""
    payoff: Floats
    """float64[MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS]: A's i-th against B's j-th, bonuses and corrections
    included."""
    regret: Floats
    """float64[2, MAX_KEPT_COLUMNS]: regret matching+, never negative; kept from one iteration to the next."""
    mix: Floats
    """float64[2, MAX_KEPT_COLUMNS]: each side's mixture."""
    values_a: Floats
    """float64[N of A]: each order of A against B's mixture."""
    values_b: Floats
    """float64[N of B]: each order of B against A's mixture."""
    bonus_a: Floats
    """float64[N of A]: paid to A on top for an order of A, whatever B does."""
    bonus_b: Floats
    """float64[N of B]: paid to A on top for an order of B, whatever A does."""
    correction: Floats
    """float64[MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS]: by how much the second ply values an outcome
    otherwise than the network."""


_F8: Final = numba.types.float64
_I8: Final = numba.types.int64
_F4_2D: Final = numba.types.float32[:, ::1]
RESTRICTED_GAME: Final = numba.types.NamedTuple(
    (_I8[::1], _I8[:, ::1], _F4_2D, _F4_2D, *3 * (_F8[:, ::1],), *4 * (_F8[::1],), _F8[:, ::1]),
    RestrictedGame,
)


@compiled
def _normalise(regret: Floats, size: int, mix: Floats) -> None:
    """The mixture that regret matching plays: in proportion to regrets, uniform where there are none."""
    total = 0.0
    for k in range(size):
        total += regret[k]
    for k in range(size):
        mix[k] = regret[k] / total if total > 0.0 else 1.0 / size


@kernel("void(float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], int64)")
def match_regrets(payoff: Floats, size: Array, regret: Floats, mix: Floats, rounds: int) -> None:
    """Regret matching+ (Tammelin 2014): alternating updates, averages that weigh late rounds more."""
    m = size[0]
    n = size[1]
    x = np.empty(m)
    y = np.empty(n)
    gain = np.empty(max(m, n))
    mix[:] = 0.0
    _normalise(regret[0], m, x)
    _normalise(regret[1], n, y)
    for t in range(1, rounds + 1):
        value = 0.0
        for i in range(m):
            total = 0.0
            for j in range(n):
                total += payoff[i, j] * y[j]
            gain[i] = total
            value += x[i] * total
        for i in range(m):
            regret[0, i] = max(0.0, regret[0, i] + gain[i] - value)
        _normalise(regret[0], m, x)
        for j in range(n):
            gain[j] = 0.0
        for i in range(m):
            if x[i] > 0.0:
                for j in range(n):
                    gain[j] += payoff[i, j] * x[i]
        value = 0.0
        for j in range(n):
            value += y[j] * gain[j]
        for j in range(n):
            regret[1, j] = max(0.0, regret[1, j] + value - gain[j])
        _normalise(regret[1], n, y)
        for i in range(m):
            mix[0, i] += t * x[i]
        for j in range(n):
            mix[1, j] += t * y[j]
    scale = 2.0 / (rounds * (rounds + 1))
    for i in range(m):
        mix[0, i] *= scale
    for j in range(n):
        mix[1, j] *= scale


@kernel("void(float64[::1], float32[:, ::1], float64[::1], int64)")
def expected_payoffs(mix: Floats, columns: Columns, values: Floats, size: int) -> None:
    """The payoff to A of every joint order of a side against a mixture of the other's kept ones."""
    values[:] = 0.0
    for k in range(size):
        weight = mix[k]
        if weight > 0.0:
            for number in range(values.size):
                values[number] += weight * columns[k, number]


@compiled
def _best_responses(restricted: RestrictedGame) -> tuple[int, int]:
    """The joint orders of A and B that gain most against the other's mixture; the first of ties."""
    values_a, values_b = restricted.values_a, restricted.values_b
    bonus_a, bonus_b = restricted.bonus_a, restricted.bonus_b
    best_a = 0
    best_b = 0
    for number in range(values_a.size):
        if values_a[number] + bonus_a[number] > values_a[best_a] + bonus_a[best_a]:
            best_a = number
    for number in range(values_b.size):
        if values_b[number] + bonus_b[number] < values_b[best_b] + bonus_b[best_b]:
            best_b = number
    return best_a, best_b


@compiled
def _keep(game: RoundGame, restricted: RestrictedGame, side: int, order: int) -> None:
    """Keep a joint order of a side, unless it is kept already or there is no room."""
    size = restricted.size[side]
    known = False
    for k in range(size):
        known = known or restricted.orders[side, k] == order
    if size < MAX_KEPT_COLUMNS and not known:
        restricted.orders[side, size] = order
        columns = restricted.columns_a if side == 0 else restricted.columns_b
        fill_column(game, side, order, columns[size])
        restricted.size[side] = size + 1


@compiled
def _gap(restricted: RestrictedGame) -> float:
    """What both sides together could still gain by leaving their mixtures."""
    size, orders, mix = restricted.size, restricted.orders, restricted.mix
    values_a, values_b = restricted.values_a, restricted.values_b
    bonus_a, bonus_b = restricted.bonus_a, restricted.bonus_b
    high = values_a[0] + bonus_a[0]
    low = values_b[0] + bonus_b[0]
    for number in range(values_a.size):
        high = max(high, values_a[number] + bonus_a[number])
    for number in range(values_b.size):
        low = min(low, values_b[number] + bonus_b[number])
    for i in range(size[0]):
        low += mix[0, i] * bonus_a[orders[0, i]]
    for j in range(size[1]):
        high += mix[1, j] * bonus_b[orders[1, j]]
    gap: float = high - low
    return gap


@kernel(_F8(ROUND_GAME, RESTRICTED_GAME, _I8, _I8, _I8))
def iterate(game: RoundGame, restricted: RestrictedGame, seed_a: int, seed_b: int, rounds: int) -> float:
    """Add both best responses, solve the restricted game, value all orders against it; the gap that is left.

    A seed (other than -1) is added in place of the best response.
    """
    size, orders, mix, payoff = restricted.size, restricted.orders, restricted.mix, restricted.payoff
    values_a, values_b, correction = restricted.values_a, restricted.values_b, restricted.correction
    best_a, best_b = _best_responses(restricted)
    _keep(game, restricted, 0, seed_a if seed_a >= 0 else best_a)
    _keep(game, restricted, 1, seed_b if seed_b >= 0 else best_b)
    for i in range(size[0]):
        for j in range(size[1]):
            payoff[i, j] = restricted.columns_b[j, orders[0, i]] + correction[i, j]
            payoff[i, j] += restricted.bonus_a[orders[0, i]] + restricted.bonus_b[orders[1, j]]
    match_regrets(payoff, size, restricted.regret, mix, rounds)
    expected_payoffs(mix[1], restricted.columns_b, values_a, size[1])
    expected_payoffs(mix[0], restricted.columns_a, values_b, size[0])
    for i in range(size[0]):
        for j in range(size[1]):
            values_a[orders[0, i]] += mix[1, j] * correction[i, j]
            values_b[orders[1, j]] += mix[0, i] * correction[i, j]
    return _gap(restricted)


@kernel(_I8(_I8[::1], _I8[:, ::1], SURVEY, _I8))
def joint_order(table: Array, orders: Array, survey: Survey, side: int) -> int:
    """The number of the joint order that a side's orders come to from a table."""
    chosen = np.zeros(6, np.int64)
    choose_orders(table, orders, survey, side, chosen)
    number = 0
    for piece in range(3 * side, 3 * side + 3):
        number = number * survey.counts[piece] + chosen[piece]
    return number


class DoubleOracle:
    """One round's game while it is being solved."""

    def __init__(self, table: Array, network: Network) -> None:
        """`table`: rescuers are at home. Nothing is solved yet."""
        self.table = table
        self.game = game_of(table, network)
        n_a, n_b = self.joint_orders(0), self.joint_orders(1)
        self.restricted = RestrictedGame(
            size=np.zeros(2, np.int64),
            orders=np.zeros((2, MAX_KEPT_COLUMNS), np.int64),
            columns_a=np.empty((MAX_KEPT_COLUMNS, n_b), np.float32),
            columns_b=np.empty((MAX_KEPT_COLUMNS, n_a), np.float32),
            payoff=np.zeros((MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS)),
            regret=np.zeros((2, MAX_KEPT_COLUMNS)),
            mix=np.zeros((2, MAX_KEPT_COLUMNS)),
            values_a=np.zeros(n_a),
            values_b=np.zeros(n_b),
            bonus_a=np.zeros(n_a),
            bonus_b=np.zeros(n_b),
            correction=np.zeros((MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS)),
        )

    def iterate(self, rounds: int, seeds: tuple[int, int] = NO_SEEDS) -> float:
        """One iteration; the gap that is left."""
        return iterate(self.game, self.restricted, *seeds, rounds)

    def joint_orders(self, side: int) -> int:
        """How many joint orders a side has."""
        return int(np.prod(self.game.survey.counts[3 * side : 3 * side + 3]))

    def actions(self, side: int, order: int) -> tuple[int, int, int]:
        """The actions of a side's three pieces in a joint order."""
        _, n1, n2 = self.game.survey.counts[3 * side : 3 * side + 3].tolist()
        return order // (n1 * n2), order // n2 % n1, order % n2

    def number(self, side: int, orders: Array) -> int:
        """The number of the joint order that a side's orders (int64[6, 2]) come to."""
        return int(joint_order(self.table, orders, self.game.survey, side))

    def columns(self, side: int) -> Columns:
        """The columns of a side's kept orders."""
        return self.restricted.columns_a if side == 0 else self.restricted.columns_b

    def column(self, side: int, order: int) -> Columns:
        """The payoff to A of one joint order of a side against every joint order of the other."""
        column = np.zeros(self.joint_orders(1 - side), np.float32)
        fill_column(self.game, side, order, column)
        return column
