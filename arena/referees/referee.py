"""How a game is played at the arena: its openings, whose turn it is, and what a bad answer costs.

The rules are the engines'; a referee adds the conventions that the rules leave to the organiser.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from arena.errors import ArenaError
from arena.games import load_game
from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.core.rng import derive

P = TypeVar("P")

NO_MOVE = object()
"""What stands in for an answer where a bad answer loses the game."""


class Referee(ABC, Generic[P]):
    """One game. Stateless; seats are 0, 1, …, whatever the game calls them."""

    name: ClassVar[str]
    unit: ClassVar[str]
    """What the length of a game is counted in."""
    fewest: ClassVar[int] = 2
    most: ClassVar[int] = 2
    cap: ClassVar[int]
    """Longest game unless the set-up says otherwise; nobody has won then."""
    convention: ClassVar[str]
    """What happens after a late, failed or illegal answer, in words."""

    @property
    def game(self) -> Game[P]:
        return load_game(self.name)

    @abstractmethod
    def opening(self, options: Mapping[str, Any], seats: int, seed: int) -> P:
        """A random opening, not over."""

    @abstractmethod
    def seat_names(self, position: P, seats: int) -> Sequence[str]:
        """What the game calls each seat."""

    @abstractmethod
    def turns(self, position: P, seats: int) -> Sequence[tuple[int, P]]:
        """The seats that decide now, each with the position as it sees it."""

    @abstractmethod
    def objection(self, view: P, move: Any) -> str | None:
        """Why a move is illegal, None if it is legal; takes any JSON value."""

    @abstractmethod
    def moves(self, position: P, chosen: Mapping[int, Move]) -> Any:
        """The seats' moves in the form that the game's `step` takes."""

    @abstractmethod
    def substitute(self, view: P, last: Move | None) -> Any:
        """The move in place of a bad answer, `last` being the seat's last good one; or `NO_MOVE`."""

    @abstractmethod
    def winner_seat(self, step: Step[P], seats: int) -> int | None:
        """Who has won, of a game that is over."""

    def titled(self, position: P, title: str) -> P:
        """The position of a game of that name, where positions carry one."""
        return position

    def asks(self, view: P) -> bool:
        """Is there anything to decide? Where not, `game.fallback` plays and nobody is asked."""
        return True

    def alive(self, position: P, seats: int) -> Sequence[int]:
        """Seats still in the game."""
        return range(seats)

    def views(self, position: P, seen: Mapping[int, P], seats: int) -> Sequence[tuple[int, P]]:
        """Seats notified of a game's start and end; `seen` is what each saw last."""
        return ()

    def places(self, winner: int | None, gone: Mapping[int, int], seats: int) -> tuple[int, ...]:
        """The seats' places, 1 the best, equal ones shared; `gone` is when a seat left the game."""
        return tuple(1 if winner in (None, seat) else 2 for seat in range(seats))

    def new(self, options: Mapping[str, Any], seed: int) -> P:
        """The start of a game, or an `ArenaError` that names the option."""
        try:
            return self.game.new(options, seed)
        except PositionError as error:
            raise ArenaError(f"--set {'.'.join(map(str, error.path)) or 'option'}: {error.reason}") from None


def whole(options: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    """An option of the opening: a whole number in its range."""
    value = options.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ArenaError(f"--set {name}: a whole number from {low} to {high} is expected")
    return value


def without(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The options that are the game's own."""
    return {name: value for name, value in options.items() if name not in names}


def pick(choices: Sequence[Any], seed: int, *path: int) -> Any:
    """One of the choices, each as likely."""
    return choices[derive(seed, *path) % len(choices)]
