"""A heuristic's value as named terms that add up to it."""

from __future__ import annotations

import math

import numpy as np

from engines.isolation.board import UNPLACED
from engines.isolation.heuristics import move_counts
from engines.isolation.position import Position
from engines.isolation.rules import tables_of, winner

WON = {"won": math.inf}
LOST = {"lost": -math.inf}
UNDEFINED = {"undefined": 0.0}


def terms(name: str, position: Position, player: int) -> dict[str, float]:
    """The terms of a heuristic for `player`, as a search counts it.

    A lost or won position is such with every heuristic, and one that is undefined before the
    placement counts 0.
    """
    victor = winner(position)
    if victor is not None:
        return dict(WON if victor == player else LOST)
    own, opponent = position.at[player], position.at[1 - player]
    if own == UNPLACED and name == "center":
        return dict(UNDEFINED)
    if name == "center":
        return _center(position, own)
    if "chase" in name:
        if UNPLACED in (own, opponent):
            return dict(UNDEFINED)
        return _chase(position, own, opponent, fixed=name.endswith("_fixed"), weighted="weighted" in name)
    return _mobility(name, position, own, opponent)


def _center(position: Position, own: int) -> dict[str, float]:
    board = tables_of(position)
    return {
        "rows_off_center": float((board.height / 2 - board.rows[own]) ** 2),
        "columns_off_center": float((board.width / 2 - board.columns[own]) ** 2),
    }


def _chase(position: Position, own: int, opponent: int, fixed: bool, weighted: bool) -> dict[str, float]:
    board = tables_of(position)
    sign = -1 if fixed else 1
    place, other = (np.array([board.rows[at], board.columns[at]]) for at in (own, opponent))
    distance = -math.sqrt(int(((place + sign * other) ** 2).sum()))
    name = "distance" if fixed else "distance_of_sum"
    if not weighted:
        return {name: distance}
    blank = sum(bitboard.bit_count() for bitboard in position.blank)
    late = 4 * blank < position.height * position.width
    return {name: distance, "late_weight": distance * (1 / 4 - 1) if late else 0.0}


def _mobility(name: str, position: Position, own: int, opponent: int) -> dict[str, float]:
    counts = move_counts(*position.blank, own, opponent, tables_of(position))
    (moves, corners, following), (their_moves, their_corners, their_following) = counts
    found = {"own_moves": float(moves)}
    if name == "open_move":
        return found
    found["opponent_moves"] = -float(their_moves)
    if name == "next_moves":
        found["own_next_moves"] = float(following)
        found["opponent_next_moves"] = -float(their_following)
    elif name.startswith("avoid_corners"):
        found["own_corner_moves"] = -float(corners)
        found["opponent_corner_moves"] = float(their_corners if name.endswith("_fixed") else -their_corners)
    return found
