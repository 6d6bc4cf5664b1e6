"""A tournament before its first game: everything that its games depend on, as one value.

Two tournaments of equal set-up with budgets of iterations are the same games, move for move,
whoever plays them and on how many workers. Games are numbered from 0, round by round; every game
can be made from its number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from pydantic import Field, model_validator

from arena.contestants import Contestant
from arena.errors import ArenaError
from arena.sprt import Sprt
from arena.wire import Written
from engines.core.rng import derive

Group = tuple[int, ...]
"""Contestants (their numbers) that meet at one board."""

Clock = Literal["wall", "processor"]

OPENING, GAME, ORDER = 1, 2, 3
"""First steps of the seeds' paths under the tournament's seed."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to be played: its number, its opening, and which contestant sits where."""

    number: int
    opening: int
    seats: tuple[int, ...]


class Setup(Written):
    """Who plays whom, from which openings, with what chance."""

    game: str
    format: str
    """match, round-robin, gauntlet or free-for-all; or the preset that drew it up."""
    contestants: tuple[Contestant, ...]
    groups: tuple[Group, ...]
    """Who meets at one board; all of one size."""
    openings: int = Field(ge=1)
    """Openings that each group plays, each once for every turn of the seats."""
    seed: int = Field(default=0, ge=0, lt=2**63)
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the game and of its openings."""
    cap: int | None = Field(default=None, ge=1)
    """Longest game, in the game's own unit; None: the game's default."""
    tolerance_ms: float = Field(default=50.0, ge=0)
    """How long after its time an answer still counts."""
    clock: Clock = "wall"
    """What the players' milliseconds are of: the wall's, or the processor's, which a busy machine does not
    shorten."""
    cores: int = Field(default=1, ge=1, le=64)
    """Cores that a player in the arena's process may use, where it knows how to."""
    sprt: Sprt | None = None
    """Stop as soon as this test has its answer."""

    @model_validator(mode="after")
    def _one_core(self) -> Setup:
        if self.clock != "wall" and self.cores != 1:
            raise ValueError("the processor's time is that of one core; several go with the wall's clock")
        return self

    @property
    def seats(self) -> int:
        """Contestants at one board."""
        return len(self.groups[0])

    @property
    def games(self) -> int:
        """Games of the whole schedule."""
        return self.openings * len(self.groups) * self.seats

    def pairing(self, number: int) -> Pairing:
        """The game of that number: groups in turn within an opening, turns of the seats within a group."""
        k = self.seats
        board, turn = divmod(number, k)
        opening, which = divmod(board, len(self.groups))
        group = self.groups[which]
        if k > 2:  # neighbours matter at a longer table, so each opening has an order of its own
            group = tuple(sorted(group, key=lambda who: derive(self.seed, ORDER, opening, who)))
        return Pairing(number, opening, group[turn:] + group[:turn])


def pairs(count: int) -> tuple[Group, ...]:
    """Round robin: each two once."""
    return tuple(combinations(range(count), 2))


def against(heads: Iterable[int], others: Sequence[int]) -> tuple[Group, ...]:
    """Gauntlet: each of the heads against each of the others, nobody else against anybody."""
    return tuple((head, other) for head in heads for other in others)


def tables(count: int, seats: int) -> tuple[Group, ...]:
    """Free-for-all: every choice of `seats` among the contestants shares a board."""
    return tuple(combinations(range(count), seats))


def openings_for(games: int, seats: int) -> int:
    """How many openings so many games are, each being played once for every turn of the seats."""
    if games < 1 or games % seats:
        nearest = max(seats, round(games / seats) * seats)
        raise ArenaError(
            f"--games {games}: every opening is played {seats} times, once for every turn of the seats, "
            f"so the number must be a multiple of {seats} (say {nearest})"
        )
    return games // seats
