"""Any word that is not sure to be deadly."""

from __future__ import annotations

from typing import Any

from engines.battlesnake.agents.common import not_on_board
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import Position
from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """A legal word, each as likely as the next."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    legal = legal_moves(options)
    candidates = tuple(
        Candidate(option.move, None, notes=(option.cause,))
        if option.cause
        else Candidate.of(option.move, {"uniform": 0.0})
        for option in options
    )
    stats: dict[str, Any] = {"iterations": 1}
    if all(option.cause for option in options):
        stats["reason"] = "every word is deadly"
    move = legal[below(seeded(seed), len(legal))]
    score = next(candidate.score for candidate in candidates if candidate.move == move)
    return Decision(move, score, candidates=candidates, stats=stats)


AGENT: Agent[Position] = Agent(
    "random",
    "Any word that does not at once run into a wall or a body, starve or burn.",
    decide,
    "the draw",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
