"""The document's rolling-horizon evolution by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import no_choice, not_on_board
from engines.battlesnake.annotations import Annotations, annotate_all
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, move_safety
from engines.battlesnake.position import Position
from engines.battlesnake.published.evolution import MODELS, Evolution, RheaConfig
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded


@dataclass(frozen=True)
class Parameters:
    """The figures of the document; where it is silent, those of the program that it describes."""

    population: Annotated[int, Ge(1), Le(1000)] = 50
    """Lines that are kept."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] = 400
    """Generations bred after the first, where the budget allows. The ablation has a tenth of them."""
    genotype: Annotated[int, Ge(1), Le(64)] = 20
    """Turns that a line looks ahead."""
    mutation: Annotated[float, Ge(0.0), Le(1.0)] = 0.3
    """The chance of each gene to be drawn anew."""
    tournament: Annotated[int, Ge(1), Le(64)] = 3
    """Lines of which the fittest becomes a parent."""
    elite: Annotated[int, Ge(0), Le(1000)] = 1
    """Lines that live on as they are."""
    opponents: Literal["smart", "straight", "random", "territorial"] = "smart"
    """The others avoid what is occupied and look for food (`smart`), carry on (`straight`), do anything
    (`random`), or take ground from you (`territorial`, thirty times as dear and more)."""

    def evolution(self) -> RheaConfig:
        """The evolution of these figures."""
        return RheaConfig(
            population=self.population,
            evolutions=self.evolutions,
            genotype=self.genotype,
            mutation=self.mutation,
            tournament=self.tournament,
            elite=self.elite,
            model=MODELS[self.opponents],
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The first word of the fittest line; a word that is sure to be deadly only where all are."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    known = annotate_all(position, me, options)
    evolution = Evolution(position, parameters.evolution(), seed, memory)
    while not evolution.finished and meter.more(evolution.generations):
        evolution.advance()
    return decision(position, options, known, evolution, seed)


def decision(
    position: Position,
    options: tuple[MoveSafety, ...],
    known: Mapping[str, Annotations],
    evolution: Evolution,
    seed: int,
) -> Decision:
    """The decision that a population stands for."""
    best = evolution.best()
    candidates = tuple(_candidate(option, known, best, evolution.generations) for option in options)
    stats: dict[str, Any] = {"iterations": evolution.generations, "carried": evolution.carried}
    valued = [candidate for candidate in candidates if candidate.score is not None]
    if not valued:
        move = fallback(position)
        stats["reason"] = (
            "no line begins with a legal word" if best else "stopped before the first generation"
        )
        return Decision(move, candidates=candidates, stats=stats, line=(move,))
    most = max(candidate.score or 0.0 for candidate in valued)
    tied = [candidate for candidate in valued if candidate.score == most]
    chosen = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        chosen.move,
        chosen.score,
        candidates=candidates,
        stats=stats,
        line=best[chosen.move][0],
        memory=evolution.memory(),
    )


def _candidate(
    option: MoveSafety,
    known: Mapping[str, Annotations],
    best: Mapping[str, tuple[tuple[str, ...], dict[str, float]]],
    generations: int,
) -> Candidate:
    """A word with the fittest line that begins with it."""
    if option.cause:
        return Candidate(option.move, None, notes=(option.cause,))
    plain = known[option.move]
    if option.move not in best:
        note = "no line begins with it" if generations else "not looked at"
        return Candidate(option.move, None, notes=(note, *plain.notes), details=plain.details)
    line, terms = best[option.move]
    return Candidate.of(option.move, terms, plain.notes, {"line": list(line), **plain.details})


AGENT: Agent[Position] = Agent(
    "published_rhea",
    "The document's evolution: lines of twenty words, bred against one guess at the others.",
    decide,
    "one generation of the population, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
)
