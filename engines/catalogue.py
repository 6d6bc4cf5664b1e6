"""The four games by their names. Importing this loads every kernel: do it off the event loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.battlesnake.game import BATTLESNAKE
from engines.core.game import Game
from engines.flag.game import FLAG
from engines.isolation.game import ISOLATION
from engines.ludo.game import LUDO

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in (BATTLESNAKE, LUDO, ISOLATION, FLAG)}
