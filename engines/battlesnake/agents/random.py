"""A legal move, drawn by the seed."""

from __future__ import annotations

from typing import Any

from engines.battlesnake.agents.common import candidates_of, not_on_board
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import Position
from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """A legal move, each with the same probability."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    legal = legal_moves(options)
    candidates = candidates_of(
        options, {option.move: Candidate.of(option.move, {"uniform": 0.0}) for option in options}
    )
    stats: dict[str, Any] = {"iterations": 1}
    if all(option.cause for option in options):
        stats["reason"] = "every move is deadly"
    move = legal[below(seeded(seed), len(legal))]
    score = next(candidate.score for candidate in candidates if candidate.move == move)
    return Decision(move, score, candidates=candidates, stats=stats)


AGENT: Agent[Position] = Agent(
    "random",
    "A random move among those that do not at once hit a wall or a body, starve or die by hazard.",
    decide,
    "the draw",
    budgets=Budgets(iterations=Range(1, 1, 1)),
)
