"""Ludo on the wire: states, options of a new game, and moves."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from app.games import wire

Seat = Annotated[int, Field(ge=0, le=3)]
Piece = Annotated[int, Field(ge=0, le=3)]
Square = Annotated[int, Field(ge=0, le=57)]
Ghost = Annotated[int, Field(ge=1, le=3)]
FourSquares = Annotated[list[Square], Field(min_length=4, max_length=4)]
Ghosts = Annotated[list[Ghost], Field(max_length=3)]


class State(wire.State):
    """A throw that waits for its move."""

    ignored: ClassVar[frozenset[str]] = frozenset(
        (
            *("piece", "after", "done", "next", "src", "tags"),
            *(
                "phase",
                "phases",
                "moves",
                "best",
                "tuple9",
                "index9",
                "why9",
                "equity",
                "zone12",
                "combined17",
            ),
        )
    )

    positions: Annotated[list[FourSquares], Field(min_length=4, max_length=4)]
    """The pieces of seats 0 to 3, each seat numbering squares from its own start: 0 home, 1 start,
    2 to 51 the ring, 52 to 56 the corridor, 57 goal."""
    ghosts: Ghosts
    """The empty seats; their pieces all stand on 0."""
    player: Seat
    """The seat whose throw it is."""
    dice: Annotated[int, Field(ge=1, le=6)]
    """The throw."""
    round: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    """The round, from 1; 2 (ordinary play) where it is left out. Only the turn order looks at it."""
    attempts: Annotated[int, Field(ge=0, le=3)] | None = None
    """Throws of round 1 that left the mover's pieces all at home; 0 where it is left out."""
    movable: Annotated[list[Piece], Field(max_length=4)] | None = None
    """The pieces that can move; worked out where it is left out, null or empty."""


class Options(wire.Wire):
    """Who sits down: a number of players or the empty seats; four players without either."""

    players: Annotated[int, Field(ge=2, le=4)] | None = None
    """Two sit opposite (seats 0 and 2), three on seats 0 to 2."""
    ghosts: Ghosts | None = None
    """The empty seats; seat 0 always plays."""


class Moves(wire.Wire):
    """The move of the seat whose throw it is."""

    piece: Piece | None
    """The piece to move; null where none can."""
    action: Piece | None = None
    """Its index among the movable pieces; may be left out."""


EXAMPLE_STATE: dict[str, Any] = {
    "positions": [[0, 5, 12, 57], [0, 0, 0, 0], [0, 31, 40, 3], [0, 0, 0, 0]],
    "ghosts": [1, 3],
    "player": 0,
    "dice": 6,
    "round": 12,
    "attempts": 0,
    "movable": [0, 1, 2],
}
"""Two players; seat 0 has thrown a six."""

EXAMPLE_MOVES: dict[str, Any] = {"piece": 2, "action": 2}
"""Seat 0 moves the piece on 12."""
