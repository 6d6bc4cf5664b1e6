"""What of Battlesnake is at hand before any kernel is loaded: the position, its reading and a legal word."""

from __future__ import annotations

from engines.battlesnake.board import Position, Settings, Snake, dump
from engines.battlesnake.reading import parse
from engines.battlesnake.words import fallback

__all__ = ["Position", "Settings", "Snake", "dump", "fallback", "parse"]
