"""A hand-made evaluation of the race, compiled: the leaf of `expectimax`. All amounts are squares."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled
from engines.ludo.evaluation.exposure import Attacks, expected_loss, mark_attacks
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, START
from engines.ludo.rules import CORRIDOR, IS_GLOBE, Board

RACE_TERMS = ("progress", "out", "goal", "corridor", "safe", "danger", "rivals", "won")
PROGRESS, OUT, IN_GOAL, CORRIDOR_TERM, SAFE, DANGER, RIVALS, WON = range(len(RACE_TERMS))

SeatTerms = NDArray[np.float64]
"""[seat, term], squares: evaluation by seat; the score of a seat is the sum of its row."""


class RaceWeights(NamedTuple):
    """Weights of the race evaluation; squares unless stated."""

    out: float
    """A piece on the board, beyond its number."""
    goal: float
    corridor: float
    safe: float
    """A piece on a globe or its own start."""
    danger: float
    """Factor of the average loss to seats that throw before the exposed one, ..."""
    later_danger: float
    """... and to seats that throw after it."""
    leader: float
    """How much the best rival counts, 0 to 1; the rest is the mean of the rivals."""


DEFAULT_RACE = RaceWeights(12.0, 5.0, 5.0, 2.0, 1.0, 0.5, 0.5)
"""Chosen by hand; other amounts moved the wins against `rule_based` within the noise (docs/ludo.md)."""


@compiled
def evaluate_race(
    race: RaceWeights, board: Board, ghosts: int, thrower: int, terms: SeatTerms, attacks: Attacks
) -> None:
    """Write the terms of each seat before `thrower` throws; `attacks` is scratch."""
    terms[:] = 0.0
    for seat in range(SEATS):
        if (ghosts >> seat) & 1:
            continue
        for piece in range(PIECES):
            square = board[seat, piece]
            terms[seat, PROGRESS] += square
            if square != HOME:
                terms[seat, OUT] += race.out
            if square == GOAL:
                terms[seat, IN_GOAL] += race.goal
            elif square > CORRIDOR:
                terms[seat, CORRIDOR_TERM] += race.corridor
            elif square == START or IS_GLOBE[square]:
                terms[seat, SAFE] += race.safe
    for attacker in range(SEATS):
        if (ghosts >> attacker) & 1:
            continue
        mark_attacks(board, attacker, attacks)
        for further in range(1, SEATS):
            victim = (attacker + further) & 3
            if (ghosts >> victim) & 1:
                continue
            loss = expected_loss(board, victim, attacks)
            # Does the attacker throw before the exposed seat can move away?
            first = ((attacker - thrower) & 3) < ((victim - thrower) & 3)
            terms[victim, DANGER] -= loss * (race.danger if first else race.later_danger)
    compare_rivals(race.leader, ghosts, terms)


@compiled
def compare_rivals(leader: float, ghosts: int, terms: SeatTerms) -> None:
    """Take from each seat what its rivals have: their best, counted by `leader`, and their mean."""
    totals = np.zeros(SEATS)
    for seat in range(SEATS):
        for term in range(RIVALS):
            totals[seat] += terms[seat, term]
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
            terms[seat, RIVALS] = 0.0 - (leader * best + (1.0 - leader) * total / count)
