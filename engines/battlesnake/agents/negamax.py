"""The document's negamax by itself, deepened turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.board import WORDS, Position
from engines.battlesnake.negamax import HEALTH_LENGTH, MAX_DEPTH, SIMPLE, TERRITORY, Search
from engines.battlesnake.position import fallback
from engines.battlesnake.words import ground, legal_words, outlooks
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

LEAVES = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}


@dataclass(frozen=True)
class Parameters:
    """The published search and its variants."""

    config: Literal["published"] = "published"
    """Whose figures the defaults are: those of the document and of the program it describes."""
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Turns to look ahead (a word of yours and a reply each)."""
    leaf: Literal["territory", "health_length", "simple"] = "territory"
    """What a board is worth when the depth is reached."""
    draw: Literal["zero", "loss"] = "loss"
    """What it is worth when all that are left die at once."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The word of the highest value at the deepest complete depth; ties are drawn by the seed."""
    plain = fallback(position)
    me = position.me
    if me is None:
        return Decision(plain, stats={"iterations": 0, "reason": "you are not on the board"})
    looks = outlooks(position, me, ground(position))
    legal = legal_words(looks)
    stats: dict[str, Any] = {"iterations": 0}
    values: dict[str, float] = {}
    move, depth = plain, 0
    if all(look.cause for look in looks):
        stats["reason"] = "every word is deadly"
        move = legal[below(seeded(seed), len(legal))]
    elif position.over:
        stats["reason"] = "the game is over"
    else:
        search = Search(
            position, legal, parameters.max_depth, LEAVES[parameters.leaf], parameters.draw == "loss"
        )
        done = 0
        while not search.finished and meter.more(done):
            left = meter.left(done)
            done += search.advance(search.slice if left is None else min(search.slice, left))
        values, depth = search.found.words, search.found.depth
        stats = {"iterations": done, "depth": depth}
        if values:
            tied = search.found.best()
            move = tied[below(seeded(seed), len(tied))]
        else:
            stats["reason"] = "stopped before the first depth was complete"
    candidates = []
    for look in looks:
        if look.word in values and not look.cause:
            terms = {"negamax": values[look.word]}
            candidates.append(Candidate.of(look.word, terms, details={"depth": depth}))
        else:
            candidates.append(Candidate(look.word, None, notes=(look.cause or "not looked at",)))
    score = candidates[WORDS.index(move)].score
    return Decision(move, score, candidates=tuple(candidates), stats=stats, line=(move,))


AGENT: Agent[Position] = Agent(
    "negamax",
    "As published: your word, the nearest rival's best reply to it, the others straight on; territory.",
    decide,
    "one turn played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
)
