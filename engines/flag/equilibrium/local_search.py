"""The round solved in a fraction of a millisecond: best answers are found piece by piece.

Double oracle as in `matrix`, but an answer comes from bettering a joint order one piece at a time until no
single piece can do better, from the likeliest orders so far. All ways of all pieces are looked at, a few
hundred settled positions instead of all joint orders. Where two pieces would have to change together it
can miss an answer; over positions of play the value comes out within a hundredth of a win or two.

The worth of a position by its solved round is what the network learns, and what the second ply asks for.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engines.core.jit import borrowed, inline, kernel
from engines.core.rng import State, below, unit
from engines.flag import rules
from engines.flag.equilibrium.double_oracle import Floats, match_regrets, prepare
from engines.flag.equilibrium.fast_round import (
    AFTER,
    DIRECTION,
    DISTANCE,
    MOST_WAYS,
    VICTOR,
    WAY,
    Touch,
    lay_out,
    settle,
)
from engines.flag.equilibrium.value import DISCOUNT, Weights, living, value_of
from engines.flag.one_round import naive_plan
from engines.flag.rules import NOBODY, Array

Board = tuple[Array, Array, Touch, Array, Weights, Weights]
"""A surveyed round and the network: ways, counts, touch, stand, rows, head."""
Play = tuple[Array, Array, Floats]
"""Per side how many joint orders are kept, the ways of each, and how likely it is played."""

FEW: Final = 24
"""Joint orders that each side keeps at most."""
# Naive orders: standing, the best answer to it, the best answer to that, the design document's strategy,
# and any order by chance, for which a few stand.
STANDING: Final = 0
ANSWER: Final = 1
SECOND_ANSWER: Final = 2
HEURISTIC: Final = 3
ANY: Final = 4
NAIVE: Final = 7
SHARES: Final = (0.125, 0.125, 0.125, 0.5, 0.125 / 3, 0.125 / 3, 0.125 / 3)
"""How likely a naive side plays each."""
ENOUGH: Final = 0.01
"""What both sides together may still gain in a solved round."""
GRAIN: Final = 1e-9
ITERATIONS: Final = 12
ROUNDS: Final = 40
STARTS: Final = 1
"""How much is done for a round: answers, rounds of regret matching+, orders to climb from."""
SLIP: Final = 0.2
"""How often a side plays a naive order."""


@inline
def _against(
    board: Board, side: int, chosen: Array, kept: Array, mix: Floats, size: int, after: Array
) -> float:
    """The payoff to A of the ways that `chosen` has for a side against the other's mixture."""
    ways, _, touch, stand, rows, head = borrowed(board)
    theirs = 3 - 3 * side
    total = 0.0
    for k in range(size):
        if mix[k] > 0.0:
            for piece in range(3):
                chosen[theirs + piece] = kept[k, piece]
            settle(ways, touch, stand, chosen, after)
            total += mix[k] * value_of(after, rows, head)
    return total


@inline
def _climb(
    board: Board, side: int, chosen: Array, kept: Array, mix: Floats, size: int, after: Array
) -> float:
    """Better a side's ways in `chosen` piece by piece; what they are worth to the side in the end."""
    counts = board[1]
    sign = 1.0 if side == 0 else -1.0
    best = sign * _against(board, side, chosen, kept, mix, size, after)
    content = 0
    piece = 3 * side
    while content < 3:
        before = chosen[piece]
        take = before
        for way in range(counts[piece]):
            if way != before:
                chosen[piece] = way
                worth = sign * _against(board, side, chosen, kept, mix, size, after)
                if worth > best + GRAIN:
                    best = worth
                    take = way
        chosen[piece] = take
        content = content + 1 if take == before else 1
        piece = 3 * side + (piece + 1) % 3
    return best


@inline
def _next_likeliest(mix: Floats, size: int, last: int) -> int:
    """The likeliest order after `last` (-1: of all); -1 when there is none."""
    found = -1
    for k in range(size):
        behind = last < 0 or mix[k] < mix[last] or (mix[k] == mix[last] and k > last)
        if behind and (found < 0 or mix[k] > mix[found]):
            found = k
    return found


@inline
def _is_kept(kept: Array, size: int, order: Array) -> bool:
    known = False
    for k in range(size):
        known = known or (kept[k, 0] == order[0] and kept[k, 1] == order[1] and kept[k, 2] == order[2])
    return known


@inline
def _answer(board: Board, side: int, starts: int, play: Play, after: Array, best: Array) -> float:
    """A side's best answer to the other's mixture into `best`; its worth to the side."""
    size, kept, mix = play
    chosen = np.zeros(6, np.int64)
    first = 3 * side
    other = 1 - side
    top = -2.0
    last = -1
    for _ in range(starts):
        last = _next_likeliest(mix[side], size[side], last)
        if last < 0:
            break
        for piece in range(3):
            chosen[first + piece] = kept[side, last, piece]
        worth = _climb(board, side, chosen, kept[other], mix[other], size[other], after)
        if worth > top:
            top = worth
            for piece in range(3):
                best[piece] = chosen[first + piece]
    return top


@inline
def solve_quickly(board: Board, iterations: int, rounds: int, starts: int, play: Play, after: Array) -> float:
    """The value of a surveyed round to A; `play` receives what both sides do.

    Order 0 of each side is standing, order 1 the best answer to the enemy's standing if that is another.
    """
    ways, _, touch, stand, rows, head = board
    size, kept, mix = play
    payoff = np.zeros((FEW, FEW))
    regret = np.zeros((2, FEW))
    chosen = np.zeros(6, np.int64)
    best = np.zeros((2, 3), np.int64)
    size[:] = 1
    kept[:] = 0
    mix[:] = 0.0
    mix[0, 0] = 1.0
    mix[1, 0] = 1.0
    settle(ways, touch, stand, chosen, after)
    payoff[0, 0] = value_of(after, rows, head)
    value: float = payoff[0, 0]
    for _ in range(iterations):
        high = _answer(board, 0, starts, play, after, best[0])
        low = -_answer(board, 1, starts, play, after, best[1])
        value = 0.5 * (high + low)
        if high - low < ENOUGH:
            break
        added = False
        for side in range(2):
            own = size[side]
            if own == FEW or _is_kept(kept[side], own, best[side]):
                continue
            added = True
            size[side] = own + 1
            for piece in range(3):
                kept[side, own, piece] = best[side, piece]
                chosen[3 * side + piece] = best[side, piece]
            for k in range(size[1 - side]):
                for piece in range(3):
                    chosen[3 - 3 * side + piece] = kept[1 - side, k, piece]
                settle(ways, touch, stand, chosen, after)
                payoff[own if side == 0 else k, k if side == 0 else own] = value_of(after, rows, head)
        if not added:
            break
        match_regrets(payoff, size, regret, mix, rounds)
    return value


@inline
def survey_naive(table: Array, board: Board, naive: Array) -> None:
    """The ways of all pieces by the design document's strategy, into row HEURISTIC of `naive`."""
    ways, counts = board[:2]
    orders = np.zeros((6, 2), np.int64)
    naive_plan(table, 0, orders)
    naive_plan(table, 1, orders)
    for piece in range(6):
        for way in range(counts[piece]):
            if ways[piece, way, DISTANCE] == orders[piece, 1] and (
                orders[piece, 1] == 0 or ways[piece, way, DIRECTION] == orders[piece, 0]
            ):
                naive[HEURISTIC, piece] = way


@inline
def find_naive(random: State, table: Array, board: Board, play: Play, naive: Array, after: Array) -> None:
    """The naive orders of both sides: for each of NAIVE the ways of all six pieces."""
    counts = board[1]
    size, kept, _ = play
    chosen = np.zeros(6, np.int64)
    sure = np.ones(1)
    for side in range(2):
        first = 3 * side
        other = 1 - side
        for piece in range(3):
            chosen[first + piece] = kept[side, min(1, size[side] - 1), piece]
            naive[STANDING, first + piece] = 0
            naive[ANSWER, first + piece] = chosen[first + piece]
        _climb(board, side, chosen, kept[other, min(1, size[other] - 1) :], sure, 1, after)
        for piece in range(first, first + 3):
            naive[SECOND_ANSWER, piece] = chosen[piece]
            for number in range(ANY, NAIVE):
                naive[number, piece] = below(random, counts[piece])
    survey_naive(table, board, naive)


@inline
def drawn_naive(random: State) -> int:
    """One of the naive orders, by their shares."""
    left = unit(random)
    for number in range(NAIVE - 1):
        left -= SHARES[number]
        if left < 0.0:
            return number
    return NAIVE - 1


@inline
def with_slips(board: Board, solved: float, slip: float, play: Play, naive: Array, after: Array) -> float:
    """The value of a solved round in which a side plays a naive order now and then (`slip`), never both."""
    size, kept, mix = play
    chosen = np.zeros(6, np.int64)
    slipped = 0.0
    for side in range(2):
        other = 1 - side
        for number in range(NAIVE):
            for piece in range(3 * side, 3 * side + 3):
                chosen[piece] = naive[number, piece]
            worth = _against(board, side, chosen, kept[other], mix[other], size[other], after)
            slipped += SHARES[number] * worth
    return (1.0 - 2.0 * slip) * solved + slip * slipped


@kernel(
    "void(int64[:, :, ::1], int64[::1], int8[:, :, :, ::1], int64[::1], float32[:, :, :, ::1],"
    " float32[:, :, :, ::1], int64[::1], int64[:, :, ::1], float64[:, ::1])"
)
def sketch(
    ways: Array,
    counts: Array,
    touch: Touch,
    stand: Array,
    rows: Weights,
    head: Weights,
    size: Array,
    kept: Array,
    mix: Floats,
) -> None:
    """What both sides play in a surveyed round, nearly: where an exact solution may begin."""
    board = (ways, counts, touch, stand, rows, head)
    solve_quickly(board, FEW, 2 * ROUNDS, 2 * STARTS, (size, kept, mix), np.zeros(AFTER, np.int64))


@kernel(
    "void(int64[::1], int64[:, :, ::1], int64[::1], int8[:, :, :, ::1], int64[::1], float32[:, :, :, ::1],"
    " float32[:, :, :, ::1], int64[:, ::1], float64, float64[::1])"
)
def look_deeper(
    random: State,
    ways: Array,
    counts: Array,
    touch: Touch,
    stand: Array,
    rows: Weights,
    head: Weights,
    pairs: Array,
    slip: float,
    found: Floats,
) -> None:
    """What joint orders of A and B (each row of `pairs` has one of each) lead to, by the round after it.

    The values are those that the network learns: of the next round solved, with slips, and discounted.
    """
    table = np.zeros(rules.TABLE, np.int64)
    next_ways = np.zeros((6, MOST_WAYS, WAY), np.int64)
    next_counts = np.zeros(6, np.int64)
    next_touch = np.zeros((6, 6, MOST_WAYS, MOST_WAYS), np.int8)
    next_stand = np.zeros(3, np.int64)
    play = (np.zeros(2, np.int64), np.zeros((2, FEW, 3), np.int64), np.zeros((2, FEW)))
    board = (next_ways, next_counts, next_touch, next_stand, rows, head)
    naive = np.zeros((NAIVE, 6), np.int64)
    chosen = np.zeros(6, np.int64)
    after = np.zeros(AFTER, np.int64)
    scratch = np.zeros(AFTER, np.int64)
    for number in range(pairs.shape[0]):
        for side in range(2):
            order = pairs[number, side]
            first = 3 * side
            chosen[first + 2] = order % counts[first + 2]
            chosen[first + 1] = order // counts[first + 2] % counts[first + 1]
            chosen[first] = order // (counts[first + 2] * counts[first + 1])
        settle(ways, touch, stand, chosen, after)
        if after[VICTOR] != NOBODY or living(after, 0) == 0 or living(after, 1) == 0:
            found[number] = value_of(after, rows, head)
            continue
        lay_out(after, table)
        prepare(random, table, next_ways, next_counts, next_touch, next_stand, MOST_WAYS)
        solved = solve_quickly(board, ITERATIONS, ROUNDS, STARTS, play, scratch)
        find_naive(random, table, board, play, naive, scratch)
        found[number] = DISCOUNT * with_slips(board, solved, slip, play, naive, scratch)
