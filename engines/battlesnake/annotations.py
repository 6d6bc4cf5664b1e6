"""Notes and details of a move, the same for every agent: head-to-head risks, territory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines.battlesnake.evaluation import TERMS, Weights, evaluate_position, leaf_weights
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
from engines.battlesnake.territory.context import flood_context, territory_table


@dataclass(frozen=True, slots=True)
class Annotations:
    """What stands beside a move whatever its score."""

    notes: tuple[str, ...]
    details: Mapping[str, Any]


def head_to_head_risks(position: Position, me: Snake, option: MoveSafety) -> tuple[str, ...]:
    """The ids of others, at least as long, whose head can come to the same cell in this turn."""
    return tuple(
        other.id
        for other in position.snakes
        if other.id != me.id
        and len(other.body) >= len(me.body)
        and any(position.destination(other.head, step) == option.destination for step in OFFSETS)
    )


def annotate(position: Position, me: Snake, option: MoveSafety) -> Annotations:
    """The head-to-head risks of a move, for agents whose search has the territory."""
    ids = head_to_head_risks(position, me, option)
    notes = (f"head-to-head with {', '.join(ids)} possible",) if ids else ()
    return Annotations(notes, {"headToHead": list(ids)})


def annotate_with_territory(
    position: Position, me: Snake, options: Sequence[MoveSafety]
) -> dict[str, Annotations]:
    """By move that is not deadly: the head-to-head risks and `territory`, the cells that each living snake is
    the first to reach after it, the others having gone straight on where they can."""
    state, obstacles = pack(position), find_obstacles(position)
    context, table = flood_context(state), territory_table(state)
    no_weights, terms = leaf_weights(Weights(), position), np.zeros(len(TERMS))
    index = position.snakes.index(me)
    moves = [MOVES.index(_straight_or_first_legal(position, snake, obstacles)) for snake in position.snakes]
    annotations = {}
    for option in options:
        if option.cause:
            continue
        risks = annotate(position, me, option)
        after = scratch_copy(state)
        moves[index] = MOVES.index(option.move)
        play(after, np.array(moves, np.int64))
        territory = {}
        if after.snakes[index].cause <= 0:
            evaluate_position(after, context, index, no_weights, table, terms)
            territory = {
                snake.id: int(table[row].cells)
                for row, snake in enumerate(position.snakes)
                if after.snakes[row].cause <= 0
            }
        annotations[option.move] = Annotations(risks.notes, {**risks.details, "territory": territory})
    return annotations


def _straight_or_first_legal(position: Position, snake: Snake, obstacles: Obstacles) -> str:
    """Straight on if that is legal, else the first legal move."""
    legal = legal_moves(move_safety(position, snake, obstacles))
    return straight_ahead(snake) if straight_ahead(snake) in legal else legal[0]
