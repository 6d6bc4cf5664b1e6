"""Loads the engines in the background, so that the port is open at once."""

from __future__ import annotations

import gc
import importlib
import threading
from collections.abc import Mapping
from typing import Any

import structlog

from app.errors import Problem
from app.settings import Settings
from engines.core.game import Game


class Engines:
    """The games, once their kernels are loaded, and how the loading went."""

    def __init__(self) -> None:
        self._games: Mapping[str, Game[Any]] | None = None
        self._done = threading.Event()
        self.failure: str | None = None
        self.refused = False
        """Did loading fail because of a setting?"""

    @property
    def ready(self) -> bool:
        """Are all kernels loaded?"""
        return self._games is not None

    def load(self, settings: Settings) -> None:
        """Import every game, its kernels cached or compiled, and check the settings against them."""
        try:
            games: Mapping[str, Game[Any]] = importlib.import_module("engines.catalogue").GAMES
            for name, game in games.items():
                chosen = settings.default_agent(name)
                if chosen not in game.agents:
                    self.refused = True
                    raise LookupError(
                        f"QUADRIGA_DEFAULT_{name.upper()}={chosen}: not an agent's name; {name} has"
                        f" {', '.join(game.agents)}"
                    )
            # What is loaded by now is never freed: the garbage collector need not scan it during a move.
            gc.collect()
            gc.freeze()
            self._games = games
        except Exception as error:  # noqa: BLE001  (reported by /health/ready; the process goes on)
            self.failure = str(error)
            structlog.get_logger().error("the engines could not be loaded", exc_info=error)
        finally:
            self._done.set()

    def start(self, settings: Settings) -> None:
        """Load in a thread of its own."""
        threading.Thread(target=self.load, args=(settings,), name="load-engines", daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until loading has ended; True where it went well."""
        self._done.wait(seconds)
        return self.ready

    def game(self, name: str) -> Game[Any]:
        """A game, or 503 while kernels are still being loaded."""
        if self._games is None:
            raise Problem(
                503,
                "The engines are still being loaded; /health/ready says when they are there.",
                headers={"Retry-After": "1"},
            )
        return self._games[name]

    def games(self) -> Mapping[str, Game[Any]] | None:
        """All games, None while kernels are being loaded."""
        return self._games
