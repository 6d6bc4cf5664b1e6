"""The document's hybrid: the evolution moves, unless a search finds that its move loses.

Both take slices in turn, so whenever time runs out either has a result. The search does not depend on the
evolution's move, so their order is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents import published_rhea
from engines.battlesnake.agents.common import override_context, proven_outcome, root_of
from engines.battlesnake.annotations import annotate_with_territory
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.evolution import Evolution
from engines.battlesnake.published.negamax import LEAVES, MAX_DEPTH, Values
from engines.battlesnake.published.override import NegamaxOverrideConfig, begin, replacement
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision


@dataclass(frozen=True)
class Parameters(published_rhea.Parameters):
    """The figures of the document, and what its ablation varies."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Greatest depth of the search, in plies of joint moves."""
    bad_threshold: Annotated[float, Ge(-20_000.0), Le(20_000.0)] = -5000.0
    """A move that the search scores lower is overridden, if another has a higher score."""
    leaf: Literal["simple", "health_length", "territory"] = "simple"
    """Evaluation of the leaves: health / 100 (`simple`, its own), health + 5 * (own length - longest other),
    or as in `published_negamax`."""
    draw: Literal["zero", "loss"] = "zero"
    """Score of a draw to the search, in which all that are left die at once: 0, or that of a loss."""

    def override_config(self) -> NegamaxOverrideConfig:
        """The override with these parameters."""
        return NegamaxOverrideConfig(
            self.max_depth, self.bad_threshold, LEAVES[self.leaf], self.draw == "loss"
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The evolution's move, or the override's."""
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    annotations = annotate_with_territory(position, root.me, root.options)
    evolution = Evolution(position, parameters.evolution_config(), seed, memory)
    override = parameters.override_config()
    search = begin(position, root.legal[0], override)
    slices = nodes = 0
    while not (search.finished and evolution.finished) and meter.more(slices + evolution.generations):
        if search.finished or (evolution.generations <= slices and not evolution.finished):
            evolution.advance()
        else:
            nodes += search.advance(search.slice)
            slices += 1
    evolved = published_rhea.decision(root, annotations, evolution, seed)
    stats = {
        **evolved.stats,
        "iterations": slices + evolution.generations,
        "generations": evolution.generations,
        "override_nodes": nodes,
        "override_depth": search.found.depth,
        "overrides": 0,
    }
    decision = replace(evolved, candidates=_with_search(evolved.candidates, search.found), stats=stats)
    better = replacement(search.found, evolved.move, override.bad_threshold)
    if better is not None:
        decision = _overridden(decision, better, search.found)
    return replace(decision, outcome=proven_outcome(position, root.me, search.found.wins_in(decision.move)))


def _with_search(candidates: Sequence[Candidate], found: Values) -> tuple[Candidate, ...]:
    """The candidates with score and depth of the search among their details."""
    return tuple(
        replace(
            candidate,
            details={**candidate.details, "negamax": found.moves[candidate.move], "depth": found.depth},
        )
        if candidate.move in found.moves
        else candidate
        for candidate in candidates
    )


def _overridden(decision: Decision, move: str, found: Values) -> Decision:
    """The decision with `move` in place of one that loses."""
    values = found.moves[decision.move], found.moves[move]
    candidates = _with_override(decision, move, values)
    return replace(
        decision,
        move=move,
        score=candidates[MOVES.index(move)].score,
        candidates=candidates,
        stats={**decision.stats, "overrides": 1},
        context={
            **decision.context,
            "override": override_context(decision.move, move, values, found.depth),
        },
        line=(move,),
    )


def _with_override(decision: Decision, move: str, values: tuple[float, float]) -> tuple[Candidate, ...]:
    """The candidates: a note for the overridden one; the other has the highest score by the term
    `override`."""
    scores = [candidate.score for candidate in decision.candidates if candidate.score is not None]
    # None has a score where no line begins with a legal move: then the fallback is overridden.
    best = max(scores, default=0.0)
    candidates = []
    for candidate in decision.candidates:
        if candidate.move == decision.move:
            note = f"overridden: negamax {values[0]:g}, {move} {values[1]:g}"
            candidate = replace(candidate, notes=(*candidate.notes, note))
        elif candidate.move == move:
            terms = {**candidate.terms, "override": best - (candidate.score or 0.0) + 1.0}
            candidate = Candidate.of(move, terms, candidate.notes, candidate.details)
        candidates.append(candidate)
    return tuple(candidates)


AGENT: Agent[Position] = Agent(
    "published_rhea_with_negamax_override",
    "The document's hybrid: its evolution's move, unless its search finds that this loses.",
    decide,
    "a generation, or a millisecond of search",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
)
