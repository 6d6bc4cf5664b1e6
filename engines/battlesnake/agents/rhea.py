"""The document's rolling-horizon evolution by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.board import Position
from engines.battlesnake.position import fallback
from engines.battlesnake.rhea import SMART, STRAIGHT, Evolution, RheaConfig
from engines.battlesnake.words import Outlook, ground, legal_words, outlooks
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

MODELS = {"smart": SMART, "straight": STRAIGHT}


@dataclass(frozen=True)
class Parameters:
    """The published evolution and its variants."""

    config: Literal["published"] = "published"
    """Whose figures the defaults are: those of the document and of the program it describes."""
    population: Annotated[int, Ge(1), Le(1000)] = 50
    """Lines that are kept."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] = 400
    """Generations bred after the first, where the budget allows."""
    genotype: Annotated[int, Ge(1), Le(64)] = 20
    """Turns that a line looks ahead."""
    mutation: Annotated[float, Ge(0.0), Le(1.0)] = 0.3
    """The chance of each gene to be drawn anew."""
    tournament: Annotated[int, Ge(1), Le(64)] = 3
    """Lines of which the fittest becomes a parent."""
    elite: Annotated[int, Ge(0), Le(1000)] = 1
    """Lines that live on as they are."""
    opponents: Literal["smart", "straight"] = "smart"
    """What the others are taken to do: avoid what is occupied and look for food, or carry on."""

    def evolution(self) -> RheaConfig:
        return RheaConfig(
            self.population,
            self.evolutions,
            self.genotype,
            self.mutation,
            self.tournament,
            self.elite,
            MODELS[self.opponents],
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The first word of the fittest line; a word that is sure to be deadly only where all are."""
    me = position.me
    if me is None:
        return Decision(fallback(position), stats={"iterations": 0, "reason": "you are not on the board"})
    looks = outlooks(position, me, ground(position))
    if all(look.cause for look in looks) or position.over:
        return hopeless(position, looks, seed)
    evolution = Evolution(position, parameters.evolution(), seed, memory)
    while not evolution.finished and meter.more(evolution.generations):
        evolution.generation()
    return told(position, looks, evolution, seed)


def hopeless(position: Position, looks: tuple[Outlook, ...], seed: int) -> Decision:
    """The answer where there is nothing to search: every word is deadly, or the game is over."""
    candidates = tuple(Candidate(look.word, None, notes=(look.cause or "not looked at",)) for look in looks)
    legal = legal_words(looks)
    move, reason = legal[below(seeded(seed), len(legal))], "every word is deadly"
    if not all(look.cause for look in looks):
        move, reason = fallback(position), "the game is over"
    return Decision(move, candidates=candidates, stats={"iterations": 0, "reason": reason})


def told(position: Position, looks: tuple[Outlook, ...], evolution: Evolution, seed: int) -> Decision:
    """The decision that a population stands for."""
    best = evolution.best()
    candidates, lines = [], {}
    for look in looks:
        if look.cause:
            candidates.append(Candidate(look.word, None, notes=(look.cause,)))
        elif look.word in best:
            lines[look.word], terms = best[look.word]
            candidates.append(Candidate.of(look.word, terms))
        else:
            note = "no line begins with it" if evolution.generations else "not looked at"
            candidates.append(Candidate(look.word, None, notes=(note,)))
    stats: dict[str, Any] = {"iterations": evolution.generations, "carried": evolution.carried}
    valued = [candidate for candidate in candidates if candidate.score is not None]
    if not valued:
        word = fallback(position)
        stats["reason"] = (
            "no line begins with a legal word" if best else "stopped before the first generation"
        )
        return Decision(word, candidates=tuple(candidates), stats=stats, line=(word,))
    most = max(candidate.score or 0.0 for candidate in valued)
    tied = [candidate for candidate in valued if candidate.score == most]
    chosen = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        chosen.move,
        chosen.score,
        candidates=tuple(candidates),
        stats=stats,
        line=lines[chosen.move],
        memory=evolution.memory(),
    )


AGENT: Agent[Position] = Agent(
    "rhea",
    "As published: lines of twenty words, bred by selection, crossing and mutation.",
    decide,
    "one generation of the population, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
)
