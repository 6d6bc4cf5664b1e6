"""A hand-made judgement of the race, compiled: the leaf of `expectimax`. All amounts are squares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline
from engines.ludo.evaluation.exposure import expected_loss, mark_attacks
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, START
from engines.ludo.rules import CORRIDOR, IS_GLOBE, Board

RACE_TERMS = ("progress", "out", "goal", "corridor", "safe", "danger", "rivals", "won")
PROGRESS, OUT, IN_GOAL, CORRIDOR_TERM, SAFE, DANGER, RIVALS, WON = range(len(RACE_TERMS))

DEFAULT_RACE = np.array([12.0, 5.0, 5.0, 2.0, 1.0, 0.5, 0.5])

Race = NDArray[np.float64]
"""[7]: out, goal, corridor, safe, danger from seats that throw before the exposed one, danger from those
after, and how much the best rival counts against their mean."""


@inline
def evaluate_race(
    race: Race, board: Board, ghosts: int, thrower: int, out: NDArray[np.float64], attacks: NDArray[np.int64]
) -> None:
    """The worth `[4, terms]` before `thrower` throws."""
    out[:] = 0.0
    for seat in range(SEATS):
        if (ghosts >> seat) & 1:
            continue
        for piece in range(PIECES):
            square = board[seat, piece]
            out[seat, PROGRESS] += square
            if square != HOME:
                out[seat, OUT] += race[0]
            if square == GOAL:
                out[seat, IN_GOAL] += race[1]
            elif square > CORRIDOR:
                out[seat, CORRIDOR_TERM] += race[2]
            elif square == START or IS_GLOBE[square]:
                out[seat, SAFE] += race[3]
    for attacker in range(SEATS):
        if (ghosts >> attacker) & 1:
            continue
        mark_attacks(board, attacker, attacks)
        for further in range(1, SEATS):
            victim = (attacker + further) & 3
            if (ghosts >> victim) & 1:
                continue
            # Those who throw before the exposed seat can move away are the danger.
            loss = expected_loss(board, victim, attacks)
            wait = ((attacker - thrower) & 3) < ((victim - thrower) & 3)
            out[victim, DANGER] -= loss * (race[4] if wait else race[5])
    totals = np.zeros(SEATS)
    for seat in range(SEATS):
        for term in range(RIVALS):
            totals[seat] += out[seat, term]
    for seat in range(SEATS):
        if (ghosts >> seat) & 1:
            continue
        best = -1e9
        total = 0.0
        count = 0
        for other in range(SEATS):
            if other != seat and not (ghosts >> other) & 1:
                best = max(best, totals[other])
                total += totals[other]
                count += 1
        if count > 0:
            out[seat, RIVALS] = 0.0 - (race[6] * best + (1.0 - race[6]) * total / count)
