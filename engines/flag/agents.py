"""The agents that need no opponent: `random` and `greedy`; and the ground that all agents share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import derive
from engines.flag import play, rules
from engines.flag.look import View, view, worth
from engines.flag.position import STAND, Position, order_of
from engines.flag.rules import Array


def nothing_to_play(position: Position) -> Decision | None:
    """The answer where there is nothing to order: a finished game, or no living piece."""
    if position.over:
        reason = "the game is finished"
    elif not position.living(position.mover()):
        reason = "no piece of this side lives"
    else:
        return None
    return Decision([], stats={"iterations": 0, "reason": reason})


def standing() -> Array:
    """Orders by which everybody stands."""
    return np.array([STAND] * 6, np.int64)


def answer(position: Position, orders: Array) -> list[dict[str, Any]]:
    """The orders of the mover's living pieces, in order."""
    return [
        order_of(piece, (int(orders[piece, 0]), int(orders[piece, 1])))
        for piece in position.living(position.mover())
    ]


def candidates(
    position: Position, views: Iterable[View], notes: Callable[[int], tuple[str, ...]] = lambda piece: ()
) -> tuple[Candidate, ...]:
    """Every end cell of every living piece of the mover, valued where there was time to look."""
    seen = {found.piece: found for found in views}
    listed: list[Candidate] = []
    for piece in position.living(position.mover()):
        if piece in seen:
            listed += seen[piece].candidates(position, notes(piece))
        else:
            listed += [
                Candidate(order_of(piece, order), None, notes=("not looked at",), details={"end": end})
                for order, end in play.ends(position, piece)
            ]
    return tuple(listed)


def cut_short(done: int, wanted: int) -> dict[str, Any]:
    """The statistics of a pass over some pieces, with the reason where it ended early."""
    stats: dict[str, Any] = {"iterations": done}
    if done < wanted:
        stats["reason"] = f"out of budget after {done} of {wanted} pieces: the others stand"
    return stats


# random


def decide_random(
    position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any
) -> Decision:
    """For each living piece one of its end cells, all equally likely."""
    if nothing := nothing_to_play(position):
        return nothing
    before = play.with_rescuers_home(position)
    move = []
    listed: list[Candidate] = []
    for piece in before.living(position.mover()):
        ends = list(play.ends(before, piece))
        listed += [
            Candidate.of(order_of(piece, order), {"uniform": 0.0}, details={"end": end})
            for order, end in ends
        ]
        move.append(order_of(piece, ends[derive(seed, piece) % len(ends)][0]))
    return Decision(move, candidates=tuple(listed), stats={"iterations": 1})


# greedy


def decide_greedy(
    position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any
) -> Decision:
    """For each living piece the end cell with the greatest quick score, while everybody else stands."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    before = play.with_rescuers_home(position)
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


RANDOM: Agent[Position] = Agent(
    "random",
    "each living piece goes to one of its end cells, all equally likely",
    decide_random,
    "the one draw",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
GREEDY: Agent[Position] = Agent(
    "greedy",
    "each living piece takes its best quick gain while everybody else stands; ties by seed",
    decide_greedy,
    "one own piece, all its end cells",
    budgets=Budgets(iterations=Range(3, 1, 3)),
)
