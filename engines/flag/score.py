"""The score with named terms, in its quick and its full form, from the compiled rules."""

from __future__ import annotations

import numpy as np

from engines.flag import rules
from engines.flag.position import Position


def quick_terms(position: Position, side: int) -> dict[str, int]:
    """The quick score from one side's view, by its named terms: it is their sum."""
    terms = np.zeros(rules.N_TERMS, np.int64)
    rules.score(rules.table_of(position), side, terms)
    return dict(zip(rules.TERMS, terms.tolist(), strict=True))


def quick(position: Position, side: int) -> int:
    """The quick score from one side's view; the other side's is its negative."""
    return sum(quick_terms(position, side).values())


def full_terms(position: Position, side: int, before: Position) -> dict[str, int]:
    """The quick score and what was captured since `before` (freed pieces count back)."""
    lost = [
        sum(before.pieces[i].alive - position.pieces[i].alive for i in range(3 * team, 3 * team + 3))
        for team in (0, 1)
    ]
    captures = 0 if position.over else rules.CAPTURE * (lost[1 - side] - lost[side])
    return quick_terms(position, side) | {"captures": captures}


def full(position: Position, side: int, before: Position) -> int:
    """The full score from one side's view."""
    return sum(full_terms(position, side, before).values())
