"""Legal orders at once, where there is no time for any others. Needs no compiled code."""

from __future__ import annotations

from typing import Any

from engines.flag.position import STAND, Position, order_of


def fallback(position: Position) -> list[dict[str, Any]]:
    """Every living piece of the mover stands: legal at once. `[]` when finished or none lives."""
    team = position.mover()
    return [] if position.over else [order_of(piece, STAND) for piece in position.living(team)]
