"""Rolling-horizon evolution by itself: your lines and your rivals' are bred against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import no_choice, not_on_board
from engines.battlesnake.annotations import Annotations, annotate_all
from engines.battlesnake.evaluation import Weights, mode
from engines.battlesnake.evolution.evolution import Evolution, EvolutionConfig, Line
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position
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
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    known = annotate_all(position, me, options)
    evolved = Evolution(position, config, weights, legal_moves(options), seed, memory)
    while not evolved.finished and meter.more(evolved.generations):
        evolved.advance()
    return _decision(position, options, known, evolved, seed)


def _decision(
    position: Position,
    options: tuple[MoveSafety, ...],
    known: Mapping[str, Annotations],
    evolved: Evolution,
    seed: int,
) -> Decision:
    """The decision that the populations stand for."""
    legal, played = legal_moves(options), evolved.found
    found = {move: line for move, line in played.items() if move in legal}
    stats: dict[str, Any] = {"iterations": evolved.generations, "carried": evolved.carried}
    candidates = tuple(_candidate(option, known, found) for option in options)
    if not found:
        move = fallback(position)
        stats["reason"] = (
            "no line begins with a legal word" if played else "stopped before the first generation"
        )
        return Decision(move, candidates=candidates, stats=stats, line=(move,), memory=evolved.memory())
    most = max(line.fitness for line in found.values())
    tied = [move for move, line in found.items() if line.fitness == most]
    move = tied[below(seeded(seed, 1), len(tied))]
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        candidates=candidates,
        stats=stats,
        line=found[move].moves,
        memory=evolved.memory(),
    )


def _candidate(option: MoveSafety, known: Mapping[str, Annotations], lines: Mapping[str, Line]) -> Candidate:
    """A word with its best line: what the line's value is made of, and what may meet it at once."""
    if option.cause:
        return Candidate(option.move, None, notes=(option.cause,))
    line, plain = lines.get(option.move), known[option.move]
    if line is None:
        return Candidate(option.move, None, notes=("not looked at", *plain.notes), details=plain.details)
    details = {"low": line.low, "mean": line.mean, "line": list(line.moves), **plain.details}
    return Candidate.of(option.move, line.terms, plain.notes, details)


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
