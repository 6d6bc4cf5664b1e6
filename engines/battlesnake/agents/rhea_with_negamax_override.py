"""The hybrid: the evolution moves, unless a search sees that another word is better; tuned and as published.

Both take slices in turn, so whenever time runs out either has something to say. The published search
does not depend on the evolution's word, so their order is free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake import evolution
from engines.battlesnake.agents import negamax, rhea
from engines.battlesnake.agents.configurations import configurations
from engines.battlesnake.board import WORDS, Position, Snake
from engines.battlesnake.evidence import absent, hopeless, proven, surroundings, unlooked
from engines.battlesnake.evolution import EvolutionConfig, Line
from engines.battlesnake.hybrid import (
    DUEL,
    TUNING,
    VETO,
    HybridConfig,
    Rival,
    Verdict,
    expected,
    foreseen,
    seen,
    trusted,
    verdict,
)
from engines.battlesnake.position import fallback
from engines.battlesnake.published.evolution import Evolution
from engines.battlesnake.published.negamax import HEALTH_LENGTH, MAX_DEPTH, SIMPLE, TERRITORY, Values
from engines.battlesnake.published.override import NegamaxOverrideConfig, begin, replacement
from engines.battlesnake.simultaneous import search as simultaneous
from engines.battlesnake.simultaneous.findings import Tuning
from engines.battlesnake.words import Outlook, ground, legal_words, outlooks
from engines.battlesnake.work import Work
from engines.battlesnake.worth import SURE
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter

LEAVES = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}


@dataclass(frozen=True)
class Parameters(rhea.Parameters):
    """The hybrid, tuned or as published; what is left out is the config's own figure."""

    max_depth: Annotated[int, Ge(1), Le(simultaneous.MAX_DEPTH)] | None = None
    """Turns that the search looks ahead (published 4)."""
    bad_threshold: Annotated[float, Ge(-20_000.0), Le(20_000.0)] | None = None
    """Published only: a word of a lower value is overridden, if another is better (-5000)."""
    leaf: Literal["simple", "health_length", "territory"] | None = None
    """Published only: what going on is worth: health / 100 (`simple`, its own), health + 5 * (own length
    - longest other), or as in `negamax`."""
    draw: Literal["zero", "loss"] | None = None
    """What it is worth when all that are left die at once (published zero; tuned `draw_worth`)."""
    share: rhea.Share | None = None
    """Tuned: of the work, the part that the evolution does; the rest is the search's."""
    margin: Annotated[float, Ge(0.0), Le(1000.0)] | None = None
    """Tuned: how far below the search's best a word may be worth before it is vetoed."""
    blend: Annotated[float, Ge(0.0), Le(100.0)] | None = None
    """Tuned: weight of what the evolution holds of the boards along its lines, beside the search's value
    (0.1; with one rival 0)."""
    horizon: Annotated[float, Ge(0.0), Le(100.0)] | None = None
    """Tuned: weight of the deaths and draws on these lines, which lie far beyond the search (0.5; with one
    rival 0)."""
    trust: rhea.Share | None = None
    """Tuned: in a duel, how sure it is at first that the rival plays the word that the search foresees."""
    learning: Annotated[float, Ge(0.1), Le(1000.0)] | None = None
    """Tuned: so many turns' worth of experience is what `trust` counts for; the rest is seen in the game."""
    caution: rhea.Share | None = None
    """Tuned: how much of a word's value is its worst case to the search; the rest is a plausible mean."""
    doubt: rhea.Share | None = None
    """Tuned: how much of that plausibility goes to all replies alike; the rest to the best mixed play."""
    radius: Annotated[int, Ge(0), Le(64)] | None = None
    """Tuned: with more than one rival: steps within which one may deviate from its habit."""
    root: Literal["pairs", "words"] | None = None
    """Tuned, with one rival: whether the search values all pairs of words and replies, which lets the rival's
    word be foreseen, or words by their worst reply, half as dear (words)."""
    mixed: Annotated[int, Ge(0), Le(simultaneous.MAX_DEPTH)] | None = None
    """Tuned: turns after the first in which nodes where heads can meet are matrix games."""
    late: Annotated[int, Ge(0), Le(3)] | None = None
    """Tuned: turns less, at most and at each node, that the search looks ahead along later words and replies,
    unless they surprise; 3 also values boards one turn before its leaves so (3)."""

    def standing(self, position: Position) -> dict[str, Any]:
        found = super().standing(position)
        if self.config == "published":
            override = self.override()
            return {
                **found,
                "max_depth": override.max_depth,
                "bad_threshold": override.bad_threshold,
                "leaf": self.leaf or "simple",
                "draw": self.draw or "zero",
            }
        by_word = self.by_word(position)
        deaf = ("trust", "learning") if by_word or len(position.snakes) != 2 else ()
        merged = asdict(self.hybrid(position))
        if self.draw is not None:
            found.pop("draw_worth")
        return {
            **found,
            "max_depth": self.max_depth or simultaneous.MAX_DEPTH,
            "root": "words" if by_word else "pairs",
            **negamax.told(self.tuning(), by_word, named=self.draw is not None),
            **{name: value for name, value in merged.items() if name not in deaf},
        }

    def override(self) -> NegamaxOverrideConfig:
        """The published override."""
        return NegamaxOverrideConfig(
            min(self.max_depth or 4, MAX_DEPTH),
            -5000.0 if self.bad_threshold is None else self.bad_threshold,
            LEAVES[self.leaf or "simple"],
            self.draw == "loss",
        )

    def hybrid(self, position: Position) -> HybridConfig:
        """How the tuned parts are put together at a position."""
        usual = DUEL if len(position.snakes) == 2 else HybridConfig()
        return replace(usual, **self._given(HybridConfig))

    def tuning(self) -> Tuning:
        """How the tuned search is set."""
        given = {name: getattr(self, name) for name in ("caution", "doubt", "radius", "mixed", "late")}
        given["draw"] = {"zero": 0.0, "loss": -SURE}.get(self.draw or "", self.draw_worth)
        return replace(TUNING, **{name: value for name, value in given.items() if value is not None})

    def by_word(self, position: Position) -> bool:
        """Does the search value words by their worst reply? Then by one walker: a second has little to do."""
        return len(position.snakes) == 2 and self.root != "pairs"

    def evolved(self) -> EvolutionConfig:
        worth = {"zero": 0.0, "loss": -SURE}.get(self.draw or "")
        config = super().evolved()
        return config if worth is None else replace(config, draw_worth=worth)


@dataclass(frozen=True, slots=True)
class Memory:
    """The evolution's lines, and what has been seen of the rival."""

    lines: evolution.Memory | None
    rival: Rival


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The evolution's word, or the override's."""
    me = position.me
    if me is None:
        return absent(position)
    looks = outlooks(position, me, ground(position))
    if all(look.cause for look in looks) or position.over:
        return hopeless(position, looks, seed)
    if parameters.config == "tuned":
        return _tuned(position, me, looks, parameters, meter, seed, memory)
    return _published(position, me, looks, parameters, meter, seed, memory)


def _tuned(
    position: Position,
    me: Snake,
    looks: tuple[Outlook, ...],
    parameters: Parameters,
    meter: Meter,
    seed: int,
    memory: Any,
) -> Decision:
    legal, tuning, config = legal_words(looks), parameters.tuning(), parameters.hybrid(position)
    kept = memory if isinstance(memory, Memory) else Memory(None, Rival())
    evolved = rhea.begin(position, parameters, looks, seed, kept.lines)
    limit = parameters.max_depth or simultaneous.MAX_DEPTH
    weights = parameters.weights(position)
    by_word = parameters.by_word(position)
    search = simultaneous.Search(
        position, legal, weights, tuning, limit, walkers=1 if by_word else 2, by_word=by_word
    )
    work = Work(search, evolved, legal, tuning, config.share)
    work.run(meter)
    found = search.found
    # What is known of the rival holds for the game that the lines are of.
    rival = seen(position, kept.rival) if evolved.carried else Rival()
    trust, forecast = trusted(rival, config), foreseen(found, tuning)
    scores = expected(found, tuning, forecast, trust)
    lines = {word: line for word, line in work.lines.items() if word in legal}
    stats: dict[str, Any] = {
        "iterations": work.slices,
        "carried": evolved.carried,
        "generations": work.generations,
        "depth": found.depth,
        "override_turns": work.turns,
        "override_depth": found.depth,
        "overrides": 0,
        "outweighed": 0,
    }
    other = next((snake for snake in position.snakes if snake.id != position.you), None)
    if forecast and other is not None:
        rival = replace(rival, id=other.id, turn=position.turn, head=other.head, foreseen=forecast)
    remembered = Memory(None if work.broken else evolved.memory(), rival)
    result = verdict(found, scores, lines, config)
    if result is None:
        word = fallback(position)
        stats["reason"] = "stopped before either had valued anything"
        return Decision(word, candidates=unlooked(looks), stats=stats, line=(word,), memory=remembered)
    candidates = tuple(_weighed(position, me, look, search, work.lines, scores, result) for look in looks)
    context: dict[str, Any] = {"proposal": result.proposal} if lines else {}
    if forecast:
        context["foreseen"] = {"snake": rival.id, "move": forecast, "trust": round(trust, 3)}
    if result.word != result.proposal:
        stats["outweighed"] = int(result.proposal not in result.vetoes)
    if result.proposal in result.vetoes:
        stats["overrides"] = 1
        values = (scores[result.proposal], scores[result.word])
        context["override"] = _override(result.proposal, result.word, *values, found.depth)
    line = search.line(result.word).words if found.depth else ()
    ahead = work.lines.get(result.word)
    if ahead is not None and line == ahead.words[: len(line)]:
        line = ahead.words
    return Decision(
        result.word,
        candidates[WORDS.index(result.word)].score,
        outcome=proven(position, me, found.wins_in(result.word) if found.depth else None),
        candidates=candidates,
        stats=stats,
        context=context,
        line=line or (result.word,),
        memory=remembered,
    )


def _weighed(
    position: Position,
    me: Snake,
    look: Outlook,
    search: simultaneous.Search,
    lines: Mapping[str, Line],
    scores: Mapping[str, float],
    result: Verdict,
) -> Candidate:
    """A word with what either says of it, and why it was vetoed."""
    line = lines.get(look.word)
    if look.cause or look.word not in result.parts:
        return Candidate(look.word, None, notes=(look.cause or "not looked at",))
    if look.word in scores:
        plain = negamax.valued(position, me, look, search, search.found, scores[look.word])
    else:
        plain = Candidate(look.word, None)
    terms = {**plain.terms, **result.parts[look.word]}
    notes, details = list(plain.notes), dict(plain.details)
    if look.word in result.vetoes:
        terms["veto"] = VETO
        notes.append(f"vetoed: {result.vetoes[look.word]}")
    if look.word in scores:
        details["negamax"] = scores[look.word]
    if line is not None:
        details["evolution"] = {
            "fitness": line.fitness,
            "low": line.low,
            "mean": line.mean,
            "terms": dict(line.terms),
            "line": list(line.words),
        }
    else:
        notes.append("no line begins with it")
    return Candidate.of(look.word, terms, tuple(notes), details)


def _override(proposal: str, word: str, bad: float, better: float, depth: int) -> dict[str, Any]:
    """What an answer tells of an override."""
    return {
        "text": f"Negamax override: {proposal} -> {word}",
        "move": {"from": proposal, "to": word},
        "value": {"from": bad, "to": better},
        "depth": depth,
    }


def _published(
    position: Position,
    me: Snake,
    looks: tuple[Outlook, ...],
    parameters: Parameters,
    meter: Meter,
    seed: int,
    memory: Any,
) -> Decision:
    known = surroundings(position, me, looks)
    published = Evolution(position, parameters.evolution(), seed, memory)
    override = parameters.override()
    search = begin(position, legal_words(looks)[0], override)
    slices = turns = 0
    while not (search.finished and published.finished) and meter.more(slices + published.generations):
        if search.finished or (published.generations <= slices and not published.finished):
            published.advance()
        else:
            turns += search.advance(search.slice)
            slices += 1
    plain = rhea.told(position, looks, known, published, seed)
    stats = {
        **plain.stats,
        "iterations": slices + published.generations,
        "generations": published.generations,
        "override_turns": turns,
        "override_depth": search.found.depth,
        "overrides": 0,
    }
    decision = replace(plain, candidates=_beside(plain.candidates, search.found), stats=stats)
    other = replacement(search.found, plain.move, override.bad_threshold)
    if other is not None:
        decision = _overridden(decision, other, search.found)
    return replace(decision, outcome=proven(position, me, search.found.wins_in(decision.move)))


def _beside(candidates: Any, values: Values) -> tuple[Candidate, ...]:
    """The candidates with what the search says of them."""
    return tuple(
        replace(
            candidate,
            details={**candidate.details, "negamax": values.words[candidate.move], "depth": values.depth},
        )
        if candidate.move in values.words
        else candidate
        for candidate in candidates
    )


def _overridden(decision: Decision, word: str, values: Values) -> Decision:
    bad, better = values.words[decision.move], values.words[word]
    scores = [candidate.score for candidate in decision.candidates if candidate.score is not None]
    # None where no line begins with a legal word: what is overridden then is the plain answer.
    best = max(scores, default=0.0)

    def retold(candidate: Candidate) -> Candidate:
        if candidate.move == decision.move:
            note = f"overridden: negamax {bad:g}, {word} {better:g}"
            return replace(candidate, notes=(*candidate.notes, note))
        if candidate.move == word:
            # Its sum is not what it is chosen for: the term makes up what that lacks to be the best.
            terms = {**candidate.terms, "override": best - (candidate.score or 0.0) + 1.0}
            return Candidate.of(word, terms, candidate.notes, candidate.details)
        return candidate

    candidates = tuple(retold(candidate) for candidate in decision.candidates)
    return replace(
        decision,
        move=word,
        score=candidates[WORDS.index(word)].score,
        candidates=candidates,
        stats={**decision.stats, "overrides": 1},
        context={**decision.context, "override": _override(decision.move, word, bad, better, values.depth)},
        line=(word,),
    )


AGENT: Agent[Position] = Agent(
    "rhea_with_negamax_override",
    "The evolution's word, unless a search finds that it loses, or loses ground; or as published.",
    decide,
    "a slice of either, a millisecond or two; published: a generation, or a millisecond of search",
    Parameters,
    Budgets(iterations=Range(600, 1, 200_000)),
    partial(configurations, Parameters),
)
