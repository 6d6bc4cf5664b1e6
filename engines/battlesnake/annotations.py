"""What stands beside a move, whoever searched: the risk of a head-to-head, the ground it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, evaluate_position, factors
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
