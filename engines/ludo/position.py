"""A Ludo position as a value, how it is written as a state, and the numbers of the board.

Knows no rules and needs no compiled code: requests are parsed before the kernels are loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SEATS = 4
PIECES = 4
HOME = 0
START = 1
GOAL = 57
SIX = 6

ROUND_LIMIT = 1_000_000_000
LAST_ATTEMPT = 3
DEFAULT_ROUND = 2
"""A state without a round stands in ordinary play: past the first round, so that a six throws again."""

Pieces = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Position:
    """A throw that waits for its move.

    `positions` holds the pieces of seats 0..3, each seat numbering squares from its own start
    (0 home, 1 start, 52..56 corridor, 57 goal). `ghosts` are the empty seats, rising. `attempts`
    counts the throws of round 1 that left all four pieces of `player` at home.
    """

    positions: tuple[Pieces, Pieces, Pieces, Pieces]
    ghosts: tuple[int, ...]
    player: int
    dice: int
    round: int = DEFAULT_ROUND
    attempts: int = 0

    @property
    def movable(self) -> tuple[int, ...]:
        """The pieces of `player` that the throw can move, rising. With any, one of them must move."""
        return tuple(
            piece
            for piece, square in enumerate(self.positions[self.player])
            if square != GOAL and (square != HOME or self.dice == SIX)
        )

    @property
    def finished(self) -> tuple[int, ...]:
        """The seats that have brought all four pieces to goal, rising."""
        return tuple(seat for seat in range(SEATS) if set(self.positions[seat]) == {GOAL})


def dump(position: Position) -> dict[str, Any]:
    """The canonical state: all fields but `movable`, which follows from them."""
    return {
        "positions": [list(pieces) for pieces in position.positions],
        "ghosts": list(position.ghosts),
        "player": position.player,
        "dice": position.dice,
        "round": position.round,
        "attempts": position.attempts,
    }


def move_of(position: Position, piece: int | None) -> dict[str, int | None]:
    """The move as answers write it: the piece and its index among the movable ones."""
    return {"piece": piece, "action": 0 if piece is None else position.movable.index(piece)}
