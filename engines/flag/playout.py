"""Whole games of random orders, compiled: what benches time and tests draw positions from."""

from __future__ import annotations

from typing import Final

import numpy as np

from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below
from engines.flag import rules
from engines.flag.rules import DIRECTION, DISTANCE, NOBODY, WINNER, Array, play_round

MOST_DRAWN: Final = 5
"""Distances are drawn from 1 to this."""


@compiled
def draw_orders(rng: Rng, table: Array, team: int, orders: Array) -> None:
    """A joint order: for each living piece any direction and 1 to 5 steps, all equally likely."""
    for piece in range(3 * team, 3 * team + 3):
        orders[piece, DIRECTION] = 0
        orders[piece, DISTANCE] = 0
        if table[rules.ALIVE + piece] == 1:
            orders[piece, DIRECTION] = below(rng, 4)
            orders[piece, DISTANCE] = 1 + below(rng, MOST_DRAWN)


@kernel("int64(int64[::1], int64[::1], int64)")
def random_game(rng: Rng, table: Array, cap: int) -> int:
    """Play a table on by random orders until somebody wins, for at most `cap` rounds; the rounds played."""
    trace = np.zeros(rules.TRACE, np.int64)
    log = np.zeros((rules.EVENTS, 3), np.int64)
    orders = np.zeros((6, 2), np.int64)
    rounds = 0
    while rounds < cap and table[WINNER] == NOBODY:
        draw_orders(rng, table, 0, orders)
        draw_orders(rng, table, 1, orders)
        play_round(table, orders, trace, log)
        rounds += 1
    return rounds


@kernel("int64(int64[::1], int64[::1], int64, int64)")
def random_games(rng: Rng, start: Array, games: int, cap: int) -> int:
    """Play a number of games of random orders from one table; the rounds of all of them."""
    rounds = 0
    for _ in range(games):
        rounds += random_game(rng, start.copy(), cap)
    return rounds
