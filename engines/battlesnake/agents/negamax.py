"""The search over simultaneous moves by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import Root, candidates_of, proven_outcome, root_of, run_search
from engines.battlesnake.annotations import annotate
from engines.battlesnake.evaluation import WIN_SCORE, Weights
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.deepening import MAX_DEPTH, Search
from engines.battlesnake.search.result import SearchConfig, SearchResult
from engines.battlesnake.weights import DEFAULTS_VERSION, evaluation_weights
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded

Share = Annotated[float, Ge(0.0), Le(1.0)]
DEFAULT_CONFIG = SearchConfig()


@dataclass(frozen=True)
class Parameters:
    """Depth of the search, pruning, and how risks are weighted."""

    # All but `root` are the hybrid's too, in the same words (`rhea_with_negamax_override.Parameters`).
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Greatest depth of the search, in plies of joint moves. Less makes a weaker player that answers
    sooner."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = DEFAULT_CONFIG.draw
    """Score of a draw to the search, where a win is 100 and a loss -100. At 0 it meets equals head-to-head
    for food; at -100 it never risks that."""
    caution: Share = DEFAULT_CONFIG.caution
    """Weight of the worst case in a move's score; the rest is its mean over likely replies. Less gains
    more from rivals that blunder, more loses less to those that don't."""
    doubt: Share = DEFAULT_CONFIG.doubt
    """Share of the uniform distribution in the likely replies; the rest is the rival's equilibrium strategy.
    More for rivals that play at random."""
    radius: Annotated[int, Ge(0), Le(64)] = DEFAULT_CONFIG.radius
    """With more than one rival: distance of the heads within which a rival's replies are searched; farther
    ones follow a default policy. Less searches deeper, and is surprised more often."""
    root: Literal["matrix", "maximin"] = "matrix"
    """In a duel: `matrix` searches every pair of move and reply exactly; `maximin` scores a move by its worst
    reply, and only the best move exactly, in half the nodes: the others' scores are upper bounds (`caution`
    and `doubt` then have no effect). The hybrid uses `maximin`."""
    matrix_plies: Annotated[int, Ge(0), Le(MAX_DEPTH)] = DEFAULT_CONFIG.matrix_plies
    """Plies after the root in which nodes where heads can meet are solved as matrix games; beyond, the rival
    sees your move. More is exact for longer, and searches less deep."""
    lmr: Annotated[int, Ge(0), Le(3)] = DEFAULT_CONFIG.lmr
    """Late move reductions: plies, at most and at each node, by which moves and replies that are ordered late
    are searched less deep, unless they surprise; 3 also one ply before the leaves. 0 is no reduction."""

    def search_config(self) -> SearchConfig:
        """The search with these parameters."""
        return SearchConfig(self.draw, self.caution, self.doubt, self.radius, self.matrix_plies, self.lmr)


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move of the highest score at the deepest complete depth, with what the next depth has proven; ties
    are broken by the seed."""
    return decide_with(position, parameters, evaluation_weights(position), meter, seed)


def best_move(scores: Mapping[str, float], seed: int) -> str:
    """The move of the highest of at least one of `scores`; of equals the one that the seed draws."""
    best = max(scores.values())
    tied = [move for move, score in scores.items() if score == best]
    return tied[below(seeded(seed), len(tied))]


def decide_with(
    position: Position,
    parameters: Parameters,
    weights: Weights,
    meter: Meter,
    seed: int,
    choose: Callable[[Mapping[str, float], int], str] = best_move,
) -> Decision:
    """`decide` with leaf weights or a choice of the caller's own: for `training`, and agents built upon this.

    `choose(scores, seed)` gets the scores of the moves that were searched, all to the same depth. With the
    matrix root they may be compared; with the maximin root all but the best are upper bounds.
    """
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    config, maximin = parameters.search_config(), parameters.root == "maximin"
    search = Search(position, root.legal, weights, config, parameters.max_depth, maximin=maximin)
    nodes = run_search(search, meter)
    found = search.result
    scores = found.scores(config)
    stats: dict[str, Any] = {"iterations": nodes, "depth": found.depth}
    searched = {
        option.move: candidate_of(root, option, search, scores[option.move])
        for option in root.options
        if option.move in scores
    }
    candidates = candidates_of(root.options, searched)
    if not scores:
        stats["reason"] = "stopped before the first depth was complete"
        move = fallback(position)
        return Decision(move, candidates=candidates, stats=stats, line=(move,))
    move = choose(scores, seed)
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        outcome=proven_outcome(position, root.me, found.wins_in(move)),
        candidates=candidates,
        stats=stats,
        line=search.principal_variation(move).moves,
    )


def candidate_of(root: Root, option: MoveSafety, search: Search, score: float) -> Candidate:
    """A searched move: the leaf's terms at the end of its principal variation, and the search's results."""
    found = search.result
    row = found.payoffs[found.moves.index(option.move)]
    line = search.principal_variation(option.move)
    # The score is a mean over several leaves and bounds: `search` is what it differs from this one's.
    terms = {**line.terms, "search": score - sum(line.terms.values())}
    annotations = annotate(root.position, root.me, option)
    details = {
        "depth": found.depth,
        "replies": dict(zip(found.replies, row, strict=True)),
        "line": list(line.moves),
        "territory": line.territory,
        **annotations.details,
    }
    notes = (*_search_notes(found, option.move), *annotations.notes)
    return Candidate.of(option.move, terms, notes, details)


def _search_notes(found: SearchResult, move: str) -> tuple[str, ...]:
    """What is proven of a move, or that its value is a bound."""
    row = found.payoffs[found.moves.index(move)]
    if found.lost(move):
        return (found.loss_note,)
    if move in found.upper_bounds:
        return (f"<= {min(row):.2f} (cut off)",)
    if min(row) <= -WIN_SCORE:
        losing = [reply for reply, value in zip(found.replies, row, strict=True) if value <= -WIN_SCORE]
        return (f"loses if answered by {' or '.join(losing)}",)
    return ("wins against every reply",) if min(row) >= WIN_SCORE else ()


AGENT: Agent[Position] = Agent(
    "negamax",
    f"Negamax over simultaneous moves: iterative deepening, territory at the leaves ({DEFAULTS_VERSION}).",
    decide,
    "one node: a joint move played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_negamax`",
        "draw_worth": "`draw_worth` is now `draw`",
        "late": "`late` is now `lmr`",
        "mixed": "`mixed` is now `matrix_plies`",
    },
)
