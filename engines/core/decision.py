"""A decision with its score, candidates and statistics, in one shape for every agent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Move = Any
"""A move as plain JSON values, in the form documented in docs/games/<game>.md."""


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
    """A legal move (Flag: an end cell; Battlesnake: all four moves), evaluated or not.

    `score` is the sum of `terms`, in their order. It is None where the move was not evaluated, is deadly, or
    has a sum that is not finite (Isolation's proven results), so a search ranks moves by its own values.
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

    `move` is legal in the position, or the game's documented "nothing to play". `score` is finite or None.
    `stats` always has `iterations`; with nothing to play or an early end it has `reason`. The caller may
    drop `memory`: an agent must be correct without it. No wall-clock figures: these are the caller's.
    """

    move: Move
    score: float | None = None
    """Mover's view, in the agent's own unit; None: not evaluated."""
    outcome: Outcome | None = None
    candidates: Sequence[Candidate] = ()
    """All legal moves (Flag: end cells; Battlesnake: all four), evaluated or not."""
    stats: Mapping[str, Any] = field(default_factory=dict)
    """JSON scalars, lists and objects."""
    context: Mapping[str, Any] = field(default_factory=dict)
    """Facts about the decision by name, shown with `explain`; JSON values under keys of the agent's own.

    `override` is special: the Battlesnake routes shout its `text`, log it and count it.
    """
    line: Sequence[Move] = ()
    """Principal variation, own move first."""
    memory: Any = None
    """Opaque; handed to `decide` at the next move."""
