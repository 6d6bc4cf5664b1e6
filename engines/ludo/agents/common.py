"""What the agents share: nothing to play, nothing evaluated, ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded
from engines.ludo.fallback import fallback
from engines.ludo.position import Position, move_of


def trivial_decision(position: Position, meter: Meter) -> Decision | None:
    """The answer where no piece can move, or the budget allows no evaluation at all; else None."""
    if not position.movable:
        return Decision(fallback(position), stats={"iterations": 0, "reason": _why_none(position)})
    if not meter.more(0):
        candidates = [Candidate(move_of(position, piece), None) for piece in position.movable]
        stats = {
            "iterations": 0,
            "reason": "stopped before the first iteration: the first movable piece moves",
        }
        return Decision(fallback(position), candidates=candidates, stats=stats)
    return None


def best_of(candidates: Sequence[Candidate], seed: int, context: Mapping[str, Any] | None = None) -> Decision:
    """The candidate with the highest score; the seed draws one of several. For agents of one iteration."""
    top = max(candidate.score for candidate in candidates if candidate.score is not None)
    best = [candidate for candidate in candidates if candidate.score == top]
    chosen = best[int(below(seeded(seed), len(best)))]
    return Decision(chosen.move, chosen.score, None, candidates, {"iterations": 1}, context or {})


def _why_none(position: Position) -> str:
    if position.player in position.finished:
        return "all four pieces are in goal"
    return f"no piece can move with a {position.dice}"
