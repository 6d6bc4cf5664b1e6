"""One ply: each move is evaluated after random replies of the others, and the best mean is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import candidates_of, no_choice, not_on_board
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.one_ply import mean_outcome
from engines.battlesnake.position import FULL_HEALTH, MOVES, Position, Snake
from engines.battlesnake.state import State, pack
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded

Weight = Annotated[float, Ge(0.0), Le(10_000.0)]


@dataclass(frozen=True)
class Parameters:
    """Weights of the evaluation; each multiplies a quantity of about 0 to 1."""

    replies: Annotated[int, Ge(1), Le(256)] = 48
    """Random joint replies of the others that each move is evaluated against."""
    space: Weight = 60.0
    """Share of the board that the head can reach."""
    food: Weight = 12.0
    """1 / (1 + steps to the nearest food), times hunger (1 at health 0, a quarter at full health)."""
    length: Weight = 8.0
    """Each segment grown."""
    head_risk: Weight = 400.0
    """Share of replies after which you are dead."""
    kills: Weight = 40.0
    """Rivals that are eliminated in the turn."""
    hazard: Weight = 60.0
    """Health lost to hazards, in hundreds; negative damage counts in favour."""
    centre: Weight = 2.0
    """Distance from the centre, as a share of that of a corner."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The legal move of the highest score; ties are broken by the seed."""
    me = position.me
    if me is None:
        return not_on_board(position)
    first = fallback(position)
    options = move_safety(position, me, find_obstacles(position))
    legal = legal_moves(options)
    if all(option.cause for option in options):
        return no_choice(position, options, seed)
    state = pack(position)
    searched: dict[str, Candidate] = {}
    # The fallback goes first, so that a search cut short never ends below it by chance alone.
    for move in sorted(legal, key=lambda move: move != first):
        if not meter.more(len(searched)):
            break
        searched[move] = Candidate.of(move, _terms(position, state, me, move, parameters, seed))
    candidates = candidates_of(options, searched)
    stats: dict[str, Any] = {"iterations": len(searched)}
    if not searched:
        stats["reason"] = "stopped before the first move was searched"
        return Decision(first, candidates=candidates, stats=stats)
    best = max(candidate.score or 0.0 for candidate in searched.values())
    tied = [move for move in MOVES if move in searched and searched[move].score == best]
    move = tied[below(seeded(seed, 1), len(tied))]
    return Decision(move, best, candidates=candidates, stats=stats, line=(move,))


def _terms(
    position: Position, state: State, me: Snake, move: str, parameters: Parameters, seed: int
) -> Mapping[str, float]:
    """Means over the replies; every move is evaluated against the same random draws."""
    index, own = position.snakes.index(me), MOVES.index(move)
    mean = mean_outcome(state, index, own, parameters.replies, seed)
    hunger = 1 - 0.75 * max(0, min(FULL_HEALTH, me.health)) / FULL_HEALTH
    corner = max(1.0, (position.width + position.height) / 2 - 1)
    return {
        "space": parameters.space * mean["space"] / (position.width * position.height),
        "food": parameters.food * hunger * mean["closeness"],
        "length": parameters.length * mean["growth"],
        "head_risk": -parameters.head_risk * mean["deaths"],
        "kills": parameters.kills * mean["kills"],
        "hazard": -parameters.hazard * mean["health_lost"] / FULL_HEALTH,
        "centre": -parameters.centre * mean["off_centre"] / corner,
    }


AGENT: Agent[Position] = Agent(
    "greedy",
    "One ply against random replies: space, food, length, head-to-head risk, kills, hazards, centre.",
    decide,
    "one move, evaluated against all replies",
    Parameters,
    Budgets(iterations=Range(4, 1, 4)),
)
