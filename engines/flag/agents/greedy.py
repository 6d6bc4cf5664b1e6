"""`greedy`: each living piece takes its best quick gain while everybody else stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Decision
from engines.core.limit import Meter
from engines.core.rng import derive
from engines.flag import rules, step
from engines.flag.agents.common import answer, candidates, cut_short, nothing_to_play, standing
from engines.flag.one_round import View, view, worth
from engines.flag.position import Position


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """For each living piece the end cell with the greatest quick score, while everybody else stands."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    before = step.with_rescuers_home(position)
    table = rules.table_of(before)
    orders = standing()
    views: list[View] = []
    mine = before.living(side)
    for piece in mine:
        if not meter.more(len(views)):
            break

        def choose(values: Sequence[int], piece: int = piece) -> int:
            best = [row for row, value in enumerate(values) if value == max(values)]
            return best[derive(seed, piece) % len(best)]

        views.append(view(table, piece, standing(), choose))
    for seen in views:
        orders[seen.piece] = seen.order(seen.best)
    return Decision(
        answer(before, orders),
        float(worth(table, orders, side)),
        candidates=candidates(before, views),
        stats=cut_short(len(views), len(mine)) | {"evaluations": sum(len(seen.rows) for seen in views)},
    )


GREEDY: Agent[Position] = Agent(
    "greedy",
    "each living piece takes its best quick gain while everybody else stands; ties by seed",
    decide,
    "one own piece, all its end cells",
    budgets=Budgets(iterations=Range(3, 1, 3)),
)
