"""One ply: the cell after which a heuristic is highest is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.agent import Agent
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision, Outcome
from engines.isolation.agents.common import lost, shuffled_squares
from engines.isolation.heuristics import Heuristic
from engines.isolation.position import Position, cell
from engines.isolation.rules import legal_cells, play
from engines.isolation.terms import terms


@dataclass(frozen=True)
class Parameters:
    """Parameters of the greedy agent."""

    heuristic: Heuristic = "improved"
    """The published heuristic that evaluates the position after the own move."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The cell after which the heuristic is highest for the mover; a cell that wins before all others."""
    squares = shuffled_squares(position, seed)
    if not squares:
        return lost(position)
    if not meter.more(0):
        idle = tuple(Candidate(place, None) for place in legal_cells(position))
        stats = {
            "iterations": 0,
            "reason": "stopped before the first iteration: a random move is played",
        }
        return Decision(cell(position, squares[0]), candidates=idle, stats=stats)
    candidates = {
        square: Candidate.of(cell(position, square), terms(parameters.heuristic, after, position.to_move))
        for square, after in ((square, play(position, square)) for square in squares)
    }
    best = max(squares, key=lambda square: sum(candidates[square].terms.values()))
    chosen = candidates[best]
    won = "won" in chosen.terms
    return Decision(
        chosen.move,
        chosen.score,
        outcome=Outcome(position.to_move, plies=1) if won else None,
        candidates=tuple(sorted(candidates.values(), key=lambda candidate: candidate.move)),
        stats={"iterations": 1},
        context={"heuristic": parameters.heuristic},
    )


AGENT: Agent[Position] = Agent(
    "greedy",
    "The cell after which a published heuristic is highest: one ply deep.",
    decide,
    "one evaluation of every legal cell",
    Parameters,
)
