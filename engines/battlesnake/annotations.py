"""What stands beside a word in an answer, whoever searched: the risk of a head-to-head, the ground it holds;
what a search has proven; and the answer where there is nothing to search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, evaluate_position, factors
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import (
    MoveSafety,
    Obstacles,
    find_obstacles,
    legal_moves,
    move_safety,
    straight_ahead,
)
from engines.battlesnake.position import MOVES, OFFSETS, Position, Snake
from engines.battlesnake.rules import play
from engines.battlesnake.state import pack, scratch_copy
from engines.battlesnake.territory.context import CELLS, flood_context, territory_table
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.rng import below, seeded


def unsearched(options: Sequence[MoveSafety]) -> tuple[Candidate, ...]:
    """The candidates where nothing was searched: deadly words with the reason."""
    return tuple(Candidate(option.move, None, notes=(option.cause or "not looked at",)) for option in options)


def not_on_board(position: Position) -> Decision:
    """The answer for who is not on the board."""
    reason = "you are not on the board"
    candidates = tuple(Candidate(move, None, notes=(reason,)) for move in MOVES)
    return Decision(fallback(position), candidates=candidates, stats={"iterations": 0, "reason": reason})


def no_choice(position: Position, options: tuple[MoveSafety, ...], seed: int) -> Decision:
    """The answer where there is nothing to search: every word is deadly, unless a rival is gone first, or the
    game is over."""
    legal = legal_moves(options)
    move, reason = legal[below(seeded(seed), len(legal))], "every word is deadly"
    if not all(option.cause for option in options):
        move, reason = fallback(position), "the game is over"
    return Decision(move, candidates=unsearched(options), stats={"iterations": 0, "reason": reason})


def head_to_head_risks(position: Position, me: Snake, option: MoveSafety) -> tuple[str, ...]:
    """The ids of others, at least as long, whose head can come to the same cell in this turn."""
    return tuple(
        other.id
        for other in position.snakes
        if other.id != me.id
        and len(other.body) >= len(me.body)
        and any(position.destination(other.head, step) == option.destination for step in OFFSETS)
    )


@dataclass(frozen=True, slots=True)
class Annotations:
    """Notes and details of a word, the same for every agent."""

    notes: tuple[str, ...]
    details: Mapping[str, Any]


def annotate(position: Position, me: Snake, option: MoveSafety) -> Annotations:
    """The risk of a head-to-head."""
    ids = head_to_head_risks(position, me, option)
    notes = (f"head-to-head with {', '.join(ids)} possible",) if ids else ()
    return Annotations(notes, {"headToHead": list(ids)})


def proven_outcome(position: Position, me: Snake, turns: int | None) -> Outcome | None:
    """The outcome of a word that wins, in so many turns by best play; no search proves that of more rivals.

    It is proven for the board as it is: what food or hazard may yet appear is in nobody's hands. Losses are
    not told: rivals are taken to see your word, so they may still be escaped.
    """
    return None if turns is None or len(position.snakes) != 2 else Outcome(me.id, plies=turns)


def override_context(proposal: str, move: str, values: tuple[float, float], depth: int) -> dict[str, Any]:
    """What an answer tells of an override: both words, and what the search holds of them so deep."""
    return {
        "text": f"Negamax override: {proposal} -> {move}",
        "move": {"from": proposal, "to": move},
        "value": {"from": values[0], "to": values[1]},
        "depth": depth,
    }


def _plain(position: Position, snake: Snake, obstacles: Obstacles) -> str:
    """Straight on, where that is not sure to be deadly; else the first word that is not."""
    legal = legal_moves(move_safety(position, snake, obstacles))
    return straight_ahead(snake) if straight_ahead(snake) in legal else legal[0]


def annotate_all(position: Position, me: Snake, options: Sequence[MoveSafety]) -> dict[str, Annotations]:
    """By word that is not deadly: that risk, and `territory`, the cells that each living snake is the first
    to reach once it is played, the others having carried on where they can."""
    state, obstacles = pack(position), find_obstacles(position)
    context, found = flood_context(state), territory_table(state)
    nothing, terms = factors(Weights(), position), np.zeros(len(TERMS))
    index = position.snakes.index(me)
    moves = [MOVES.index(_plain(position, snake, obstacles)) for snake in position.snakes]
    known = {}
    for option in options:
        if option.cause:
            continue
        plain = annotate(position, me, option)
        after = scratch_copy(state)
        moves[index] = MOVES.index(option.move)
        play(after, np.array(moves, np.int64))
        territory = {}
        if after.snakes[index].cause <= 0:
            evaluate_position(after, context, index, nothing, found, terms)
            territory = {
                snake.id: int(found[row, CELLS])
                for row, snake in enumerate(position.snakes)
                if after.snakes[row].cause <= 0
            }
        known[option.move] = Annotations(plain.notes, {**plain.details, "territory": territory})
    return known
