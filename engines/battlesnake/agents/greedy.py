"""One ply: the word after which things look best, on average over what the others may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from engines.battlesnake import one_ply as ply
from engines.battlesnake.agents.common import no_choice, not_on_board
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import FULL_HEALTH, MOVES, Position, Snake
from engines.battlesnake.state import State, pack, scratch_copy
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

Weight = Annotated[float, Ge(0.0), Le(10_000.0)]


@dataclass(frozen=True)
class Parameters:
    """What the greedy snake weighs; every weight multiplies a quantity of about 0 to 1."""

    replies: Annotated[int, Ge(1), Le(256)] = 48
    """Random joint replies of the others that each word is tried against."""
    space: Weight = 60.0
    """The share of the board that the head can reach."""
    food: Weight = 12.0
    """Nearness of food, times hunger (1 at health 0, a quarter at full health)."""
    length: Weight = 8.0
    """Each segment grown."""
    head_risk: Weight = 400.0
    """The share of replies that kill."""
    kills: Weight = 40.0
    """Enemies that are out after the turn."""
    hazard: Weight = 60.0
    """Health lost to hazards, in hundreds; negative damage counts in favour."""
    centre: Weight = 2.0
    """Distance from the middle, as a share of the way to a corner."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The legal word of the highest sum; ties are drawn by the seed."""
    me = position.me
    if me is None:
        return not_on_board(position)
    first = fallback(position)
    options = move_safety(position, me, find_obstacles(position))
    legal = legal_moves(options)
    if all(option.cause for option in options):
        return no_choice(position, options, seed)
    state = pack(position)
    valued: dict[str, Candidate] = {}
    # The plain answer goes first, so that a search cut short never ends below it by chance alone.
    for move in sorted(legal, key=lambda move: move != first):
        if not meter.more(len(valued)):
            break
        valued[move] = Candidate.of(move, _terms(position, state, me, move, parameters, seed))
    candidates = tuple(
        _deadly(option) if option.cause else valued.get(option.move) or _unseen(option) for option in options
    )
    stats: dict[str, Any] = {"iterations": len(valued)}
    if not valued:
        stats["reason"] = "stopped before the first word was looked at"
        return Decision(first, candidates=candidates, stats=stats)
    best = max(candidate.score or 0.0 for candidate in valued.values())
    tied = [move for move in MOVES if move in valued and valued[move].score == best]
    move = tied[below(seeded(seed, 1), len(tied))]
    return Decision(move, best, candidates=candidates, stats=stats, line=(move,))


def _terms(
    position: Position, state: State, me: Snake, move: str, parameters: Parameters, seed: int
) -> Mapping[str, float]:
    """Means over the replies; every word meets the same draws."""
    own = scratch_copy(state)
    sums = np.zeros(ply.SUMS, np.float64)
    ply.evaluate_position(
        state,
        own,
        position.snakes.index(me),
        MOVES.index(move),
        parameters.replies,
        np.zeros(len(position.snakes), np.int64),
        seeded(seed),
        np.zeros((2, len(state.occupancy)), np.int64),
        sums,
    )
    mean = [value / parameters.replies for value in sums.tolist()]
    hunger = 1 - 0.75 * max(0, min(FULL_HEALTH, me.health)) / FULL_HEALTH
    corner = max(1.0, (position.width + position.height) / 2 - 1)
    return {
        "space": parameters.space * mean[ply.SPACE] / (position.width * position.height),
        "food": parameters.food * hunger * mean[ply.CLOSENESS],
        "length": parameters.length * mean[ply.GROWTH],
        "head_risk": -parameters.head_risk * mean[ply.DEATHS],
        "kills": parameters.kills * mean[ply.KILLS],
        "hazard": -parameters.hazard * mean[ply.HEALTH_LOST] / FULL_HEALTH,
        "centre": -parameters.centre * mean[ply.OFF_CENTRE] / corner,
    }


def _deadly(option: MoveSafety) -> Candidate:
    return Candidate(option.move, None, notes=(option.cause,))


def _unseen(option: MoveSafety) -> Candidate:
    return Candidate(option.move, None, notes=("not looked at",))


AGENT: Agent[Position] = Agent(
    "greedy",
    "One turn ahead against random replies: space, food, length, risk of dying, hazards, the centre.",
    decide,
    "one word, played against every reply",
    Parameters,
    Budgets(iterations=Range(4, 1, 4)),
)
