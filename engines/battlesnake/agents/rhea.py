"""Rolling-horizon evolution by itself: tuned, and as the document has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.configurations import configurations
from engines.battlesnake.board import WORDS, Position
from engines.battlesnake.evidence import Beside, absent, hopeless, surroundings
from engines.battlesnake.evolution import Evolution as Lines
from engines.battlesnake.evolution import EvolutionConfig, Line
from engines.battlesnake.position import fallback
from engines.battlesnake.published.evolution import (
    RANDOM,
    SMART,
    STRAIGHT,
    TERRITORIAL,
    Evolution,
    RheaConfig,
)
from engines.battlesnake.trained import PARTS, leaves
from engines.battlesnake.words import Outlook, ground, legal_words, outlooks
from engines.battlesnake.worth import Weights, mode
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

MODELS = {"smart": SMART, "straight": STRAIGHT, "random": RANDOM, "territorial": TERRITORIAL}

Weight = Annotated[float, Ge(0.0), Le(1000.0)]
Share = Annotated[float, Ge(0.0), Le(1.0)]


@dataclass(frozen=True)
class Parameters:
    """The evolution, tuned or as published; what is left out is the config's own figure."""

    config: Literal["tuned", "published"] = "tuned"
    """Which evolution, and whose figures the defaults are. `published`: those of the document and of the
    program it describes. `tuned`: legal words only, several opponent lines, a leaf of territory."""
    population: Annotated[int, Ge(1), Le(1000)] | None = None
    """Lines that are kept (published 50)."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] | None = None
    """Generations bred after the first, where the budget allows (published 400)."""
    genotype: Annotated[int, Ge(1), Le(64)] | None = None
    """Turns that a line looks ahead (published 20)."""
    mutation: Share | None = None
    """Published only: the chance of each gene to be drawn anew (0.3)."""
    tournament: Annotated[int, Ge(1), Le(64)] | None = None
    """Lines of which the fittest becomes a parent (published 3)."""
    elite: Annotated[int, Ge(0), Le(1000)] | None = None
    """Lines that live on as they are (published 1); tuned, the best of each first word does anyway."""
    opponents: Literal["smart", "straight", "random", "territorial"] | None = None
    """Published only: the others avoid what is occupied and look for food (`smart`), carry on (`straight`),
    do anything (`random`), or take ground from you (`territorial`, thirty times as dear and more)."""
    rivals: Annotated[int, Ge(0), Le(15)] | None = None
    """Tuned: nearest others whose lines are bred too."""
    rival_population: Annotated[int, Ge(1), Le(1000)] | None = None
    """Tuned: lines that are kept of each of them."""
    replies: Annotated[int, Ge(0), Le(4)] | None = None
    """Tuned: joint lines of the rivals' best, one for each of their first words, that yours must face."""
    foresight: Annotated[int, Ge(0), Le(64)] | None = None
    """Tuned: turns that a rival plays by its line, before it plays by one ply."""
    straight: bool | None = None
    """Tuned: are yours also valued against others that carry on?"""
    wariness: Share | None = None
    """Tuned: weight of the low quantile of the values against all these, beside their mean."""
    quantile: Share | None = None
    """Tuned: which of these values is the low one: 0 the worst, 1 the best."""
    death: Weight | None = None
    """Tuned: what a death costs, discounted. No board is worth more than 100."""
    draw_worth: Annotated[float, Ge(-100.0), Le(100.0)] | None = None
    """Tuned: what it is worth when all that are left die at once, discounted."""
    win: Weight | None = None
    """Tuned: what a win brings, discounted."""
    meal: Weight | None = None
    """Tuned: what eating brings, discounted."""
    keep: Share | None = None
    """Tuned: the discount of each turn."""
    stride: Annotated[int, Ge(1), Le(64)] | None = None
    """Tuned: turns between two leaves along a line; their discounted mean counts."""
    space: Weight | None = None
    """The leaf's weights, by default those of the mode. Tuned: the logarithm of own cells to theirs."""
    room: Weight | None = None
    """Cells wanting to one's own length, as a share of it, where the own tail is out of reach."""
    length: Weight | None = None
    """The lead over the longest other, d / (1 + |d| / softness)."""
    softness: Annotated[float, Ge(0.1), Le(100.0)] | None = None
    """The lead at which its worth has fallen to half of what it would be in proportion."""
    health: Weight | None = None
    """The square of the share of 40 health that is wanting."""
    food: Weight | None = None
    """1 / (1 + steps) to the nearest food that is one's own; fades with the turns."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] | None = None
    """The turn at which food has lost half of its worth."""
    hazard: Weight | None = None
    """The share of own cells where hazards take health."""
    tail: Weight | None = None
    """The own tail in reach."""

    def standing(self, position: Position) -> dict[str, Any]:
        """What the parameters that say something at a position come to, given or not."""
        if self.config == "published":
            found = asdict(self.evolution())
            model = found.pop("model")
            return {**found, "opponents": next(name for name, value in MODELS.items() if value == model)}
        return {**asdict(self.evolved()), **asdict(self.weights(position))}

    def evolution(self) -> RheaConfig:
        """The published evolution."""
        given = self._given(RheaConfig)
        if self.opponents is not None:
            given["model"] = MODELS[self.opponents]
        return RheaConfig(**given)

    def evolved(self) -> EvolutionConfig:
        """The tuned evolution."""
        return EvolutionConfig(**self._given(EvolutionConfig))

    def weights(self, position: Position) -> Weights:
        """The tuned evolution's leaf at a position."""
        return replace(leaves()[mode(position)], **self._given(Weights))

    def _given(self, config: type[Any]) -> dict[str, Any]:
        names = {field.name for field in fields(config)}
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name in names}
        return {name: value for name, value in values.items() if value is not None}


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The first word of the fittest line; a word that is sure to be deadly only where all are."""
    me = position.me
    if me is None:
        return absent(position)
    looks = outlooks(position, me, ground(position))
    if all(look.cause for look in looks) or position.over:
        return hopeless(position, looks, seed)
    known = surroundings(position, me, looks)
    if parameters.config == "tuned":
        evolved = begin(position, parameters, looks, seed, memory)
        while not evolved.finished and meter.more(evolved.generations):
            evolved.advance()
        return evolved_told(position, looks, known, evolved, seed)
    evolution = Evolution(position, parameters.evolution(), seed, memory)
    while not evolution.finished and meter.more(evolution.generations):
        evolution.advance()
    return told(position, looks, known, evolution, seed)


def begin(
    position: Position, parameters: Parameters, looks: tuple[Outlook, ...], seed: int, memory: Any
) -> Lines:
    """The tuned populations at their start."""
    weights = parameters.weights(position)
    return Lines(position, parameters.evolved(), weights, legal_words(looks), seed, memory)


def evolved_told(
    position: Position, looks: tuple[Outlook, ...], known: Mapping[str, Beside], evolved: Lines, seed: int
) -> Decision:
    """The decision that the tuned populations stand for."""
    legal, played = legal_words(looks), evolved.found
    found = {word: line for word, line in played.items() if word in legal}
    stats: dict[str, Any] = {"iterations": evolved.generations, "carried": evolved.carried}
    candidates = tuple(_evolved_candidate(look, known, found) for look in looks)
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


def _evolved_candidate(look: Outlook, known: Mapping[str, Beside], lines: Mapping[str, Line]) -> Candidate:
    """A word with its best line: what the line's value is made of, and what may meet it at once."""
    if look.cause:
        return Candidate(look.word, None, notes=(look.cause,))
    line, plain = lines.get(look.word), known[look.word]
    if line is None:
        return Candidate(look.word, None, notes=("not looked at", *plain.notes), details=plain.details)
    details = {"low": line.low, "mean": line.mean, "line": list(line.words), **plain.details}
    return Candidate.of(look.word, line.terms, plain.notes, details)


def told(
    position: Position,
    looks: tuple[Outlook, ...],
    known: Mapping[str, Beside],
    evolution: Evolution,
    seed: int,
) -> Decision:
    """The decision that a population stands for."""
    best = evolution.best()
    candidates, lines = [], {}
    for look in looks:
        if look.cause:
            candidates.append(Candidate(look.word, None, notes=(look.cause,)))
        elif look.word in best:
            lines[look.word], terms = best[look.word]
            plain = known[look.word]
            details = {"line": list(lines[look.word]), **plain.details}
            candidates.append(Candidate.of(look.word, terms, plain.notes, details))
        else:
            plain = known[look.word]
            note = "no line begins with it" if evolution.generations else "not looked at"
            candidates.append(Candidate(look.word, None, notes=(note, *plain.notes), details=plain.details))
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
    f"Lines of twenty words, bred by selection and mutation; tuned ({PARTS}): against replies bred too.",
    decide,
    "one generation of the population, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
    partial(configurations, Parameters),
)
