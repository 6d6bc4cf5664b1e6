"""The published override: a search that only knows wins and losses has the last word on a move.

Scores are those of `PublishedSearch`: 10000 less the plies until a win, -10000 plus the plies until a loss,
and little for a board on which the game goes on. A move is bad if it scores less than a threshold; the best
move takes its place, if it scores more.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import Position
from engines.battlesnake.published.negamax import SIMPLE, LeafWeights, PublishedSearch, Values


@dataclass(frozen=True, slots=True)
class NegamaxOverrideConfig:
    """The published figures."""

    max_depth: int = 4
    bad_threshold: float = -5000.0
    leaf: LeafWeights = SIMPLE
    draw_is_loss: bool = False


def begin(position: Position, move: str, config: NegamaxOverrideConfig) -> PublishedSearch:
    """A search of `move` and of the moves that are not sure to be deadly.

    You must be on the board and the game not over.
    """
    me = position.me
    if me is None:
        raise ValueError("you are not on the board")
    moves = legal_moves(move_safety(position, me, find_obstacles(position)))
    if move not in moves:
        moves = (*moves, move)
    return PublishedSearch(position, moves, config.max_depth, config.leaf, config.draw_is_loss)


def is_move_bad(position: Position, move: str, config: NegamaxOverrideConfig) -> bool:
    """Does the whole search score the move below the threshold?"""
    return _searched(position, move, config).moves[move] < config.bad_threshold


def get_override_move(position: Position, move: str, config: NegamaxOverrideConfig) -> str | None:
    """The move that should be played in place of `move`; None where it may stand."""
    return replacement(_searched(position, move, config), move, config.bad_threshold)


def replacement(values: Values, move: str, bad_threshold: float) -> str | None:
    """By the scores found so far the first of the best moves, if `move` is bad and scores less; else None."""
    value = values.moves.get(move)
    if value is None or value >= bad_threshold:
        return None
    best = values.best()[0]
    return best if values.moves[best] > value else None


def _searched(position: Position, move: str, config: NegamaxOverrideConfig) -> Values:
    search = begin(position, move, config)
    while not search.finished:
        search.advance(search.slice)
    return search.found
