"""What stands beside a word in an answer, whoever searched: which heads may meet yours there."""

from __future__ import annotations

from engines.battlesnake.board import STEPS, Position, Snake
from engines.battlesnake.words import Outlook


def feared(position: Position, me: Snake, look: Outlook) -> tuple[str, ...]:
    """The ids of others, at least as long, whose head can come to the same cell in this turn."""
    return tuple(
        other.id
        for other in position.snakes
        if other is not me
        and len(other.body) >= len(me.body)
        and any(position.landing(other.head, step) == look.landing for step in STEPS)
    )


def beside(position: Position, me: Snake, look: Outlook) -> tuple[tuple[str, ...], dict[str, list[str]]]:
    """Notes and details on the risk of a head-to-head."""
    ids = feared(position, me, look)
    if not ids:
        return (), {}
    return (f"head-to-head with {', '.join(ids)} possible",), {"headToHead": list(ids)}
