"""Any word that is not sure to be deadly."""

from __future__ import annotations

from typing import Any

from engines.battlesnake.annotations import absent
from engines.battlesnake.move_safety import ground, legal_words, outlooks
from engines.battlesnake.position import Position
from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """A legal word, each as likely as the next."""
    me = position.me
    if me is None:
        return absent(position)
    looks = outlooks(position, me, ground(position))
    legal = legal_words(looks)
    candidates = tuple(
        Candidate(look.word, None, notes=(look.cause,))
        if look.cause
        else Candidate.of(look.word, {"uniform": 0.0})
        for look in looks
    )
    stats: dict[str, Any] = {"iterations": 1}
    if all(look.cause for look in looks):
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
