"""What a board is worth to a snake whose game goes on: the leaf of the tuned searches, in named terms.

On a scale where a win is 100 and a loss -100. Each term compares you with the mean of the living others;
their sum is pressed into the open range between by one factor for all, so the terms still add up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Final

import numpy as np
from annotated_types import Ge, Le
from numba import float64, int64

from engines.battlesnake.position import Position
from engines.battlesnake.state import STATE, Floats, Ints, State
from engines.battlesnake.territory.context import CELLS, FLOOD_CONTEXT, HOT, MEAL, TAIL, FloodContext
from engines.battlesnake.territory.territory import territory
from engines.core.jit import borrowed, fused, kernel

WIN_SCORE: Final = 100.0
"""No leaf is worth as much; who has won has at least that."""
PLY_COST: Final = 1 / 64
"""What a win is worth less, and a loss more, for each turn that it takes."""

TERMS: Final = ("space", "room", "length", "health", "food", "hazard", "tail")
SPACE: Final = 0
ROOM: Final = 1
GROWTH: Final = 2
HUNGER: Final = 3
FOOD: Final = 4
HAZARD: Final = 5
ACCESS: Final = 6

_SOFTNESS: Final = 7
_LOGS: Final = 8
"""From here on the logarithms of 1, 2, …: so that compiled and plain code have the very same."""

Factor = Annotated[float, Ge(0.0), Le(1000.0)]


@dataclass(frozen=True)
class Weights:
    """The leaf's weights; `Weights()` weighs nothing."""

    space: Factor = 0.0
    """The logarithm of own cells to theirs."""
    room: Factor = 0.0
    """Cells wanting to one's own length, as a share of it, where the own tail is out of reach."""
    length: Factor = 0.0
    """The lead over the longest other, d / (1 + |d| / softness). Alone: the share of the board that one's own
    body takes, against you: who eats no sooner than needed lives longer."""
    softness: Annotated[float, Ge(0.1), Le(100.0)] = 3.0
    """The lead at which its worth has fallen to half of what it would be in proportion."""
    health: Factor = 0.0
    """The square of the share of 40 health that is wanting."""
    food: Factor = 0.0
    """1 / (1 + steps) to the nearest food that is one's own; fades with the turns."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] = 200.0
    """The turn at which food has lost half of its worth."""
    hazard: Factor = 0.0
    """The share of own cells where hazards take health."""
    tail: Factor = 0.0
    """The own tail in reach."""


MODES = ("duel", "free-for-all", "solo", "constrictor", "wrapped", "royale")


def mode(position: Position) -> str:
    """Which of the modes a position is of, to choose weights by."""
    if position.constrictor:
        return "constrictor"
    if len(position.snakes) < 2:
        return "solo"
    if position.wrapped:
        return "wrapped"
    if position.hazards or position.ruleset == "royale":
        return "royale"
    return "duel" if len(position.snakes) == 2 else "free-for-all"


def factors(weights: Weights, position: Position) -> Floats:
    """The weights as kernels take them, for searches from that position."""
    fading = weights.fade / (weights.fade + max(0, position.turn))
    row = [getattr(weights, name) for name in TERMS]
    row[FOOD] *= fading
    logs = [math.log(number) for number in range(1, position.width * position.height + 4)]
    return np.array([*row, weights.softness, *logs], np.float64)


@fused
def evaluate(
    state: State, context: FloodContext, me: int, factors: Floats, found: Ints, terms: Floats
) -> float:
    """The sum of `terms`, which it sets, for a snake that lives, as others may or may not."""
    territory(state, context, found)
    snakes = state.snakes
    others = 0
    longest = 0
    cells = 0
    room = 0.0
    hunger = 0.0
    food = 0.0
    hot = 0.0
    tails = 0
    for i in range(snakes.shape[0]):
        if i == me or snakes[i].cause > 0:
            continue
        others += 1
        longest = max(longest, snakes[i].length)
        cells += found[i, CELLS]
        room += _space_deficit(found, snakes, i)
        hunger += _hunger(snakes[i].health)
        if found[i, MEAL] > 0:
            food += 1.0 / (1 + found[i, MEAL])
        hot += found[i, HOT] / (1 + found[i, CELLS])
        tails += found[i, TAIL]
    own = found[me, CELLS]
    if others > 0:
        terms[SPACE] = factors[_LOGS + own] - factors[_LOGS + cells // others]
        share = 1.0 / others
        lead = float(snakes[me].length - longest)
        terms[GROWTH] = lead / (1.0 + abs(lead) / factors[_SOFTNESS])
    else:
        terms[SPACE] = factors[_LOGS + own] - factors[factors.shape[0] - 1]
        share = 0.0
        terms[GROWTH] = -float(snakes[me].length) / (factors.shape[0] - _LOGS)
    terms[ROOM] = share * room - _space_deficit(found, snakes, me)
    terms[HUNGER] = share * hunger - _hunger(snakes[me].health)
    terms[FOOD] = (1.0 / (1 + found[me, MEAL]) if found[me, MEAL] > 0 else 0.0) - share * food
    terms[HAZARD] = share * hot - found[me, HOT] / (1 + own)
    terms[ACCESS] = found[me, TAIL] - share * tails
    total = 0.0
    for term in range(terms.shape[0]):
        terms[term] *= factors[term]
        total += terms[term]
    pressed = 1.0 / (1.0 + abs(total) / WIN_SCORE)
    for term in range(terms.shape[0]):
        terms[term] *= pressed
    return total * pressed


@fused
def _space_deficit(found: Ints, snakes: Ints, i: int) -> float:
    """The share of its length that a snake has no cells for, where it can't follow its tail."""
    if found[i, TAIL] != 0 or found[i, CELLS] >= snakes[i].length:
        return 0.0
    return 1.0 - float(found[i, CELLS]) / float(snakes[i].length)


@fused
def _hunger(health: int) -> float:
    lack = max(0, 40 - health) / 40.0
    return lack * lack


@kernel(float64(STATE, FLOOD_CONTEXT, int64, float64[::1], int64[:, ::1], float64[::1]))
def evaluate_position(
    state: State,
    context: FloodContext,
    me: int,
    factors: Floats,
    found: Ints,
    terms: Floats,
) -> float:
    """`worth`, to be called from Python."""
    return evaluate(borrowed(state), borrowed(context), me, factors, found, terms)
