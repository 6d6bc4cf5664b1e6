"""The games' names for the command line, without loading the games."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.output import Refusal
from engines.catalogue import GAMES, NAMES

if TYPE_CHECKING:
    from engines.core.game import Game

Name = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(NAMES)}.", show_default=False)]
OptionalName = Annotated[
    str | None,
    typer.Argument(metavar="GAME", help=f"One of {', '.join(NAMES)}; all without it.", show_default=False),
]


def resolve(name: str) -> str:
    """The game of that name or data format (`ludo-agents`, `battlesnake_requests`)."""
    known = [game for game in NAMES if re.match(f"{game}($|[-_])", name)]
    if not known:
        raise Refusal(f"no game is called {name[:80]!r}; there are {', '.join(NAMES)}")
    return max(known, key=len)


def load(name: str) -> Game[Any]:
    """The game, with its kernels loaded (compiled, where the cache has none): seconds."""
    return GAMES[name]
