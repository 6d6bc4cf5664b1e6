"""One ply: the word after which things look best, on average over what the others may do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from engines.battlesnake import one_ply as ply
from engines.battlesnake.annotations import absent, hopeless
from engines.battlesnake.move_safety import Outlook, fallback, ground, legal_words, outlooks
from engines.battlesnake.position import FULL_HEALTH, WORDS, Position, Snake
from engines.battlesnake.state import World, pack, scratch
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
        return absent(position)
    first = fallback(position)
    looks = outlooks(position, me, ground(position))
    legal = legal_words(looks)
    if all(look.cause for look in looks):
        return hopeless(position, looks, seed)
    world = pack(position)
    valued: dict[str, Candidate] = {}
    # The plain answer goes first, so that a search cut short never ends below it by chance alone.
    for word in sorted(legal, key=lambda word: word != first):
        if not meter.more(len(valued)):
            break
        valued[word] = Candidate.of(word, _terms(position, world, me, word, parameters, seed))
    candidates = tuple(
        _deadly(look) if look.cause else valued.get(look.word) or _unseen(look) for look in looks
    )
    stats: dict[str, Any] = {"iterations": len(valued)}
    if not valued:
        stats["reason"] = "stopped before the first word was looked at"
        return Decision(first, candidates=candidates, stats=stats)
    best = max(candidate.score or 0.0 for candidate in valued.values())
    tied = [word for word in WORDS if word in valued and valued[word].score == best]
    move = tied[below(seeded(seed, 1), len(tied))]
    return Decision(move, best, candidates=candidates, stats=stats, line=(move,))


def _terms(
    position: Position, world: World, me: Snake, word: str, parameters: Parameters, seed: int
) -> Mapping[str, float]:
    """Means over the replies; every word meets the same draws."""
    own = scratch(world)
    sums = np.zeros(ply.SUMS, np.float64)
    ply.weigh(
        *world,
        *own[:5],
        position.snakes.index(me),
        WORDS.index(word),
        parameters.replies,
        np.zeros(len(position.snakes), np.int64),
        seeded(seed),
        np.zeros((2, len(world.taken)), np.int64),
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


def _deadly(look: Outlook) -> Candidate:
    return Candidate(look.word, None, notes=(look.cause,))


def _unseen(look: Outlook) -> Candidate:
    return Candidate(look.word, None, notes=("not looked at",))


AGENT: Agent[Position] = Agent(
    "greedy",
    "One turn ahead against random replies: space, food, length, risk of dying, hazards, the centre.",
    decide,
    "one word, played against every reply",
    Parameters,
    Budgets(iterations=Range(4, 1, 4)),
)
