"""What stands beside a word in an answer, whoever searched: the risk of a head-to-head, the ground it holds;
what a search has proven; and the answer where there is nothing to search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, factors, weigh
from engines.battlesnake.move_safety import Ground, Outlook, fallback, ground, legal_words, onward, outlooks
from engines.battlesnake.position import STEPS, WORDS, Position, Snake
from engines.battlesnake.rules import play
from engines.battlesnake.state import CAUSE, pack, scratch
from engines.battlesnake.territory.context import CELLS, chart, findings
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.rng import below, seeded


def unlooked(looks: Sequence[Outlook]) -> tuple[Candidate, ...]:
    """The candidates where nothing was searched: deadly words with the reason."""
    return tuple(Candidate(look.word, None, notes=(look.cause or "not looked at",)) for look in looks)


def absent(position: Position) -> Decision:
    """The answer for who is not on the board."""
    reason = "you are not on the board"
    candidates = tuple(Candidate(word, None, notes=(reason,)) for word in WORDS)
    return Decision(fallback(position), candidates=candidates, stats={"iterations": 0, "reason": reason})


def hopeless(position: Position, looks: tuple[Outlook, ...], seed: int) -> Decision:
    """The answer where there is nothing to search: every word is deadly, unless a rival is gone first, or the
    game is over."""
    legal = legal_words(looks)
    move, reason = legal[below(seeded(seed), len(legal))], "every word is deadly"
    if not all(look.cause for look in looks):
        move, reason = fallback(position), "the game is over"
    return Decision(move, candidates=unlooked(looks), stats={"iterations": 0, "reason": reason})


def feared(position: Position, me: Snake, look: Outlook) -> tuple[str, ...]:
    """The ids of others, at least as long, whose head can come to the same cell in this turn."""
    return tuple(
        other.id
        for other in position.snakes
        if other.id != me.id
        and len(other.body) >= len(me.body)
        and any(position.landing(other.head, step) == look.landing for step in STEPS)
    )


@dataclass(frozen=True, slots=True)
class Beside:
    """Notes and details of a word, the same for every agent."""

    notes: tuple[str, ...]
    details: Mapping[str, Any]


def beside(position: Position, me: Snake, look: Outlook) -> Beside:
    """The risk of a head-to-head."""
    ids = feared(position, me, look)
    notes = (f"head-to-head with {', '.join(ids)} possible",) if ids else ()
    return Beside(notes, {"headToHead": list(ids)})


def proven(position: Position, me: Snake, turns: int | None) -> Outcome | None:
    """The outcome of a word that wins, in so many turns by best play; no search proves that of more rivals.

    It is proven for the board as it is: what food or hazard may yet appear is in nobody's hands. Losses are
    not told: rivals are taken to see your word, so they may still be escaped.
    """
    return None if turns is None or len(position.snakes) != 2 else Outcome(me.id, plies=turns)


def override_context(proposal: str, word: str, values: tuple[float, float], depth: int) -> dict[str, Any]:
    """What an answer tells of an override: both words, and what the search holds of them so deep."""
    return {
        "text": f"Negamax override: {proposal} -> {word}",
        "move": {"from": proposal, "to": word},
        "value": {"from": values[0], "to": values[1]},
        "depth": depth,
    }


def _plain(position: Position, snake: Snake, lie: Ground) -> str:
    """Straight on, where that is not sure to be deadly; else the first word that is not."""
    legal = legal_words(outlooks(position, snake, lie))
    return onward(snake) if onward(snake) in legal else legal[0]


def surroundings(position: Position, me: Snake, looks: Sequence[Outlook]) -> dict[str, Beside]:
    """By word that is not deadly: that risk, and `territory`, the cells that each living snake is the first
    to reach once it is played, the others having carried on where they can."""
    world, lie = pack(position), ground(position)
    map_, found = chart(world), findings(world)
    nothing, terms = factors(Weights(), position), np.zeros(len(TERMS))
    index = position.snakes.index(me)
    words = [WORDS.index(_plain(position, snake, lie)) for snake in position.snakes]
    known = {}
    for look in looks:
        if look.cause:
            continue
        plain = beside(position, me, look)
        after = scratch(world)
        words[index] = WORDS.index(look.word)
        play(*after, np.array(words, np.int64))
        territory = {}
        if after.snakes[index, CAUSE] <= 0:
            weigh(*after, *map_, index, nothing, found, terms)
            territory = {
                snake.id: int(found[row, CELLS])
                for row, snake in enumerate(position.snakes)
                if after.snakes[row, CAUSE] <= 0
            }
        known[look.word] = Beside(plain.notes, {**plain.details, "territory": territory})
    return known
