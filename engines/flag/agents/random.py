"""Each living piece goes to any of its end cells."""

from __future__ import annotations

from typing import Any

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import derive
from engines.flag import moves, step
from engines.flag.agents.common import nothing_to_play
from engines.flag.position import Position, order_of


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """For each living piece one of its end cells, all equally likely."""
    if nothing := nothing_to_play(position):
        return nothing
    before = step.with_rescuers_home(position)
    move = []
    listed: list[Candidate] = []
    for piece in before.living(position.mover()):
        ends = list(moves.ends(before, piece))
        listed += [
            Candidate.of(order_of(piece, order), {"uniform": 0.0}, details={"end": end})
            for order, end in ends
        ]
        move.append(order_of(piece, ends[derive(seed, piece) % len(ends)][0]))
    return Decision(move, candidates=tuple(listed), stats={"iterations": 1})


AGENT: Agent[Position] = Agent(
    "random",
    "Sends each living piece to one of its end cells, all equally likely.",
    decide,
    "one draw for every living piece",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
