"""The document's rolling-horizon evolution by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import Root, line_candidates, root_of
from engines.battlesnake.annotations import Annotations, annotate_with_territory
from engines.battlesnake.fallback import fallback
from engines.battlesnake.position import Position
from engines.battlesnake.published.evolution import MODELS, Evolution, RheaConfig
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.core.rng import below, seeded


@dataclass(frozen=True)
class Parameters:
    """The figures of the document; where it is silent, those of the program that it describes."""

    population: Annotated[int, Ge(1), Le(1000)] = 50
    """Lines in the population."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] = 400
    """Generations after the first, where the budget allows. The ablation has a tenth of them."""
    genotype: Annotated[int, Ge(1), Le(64)] = 20
    """Length of a line in genes: plies that it looks ahead."""
    mutation: Annotated[float, Ge(0.0), Le(1.0)] = 0.3
    """Probability that a gene mutates."""
    tournament: Annotated[int, Ge(1), Le(64)] = 3
    """Tournament size of the selection."""
    elite: Annotated[int, Ge(0), Le(1000)] = 1
    """Best lines that are kept unchanged."""
    opponents: Literal["smart", "straight", "random", "territorial"] = "smart"
    """Model of the others: they avoid occupied cells and look for food (`smart`), go straight on
    (`straight`), move at random (`random`), or reduce your territory (`territorial`, at least thirty times as
    slow)."""

    def evolution_config(self) -> RheaConfig:
        """The evolution with these parameters."""
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
    """The first move of the fittest line; a move that is sure to be deadly only where all are."""
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    annotations = annotate_with_territory(position, root.me, root.options)
    evolution = Evolution(position, parameters.evolution_config(), seed, memory)
    while not evolution.finished and meter.more(evolution.generations):
        evolution.advance()
    return decision(root, annotations, evolution, seed)


def decision(root: Root, annotations: Mapping[str, Annotations], evolution: Evolution, seed: int) -> Decision:
    """The decision that a population stands for."""
    best = evolution.best()
    candidates = line_candidates(
        root,
        annotations,
        {move: (terms, {"line": list(line)}) for move, (line, terms) in best.items()},
        missing="no line begins with this move" if evolution.generations else "not searched",
    )
    stats: dict[str, Any] = {"iterations": evolution.generations, "warm_start_turns": evolution.carried}
    scored = [candidate for candidate in candidates if candidate.score is not None]
    if not scored:
        move = fallback(root.position)
        stats["reason"] = (
            "no line begins with a legal move" if best else "stopped before the first generation"
        )
        return Decision(move, candidates=candidates, stats=stats, line=(move,))
    highest = max(candidate.score or 0.0 for candidate in scored)
    tied = [candidate for candidate in scored if candidate.score == highest]
    chosen = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        chosen.move,
        chosen.score,
        candidates=candidates,
        stats=stats,
        line=best[chosen.move][0],
        memory=evolution.memory(),
    )


AGENT: Agent[Position] = Agent(
    "published_rhea",
    "The document's evolution: lines of twenty moves against one fixed model of the others.",
    decide,
    "one generation of the population, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
)
