"""A game by its name, alone: a worker that plays Ludo need not load four games' kernels."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast

from arena.errors import ArenaError
from engines.core.game import Game

NAMES = ("battlesnake", "ludo", "isolation", "flag")


@cache
def load_game(name: str) -> Game[Any]:
    """The game of that name, its kernels loaded."""
    if name not in NAMES:
        raise ArenaError(f"no game is called {name[:80]!r}; there are {', '.join(NAMES)}")
    return cast(Game[Any], getattr(import_module(f"engines.{name}.game"), name.upper()))
