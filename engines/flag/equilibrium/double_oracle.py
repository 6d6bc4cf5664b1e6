"""The game of one round between all joint orders of both sides, solved without building its matrix.

Double oracle: each side keeps a few joint orders; the small game between them is solved by regret
matching+; then the best answer among *all* joint orders to the other side's mixture is added on each
side. For each kept order of one side its column, the payoff to A against every joint order of the other,
is computed once, so a best answer is a weighted sum of columns.

A joint order is numbered (p0 * n1 + p1) * n2 + p2 over its pieces' ways. `chosen[s, k]` is the k-th kept
order of side s, `size[s]` their number. `against_b[k]` holds the payoff of every order of A against B's
k-th, `against_a[k]` that of every order of B against A's k-th: always the payoff to A. `deeper[i, j]` is by
how much a second look at A's i-th kept order against B's j-th differed from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import borrowed, inline, kernel
from engines.core.rng import State
from engines.flag import rules
from engines.flag.equilibrium.fast_round import (
    AFTER,
    END,
    MOST_WAYS,
    WAY,
    Touch,
    find_ways,
    settle,
    stand_of,
    survey,
    thin_ways,
)
from engines.flag.equilibrium.value import Network, Weights, value_of
from engines.flag.rules import Array

Floats = NDArray[np.float64]
Columns = NDArray[np.float32]

KEPT: Final = 96
"""Joint orders that each side keeps at most."""


@kernel(
    "void(int64[:, :, ::1], int64[::1], int8[:, :, :, ::1], int64[::1], float32[:, :, :, ::1],"
    " float32[:, :, :, ::1], int64, int64, float32[::1])"
)
def fill_column(
    ways: Array,
    counts: Array,
    touch: Touch,
    stand: Array,
    rows: Weights,
    head: Weights,
    side: int,
    order: int,
    column: Columns,
) -> None:
    """The payoff to A of one joint order of a side against every joint order of the other."""
    after = np.empty(AFTER, np.int64)
    chosen = np.empty(6, np.int64)
    mine = 3 * side
    theirs = 3 - mine
    chosen[mine + 2] = order % counts[mine + 2]
    chosen[mine + 1] = order // counts[mine + 2] % counts[mine + 1]
    chosen[mine] = order // (counts[mine + 2] * counts[mine + 1])
    arrays = borrowed((ways, touch, stand, chosen, after))
    weights = borrowed((rows, head))
    number = 0
    for first in range(counts[theirs]):
        chosen[theirs] = first
        for second in range(counts[theirs + 1]):
            chosen[theirs + 1] = second
            for third in range(counts[theirs + 2]):
                chosen[theirs + 2] = third
                settle(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4])
                column[number] = value_of(arrays[4], weights[0], weights[1])
                number += 1


@inline
def _normalise(regret: Floats, size: int, mix: Floats) -> None:
    total = 0.0
    for k in range(size):
        total += regret[k]
    for k in range(size):
        mix[k] = regret[k] / total if total > 0.0 else 1.0 / size


@kernel("void(float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], int64)")
def match_regrets(payoff: Floats, size: Array, regret: Floats, mix: Floats, rounds: int) -> None:
    """Regret matching+ with alternating updates and averages that weigh late rounds more."""
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
def weigh(mix: Floats, columns: Columns, gains: Floats, size: int) -> None:
    """The payoff to A of every joint order against a mixture of the kept ones."""
    gains[:] = 0.0
    for k in range(size):
        weight = mix[k]
        if weight > 0.0:
            for number in range(gains.size):
                gains[number] += weight * columns[k, number]


@inline
def _is_kept(chosen: Array, size: int, order: int) -> bool:
    kept = False
    for k in range(size):
        kept = kept or chosen[k] == order
    return kept


@kernel(
    "float64(int64[:, :, ::1], int64[::1], int8[:, :, :, ::1], int64[::1], float32[:, :, :, ::1],"
    " float32[:, :, :, ::1], int64[::1], int64[:, ::1], float32[:, ::1], float32[:, ::1], float64[:, ::1],"
    " float64[:, ::1], float64[:, ::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[:, ::1], int64, int64, int64)"
)
def refine(
    ways: Array,
    counts: Array,
    touch: Touch,
    stand: Array,
    rows: Weights,
    head: Weights,
    size: Array,
    chosen: Array,
    against_b: Columns,
    against_a: Columns,
    payoff: Floats,
    regret: Floats,
    mix: Floats,
    gains_a: Floats,
    gains_b: Floats,
    bonus_a: Floats,
    bonus_b: Floats,
    deeper: Floats,
    hint_a: int,
    hint_b: int,
    rounds: int,
) -> float:
    """Add both best answers, solve the kept game, weigh all orders against it; the gap that is left.

    A hint (other than -1) is added in place of the best answer.

    The gap is what both sides together could still gain by leaving their mixtures. `bonus_a` and `bonus_b`
    are paid to A on top for each order of A or B, whatever the other side does; `deeper` for each two.
    """
    best_a = 0
    best_b = 0
    if size[0] > 0:
        for number in range(gains_a.size):
            if gains_a[number] + bonus_a[number] > gains_a[best_a] + bonus_a[best_a]:
                best_a = number
        for number in range(gains_b.size):
            if gains_b[number] + bonus_b[number] < gains_b[best_b] + bonus_b[best_b]:
                best_b = number
    best_a = hint_a if hint_a >= 0 else best_a
    best_b = hint_b if hint_b >= 0 else best_b
    m = size[0]
    n = size[1]
    if m < KEPT and not _is_kept(chosen[0], m, best_a):
        chosen[0, m] = best_a
        fill_column(ways, counts, touch, stand, rows, head, 0, best_a, against_a[m])
        size[0] = m + 1
    if n < KEPT and not _is_kept(chosen[1], n, best_b):
        chosen[1, n] = best_b
        fill_column(ways, counts, touch, stand, rows, head, 1, best_b, against_b[n])
        size[1] = n + 1
    for i in range(size[0]):
        for j in range(size[1]):
            payoff[i, j] = against_b[j, chosen[0, i]] + deeper[i, j]
            payoff[i, j] += bonus_a[chosen[0, i]] + bonus_b[chosen[1, j]]
    match_regrets(payoff, size, regret, mix, rounds)
    weigh(mix[1], against_b, gains_a, size[1])
    weigh(mix[0], against_a, gains_b, size[0])
    for i in range(size[0]):
        for j in range(size[1]):
            gains_a[chosen[0, i]] += mix[1, j] * deeper[i, j]
            gains_b[chosen[1, j]] += mix[0, i] * deeper[i, j]
    high = gains_a[0] + bonus_a[0]
    low = gains_b[0] + bonus_b[0]
    for number in range(gains_a.size):
        high = max(high, gains_a[number] + bonus_a[number])
    for number in range(gains_b.size):
        low = min(low, gains_b[number] + bonus_b[number])
    for i in range(size[0]):
        low += mix[0, i] * bonus_a[chosen[0, i]]
    for j in range(size[1]):
        high += mix[1, j] * bonus_b[chosen[1, j]]
    gap: float = high - low
    return gap


@kernel("void(int64[::1], int64[::1], int64[:, :, ::1], int64[::1], int8[:, :, :, ::1], int64[::1], int64)")
def prepare(
    random: State, table: Array, ways: Array, counts: Array, touch: Touch, stand: Array, most: int
) -> None:
    """Survey a table (rescuers at home); with `most` below MOST_WAYS only so many ways of each piece."""
    find_ways(table, ways, counts)
    if most < MOST_WAYS:
        thin_ways(random, ways, counts, most)
    survey(table, ways, counts, touch)
    stand[:] = stand_of(table)


@dataclass(slots=True)
class Matrix:
    """One round's game while it is being solved."""

    ways: Array
    counts: Array
    touch: Touch
    stand: Array
    size: Array
    chosen: Array
    against_b: Columns
    against_a: Columns
    payoff: Floats
    regret: Floats
    mix: Floats
    gains_a: Floats
    gains_b: Floats
    bonus_a: Floats
    bonus_b: Floats
    deeper: Floats

    def refine(self, rows: Weights, head: Weights, rounds: int, hints: tuple[int, int] = (-1, -1)) -> float:
        """One iteration; the gap that is left."""
        return refine(
            self.ways,
            self.counts,
            self.touch,
            self.stand,
            rows,
            head,
            self.size,
            self.chosen,
            self.against_b,
            self.against_a,
            self.payoff,
            self.regret,
            self.mix,
            self.gains_a,
            self.gains_b,
            self.bonus_a,
            self.bonus_b,
            self.deeper,
            hints[0],
            hints[1],
            rounds,
        )

    def orders(self, side: int) -> int:
        """How many joint orders a side has."""
        return int(np.prod(self.counts[3 * side : 3 * side + 3]))

    def ways_of(self, side: int, order: int) -> tuple[int, int, int]:
        """The ways of the three pieces in a joint order."""
        _, n1, n2 = self.counts[3 * side : 3 * side + 3].tolist()
        return order // (n1 * n2), order // n2 % n1, order % n2

    def number(self, table: Array, side: int, orders: Array) -> int:
        """The joint order that a side's orders come to from a table."""
        number = 0
        for piece in range(3 * side, 3 * side + 3):
            steps, found = 0, 0
            if table[rules.ALIVE + piece]:
                steps = rules.calculate_path(table, piece, int(orders[piece, 0]), int(orders[piece, 1]))
            for way in range(1, int(self.counts[piece]) if steps else 0):
                direction, distance = self.ways[piece, way, :END]
                if direction == orders[piece, 0] and distance == steps:
                    found = way
            number = number * int(self.counts[piece]) + found
        return number

    def column(self, side: int, number: int, network: Network) -> Columns:
        """The payoff to A of one joint order of a side against every joint order of the other."""
        column = np.zeros(self.orders(1 - side), np.float32)
        fill_column(
            self.ways, self.counts, self.touch, self.stand, network.rows, network.head, side, number, column
        )
        return column


def matrix_of(table: Array) -> Matrix:
    """The game of a table in which rescuers are at home; nothing is solved yet."""
    ways = np.zeros((6, MOST_WAYS, WAY), np.int64)
    counts = np.zeros(6, np.int64)
    touch = np.zeros((6, 6, MOST_WAYS, MOST_WAYS), np.int8)
    stand = np.zeros(3, np.int64)
    prepare(np.zeros(4, np.int64), table, ways, counts, touch, stand, MOST_WAYS)
    sides = [int(np.prod(counts[first : first + 3])) for first in (0, 3)]
    return Matrix(
        ways,
        counts,
        touch,
        stand,
        np.zeros(2, np.int64),
        np.zeros((2, KEPT), np.int64),
        np.empty((KEPT, sides[0]), np.float32),
        np.empty((KEPT, sides[1]), np.float32),
        np.zeros((KEPT, KEPT)),
        np.zeros((2, KEPT)),
        np.zeros((2, KEPT)),
        np.zeros(sides[0]),
        np.zeros(sides[1]),
        np.zeros(sides[0]),
        np.zeros(sides[1]),
        np.zeros((KEPT, KEPT)),
    )
