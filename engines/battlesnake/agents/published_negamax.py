"""The document's negamax by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import no_choice, not_on_board, proven_outcome
from engines.battlesnake.annotations import annotate_all
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.negamax import LEAVES, MAX_DEPTH, Search
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded


@dataclass(frozen=True)
class Parameters:
    """The figures of the document, and what its ablation varies."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Turns to look ahead."""
    draw: Literal["zero", "loss"] = "loss"
    """What it is worth when all that are left die at once."""
    leaf: Literal["territory", "health_length", "simple"] = "territory"
    """What a board is worth when the depth is reached: health, length, ground and the middle (`territory`),
    health + 5 * (own length - longest other), or health / 100 (`simple`)."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The word of the highest value at the deepest complete depth; ties are drawn by the seed."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    leaf, draw_is_loss = LEAVES[parameters.leaf], parameters.draw == "loss"
    search = Search(position, legal_moves(options), parameters.max_depth, leaf, draw_is_loss)
    known = annotate_all(position, me, options)
    done = 0
    while not search.finished and meter.more(done):
        left = meter.left(done)
        done += search.advance(search.slice if left is None else min(search.slice, left))
    values, depth = search.found.moves, search.found.depth
    stats: dict[str, Any] = {"iterations": done, "depth": depth}
    move = fallback(position)
    if values:
        tied = search.found.best()
        move = tied[below(seeded(seed), len(tied))]
    else:
        stats["reason"] = "stopped before the first depth was complete"
    candidates = []
    for option in options:
        if option.move in values and not option.cause:
            terms = {"negamax": values[option.move]}
            details = {"depth": depth, **known[option.move].details}
            candidates.append(Candidate.of(option.move, terms, known[option.move].notes, details))
        else:
            candidates.append(Candidate(option.move, None, notes=(option.cause or "not looked at",)))
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        outcome=proven_outcome(position, me, search.found.wins_in(move)),
        candidates=tuple(candidates),
        stats=stats,
        line=(move,),
    )


AGENT: Agent[Position] = Agent(
    "published_negamax",
    "The document's search: four turns ahead, one rival answering your word, the others going straight on.",
    decide,
    "one turn played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
)
