"""The hybrid of search and evolution.

In a duel the search alone decides; the evolution proposes lines and stands in until the search has a value.
Else the evolution proposes, the search vetoes, and the greatest sum of both is played. The name is historic:
in the published agent, `published_rhea_with_negamax_override`, the search does no more than override.

`engines/battlesnake/hybrid/__init__.py` explains how it comes to its decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents import negamax
from engines.battlesnake.agents.common import Root, candidates_of, override_context, proven_outcome, root_of
from engines.battlesnake.evaluation import Weights
from engines.battlesnake.evolution import evolution
from engines.battlesnake.evolution.evolution import Evolution, EvolutionConfig, Individual
from engines.battlesnake.fallback import fallback
from engines.battlesnake.hybrid.config import DEFAULT_CONFIG, SEARCH_CONFIG, HybridConfig, hybrid_config
from engines.battlesnake.hybrid.interleave import Interleaving
from engines.battlesnake.hybrid.opponent_model import OpponentModel, adjusted_scores, predicted_move
from engines.battlesnake.hybrid.veto import VETO, Choice, choose_move
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.deepening import MAX_DEPTH, Search
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.weights import evaluation_weights
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision

Share = Annotated[float, Ge(0.0), Le(1.0)]


@dataclass(frozen=True)
class Parameters:
    """How the slices are divided, when the search vetoes, and how its risks are weighted."""

    share: Share = DEFAULT_CONFIG.share
    """The evolution's share of the slices; the rest is the search's. 0 leaves out the evolution, 1 the
    search."""
    margin: Annotated[float, Ge(0.0), Le(1000.0)] = DEFAULT_CONFIG.margin
    """A move is vetoed if its search value is so much lower than the best one's; a win is 100. More leaves
    more to the evolution."""
    # From here on those of the search, in the same words as `negamax.Parameters`.
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Greatest depth of the search, in plies of joint moves. Less makes a weaker player that answers
    sooner."""
    draw: Annotated[float, Ge(-100.0), Le(100.0)] = SEARCH_CONFIG.draw
    """Score of a draw to the search, where a win is 100 and a loss -100. At 0 it meets equals head-to-head
    for food; at -100 it never risks that."""
    caution: Share = SEARCH_CONFIG.caution
    """Weight of the worst case in a move's score; the rest is its mean over likely replies. Less gains
    more from rivals that blunder, more loses less to those that don't. Has an effect with more than one
    rival, and in duels where every move may lose."""
    doubt: Share = SEARCH_CONFIG.doubt
    """Share of the uniform distribution in the likely replies; the rest is the rival's equilibrium strategy.
    More for rivals that play at random. Has an effect in duels where every move may lose."""
    radius: Annotated[int, Ge(0), Le(64)] = SEARCH_CONFIG.radius
    """With more than one rival: distance of the heads within which a rival's replies are searched; farther
    ones follow a default policy. Less searches deeper, and is surprised more often."""
    matrix_plies: Annotated[int, Ge(0), Le(MAX_DEPTH)] = SEARCH_CONFIG.matrix_plies
    """Plies after the root in which nodes where heads can meet are solved as matrix games; beyond, the rival
    sees your move. More is exact for longer, and searches less deep."""
    lmr: Annotated[int, Ge(0), Le(3)] = SEARCH_CONFIG.lmr
    """Late move reductions: plies, at most and at each node, by which moves and replies that are ordered late
    are searched less deep, unless they surprise; 3 also one ply before the leaves. 0 is no reduction."""

    def search_config(self) -> SearchConfig:
        """The search with these parameters."""
        return SearchConfig(self.draw, self.caution, self.doubt, self.radius, self.matrix_plies, self.lmr)

    def hybrid_config(self, position: Position) -> HybridConfig:
        """How search and evolution are put together at a position."""
        return replace(hybrid_config(position), share=self.share, margin=self.margin)

    def resolve(self, position: Position) -> ResolvedConfig:
        """All that these parameters come to at a position."""
        return ResolvedConfig(
            self.hybrid_config(position),
            self.search_config(),
            self.max_depth,
            EvolutionConfig(),
            evaluation_weights(position),
        )


@dataclass(frozen=True, slots=True)
class ResolvedConfig:
    """All figures that decide how a position is played."""

    hybrid: HybridConfig
    search: SearchConfig
    max_depth: int
    """Of the search."""
    evolution: EvolutionConfig
    weights: Weights
    """Of the leaf that both share."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The evolution's populations (None where another thread was still in them), and the opponent model."""

    populations: evolution.Memory | None
    opponent: OpponentModel


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The move of the greatest sum among those that are not vetoed; in a duel that sum is the search's value,
    as soon as it has one."""
    return decide_with(position, parameters.resolve(position), meter, seed, memory)


def decide_with(position: Position, config: ResolvedConfig, meter: Meter, seed: int, memory: Any) -> Decision:
    """`decide` with figures of the caller's own."""
    root = root_of(position, seed)
    if isinstance(root, Decision):
        return root
    before = memory if isinstance(memory, Memory) else Memory(None, OpponentModel())
    evolved = Evolution(position, config.evolution, config.weights, root.legal, seed, before.populations)
    search = _search(root, config)
    steps = Interleaving(search, evolved, root.legal, config.search, config.hybrid.share)
    steps.run(meter)
    found = search.result
    # Populations that were not carried over are of another game, and so is the model.
    opponent = before.opponent.observe(position) if evolved.carried else OpponentModel()
    predicted = predicted_move(found, config.search)
    opponent = opponent.predict(position, predicted)
    scores = adjusted_scores(found, config.search, predicted, opponent.confidence)
    remembered = Memory(None if steps.evolution_abandoned else evolved.memory(), opponent)
    stats = _stats(steps, evolved.carried, found.depth)
    lines = {move: line for move, line in steps.lines.items() if move in root.legal}
    choice = choose_move(found, scores, lines, config.hybrid)
    if choice is None:
        move, candidates = fallback(position), candidates_of(root.options)
        stats["reason"] = "stopped before search and evolution had a result"
        return Decision(move, candidates=candidates, stats=stats, line=(move,), memory=remembered)
    candidates = _candidates(root, search, steps.lines, scores, choice)
    context: dict[str, Any] = {"proposal": choice.proposal} if lines else {}
    if predicted:
        confidence = round(opponent.confidence, 3)
        context["predicted"] = {"snake": opponent.id, "move": predicted, "confidence": confidence}
    if choice.proposal in choice.vetoes:
        stats["overrides"] = 1
        values = (scores[choice.proposal], scores[choice.move])
        context["override"] = override_context(choice.proposal, choice.move, values, found.depth)
    elif choice.move != choice.proposal:
        stats["outscored"] = 1
    return Decision(
        choice.move,
        candidates[MOVES.index(choice.move)].score,
        outcome=proven_outcome(position, root.me, found.wins_in(choice.move) if found.depth else None),
        candidates=candidates,
        stats=stats,
        context=context,
        line=_line(choice.move, search, steps.lines),
        memory=remembered,
    )


def _search(root: Root, config: ResolvedConfig) -> Search:
    """The search at its start. A duel has a maximin root and one worker: its moves are searched one after the
    other, each against the best so far, which leaves a second worker little to do."""
    duel = len(root.position.snakes) == 2
    workers = 1 if duel else 2
    return Search(
        root.position, root.legal, config.weights, config.search, config.max_depth, workers, maximin=duel
    )


def _stats(steps: Interleaving, warm_start_turns: int, depth: int) -> dict[str, Any]:
    """The statistics of a decision without an override."""
    return {
        "iterations": steps.slices,
        "warm_start_turns": warm_start_turns,
        "generations": steps.generations,
        "depth": depth,
        "override_nodes": steps.nodes,
        "override_depth": depth,
        "overrides": 0,
        "outscored": 0,
    }


def _line(move: str, search: Search, lines: Mapping[str, Individual]) -> tuple[str, ...]:
    """The search's principal variation, with the rest of the evolution's line where that begins the same."""
    variation = search.principal_variation(move).moves if search.result.depth else ()
    line = lines.get(move)
    if line is not None and variation == line.moves[: len(variation)]:
        variation = line.moves
    return variation or (move,)


def _candidates(
    root: Root, search: Search, lines: Mapping[str, Individual], scores: Mapping[str, float], choice: Choice
) -> tuple[Candidate, ...]:
    """All four moves; those with a value as search, evolution and veto have them."""
    found = {}
    for option in root.options:
        move = option.move
        if option.cause or move not in choice.evolution_terms:
            continue
        searched = Candidate(move, None)
        if move in scores:
            searched = negamax.candidate_of(root, option, search, scores[move])
        terms = {**searched.terms, **choice.evolution_terms[move]}
        notes, details = list(searched.notes), dict(searched.details)
        if move in choice.vetoes:
            terms["veto"] = VETO
            notes.append(f"vetoed: {choice.vetoes[move]}")
        if move in scores:
            details["negamax"] = scores[move]
        if move in lines:
            details["evolution"] = _line_details(lines[move])
        else:
            notes.append("no line begins with this move")
        found[move] = Candidate.of(move, terms, tuple(notes), details)
    return candidates_of(root.options, found)


def _line_details(line: Individual) -> dict[str, Any]:
    """The evolution's best line of a move: its fitness and terms, its worst scenario and the mean."""
    return {
        "fitness": line.fitness,
        "low": line.low,
        "mean": line.mean,
        "terms": dict(line.terms),
        "line": list(line.moves),
    }


AGENT: Agent[Position] = Agent(
    "rhea_with_negamax_override",
    "Search and evolution: in duels the search's move; else the greatest sum of both that it does not veto.",
    decide,
    "a slice of search or evolution, a millisecond or two",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
    retired={
        "config": "`config` is gone: the document's agent is now `published_rhea_with_negamax_override`",
        "draw_worth": "`draw_worth` is now `draw`",
        "late": "`late` is now `lmr`",
        "mixed": "`mixed` is now `matrix_plies`",
    },
)
