"""The sampling strategy that the design document compares itself with.

For each of many random own joint orders it draws many random enemy ones, takes the enemy's best of
these as the answer, and plays the own order that comes off best. Each own order meets answers of its
own, so that the one which happened to meet harmless ones wins: that is its weakness, and part of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

import numpy as np
from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, Range
from engines.core.arrays import copy_into
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.core.jit import kernel
from engines.core.rng import Rng, seeded
from engines.flag import rules
from engines.flag.agents.common import answer, candidates_of, nothing_to_play, stand_orders
from engines.flag.one_round import PieceScores, rescuer_note, score_piece
from engines.flag.playout import draw_orders
from engines.flag.position import Position, order_of
from engines.flag.rules import Array, exchange, score

# Own orders between two readings of the clock: about a millisecond of work at 150 answers each.
SLICE: Final = 10
NOTHING: Final = -(10**9)
"""Less than any score."""


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64[:, ::1])")
def sample(rng: Rng, table: Array, side: int, own: int, enemy: int, score_so_far: int, best: Array) -> int:
    """Draw `own` joint orders and for each `enemy` answers; returns the score of the best so far.

    `score_so_far` and `best` are the best of earlier calls (NOTHING before the first); `best` receives the
    orders of both teams of a strictly better one.
    """
    after = np.empty_like(table)
    trace = np.zeros(rules.TRACE, np.int64)
    log = np.zeros((rules.EVENTS, 3), np.int64)
    terms = np.zeros(rules.N_TERMS, np.int64)
    orders = np.zeros((6, 2), np.int64)
    answer = np.zeros((6, 2), np.int64)
    for _ in range(own):
        draw_orders(rng, table, side, orders)
        least = -NOTHING
        for _ in range(enemy):
            draw_orders(rng, table, 1 - side, orders)
            copy_into(after, table)
            trace[rules.LOGGED] = 0
            exchange(after, orders, trace, log)
            # The enemy's best is our worst: the score of one side is the other's negative.
            value = score(after, side, terms)
            if value < least:
                least = value
                copy_into(answer, orders)
        if least > score_so_far:
            score_so_far = least
            copy_into(best, answer)
    return score_so_far


@dataclass(frozen=True)
class Parameters:
    """How much is drawn; the document's strategy makes 300 x 150 = 45,000 exchanges."""

    own_samples: Annotated[int, Ge(1), Le(10_000)] = 300
    """Own joint orders that are drawn."""
    enemy_samples: Annotated[int, Ge(1), Le(10_000)] = 150
    """Enemy joint orders that are drawn anew for each own one."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The own joint order whose best sampled answer leaves the most; first of ties."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    table = rules.table_of(position)
    rng = seeded(seed)
    best = stand_orders()
    best_score, done = NOTHING, 0
    while done < parameters.own_samples and meter.more(done):
        left = meter.left(done)
        own = min(SLICE, parameters.own_samples - done, SLICE if left is None else left)
        best_score = sample(rng, table, side, own, parameters.enemy_samples, best_score, best)
        done += own
    stats: dict[str, Any] = {"iterations": done, "evaluations": done * parameters.enemy_samples}
    if done < parameters.own_samples:
        stats["reason"] = f"out of budget after {done} of {parameters.own_samples} own orders"
    scored: list[PieceScores] = (
        [score_piece(table, piece, best) for piece in position.living(side)] if done else []
    )
    return Decision(
        answer(position, best),
        float(best_score) if done else None,
        candidates=candidates_of(position, scored, partial(rescuer_note, position)),
        stats=stats,
        context={
            "expected_enemy": [
                order_of(piece, (int(direction), int(distance)))
                for piece in position.living(1 - side)
                for direction, distance in (best[piece],)
            ]
            if done
            else [],
        },
    )


AGENT: Agent[Position] = Agent(
    "nash_sampling",
    "Of random own joint orders, plays the one with the best worst case over random enemy orders "
    "(sampled maximin).",
    decide,
    "one own joint order against all its enemy answers",
    Parameters,
    Budgets(iterations=Range(300, 1, 10_000)),
)
