"""The document's hybrid: the evolution moves, unless a search sees that its word loses.

Both take slices in turn, so whenever time runs out either has something to say. The search does not
depend on the evolution's word, so their order is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents import published_rhea
from engines.battlesnake.agents.common import no_choice, not_on_board, override_context, proven_outcome
from engines.battlesnake.annotations import annotate_all
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.evolution import Evolution
from engines.battlesnake.published.negamax import LEAVES, MAX_DEPTH, Values
from engines.battlesnake.published.override import NegamaxOverrideConfig, begin, replacement
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter


@dataclass(frozen=True)
class Parameters(published_rhea.Parameters):
    """The figures of the document, and what its ablation varies."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Turns that the search looks ahead."""
    bad_threshold: Annotated[float, Ge(-20_000.0), Le(20_000.0)] = -5000.0
    """A word of a lower value is overridden, if another is better."""
    leaf: Literal["simple", "health_length", "territory"] = "simple"
    """What going on is worth: health / 100 (`simple`, its own), health + 5 * (own length - longest other), or
    as in `published_negamax`."""
    draw: Literal["zero", "loss"] = "zero"
    """What it is worth to the search when all that are left die at once."""

    def override(self) -> NegamaxOverrideConfig:
        """The override of these figures."""
        return NegamaxOverrideConfig(
            self.max_depth, self.bad_threshold, LEAVES[self.leaf], self.draw == "loss"
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The evolution's word, or the override's."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    known = annotate_all(position, me, options)
    evolution = Evolution(position, parameters.evolution(), seed, memory)
    override = parameters.override()
    search = begin(position, legal_moves(options)[0], override)
    slices = turns = 0
    while not (search.finished and evolution.finished) and meter.more(slices + evolution.generations):
        if search.finished or (evolution.generations <= slices and not evolution.finished):
            evolution.advance()
        else:
            turns += search.advance(search.slice)
            slices += 1
    plain = published_rhea.decision(position, options, known, evolution, seed)
    stats = {
        **plain.stats,
        "iterations": slices + evolution.generations,
        "generations": evolution.generations,
        "override_turns": turns,
        "override_depth": search.found.depth,
        "overrides": 0,
    }
    decision = replace(plain, candidates=_beside(plain.candidates, search.found), stats=stats)
    other = replacement(search.found, plain.move, override.bad_threshold)
    if other is not None:
        decision = _overridden(decision, other, search.found)
    return replace(decision, outcome=proven_outcome(position, me, search.found.wins_in(decision.move)))


def _beside(candidates: Sequence[Candidate], values: Values) -> tuple[Candidate, ...]:
    """The candidates with what the search says of them."""
    return tuple(
        replace(
            candidate,
            details={**candidate.details, "negamax": values.moves[candidate.move], "depth": values.depth},
        )
        if candidate.move in values.moves
        else candidate
        for candidate in candidates
    )


def _overridden(decision: Decision, move: str, values: Values) -> Decision:
    """The decision with another word in place of one that loses."""
    bad, better = values.moves[decision.move], values.moves[move]
    scores = [candidate.score for candidate in decision.candidates if candidate.score is not None]
    # None where no line begins with a legal word: what is overridden then is the plain answer.
    best = max(scores, default=0.0)

    def retold(candidate: Candidate) -> Candidate:
        if candidate.move == decision.move:
            note = f"overridden: negamax {bad:g}, {move} {better:g}"
            return replace(candidate, notes=(*candidate.notes, note))
        if candidate.move == move:
            # Its sum is not what it is chosen for: the term makes up what that lacks to be the best.
            terms = {**candidate.terms, "override": best - (candidate.score or 0.0) + 1.0}
            return Candidate.of(move, terms, candidate.notes, candidate.details)
        return candidate

    candidates = tuple(retold(candidate) for candidate in decision.candidates)
    return replace(
        decision,
        move=move,
        score=candidates[MOVES.index(move)].score,
        candidates=candidates,
        stats={**decision.stats, "overrides": 1},
        context={
            **decision.context,
            "override": override_context(decision.move, move, (bad, better), values.depth),
        },
        line=(move,),
    )


AGENT: Agent[Position] = Agent(
    "published_rhea_with_negamax_override",
    "The document's hybrid: its evolution's word, unless its search sees that this loses.",
    decide,
    "a generation, or a millisecond of search",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
)
