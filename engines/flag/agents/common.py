"""What the agents share: nothing to play, answers, candidates, statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from engines.core.decision import Candidate, Decision
from engines.flag import moves
from engines.flag.one_round import PieceScores
from engines.flag.position import STAND, Position, order_of
from engines.flag.rules import Array


def nothing_to_play(position: Position) -> Decision | None:
    """The answer where there is nothing to order: a finished game, or no living piece."""
    if position.over:
        reason = "the game is finished"
    elif not position.living(position.mover()):
        reason = "no piece of this side lives"
    else:
        return None
    return Decision([], stats={"iterations": 0, "reason": reason})


def stand_orders() -> Array:
    """Orders (int64[6, 2]) by which everybody stands."""
    return np.array([STAND] * 6, np.int64)


def answer(position: Position, orders: Array) -> list[dict[str, Any]]:
    """The orders of the mover's living pieces, in order."""
    return [
        order_of(piece, (int(direction), int(distance)))
        for piece in position.living(position.mover())
        for direction, distance in (orders[piece],)
    ]


def candidates_of(
    position: Position,
    scored: Iterable[PieceScores],
    notes: Callable[[int], tuple[str, ...]] = lambda piece: (),
) -> tuple[Candidate, ...]:
    """Every end cell of every living piece of the mover, scored where there was time."""
    by_piece = {found.piece: found for found in scored}
    listed: list[Candidate] = []
    for piece in position.living(position.mover()):
        if piece in by_piece:
            listed += by_piece[piece].candidates(position, notes(piece))
        else:
            listed += [
                Candidate(order_of(piece, order), None, notes=("not evaluated",), details={"end": end})
                for order, end in moves.ends(position, piece)
            ]
    return tuple(listed)


def piece_stats(done: int, wanted: int) -> dict[str, Any]:
    """The statistics of a pass over some pieces, with the reason where it ended early."""
    stats: dict[str, Any] = {"iterations": done}
    if done < wanted:
        stats["reason"] = f"out of budget after {done} of {wanted} pieces: the others stand"
    return stats
