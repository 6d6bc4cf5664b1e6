"""The search over moves made at once, by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import no_choice, not_on_board, proven_outcome
from engines.battlesnake.annotations import annotate
from engines.battlesnake.evaluation import WIN_SCORE, Weights, mode
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position, Snake
from engines.battlesnake.search.deepening import MAX_DEPTH, Search
from engines.battlesnake.search.result import SearchConfig, SearchResult
from engines.battlesnake.weights import PARTS, leaves
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

Share = Annotated[float, Ge(0.0), Le(1.0)]
USUAL = SearchConfig()


@dataclass(frozen=True)
class Parameters:
    """How far the search looks, whom it takes seriously, and how it takes risks."""

    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Turns to look ahead. Less makes a weaker player that answers sooner."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = USUAL.draw
    """What a draw is worth, where a win is 100 and a loss -100. At 0 it walks into equals for food; at -100
    it never risks that."""
    caution: Share = USUAL.caution
    """How much of a word's value is its worst case; the rest is its mean over plausible replies. Less gains
    more from rivals that blunder, more loses less to those that don't."""
    doubt: Share = USUAL.doubt
    """How much of that plausibility goes to all replies alike; the rest to the rival's best mixed play. More
    for rivals that play at random."""
    radius: Annotated[int, Ge(0), Le(64)] = USUAL.radius
    """With more than one rival: steps within which one may deviate from its habit. Less looks deeper and is
    surprised more often."""
    root: Literal["matrix", "maximin"] = "matrix"
    """In a duel: value all pairs of words and replies (pairs), or a word by its worst reply and only the best
    exactly, in half the turns (`caution` and `doubt` then say nothing). `words` is what the hybrid does."""
    matrix_plies: Annotated[int, Ge(0), Le(MAX_DEPTH)] = USUAL.matrix_plies
    """Turns after the first in which nodes where heads can meet are matrix games; later the rival sees your
    word. More is exact for longer, and looks less deep."""
    lmr: Annotated[int, Ge(0), Le(3)] = USUAL.lmr
    """Turns less, at most and at each node, that later words and replies are looked ahead, unless they
    surprise; 3, as in the hybrid, also values boards one turn before the leaves so. 0 prunes nothing by
    guess."""

    def search_config(self) -> SearchConfig:
        """How the search is set."""
        return SearchConfig(self.draw, self.caution, self.doubt, self.radius, self.matrix_plies, self.lmr)


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The word of the highest value at the deepest complete depth; ties are drawn by the seed."""
    return play(position, parameters, leaves()[mode(position)], meter, seed)


def play(position: Position, parameters: Parameters, weights: Weights, meter: Meter, seed: int) -> Decision:
    """The same with a leaf of the caller's own weights."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    search_config, maximin = parameters.search_config(), parameters.root == "maximin"
    legal = legal_moves(options)
    search = Search(position, legal, weights, search_config, parameters.max_depth, maximin=maximin)
    done = 0
    while not search.finished and meter.more(done):
        left = meter.left(done)
        done += search.advance(search.slice if left is None else min(search.slice, left))
    found = search.found
    scores = found.scores(search_config)
    stats: dict[str, Any] = {"iterations": done, "depth": found.depth}
    candidates = tuple(
        valued(position, me, option, search, found, scores[option.move])
        if option.move in scores and not option.cause
        else Candidate(option.move, None, notes=(option.cause or "not looked at",))
        for option in options
    )
    if not scores:
        stats["reason"] = "stopped before the first depth was complete"
        move = fallback(position)
        return Decision(move, candidates=candidates, stats=stats, line=(move,))
    most = max(scores.values())
    tied = [move for move in found.moves if scores[move] == most]
    move = tied[below(seeded(seed), len(tied))]
    return Decision(
        move,
        candidates[MOVES.index(move)].score,
        outcome=proven_outcome(position, me, found.wins_in(move)),
        candidates=candidates,
        stats=stats,
        line=search.line(move).moves,
    )


def valued(
    position: Position,
    me: Snake,
    option: MoveSafety,
    search: Search,
    found: SearchResult,
    score: float,
) -> Candidate:
    """A word with all that the search knows of it."""
    row = found.payoffs[found.moves.index(option.move)]
    line = search.line(option.move)
    # The value is a mean over leaves; what sets it apart from the one at the line's end is `outlook`.
    terms = {**line.terms, "outlook": score - sum(line.terms.values())}
    notes = []
    if found.lost(option.move):
        notes.append(found.defeat)
    elif option.move in found.at_most:
        notes.append("at most; not looked into further, for another word is better")
    elif min(row) <= -WIN_SCORE:
        losing = [reply for reply, value in zip(found.replies, row, strict=True) if value <= -WIN_SCORE]
        notes.append(f"loses if answered by {' or '.join(losing)}")
    elif min(row) >= WIN_SCORE:
        notes.append("wins against every reply")
    plain = annotate(position, me, option)
    details = {
        "depth": found.depth,
        "replies": dict(zip(found.replies, row, strict=True)),
        "line": list(line.moves),
        "territory": line.territory,
        **plain.details,
    }
    return Candidate.of(option.move, terms, (*notes, *plain.notes), details)


AGENT: Agent[Position] = Agent(
    "negamax",
    f"Looks ahead over moves made at once, to what each snake can reach first ({PARTS}).",
    decide,
    "one turn played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_negamax`",
        "draw_worth": "`draw_worth` is now `draw`",
        "late": "`late` is now `lmr`",
        "mixed": "`mixed` is now `matrix_plies`",
    },
)
