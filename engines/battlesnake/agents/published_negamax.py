"""The document's negamax by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import candidates_of, proven_outcome, root_of, run_search
from engines.battlesnake.annotations import annotate_with_territory
from engines.battlesnake.fallback import fallback
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.published.negamax import LEAVES, MAX_DEPTH, PublishedSearch
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded


@dataclass(frozen=True)
class Parameters:
    """The figures of the document, and what its ablation varies."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = 4
    """Greatest depth, in plies of joint moves."""
    draw: Literal["zero", "loss"] = "loss"
    """Score of a draw, in which all that are left die at once: 0, or that of a loss."""
    leaf: Literal["territory", "health_length", "simple"] = "territory"
    """Evaluation of the leaves: health, length, territory and distance from the centre (`territory`),
    health + 5 * (own length - longest other), or health / 100 (`simple`)."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move of the highest score at the deepest complete depth; ties are broken by the seed."""
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    leaf, draw_is_loss = LEAVES[parameters.leaf], parameters.draw == "loss"
    search = PublishedSearch(position, root.legal, parameters.max_depth, leaf, draw_is_loss)
    annotations = annotate_with_territory(position, root.me, root.options)
    nodes = run_search(search, meter)
    scores, depth = search.found.moves, search.found.depth
    stats: dict[str, Any] = {"iterations": nodes, "depth": depth}
    candidates = candidates_of(
        root.options,
        {
            move: Candidate.of(
                move,
                {"negamax": score},
                annotations[move].notes,
                {"depth": depth, **annotations[move].details},
            )
            for move, score in scores.items()
        },
    )
    move = fallback(position)
    if scores:
        tied = search.found.best()
        move = tied[below(seeded(seed), len(tied))]
    else:
        stats["reason"] = "stopped before the first depth was complete"
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        outcome=proven_outcome(position, root.me, search.found.wins_in(move)),
        candidates=candidates,
        stats=stats,
        line=(move,),
    )


AGENT: Agent[Position] = Agent(
    "published_negamax",
    "The document's search: four plies, one rival replies to your move, the others go straight on.",
    decide,
    "one node: a joint move played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
)
