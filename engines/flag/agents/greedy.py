"""Each living piece takes its best quick gain while everybody else stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.core.rng import derive
from engines.flag import rules, step
from engines.flag.agents.common import answer, candidates_of, nothing_to_play, piece_stats, stand_orders
from engines.flag.one_round import PieceScores, score_after, score_piece
from engines.flag.position import Position


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """For each living piece the end cell with the greatest quick score, while everybody else stands."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    before = step.with_rescuers_home(position)
    table = rules.table_of(before)
    orders = stand_orders()
    scored: list[PieceScores] = []
    mine = before.living(side)
    for piece in mine:
        if not meter.more(len(scored)):
            break

        def choose(scores: Sequence[int], piece: int = piece) -> int:
            best = [row for row, score in enumerate(scores) if score == max(scores)]
            return best[derive(seed, piece) % len(best)]

        scored.append(score_piece(table, piece, stand_orders(), choose))
    for found in scored:
        orders[found.piece] = found.best_order
    return Decision(
        answer(before, orders),
        float(score_after(table, orders, side)),
        candidates=candidates_of(before, scored),
        stats=piece_stats(len(scored), len(mine))
        | {"evaluations": sum(len(found.orders) for found in scored)},
    )


AGENT: Agent[Position] = Agent(
    "greedy",
    "Gives each living piece the end cell of the highest quick score while all others stand; ties by seed.",
    decide,
    "one own piece, all its end cells",
    budgets=Budgets(iterations=Range(3, 1, 3)),
)
