"""The wire models of Isolation."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from app.games import wire

Side = Annotated[int, Field(ge=1, le=9)]
Coordinate = Annotated[int, Field(ge=0, le=8)]
Cell = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
"""[row, column], from [0, 0] at the top left."""

EXAMPLE_STATE: dict[str, Any] = {
    "width": 7,
    "height": 7,
    "blocked": [[1, 2], [2, 4], [3, 3], [3, 5], [4, 2], [5, 4]],
    "players": [[5, 4], [1, 2]],
    "toMove": 0,
}


class State(wire.State):
    """A position of Isolation."""

    ignored: ClassVar[frozenset[str]] = frozenset(
        {
            "source",
            "legal",
            "heuristics",
            "move",
            "terminal",
            "winner",
            "filled",
            "winning",
            "moves",
            "colourRule",
            "nodes",
            "plainChecked",
        }
    )

    width: Side
    """Columns of the board."""
    height: Side
    """Rows of the board."""
    blocked: Annotated[list[Cell], Field(max_length=81)]
    """Every cell that is not blank, those under the players included."""
    players: Annotated[list[Cell | None], Field(min_length=2, max_length=2)]
    """Where player 0 (who moved first) and player 1 stand; null: not placed yet."""
    to_move: Annotated[int, Field(ge=0, le=1)]
    """Whose turn it is."""


class Options(wire.Wire):
    """What `new` may be told."""

    width: Side = 7
    """Columns of the board."""
    height: Side = 7
    """Rows of the board."""


Moves = Cell | None
"""The cell to go to; null where the side to move has nowhere to go."""

EXAMPLE_MOVES: list[int] = [4, 6]
"""Player 0 goes from [5, 4] to the right edge."""
