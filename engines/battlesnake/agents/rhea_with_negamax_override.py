"""The document's hybrid: the evolution moves, unless a short search sees it lose by that.

Both take slices in turn until the search is through; so whenever time runs out, either has
something to say. The search does not depend on the evolution's word, so their order is free.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents import rhea
from engines.battlesnake.board import WORDS, Position
from engines.battlesnake.negamax import HEALTH_LENGTH, MAX_DEPTH, SIMPLE, TERRITORY, Values
from engines.battlesnake.override import NegamaxOverrideConfig, begin, replacement
from engines.battlesnake.position import fallback
from engines.battlesnake.rhea import Evolution
from engines.battlesnake.words import ground, legal_words, outlooks
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter

LEAVES = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}


@dataclass(frozen=True)
class Parameters(rhea.Parameters):
    """The published hybrid and its variants."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Turns that the override looks ahead."""
    bad_threshold: Annotated[float, Ge(-20_000.0), Le(20_000.0)] = -5000.0
    """A word of a lower value is overridden, if another is better."""
    leaf: Literal["simple", "health_length", "territory"] = "simple"
    """What going on is worth: health / 100, health + 5 * (own length - longest other), or as in `negamax`."""
    draw: Literal["zero", "loss"] = "zero"
    """What it is worth when all that are left die at once."""

    def override(self) -> NegamaxOverrideConfig:
        return NegamaxOverrideConfig(
            self.max_depth, self.bad_threshold, LEAVES[self.leaf], self.draw == "loss"
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The evolution's word, or the override's."""
    me = position.me
    if me is None:
        return Decision(fallback(position), stats={"iterations": 0, "reason": "you are not on the board"})
    looks = outlooks(position, me, ground(position))
    if all(look.cause for look in looks) or position.over:
        return rhea.hopeless(position, looks, seed)
    evolution = Evolution(position, parameters.evolution(), seed, memory)
    search = begin(position, legal_words(looks)[0], parameters.override())
    slices = turns = 0
    while not (search.finished and evolution.finished) and meter.more(slices + evolution.generations):
        if search.finished or (evolution.generations <= slices and not evolution.finished):
            evolution.generation()
        else:
            turns += search.advance(search.slice)
            slices += 1
    plain = rhea.told(position, looks, evolution, seed)
    stats = {
        **plain.stats,
        "iterations": slices + evolution.generations,
        "generations": evolution.generations,
        "override_turns": turns,
        "override_depth": search.found.depth,
        "overrides": 0,
    }
    decision = replace(plain, candidates=_beside(plain.candidates, search.found), stats=stats)
    other = replacement(search.found, plain.move, parameters.bad_threshold)
    return decision if other is None else _overridden(decision, other, search.found)


def _beside(candidates: Any, values: Values) -> tuple[Candidate, ...]:
    """The candidates with what the search says of them."""
    return tuple(
        replace(candidate, details={"negamax": values.words[candidate.move], "depth": values.depth})
        if candidate.move in values.words
        else candidate
        for candidate in candidates
    )


def _overridden(decision: Decision, word: str, values: Values) -> Decision:
    told = f"Negamax override: {decision.move} -> {word}"
    bad, better = values.words[decision.move], values.words[word]
    candidates = tuple(
        replace(candidate, notes=(*candidate.notes, f"overridden: negamax {bad:g}, {word} {better:g}"))
        if candidate.move == decision.move
        else candidate
        for candidate in decision.candidates
    )
    return replace(
        decision,
        move=word,
        score=candidates[WORDS.index(word)].score,
        candidates=candidates,
        stats={**decision.stats, "overrides": 1},
        context={
            "override": {
                "text": told,
                "move": {"from": decision.move, "to": word},
                "value": {"from": bad, "to": better},
                "depth": values.depth,
            }
        },
        line=(word,),
    )


AGENT: Agent[Position] = Agent(
    "rhea_with_negamax_override",
    "As published: the evolution's word, unless a four-turn search for life and death finds that it loses.",
    decide,
    "one generation of the population, or about a millisecond's slice of the override's search",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
)
