"""Rolling-horizon evolution by itself: your lines and your rivals' are bred against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import Root, line_candidates, root_of
from engines.battlesnake.annotations import Annotations, annotate_with_territory
from engines.battlesnake.evaluation import Weights
from engines.battlesnake.evolution.evolution import Evolution, EvolutionConfig, Individual
from engines.battlesnake.fallback import fallback
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.weights import DEFAULTS_VERSION, evaluation_weights
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded

Share = Annotated[float, Ge(0.0), Le(1.0)]
DEFAULT = EvolutionConfig()


@dataclass(frozen=True)
class Parameters:
    """Sizes of the populations, the rivals' scenarios, and how risks are weighted."""

    population: Annotated[int, Ge(1), Le(1000)] = DEFAULT.population
    """Your lines. More are more varied, and have fewer generations in the same time."""
    evolutions: Annotated[int, Ge(0), Le(100_000)] = DEFAULT.evolutions
    """Generations after the first, where the budget allows. Fewer make a weaker player."""
    genotype: Annotated[int, Ge(1), Le(64)] = DEFAULT.genotype
    """Length of a line in genes: plies that it looks ahead."""
    rivals: Annotated[int, Ge(0), Le(15)] = DEFAULT.rivals
    """Nearest rivals with a population of their own; the rest play by one ply. Each costs as much as
    yours."""
    rival_population: Annotated[int, Ge(1), Le(1000)] = DEFAULT.rival_population
    """Lines of each of them. More find better replies, and leave less time for yours."""
    replies: Annotated[int, Ge(0), Le(4)] = DEFAULT.replies
    """Scenarios of the rivals' best lines, one for each of their first moves, that your lines are evaluated
    against; 0 is blind to what they may do."""
    foresight: Annotated[int, Ge(0), Le(64)] = DEFAULT.foresight
    """Plies that a rival plays by its line, before it plays by one ply. More for rivals that plan ahead."""
    wariness: Share = DEFAULT.wariness
    """Weight of the worst scenario in the fitness; the rest is the mean of all. More loses less to strong
    rivals, and gains less from weak ones."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = DEFAULT.draw
    """Score of a draw, where a win is 100 and a loss -100; discounted."""
    discount: Share = DEFAULT.discount
    """Discount factor of each ply. Less cares for the next plies alone."""

    def evolution_config(self) -> EvolutionConfig:
        """The evolution with these parameters."""
        return replace(
            DEFAULT,
            population=self.population,
            evolutions=self.evolutions,
            genotype=self.genotype,
            rivals=self.rivals,
            rival_population=self.rival_population,
            replies=self.replies,
            foresight=self.foresight,
            wariness=self.wariness,
            draw=self.draw,
            discount=self.discount,
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The first move of the fittest line; a move that is sure to be deadly only where all are."""
    return decide_with(
        position, parameters.evolution_config(), evaluation_weights(position), meter, seed, memory
    )


def decide_with(
    position: Position, config: EvolutionConfig, weights: Weights, meter: Meter, seed: int, memory: Any
) -> Decision:
    """`decide` with figures and leaf weights of the caller's own."""
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    annotations = annotate_with_territory(position, root.me, root.options)
    evolution = Evolution(position, config, weights, root.legal, seed, memory)
    while not evolution.finished and meter.more(evolution.generations):
        evolution.advance()
    return _decision(root, annotations, evolution, seed)


def _decision(
    root: Root, annotations: Mapping[str, Annotations], evolution: Evolution, seed: int
) -> Decision:
    """The decision that the populations stand for."""
    lines = {move: line for move, line in evolution.found.items() if move in root.legal}
    candidates = _candidates(root, annotations, lines)
    stats: dict[str, Any] = {"iterations": evolution.generations, "warm_start_turns": evolution.carried}
    if not lines:
        move = fallback(root.position)
        stats["reason"] = (
            "no line begins with a legal move" if evolution.found else "stopped before the first generation"
        )
        return Decision(move, candidates=candidates, stats=stats, line=(move,), memory=evolution.memory())
    best = max(line.fitness for line in lines.values())
    tied = [move for move, line in lines.items() if line.fitness == best]
    move = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        candidates=candidates,
        stats=stats,
        line=lines[move].moves,
        memory=evolution.memory(),
    )


def _candidates(
    root: Root, annotations: Mapping[str, Annotations], lines: Mapping[str, Individual]
) -> tuple[Candidate, ...]:
    """Each move with its best line: the terms of its fitness, its worst scenario and the mean."""
    shown = {
        move: (line.terms, {"low": line.low, "mean": line.mean, "line": list(line.moves)})
        for move, line in lines.items()
    }
    return line_candidates(root, annotations, shown, missing="not searched")


AGENT: Agent[Position] = Agent(
    "rhea",
    "Rolling-horizon evolution: lines of twenty moves against co-evolved replies of the rivals"
    f" ({DEFAULTS_VERSION}).",
    decide,
    "one generation of the populations, the first included",
    Parameters,
    Budgets(iterations=Range(401, 1, 100_001)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_rhea`",
        "draw_worth": "`draw_worth` is now `draw`",
        "keep": "`keep` is now `discount`",
    },
)
