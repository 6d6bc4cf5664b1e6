"""The hybrid: the evolution proposes, a search vetoes, and both weigh what is left.

Both take slices in turn, or side by side, so whenever time runs out either has something to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents import negamax
from engines.battlesnake.agents.common import (
    no_choice,
    not_on_board,
    override_context,
    proven_outcome,
    unsearched,
)
from engines.battlesnake.evaluation import Weights, mode
from engines.battlesnake.evolution import evolution
from engines.battlesnake.evolution.evolution import Evolution, EvolutionConfig, Line
from engines.battlesnake.fallback import fallback
from engines.battlesnake.hybrid.interleave import Work
from engines.battlesnake.hybrid.opponent_model import Rival, expected, expecting, foreseen, seen, trusted
from engines.battlesnake.hybrid.veto import (
    CONFIGS,
    SEARCH_CONFIG,
    VETO,
    HybridConfig,
    Verdict,
    rivals,
    verdict,
)
from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position, Snake
from engines.battlesnake.search.deepening import MAX_DEPTH, Search
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.weights import leaves
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter

Share = Annotated[float, Ge(0.0), Le(1.0)]
USUAL = CONFIGS["otherwise"]


@dataclass(frozen=True)
class Parameters:
    """How the work is divided, when the search overrules, and how it takes risks."""

    share: Share = USUAL.share
    """Of the work, the part that the evolution does; the rest is the search's. 0 leaves out the one, 1 the
    other."""
    margin: Annotated[float, Ge(0.0), Le(1000.0)] = USUAL.margin
    """How far below the search's best a word may be worth before it is vetoed; a win is 100. More leaves more
    to the evolution."""
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Turns that the search looks ahead. Less makes a weaker player that answers sooner."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = SEARCH_CONFIG.draw
    """What a draw is worth to the search, where a win is 100 and a loss -100. At 0 it walks into equals for
    food; at -100 it never risks that."""
    caution: Share = SEARCH_CONFIG.caution
    """How much of a word's value is its worst case to the search; the rest is its mean over plausible
    replies. Says something with more than one rival, and in duels where every word may lose."""
    doubt: Share = SEARCH_CONFIG.doubt
    """How much of that plausibility goes to all replies alike; the rest to the rival's best mixed play. More
    for rivals that play at random."""
    radius: Annotated[int, Ge(0), Le(64)] = SEARCH_CONFIG.radius
    """With more than one rival: steps within which one may deviate from its habit. Less looks deeper and is
    surprised more often."""
    matrix_plies: Annotated[int, Ge(0), Le(MAX_DEPTH)] = SEARCH_CONFIG.matrix_plies
    """Turns after the first in which nodes where heads can meet are matrix games; later the rival sees your
    word. More is exact for longer, and looks less deep."""
    lmr: Annotated[int, Ge(0), Le(3)] = SEARCH_CONFIG.lmr
    """Turns less, at most and at each node, that the search looks ahead along later words and replies, unless
    they surprise; 3 also values boards one turn before its leaves so. 0 prunes nothing by guess."""

    def search_config(self) -> SearchConfig:
        """How the search is set."""
        return SearchConfig(self.draw, self.caution, self.doubt, self.radius, self.matrix_plies, self.lmr)

    def hybrid(self, position: Position) -> HybridConfig:
        """How the parts are put together at a position."""
        return replace(CONFIGS[rivals(position)], share=self.share, margin=self.margin)

    def setup(self, position: Position) -> Setup:
        """All that decides how a position is played."""
        weights = leaves()[mode(position)]
        return Setup(self.hybrid(position), self.search_config(), self.max_depth, EvolutionConfig(), weights)


@dataclass(frozen=True, slots=True)
class Setup:
    """All that decides how a position is played."""

    config: HybridConfig
    search_config: SearchConfig
    max_depth: int
    """Of the search."""
    evolution: EvolutionConfig
    weights: Weights
    """Of the leaf that both share."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The evolution's lines, and what has been seen of the rival."""

    lines: evolution.Memory | None
    rival: Rival


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The evolution's word, or the search's."""
    return play(position, parameters.setup(position), meter, seed, memory)


def play(position: Position, setup: Setup, meter: Meter, seed: int, memory: Any) -> Decision:
    """The same with a setup of the caller's own."""
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    if all(option.cause for option in options) or position.over:
        return no_choice(position, options, seed)
    legal = legal_moves(options)
    kept = memory if isinstance(memory, Memory) else Memory(None, Rival())
    evolved = Evolution(position, setup.evolution, setup.weights, legal, seed, kept.lines)
    search = _search(position, legal, setup)
    work = Work(search, evolved, legal, setup.search_config, setup.config.share)
    work.run(meter)
    found = search.found
    # What is known of the rival holds for the game that the lines are of.
    rival = seen(position, kept.rival) if evolved.carried else Rival()
    trust, forecast = trusted(rival), foreseen(found, setup.search_config)
    scores = expected(found, setup.search_config, forecast, trust)
    rival = expecting(position, rival, forecast)
    remembered = Memory(None if work.broken else evolved.memory(), rival)
    stats = _stats(work, evolved.carried, found.depth)
    lines = {move: line for move, line in work.lines.items() if move in legal}
    result = verdict(found, scores, lines, setup.config)
    if result is None:
        move = fallback(position)
        stats["reason"] = "stopped before either had valued anything"
        return Decision(move, candidates=unsearched(options), stats=stats, line=(move,), memory=remembered)
    candidates = tuple(
        _weighed(position, me, option, search, work.lines, scores, result) for option in options
    )
    context: dict[str, Any] = {"proposal": result.proposal} if lines else {}
    if forecast:
        context["foreseen"] = {"snake": rival.id, "move": forecast, "trust": round(trust, 3)}
    if result.move != result.proposal:
        stats["outweighed"] = int(result.proposal not in result.vetoes)
    if result.proposal in result.vetoes:
        stats["overrides"] = 1
        values = (scores[result.proposal], scores[result.move])
        context["override"] = override_context(result.proposal, result.move, values, found.depth)
    return Decision(
        result.move,
        candidates[MOVES.index(result.move)].score,
        outcome=proven_outcome(position, me, found.wins_in(result.move) if found.depth else None),
        candidates=candidates,
        stats=stats,
        context=context,
        line=_line(result.move, search, work),
        memory=remembered,
    )


def _search(position: Position, legal: tuple[str, ...], setup: Setup) -> Search:
    """The search at its start. A duel is searched by word, and by one walker: a second would have little to
    do."""
    duel = len(position.snakes) == 2
    workers = 1 if duel else 2
    return Search(position, legal, setup.weights, setup.search_config, setup.max_depth, workers, maximin=duel)


def _stats(work: Work, carried: int, depth: int) -> dict[str, Any]:
    """What the work came to; who had the last word is filled in."""
    return {
        "iterations": work.slices,
        "carried": carried,
        "generations": work.generations,
        "depth": depth,
        "override_turns": work.turns,
        "override_depth": depth,
        "overrides": 0,
        "outweighed": 0,
    }


def _line(move: str, search: Search, work: Work) -> tuple[str, ...]:
    """What the search expects after a word, and where the evolution's line begins so, the whole of that."""
    line = search.line(move).moves if search.found.depth else ()
    ahead = work.lines.get(move)
    if ahead is not None and line == ahead.moves[: len(line)]:
        line = ahead.moves
    return line or (move,)


def _weighed(
    position: Position,
    me: Snake,
    option: MoveSafety,
    search: Search,
    lines: Mapping[str, Line],
    scores: Mapping[str, float],
    result: Verdict,
) -> Candidate:
    """A word with what either says of it, and why it was vetoed."""
    line = lines.get(option.move)
    if option.cause or option.move not in result.parts:
        return Candidate(option.move, None, notes=(option.cause or "not looked at",))
    if option.move in scores:
        plain = negamax.valued(position, me, option, search, search.found, scores[option.move])
    else:
        plain = Candidate(option.move, None)
    terms = {**plain.terms, **result.parts[option.move]}
    notes, details = list(plain.notes), dict(plain.details)
    if option.move in result.vetoes:
        terms["veto"] = VETO
        notes.append(f"vetoed: {result.vetoes[option.move]}")
    if option.move in scores:
        details["negamax"] = scores[option.move]
    if line is not None:
        details["evolution"] = {
            "fitness": line.fitness,
            "low": line.low,
            "mean": line.mean,
            "terms": dict(line.terms),
            "line": list(line.moves),
        }
    else:
        notes.append("no line begins with it")
    return Candidate.of(option.move, terms, tuple(notes), details)


AGENT: Agent[Position] = Agent(
    "rhea_with_negamax_override",
    "The evolution's word, unless a search finds that it loses, or loses ground.",
    decide,
    "a slice of either, a millisecond or two",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_rhea_with_negamax_override`",
        "draw_worth": "`draw_worth` is now `draw`",
        "late": "`late` is now `lmr`",
        "mixed": "`mixed` is now `matrix_plies`",
    },
)
