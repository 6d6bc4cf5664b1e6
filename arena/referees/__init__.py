"""The referees of the four games, each loaded with its game alone."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast

from arena.games import load_game
from arena.referees.referee import NO_MOVE, Referee

__all__ = ["NO_MOVE", "Referee", "referee"]


@cache
def referee(name: str) -> Referee[Any]:
    """The referee of the game of that name."""
    game = load_game(name)
    module = import_module(f"arena.referees.{game.name}")
    return cast(Referee[Any], getattr(module, f"{game.name.capitalize()}Referee")())
