"""The value network: the value to A of a position in between rounds, -1 to 1.

One hidden layer, small enough for every leaf. Each piece is one of FEATURES things: free on a cell, carrying
on a cell, or dead. Which flags are carried chooses the table from which each piece's row is taken (per team);
the rows' sum is the hidden layer. The output weights are chosen by the flags carried and the pieces living.
The sums are made in one fixed order, so the answer is the same with and without the compiler.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, inlined, kernel
from engines.flag.equilibrium.fast_round import CARRIER, DEAD, WINNER
from engines.flag.position import HOMES, SIZE
from engines.flag.rules import NOBODY, Array

Weights = NDArray[np.float32]

HIDDEN: Final = 32
CELLS: Final = 121
FEATURES: Final = 2 * CELLS + 1
JAILED: Final = 2 * CELLS
EMBEDDING: Final = (4, 2, FEATURES, HIDDEN)
HEAD: Final = (4, 4, 4, HIDDEN + 1)
ZERO: Final = np.float32(0)
DISCOUNT: Final = 0.985
"""What a win is worth when it comes a round later."""


class Network(NamedTuple):
    """The weights."""

    embedding: Weights
    """float32[EMBEDDING]: by flags carried, team, feature of the piece, hidden unit."""
    head: Weights
    """float32[HEAD]: by flags carried, A's living pieces, B's, hidden unit; the last weight is the bias."""


NETWORK: Final = numba.types.NamedUniTuple(numba.types.float32[:, :, :, ::1], 2, Network)


@inlined
def feature(after: Array, piece: int) -> int:
    """Which of FEATURES a piece is in a position."""
    cell: int = after[piece]
    if cell == DEAD:
        return JAILED
    return cell + CELLS if after[CARRIER + 1 - piece // 3] == piece else cell


@inlined
def carried(after: Array) -> int:
    """Which flags are carried: 1 for A's, 2 for B's."""
    return (1 if after[CARRIER] != NOBODY else 0) + (2 if after[CARRIER + 1] != NOBODY else 0)


@inlined
def living(after: Array, team: int) -> int:
    """How many pieces of a team live."""
    count = 0
    for piece in range(3 * team, 3 * team + 3):
        count += 1 if after[piece] != DEAD else 0
    return count


@compiled
def squash(raw: float) -> float:
    """Any number to -1..1."""
    return raw / math.sqrt(1.0 + raw * raw)


@inlined
def unopposed(after: Array, team: int) -> float:
    """The value of a position to a team that no enemy is left to stop: rounds alone count.

    A carrier is one round from home. The flag is one round away on a straight line, two from anywhere.
    """
    best = 0.0
    flag = 1 - team
    for piece in range(3 * team, 3 * team + 3):
        cell = after[piece]
        if cell == DEAD:
            continue
        if after[CARRIER + flag] == piece:
            best = DISCOUNT
        elif cell % SIZE == HOMES[flag][0] or cell // SIZE == HOMES[flag][1]:
            best = max(best, DISCOUNT * DISCOUNT)
        else:
            best = max(best, DISCOUNT * DISCOUNT * DISCOUNT)
    return best


@inlined
def value_of(network: Network, after: Array) -> float:
    """The value of a position to A."""
    if after[WINNER] != NOBODY:
        return 1.0 if after[WINNER] == 0 else -1.0
    lives_a = living(after, 0)
    lives_b = living(after, 1)
    if lives_a == 0 or lives_b == 0:
        return unopposed(after, 0) - unopposed(after, 1)
    flags = carried(after)
    a = network.embedding[flags, 0]
    b = network.embedding[flags, 1]
    r0 = a[feature(after, 0)]
    r1 = a[feature(after, 1)]
    r2 = a[feature(after, 2)]
    r3 = b[feature(after, 3)]
    r4 = b[feature(after, 4)]
    r5 = b[feature(after, 5)]
    out = network.head[flags, lives_a, lives_b]
    total = out[HIDDEN]
    # Four sums side by side: the compiler may not reorder floats, so the blocks are written out.
    for block in range(0, HIDDEN, 4):
        part0 = ZERO
        part1 = ZERO
        part2 = ZERO
        part3 = ZERO
        x = (r0[block] + r1[block] + r2[block]) + (r3[block] + r4[block] + r5[block])
        if x > ZERO:
            part0 = x * out[block]
        h = block + 1
        x = (r0[h] + r1[h] + r2[h]) + (r3[h] + r4[h] + r5[h])
        if x > ZERO:
            part1 = x * out[h]
        h = block + 2
        x = (r0[h] + r1[h] + r2[h]) + (r3[h] + r4[h] + r5[h])
        if x > ZERO:
            part2 = x * out[h]
        h = block + 3
        x = (r0[h] + r1[h] + r2[h]) + (r3[h] + r4[h] + r5[h])
        if x > ZERO:
            part3 = x * out[h]
        total += (part0 + part1) + (part2 + part3)
    return squash(np.float64(total))


@kernel(numba.types.float64(NETWORK, numba.types.int64[::1]))
def evaluate(network: Network, after: Array) -> float:
    """`value_of`, for callers outside the kernels."""
    return value_of(network, after)
