"""Searches by themselves: the document's negamax, and what has become of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le

from engines.battlesnake.agents.configurations import configurations
from engines.battlesnake.board import WORDS, Position, Snake
from engines.battlesnake.evidence import absent, beside, hopeless, proven, surroundings
from engines.battlesnake.position import fallback
from engines.battlesnake.published.negamax import HEALTH_LENGTH, SIMPLE, TERRITORY, Search
from engines.battlesnake.simultaneous import search as simultaneous
from engines.battlesnake.simultaneous.findings import Findings, Tuning
from engines.battlesnake.trained import PARTS, leaves
from engines.battlesnake.words import Outlook, ground, legal_words, outlooks
from engines.battlesnake.worth import SURE, Weights, mode
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

LEAVES = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}

Weight = Annotated[float, Ge(0.0), Le(1000.0)] | None
Share = Annotated[float, Ge(0.0), Le(1.0)] | None


@dataclass(frozen=True)
class Parameters:
    """Which search, and its variants. What is left out is the configuration's own."""

    config: Literal["tuned", "published"] = "tuned"
    """The search over moves made at once, or the one of the document and the program it describes."""
    max_depth: Annotated[int, Ge(1), Le(simultaneous.MAX_DEPTH)] | None = None
    """Turns to look ahead (published: 4)."""
    draw: Literal["zero", "loss"] | None = None
    """What it is worth when all that are left die at once (published: loss; tuned: `draw_worth`)."""
    leaf: Literal["territory", "health_length", "simple"] | None = None
    """Published only: what a board is worth when the depth is reached (territory)."""
    draw_worth: Annotated[float, Ge(-100.0), Le(100.0)] | None = None
    """From here on tuned only. A draw, where a win is 100 and a loss -100."""
    caution: Share = None
    """How much of a word's value is its worst case; the rest is its mean over plausible replies."""
    doubt: Share = None
    """How much of that plausibility goes to all replies alike; the rest to the rival's best mixed play."""
    radius: Annotated[int, Ge(0), Le(64)] | None = None
    """With more than one rival: steps within which one may deviate from its habit."""
    root: Literal["pairs", "words"] | None = None
    """In a duel: value all pairs of words and replies (pairs), or a word by its worst reply and only the best
    exactly, in half the turns (`caution` and `doubt` then say nothing)."""
    mixed: Annotated[int, Ge(0), Le(simultaneous.MAX_DEPTH)] | None = None
    """Turns after the first in which nodes where heads can meet are matrix games; later it sees your word."""
    late: Annotated[int, Ge(0), Le(3)] | None = None
    """Turns less, at most and at each node, that later words and replies are looked ahead, unless they
    surprise; 3 also values boards one turn before the leaves so (0)."""
    space: Weight = None
    """Weights of the leaf, whose defaults differ by mode. This: the logarithm of own cells to theirs."""
    room: Weight = None
    """Cells wanting to one's own length, as a share of it, where the own tail is out of reach."""
    length: Weight = None
    """The lead over the longest other, d / (1 + |d| / softness)."""
    softness: Annotated[float, Ge(0.1), Le(100.0)] | None = None
    """The lead at which its worth has fallen to half of what it would be in proportion."""
    health: Weight = None
    """The square of the share of 40 health that is wanting."""
    food: Weight = None
    """1 / (1 + steps) to the nearest food that is one's own; fades with the turns."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] | None = None
    """The turn at which food has lost half of its worth."""
    hazard: Weight = None
    """The share of own cells where hazards take health."""
    tail: Weight = None
    """The own tail in reach."""

    def standing(self, position: Position) -> dict[str, Any]:
        """What the parameters that say something at a position come to, given or not."""
        if self.config == "published":
            names = {"max_depth": 4, "draw": "loss", "leaf": "territory"}
            return {name: getattr(self, name) or usual for name, usual in names.items()}
        by_word = self.root == "words" and len(position.snakes) == 2
        return {
            "max_depth": self.max_depth or simultaneous.MAX_DEPTH,
            "root": self.root or "pairs",
            **told(self.tuning(), by_word, named=self.draw is not None),
            **asdict(self.weights(position)),
        }

    def tuning(self) -> Tuning:
        """How the tuned search is set."""
        given = {name: getattr(self, name) for name in ("caution", "doubt", "radius", "mixed", "late")}
        worth = {"zero": 0.0, "loss": -SURE}.get(self.draw or "", self.draw_worth)
        return replace(Tuning(), **_given({**given, "draw": worth}))

    def weights(self, position: Position) -> Weights:
        """The tuned search's leaf at a position."""
        given = {field.name: getattr(self, field.name) for field in fields(Weights)}
        return replace(leaves()[mode(position)], **_given(given))


def told(tuning: Tuning, by_word: bool, named: bool) -> dict[str, Any]:
    """A tuning under the names of parameters, without those that say nothing: by word nothing is a mean, and
    a draw may have its worth by name."""
    found = {"draw_worth" if name == "draw" else name: value for name, value in asdict(tuning).items()}
    deaf = (*(("caution", "doubt") if by_word else ()), *(("draw_worth",) if named else ()))
    return {name: value for name, value in found.items() if name not in deaf}


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The word of the highest value at the deepest complete depth; ties are drawn by the seed."""
    me = position.me
    if me is None:
        return absent(position)
    looks = outlooks(position, me, ground(position))
    legal = legal_words(looks)
    if all(look.cause for look in looks) or position.over:
        return hopeless(position, looks, seed)
    if parameters.config == "published":
        return _published(position, me, looks, legal, parameters, meter, seed)
    return _tuned(position, me, looks, legal, parameters, meter, seed)


def _published(
    position: Position,
    me: Snake,
    looks: tuple[Outlook, ...],
    legal: tuple[str, ...],
    parameters: Parameters,
    meter: Meter,
    seed: int,
) -> Decision:
    search = Search(
        position,
        legal,
        parameters.max_depth or 4,
        LEAVES[parameters.leaf or "territory"],
        (parameters.draw or "loss") == "loss",
    )
    known = surroundings(position, me, looks)
    done = _run(search, meter)
    values, depth = search.found.words, search.found.depth
    stats: dict[str, Any] = {"iterations": done, "depth": depth}
    move = fallback(position)
    if values:
        tied = search.found.best()
        move = tied[below(seeded(seed), len(tied))]
    else:
        stats["reason"] = "stopped before the first depth was complete"
    candidates = []
    for look in looks:
        if look.word in values and not look.cause:
            terms = {"negamax": values[look.word]}
            details = {"depth": depth, **known[look.word].details}
            candidates.append(Candidate.of(look.word, terms, known[look.word].notes, details))
        else:
            candidates.append(Candidate(look.word, None, notes=(look.cause or "not looked at",)))
    return Decision(
        move,
        candidates[WORDS.index(move)].score,
        outcome=proven(position, me, search.found.wins_in(move)),
        candidates=tuple(candidates),
        stats=stats,
        line=(move,),
    )


def _run(search: Search | simultaneous.Search, meter: Meter) -> int:
    """Search until it is through or the meter says no; the turns played."""
    done = 0
    while not search.finished and meter.more(done):
        left = meter.left(done)
        done += search.advance(search.slice if left is None else min(search.slice, left))
    return done


def _tuned(
    position: Position,
    me: Snake,
    looks: tuple[Outlook, ...],
    legal: tuple[str, ...],
    parameters: Parameters,
    meter: Meter,
    seed: int,
) -> Decision:
    tuning = parameters.tuning()
    limit = parameters.max_depth or simultaneous.MAX_DEPTH
    search = simultaneous.Search(
        position, legal, parameters.weights(position), tuning, limit, by_word=parameters.root == "words"
    )
    done = _run(search, meter)
    found = search.found
    scores = found.scores(tuning)
    stats: dict[str, Any] = {"iterations": done, "depth": found.depth}
    candidates = [
        valued(position, me, look, search, found, scores[look.word])
        if look.word in scores and not look.cause
        else Candidate(look.word, None, notes=(look.cause or "not looked at",))
        for look in looks
    ]
    if not scores:
        stats["reason"] = "stopped before the first depth was complete"
        move = fallback(position)
        return Decision(move, candidates=tuple(candidates), stats=stats, line=(move,))
    most = max(scores.values())
    tied = [word for word in found.words if scores[word] == most]
    move = tied[below(seeded(seed), len(tied))]
    return Decision(
        move,
        candidates[WORDS.index(move)].score,
        outcome=proven(position, me, found.wins_in(move)),
        candidates=tuple(candidates),
        stats=stats,
        line=search.line(move).words,
    )


def valued(
    position: Position,
    me: Snake,
    look: Outlook,
    search: simultaneous.Search,
    found: Findings,
    score: float,
) -> Candidate:
    """A word with all that the search knows of it."""
    row = found.payoffs[found.words.index(look.word)]
    line = search.line(look.word)
    # The value is a mean over leaves; what sets it apart from the one at the line's end is `outlook`.
    terms = {**line.terms, "outlook": score - sum(line.terms.values())}
    notes = []
    if found.lost(look.word):
        notes.append(found.defeat)
    elif look.word in found.at_most:
        notes.append("at most; not looked into further, for another word is better")
    elif min(row) <= -SURE:
        losing = [reply for reply, value in zip(found.replies, row, strict=True) if value <= -SURE]
        notes.append(f"loses if answered by {' or '.join(losing)}")
    elif min(row) >= SURE:
        notes.append("wins against every reply")
    plain = beside(position, me, look)
    details = {
        "depth": found.depth,
        "replies": dict(zip(found.replies, row, strict=True)),
        "line": list(line.words),
        "territory": line.territory,
        **plain.details,
    }
    return Candidate.of(look.word, terms, (*notes, *plain.notes), details)


AGENT: Agent[Position] = Agent(
    "negamax",
    f"Looks ahead over moves made at once, to what each snake can reach first ({PARTS}); or as published.",
    decide,
    "one turn played in the search tree",
    Parameters,
    Budgets(iterations=Range(200_000, 1, 100_000_000)),
    partial(configurations, Parameters),
)
