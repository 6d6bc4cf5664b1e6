"""The document's override: a search that only knows life and death has the last word on a move.

Values are those of `negamax.Search`: 10000 less the turns to a win, -10000 plus the turns to a
loss, and a small worth of going on. A move is bad below the threshold; then the best other word
takes its place, if one is better.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import Position
from engines.battlesnake.published.negamax import SIMPLE, Search, Values


@dataclass(frozen=True, slots=True)
class NegamaxOverrideConfig:
    """The figures of the document."""

    max_depth: int = 4
    bad_threshold: float = -5000.0
    leaf: tuple[float, ...] = SIMPLE
    draw_is_loss: bool = False


def begin(position: Position, move: str, config: NegamaxOverrideConfig) -> Search:
    """A search that values `move` and the words that are not sure to be deadly.

    You must be on the board and the game not over.
    """
    me = position.me
    if me is None:
        raise ValueError("you are not on the board")
    choices = legal_moves(move_safety(position, me, find_obstacles(position)))
    if move not in choices:
        choices = (*choices, move)
    return Search(position, choices, config.max_depth, config.leaf, config.draw_is_loss)


def is_move_bad(position: Position, move: str, config: NegamaxOverrideConfig) -> bool:
    """Does the whole search give the move less than the threshold?"""
    return _valued(position, move, config).moves[move] < config.bad_threshold


def get_override_move(position: Position, move: str, config: NegamaxOverrideConfig) -> str | None:
    """The word that should be played in place of `move`; None where it may stand."""
    return replacement(_valued(position, move, config), move, config.bad_threshold)


def replacement(values: Values, move: str, bad_threshold: float) -> str | None:
    """What the values found so far make of `move`: the first best word, where that one is bad and worse."""
    value = values.moves.get(move)
    if value is None or value >= bad_threshold:
        return None
    best = values.best()[0]
    return best if values.moves[best] > value else None


def _valued(position: Position, move: str, config: NegamaxOverrideConfig) -> Values:
    search = begin(position, move, config)
    while not search.finished:
        search.advance(search.slice)
    return search.found
