"""The one list of games; everything else finds them through it.

Importing this imports no game. An `Entry` gives what needs no compiled code (parser, fallback move);
`GAMES[name]` imports the game itself with its kernels, seconds where they are not cached: do that off the
event loop. What else a game has is found by its name: `engines/<name>/`, `app/games/<name>/schemas.py`,
`arena/referees/<name>.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.core.game import Game


@dataclass(frozen=True, slots=True)
class Entry:
    """A game, not loaded yet."""

    name: str
    summary: str
    default_agent: str
    """Who plays where a request names nobody and no setting says otherwise."""
    sides: tuple[str, ...] = ()
    """Whose decisions there are, where a state does not say whose it is."""

    @property
    def parse(self) -> Callable[..., Any]:
        """`parse(state, side=None)`: the position, or a `PositionError`."""
        return _part(self.name, "parse")

    @property
    def fallback(self) -> Callable[[Any], Any]:
        """`fallback(position)`: a legal move at once."""
        return _part(self.name, "fallback")

    def load(self) -> Game[Any]:
        """The game, its kernels loaded."""
        game: Game[Any] = getattr(import_module(f"engines.{self.name}.game"), self.name.upper())
        return game


@cache
def _part(game: str, name: str) -> Callable[..., Any]:
    """From the game's module of that name."""
    part: Callable[..., Any] = getattr(import_module(f"engines.{game}.{name}"), name)
    return part


ENTRIES: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            Entry(
                "battlesnake",
                "Snakes on a grid, all standard rulesets and maps.",
                default_agent="rhea_with_negamax_override",
            ),
            Entry("ludo", "Race of four pieces, two to four players.", default_agent="td"),
            Entry(
                "isolation",
                "Knight moves, each cell once; who cannot move loses.",
                default_agent="perfect",
            ),
            Entry(
                "flag",
                "Capture the flag on 11x11, simultaneous orders.",
                default_agent="equilibrium",
                sides=("A", "B"),
            ),
        )
    }
)

NAMES = tuple(ENTRIES)


class _Games(Mapping[str, "Game[Any]"]):
    """The games by name, each imported when it is first asked for."""

    def __getitem__(self, name: str) -> Game[Any]:
        return ENTRIES[name].load()

    def __contains__(self, name: object) -> bool:
        return name in ENTRIES

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)


GAMES: Mapping[str, Game[Any]] = _Games()
