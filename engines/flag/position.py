"""A Flag position as a value, and how it is written as a state. Needs no compiled code.

Pieces are numbered 0..5 inside the engine: A1 A2 A3 B1 B2 B3; teams are 0 (A) and 1 (B).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engines.core.errors import PositionError

SIZE: Final = 11
NEUTRAL_ROW: Final = 5
TEAMS: Final = ("A", "B")
NAMES: Final = ("A1", "A2", "A3", "B1", "B2", "B3")
DIRECTIONS: Final = ("up", "down", "left", "right")
MAX_DISTANCE: Final = 10
MAX_ROUND: Final = 10**9

Cell = tuple[int, int]

STARTS: Final[tuple[Cell, ...]] = ((4, 8), (5, 8), (6, 8), (4, 2), (5, 2), (6, 2))
HOMES: Final[tuple[Cell, Cell]] = ((5, 10), (5, 0))
"""Where each team's flag lies when nobody carries it."""
KEYS: Final[tuple[Cell, Cell]] = ((9, 1), (1, 9))
"""Where each team's rescue key appears."""

Order = tuple[int, int]
"""Direction (index into DIRECTIONS) and distance of one piece; STAND for a piece without an order."""
STAND: Final[Order] = (0, 0)
Orders = tuple[Order, ...]
"""One order for each of the six pieces."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Cell and life of one piece. A dead piece keeps coordinates that nothing reads."""

    x: int
    y: int
    alive: bool

    @property
    def cell(self) -> Cell:
        return self.x, self.y


@dataclass(frozen=True, slots=True)
class Position:
    """The end of a round (or the start of the game), and whose decision is asked for.

    `pieces` holds A1 A2 A3 B1 B2 B3. `carriers[t]` is the piece (0..5) that carries team t's flag,
    or None. `rescuers` are the pieces that go home when the next round begins. Zones, keys and the
    flags' cells follow from these.
    """

    pieces: tuple[Piece, ...]
    carriers: tuple[int | None, int | None]
    rescuers: tuple[int, ...]
    round: int
    winner: int | None
    side: str | None = None

    @property
    def over(self) -> bool:
        return self.winner is not None

    def zone_active(self, team: int) -> bool:
        """A team's no-guard zone holds while its flag is not carried."""
        return self.carriers[team] is None

    def key(self, team: int) -> Cell | None:
        """The team's rescue key: on the board exactly while the team has a piece in jail."""
        return None if all(self.pieces[i].alive for i in members(team)) else KEYS[team]

    def flag(self, team: int) -> Cell:
        """Where the team's flag is."""
        carrier = self.carriers[team]
        return HOMES[team] if carrier is None else self.pieces[carrier].cell

    def living(self, team: int) -> list[int]:
        """The team's living pieces, in order."""
        return [i for i in members(team) if self.pieces[i].alive]

    def mover(self) -> int:
        """The team whose decision it is; refused by name where none was given."""
        if self.side is None:
            raise PositionError(("side",), "whose orders are wanted? Give A or B")
        return TEAMS.index(self.side)


def members(team: int) -> range:
    """The three pieces of a team."""
    return range(3 * team, 3 * team + 3)


def start(side: str | None = None) -> Position:
    """The beginning of a game."""
    return Position(tuple(Piece(x, y, True) for x, y in STARTS), (None, None), (), 1, None, side)


def in_zone(x: int, y: int, team: int) -> bool:
    """Is the cell in the team's no-guard zone?"""
    return 4 <= x <= 6 and (y >= 9 if team == 0 else y <= 1)


def dump(position: Position) -> dict[str, Any]:
    """The state of a position, derived fields included."""
    return {
        "round": position.round,
        "status": "finished" if position.over else "playing",
        "winner": None if position.winner is None else TEAMS[position.winner],
        "pieces": {
            name: [
                [i - 3 * team + 1, position.pieces[i].x, position.pieces[i].y, int(position.pieces[i].alive)]
                for i in members(team)
            ]
            for team, name in enumerate(TEAMS)
        },
        "flags": {
            name: [*position.flag(team), None if carrier is None else NAMES[carrier]]
            for team, (name, carrier) in enumerate(zip(TEAMS, position.carriers, strict=True))
        },
        "zones": {name: position.zone_active(team) for team, name in enumerate(TEAMS)},
        "keys": {
            name: None if (key := position.key(team)) is None else list(key)
            for team, name in enumerate(TEAMS)
        },
        "rescuers": {
            name: [i - 3 * team + 1 for i in position.rescuers if i in members(team)]
            for team, name in enumerate(TEAMS)
        },
    }


def order_of(piece: int, order: Order) -> dict[str, Any]:
    """One order as answers and vectors write it; standing is `up`, 0."""
    direction, distance = order
    return {"piece": piece % 3 + 1, "direction": DIRECTIONS[direction], "distance": distance}
