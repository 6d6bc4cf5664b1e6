"""One turn of a position by the rules, for callers outside kernels: pack it, play it, unpack it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engines.battlesnake import rules
from engines.battlesnake.move_safety import straight_ahead
from engines.battlesnake.position import MOVES, Cell, Position, Snake
from engines.battlesnake.state import CAUSES, body_of, food_left, pack

_INDEX = {move: index for index, move in enumerate(MOVES)}


@dataclass(frozen=True, slots=True)
class Fate:
    """A snake after the turn; `cause` and `by` are "" for the living."""

    snake: Snake
    cause: str
    by: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A position after a turn. `played` is False where the game was over before."""

    fates: tuple[Fate, ...]
    food: tuple[Cell, ...]
    over: bool
    played: bool


def play(position: Position, moves: Mapping[str, str]) -> Outcome:
    """Play a move for each living snake; one that is none of the four carries on.

    The map adds food and hazards afterwards (`maps`).
    """
    state = pack(position)
    played = (moves[s.id] if moves[s.id] in _INDEX else straight_ahead(s) for s in position.snakes)
    indices = np.array([_INDEX[move] for move in played], np.int64)
    if not rules.play(state, indices):
        return Outcome(tuple(Fate(s, "", "") for s in position.snakes), position.food, True, False)
    fates = []
    for index, snake in enumerate(position.snakes):
        row = state.snakes[index]
        after = Snake(snake.id, int(row.health), body_of(state, index), snake.name)
        by = position.snakes[row.eliminated_by].id if row.eliminated_by >= 0 else ""
        fates.append(Fate(after, CAUSES[row.cause], by))
    over = bool(state.totals[0].living <= (0 if position.solo else 1))
    return Outcome(tuple(fates), food_left(position, state), over, True)
