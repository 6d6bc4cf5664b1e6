"""A legal move at once, where there is no time for any other. Needs no compiled code."""

from __future__ import annotations

from engines.ludo.position import Position, move_of


def fallback(position: Position) -> dict[str, int | None]:
    """The first movable piece; piece null and action 0 where there is none."""
    movable = position.movable
    return move_of(position, movable[0] if movable else None)
