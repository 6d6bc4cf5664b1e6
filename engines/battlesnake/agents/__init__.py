"""The agents of Battlesnake."""

from __future__ import annotations

from engines.battlesnake.board import Position
from engines.core.agents import Registry

AGENTS: Registry[Position] = Registry()
