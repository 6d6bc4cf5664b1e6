"""A game by its name, alone: a worker that plays Ludo need not load four games' kernels."""

from __future__ import annotations

from typing import Any

from arena.errors import ArenaError
from engines.catalogue import GAMES
from engines.core.game import Game


def load_game(name: str) -> Game[Any]:
    """The game of that name, its kernels loaded."""
    if name not in GAMES:
        raise ArenaError(f"no game is called {name[:80]!r}; there are {', '.join(GAMES)}")
    return GAMES[name]
