"""The move that gains most in the race, one throw ahead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.evaluation.move_value import (
    CAPTURES,
    DEFAULT_WEIGHTS,
    SENT_HOME,
    TERMS,
    evaluate_moves,
)
from engines.ludo.position import PIECES, Position, move_of
from engines.ludo.rules import board_of, mask_of


@dataclass(frozen=True)
class Parameters:
    """How a move is evaluated; all amounts are in squares."""

    leave_home: Annotated[float, Ge(0.0), Le(1000.0)] = DEFAULT_WEIGHTS.leave_home
    """Bonus for bringing a piece out: the expected wait for a six."""
    goal: Annotated[float, Ge(0.0), Le(1000.0)] = DEFAULT_WEIGHTS.goal
    """Bonus for reaching goal."""
    captures: Annotated[float, Ge(0.0), Le(100.0)] = DEFAULT_WEIGHTS.captures
    """Weight of an enemy's loss against an own gain."""
    caution: Annotated[float, Ge(0.0), Le(100.0)] = DEFAULT_WEIGHTS.caution
    """Weight of the expected loss to the others' next throws."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The movable piece of the highest value; ties are drawn by the seed."""
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    amounts = tuple(
        map(float, (parameters.leave_home, parameters.goal, parameters.captures, parameters.caution))
    )
    terms = np.zeros((PIECES, len(TERMS)))
    board = board_of(position.positions)
    evaluate_moves(board, position.player, position.dice, mask_of(position.ghosts), amounts, terms)
    candidates = []
    for piece in position.movable:
        named = dict(zip(TERMS, terms[piece].tolist(), strict=True))
        candidates.append(Candidate.of(move_of(position, piece), named, _notes(terms[piece].tolist())))
    return best_of(candidates, seed)


def _notes(row: list[float]) -> tuple[str, ...]:
    notes = []
    if row[CAPTURES]:
        notes.append("captures")
    if row[SENT_HOME]:
        notes.append("is sent home")
    return tuple(notes)


AGENT: Agent[Position] = Agent(
    "greedy",
    "Takes the move that gains most in the race: squares, captures, and what the next throws may cost.",
    decide,
    "one evaluation of every movable piece",
    Parameters,
    Budgets(iterations=Range(1, 1, 1)),
)
