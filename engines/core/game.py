"""The contract of a game: what the service, the command line and the tests may ask of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engines.core.agent import Registry
from engines.core.decision import Move
from engines.core.vectors import VectorFormat

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Step(Generic[P]):
    """What the rules made of one step. `winner`: a seat, side or snake id; None while none or for a draw."""

    position: P
    events: tuple[Any, ...]
    over: bool
    winner: int | str | None


class Game(ABC, Generic[P]):
    """One game. Stateless: positions are immutable values, randomness is a seed.

    A position knows whose decision it is (the player to move, `you`, a side): agents take
    nothing else. All states, moves, options and events are plain JSON values in the forms of
    the vector files; whatever the rules refuse is a `PositionError` that names the field.
    """

    name: str
    agents: Registry[P]
    formats: Sequence[VectorFormat]

    @abstractmethod
    def new(self, options: Mapping[str, Any], seed: int) -> P:
        """The start of a game."""

    @abstractmethod
    def parse(self, state: Mapping[str, Any], side: str | None = None) -> P:
        """The position of a well-shaped `state` (types are the edge's business, sense is ours)."""

    @abstractmethod
    def dump(self, position: P) -> dict[str, Any]:
        """The `state` of a position: `parse(dump(p)) == p`."""

    @abstractmethod
    def legal(self, position: P) -> Any:
        """The legal moves, in the game's own form."""

    @abstractmethod
    def step(self, position: P, moves: Any, seed: int) -> Step[P]:
        """Play `moves`; chance (dice to come, food) is drawn from `seed`."""

    @abstractmethod
    def fallback(self, position: P) -> Move:
        """A legal move at once: no search, no compiled code, microseconds."""

    @abstractmethod
    def render(self, position: P) -> str:
        """The board for a terminal."""

    def annotations(self, position: P, move: Move) -> dict[str, Any]:
        """Fields that stand beside `move` in an answer (Flag's timeline)."""
        return {}
