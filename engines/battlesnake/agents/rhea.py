"""Rolling-horizon evolution by itself: your lines and your rivals' are bred against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.annotations import Beside, absent, hopeless, surroundings
from engines.battlesnake.evaluation import Weights, mode
from engines.battlesnake.evolution.evolution import Evolution, EvolutionConfig, Line
from engines.battlesnake.move_safety import Outlook, fallback, ground, legal_words, outlooks
from engines.battlesnake.position import WORDS, Position
from engines.battlesnake.weights import PARTS, leaves
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

Share = Annotated[float, Ge(0.0), Le(1.0)]
USUAL = EvolutionConfig()


@dataclass(frozen=True)
class Parameters:
    """How much is bred, against whom, and how it takes risks."""

    population: Annotated[int, Ge(1), Le(1000)] = USUAL.population
    """Lines that are kept. More are more varied, and have fewer generations in the same time."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] = USUAL.evolutions
    """Generations bred after the first, where the budget allows. Fewer make a weaker player."""
    genotype: Annotated[int, Ge(1), Le(64)] = USUAL.genotype
    """Turns that a line looks ahead."""
    rivals: Annotated[int, Ge(0), Le(15)] = USUAL.rivals
    """Nearest others whose lines are bred too; the rest play by one ply. Each costs as much as your own."""
    rival_population: Annotated[int, Ge(1), Le(1000)] = USUAL.rival_population
    """Lines that are kept of each of them. More find better replies, and leave less time for yours."""
    replies: Annotated[int, Ge(0), Le(4)] = USUAL.replies
    """Joint lines of the rivals' best, one for each of their first words, that yours must face; 0 is blind to
    what they may do."""
    foresight: Annotated[int, Ge(0), Le(64)] = USUAL.foresight
    """Turns that a rival plays by its line, before it plays by one ply. More for rivals that plan ahead."""
    wariness: Share = USUAL.wariness
    """Weight of the worst of the values against all these, beside their mean. More loses less to strong
    rivals, and gains less from weak ones."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = USUAL.draw_worth
    """What a draw is worth, where a win is 100 and a loss -100; discounted."""
    keep: Share = USUAL.keep
    """The discount of each turn. Less cares for the next turns alone."""

    def evolution(self) -> EvolutionConfig:
        """The evolution of these figures."""
        return replace(
            USUAL,
            population=self.population,
            evolutions=self.evolutions,
            genotype=self.genotype,
            rivals=self.rivals,
            rival_population=self.rival_population,
            replies=self.replies,
            foresight=self.foresight,
            wariness=self.wariness,
            draw_worth=self.draw,
            keep=self.keep,
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The first word of the fittest line; a word that is sure to be deadly only where all are."""
    return play(position, parameters.evolution(), leaves()[mode(position)], meter, seed, memory)


def play(
    position: Position, config: EvolutionConfig, weights: Weights, meter: Meter, seed: int, memory: Any
) -> Decision:
    """The same with figures and a leaf of the caller's own."""
    me = position.me
    if me is None:
        return absent(position)
    looks = outlooks(position, me, ground(position))
    if all(look.cause for look in looks) or position.over:
        return hopeless(position, looks, seed)
    known = surroundings(position, me, looks)
    evolved = Evolution(position, config, weights, legal_words(looks), seed, memory)
    while not evolved.finished and meter.more(evolved.generations):
        evolved.advance()
    return _decision(position, looks, known, evolved, seed)


def _decision(
    position: Position, looks: tuple[Outlook, ...], known: Mapping[str, Beside], evolved: Evolution, seed: int
) -> Decision:
    """The decision that the populations stand for."""
    legal, played = legal_words(looks), evolved.found
    found = {word: line for word, line in played.items() if word in legal}
    stats: dict[str, Any] = {"iterations": evolved.generations, "carried": evolved.carried}
    candidates = tuple(_candidate(look, known, found) for look in looks)
    if not found:
        word = fallback(position)
        stats["reason"] = (
            "no line begins with a legal word" if played else "stopped before the first generation"
        )
        return Decision(word, candidates=candidates, stats=stats, line=(word,), memory=evolved.memory())
    most = max(line.fitness for line in found.values())
    tied = [word for word, line in found.items() if line.fitness == most]
    word = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        word,
        candidates[WORDS.index(word)].score,
        candidates=candidates,
        stats=stats,
        line=found[word].words,
        memory=evolved.memory(),
    )


def _candidate(look: Outlook, known: Mapping[str, Beside], lines: Mapping[str, Line]) -> Candidate:
    """A word with its best line: what the line's value is made of, and what may meet it at once."""
    if look.cause:
        return Candidate(look.word, None, notes=(look.cause,))
    line, plain = lines.get(look.word), known[look.word]
    if line is None:
        return Candidate(look.word, None, notes=("not looked at", *plain.notes), details=plain.details)
    details = {"low": line.low, "mean": line.mean, "line": list(line.words), **plain.details}
    return Candidate.of(look.word, line.terms, plain.notes, details)


AGENT: Agent[Position] = Agent(
    "rhea",
    f"Lines of twenty words, bred by selection and mutation against replies bred too ({PARTS}).",
    decide,
    "one generation of the population, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_rhea`",
        "draw_worth": "`draw_worth` is now `draw`",
    },
)
