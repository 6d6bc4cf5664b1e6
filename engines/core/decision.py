"""A decision and its evidence, of one shape for every agent of every game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Move = Any
"""A move in the form in which the game's answer writes it (`specs of each game`): plain JSON values."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A proven result: who wins (seat, side or snake id; None for a draw) and in how many plies, if known."""

    winner: int | str | None
    proven: bool = True
    plies: int | None = None


# Terms are multiples of this power of two (about a millionth): sums of such numbers up to 2**33
# are exact, so no order of adding and no language's way of summing can miss the score.
GRAIN = 2.0**-20


def _exact(value: float) -> float:
    """`value` on the grain; whole and infinite numbers stay what they are."""
    if isinstance(value, int) or not math.isfinite(value):
        return value
    return round(value / GRAIN) * GRAIN


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move that was looked at. `score` is the sum of `terms`, in their order.

    `score` is None where the move was not valued (never reached, deadly, or the sum is infinite).
    `notes` are short sentences for a human; `details` holds what a game adds to its candidates.
    """

    move: Move
    score: float | None
    terms: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        move: Move,
        terms: Mapping[str, float],
        notes: tuple[str, ...] = (),
        details: Mapping[str, Any] | None = None,
    ) -> Candidate:
        """A candidate whose score is the sum of its terms, whoever adds them up in whatever order."""
        exact = {name: _exact(value) for name, value in terms.items()}
        total = sum(exact.values())
        return cls(move, total if math.isfinite(total) else None, exact, notes, details or {})


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent answers.

    `move` is legal in the position, or the game's documented "nothing to play". `score` is from
    the mover's view, finite or None. `stats` always has `iterations`; with nothing to play or an
    early end it has `reason`. `memory` is handed back by the caller next time, or dropped: an
    agent must be correct without it. Wall-clock figures are the caller's business, never in here.
    """

    move: Move
    score: float | None = None
    outcome: Outcome | None = None
    candidates: Sequence[Candidate] = ()
    stats: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    line: Sequence[Move] = ()
    memory: Any = None
