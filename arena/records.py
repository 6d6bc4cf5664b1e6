"""A game that was played: one line of a games file, enough to replay it."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from arena.wire import Written


class FaultNote(Written):
    """One late, failed or illegal answer; `ply` and `seat` count from 0."""

    ply: int
    seat: int
    kind: str
    detail: str


class SeatNotes(Written):
    """What one seat did over a game."""

    microseconds: tuple[int, ...] = ()
    """Of each decision, on the set-up's clock."""
    late: int = 0
    failed: int = 0
    illegal: int = 0
    numbers: dict[str, tuple[float, int]] = Field(default_factory=dict)
    """The agent's counters: sum, and decisions that had it."""
    flags: dict[str, int] = Field(default_factory=dict)
    """Decisions in which the agent said that it happened."""


class Record(Written):
    """One game: `start` and `plies` replay it by the game's own rules, chance drawn from `chance`."""

    number: int
    """Its number in the tournament."""
    opening: int
    seats: tuple[int, ...]
    """The contestant at each seat."""
    seat_names: tuple[str, ...]
    """What the game calls each seat."""
    chance: int
    """Seed of the game's chance: step number n is played with the seed `derive(chance, n)`."""
    start: dict[str, Any]
    """The opening, as a `state` of the game."""
    plies: tuple[Any, ...]
    """Each step's `moves`, as the game's `step` takes them."""
    places: tuple[int, ...]
    """Place of each seat, 1 the best, equal ones shared."""
    ended: str
    """`rules`, `cap` (too long: nobody has won) or `forfeit`."""
    length: int
    """In the game's unit (plies, throws, rounds, turns)."""
    faults: tuple[FaultNote, ...] = ()
    """The first few; the counts are in `notes`."""
    notes: tuple[SeatNotes, ...]
    seconds: float
    """Wall clock of the whole game."""
