"""The wire models of Flag."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from app.games import wire

Coordinate = Annotated[int, Field(ge=0, le=10)]
PieceId = Annotated[int, Field(ge=1, le=3)]
Side = Literal["A", "B"]

PieceEntry = Annotated[list[Coordinate], Field(min_length=4, max_length=4)]
"""[id, x, y, alive]: id 1 to 3, alive 1 or 0; dead and in jail are the same."""
Team = Annotated[list[PieceEntry], Field(min_length=3, max_length=3)]
FlagPart = Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "A1", "A2", "A3", "B1", "B2", "B3", None]
FlagParts = Annotated[list[FlagPart], Field(min_length=1, max_length=3)]
FlagEntry = Annotated[
    FlagParts,
    BeforeValidator(
        lambda entry: [entry] if entry is None or isinstance(entry, str) else entry,
        json_schema_input_type=FlagParts | Literal["A1", "A2", "A3", "B1", "B2", "B3", None],
    ),
]
"""[x, y, carrier], the carrier being a piece such as "B2", or null; without the cell: the carrier alone."""
Key = Annotated[list[Coordinate], Field(min_length=2, max_length=2)] | None
Rescuers = Annotated[list[PieceId], Field(max_length=3)]

EXAMPLE_STATE: dict[str, Any] = {
    "round": 5,
    "status": "playing",
    "winner": None,
    "pieces": {
        "A": [[1, 4, 8, 1], [2, 5, 0, 1], [3, 8, 6, 1]],
        "B": [[1, 2, 9, 1], [2, 5, 2, 1], [3, 6, 4, 0]],
    },
    "flags": {"A": [5, 10, None], "B": [5, 0, "A2"]},
    "zones": {"A": True, "B": False},
    "keys": {"A": None, "B": [1, 9]},
    "rescuers": {"A": [], "B": []},
}
EXAMPLE_MOVES: dict[str, Any] = {
    "A": [{"piece": 2, "direction": "up", "distance": 6}, {"piece": 3, "direction": "left", "distance": 2}],
    "B": [{"piece": 2, "direction": "down", "distance": 2}],
}


class Pieces(wire.Wire):
    """Three pieces for each team."""

    A: Team = Field(alias="A")
    B: Team = Field(alias="B")


class Flags(wire.Wire):
    """Where each team's flag is and which enemy carries it."""

    A: FlagEntry = Field(alias="A")
    B: FlagEntry = Field(alias="B")


class Zones(wire.Wire):
    """Whose no-guard zone is active: that of a team whose flag is not carried."""

    A: bool = Field(alias="A")
    B: bool = Field(alias="B")


class Keys(wire.Wire):
    """Where each team's rescue key lies; null while the team has nobody in jail."""

    A: Key = Field(alias="A")
    B: Key = Field(alias="B")


class PendingRescuers(wire.Wire):
    """The pieces that freed their team in the last round and go to their start cells first in this one."""

    A: Rescuers = Field(alias="A")
    B: Rescuers = Field(alias="B")


class State(wire.State):
    """The state of Flag at the end of a round; `zones`, `keys` and the flags' cells may be left out."""

    ignored: ClassVar[frozenset[str]] = frozenset(
        {
            "id",
            "tags",
            "commands",
            "paths",
            "collisions",
            "events",
            "after",
            "score",
            "scoreWithCaptures",
            "current",
            "enemy",
            "own",
            "evaluations",
        }
    )

    round: Annotated[int, Field(ge=1, le=10**9)]
    """The number of the round that is to be played; the first is 1."""
    status: Literal["playing", "finished"]
    """Is the game still on?"""
    winner: Side | None
    """Who has won; null while the game is on."""
    pieces: Pieces
    """[id, x, y, alive] of every piece, jailed ones included."""
    flags: Flags
    """[x, y, carrier] of each team's flag."""
    zones: Zones | None = None
    """Which no-guard zones are active; worked out where it is left out."""
    keys: Keys | None = None
    """Where the rescue keys lie; worked out where it is left out."""
    rescuers: PendingRescuers
    """Pieces that go to their start cells before the next round's movement."""


class Options(wire.Wire):
    """Flag has no options."""


@with_config(ConfigDict(extra="forbid", strict=True))
class Order(TypedDict):
    """Where one piece goes; it stops before the edge and before its own active no-guard zone."""

    piece: PieceId
    direction: Literal["up", "down", "left", "right"]
    distance: Coordinate


@with_config(ConfigDict(extra="forbid", strict=True))
class Moves(TypedDict, total=False):
    """The orders of both teams, at most one a piece; a piece without an order stands."""

    A: Annotated[list[Order], Field(max_length=6)]
    B: Annotated[list[Order], Field(max_length=6)]
