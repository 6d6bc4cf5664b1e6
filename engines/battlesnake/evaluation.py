"""The static evaluation of a board on which a snake still lives: the leaf of our own searches.

The scale is that of results: a win is 100, a loss -100. Each term compares the snake with the living others:
with their mean, in length with the longest. The weighted sum x becomes x / (1 + |x| / 100), which never
reaches a result, and every term is scaled by the same factor, so that the terms still add up to the score.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

import numpy as np
from annotated_types import Ge, Le
from numba import float64, int64

from engines.battlesnake.position import Position
from engines.battlesnake.state import STATE, Floats, Records, State
from engines.battlesnake.territory.context import FLOOD_CONTEXT, TERRITORY_TABLE, FloodContext
from engines.battlesnake.territory.territory import territory
from engines.core.jit import borrowed, inlined, kernel, tuple_type

WIN_SCORE: Final = 100.0
"""The least score of a win; an evaluation stays below it."""
PLY_COST: Final = 1 / 64
"""A win at ply p scores 101 - p/64, above 100 for every searched depth, and a loss p/64 - 101: quick wins and
slow losses are better."""

TERMS: Final = ("space", "room", "length", "health", "food", "hazard", "tail")
"""The indices of TERMS, in arrays of terms and of their weights, have names of their own:"""
SPACE: Final = 0
ROOM: Final = 1
LENGTH: Final = 2
HEALTH: Final = 3
FOOD: Final = 4
HAZARD: Final = 5
TAIL: Final = 6

Factor = Annotated[float, Ge(0.0), Le(1000.0)]


@dataclass(frozen=True)
class Weights:
    """The weight of each term, and what shapes two of them; with `Weights()` every board scores 0.

    `health`, `food`, `hazard`, `room` and `tail` say what is measured of a snake. The term is the snake's own
    less the mean of the living others', of a penalty the reverse.
    """

    space: Factor = 0.0
    """The logarithm of the ratio of own territory to the mean of theirs (rounded down), each with 1 added; by
    a logarithm a cell counts for more where cells are few. Without others the ratio is to a constant, the
    board's cells + 3."""
    room: Factor = 0.0
    """1 - cells/length where own territory is shorter than the body and the tail is not in it; a penalty.
    `cells` leaves out the head, which `length` counts."""
    length: Factor = 0.0
    """The lead d over the longest other, as d / (1 + |d| / softness). Without others the share of the board
    that the own body covers, as a penalty: a lone snake lives longer if it eats no sooner than it must."""
    softness: Annotated[float, Ge(0.1), Le(100.0)] = 3.0
    """The lead at which the length term is half of what it would be in proportion."""
    health: Factor = 0.0
    """The squared share of 40 health that is missing; a penalty."""
    food: Factor = 0.0
    """1 / (1 + steps) to the nearest food in own territory; fades as the game goes on."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] = 200.0
    """The turn of the game at which the food term has faded to half."""
    hazard: Factor = 0.0
    """The share of own territory that lies under hazards; a penalty."""
    tail: Factor = 0.0
    """1 where the cell of the own tail lies in own territory. The tail counts in three places: here,
    in `room`, whose penalty it lifts (by which it can be worth more), and as one cell of `space`."""


class LeafWeights(NamedTuple):
    """The weights as kernels take them, for the positions of one search."""

    terms: Floats
    """[TERMS] the weight of each term, that of food as faded as it is at the root."""
    softness: float
    logs: Floats
    """[cells of the board + 3] the logarithms of 1, 2, …: a table, so that kernels and plain Python agree to
    the last bit. The last is what a lone snake's territory is compared with, the size what its length is a
    share of; that both are 3 more than the cells is by hand, untested."""


LEAF_WEIGHTS = tuple_type(LeafWeights, float64[::1], float64, float64[::1])
"""`LeafWeights` in a kernel's signature."""

MODES = ("duel", "free-for-all", "solo", "constrictor", "wrapped", "royale")


def mode(position: Position) -> str:
    """The kind of game, one of MODES, by which weights are chosen: the first whose condition holds.

    So "duel" is a duel by the standard rules; a wrapped one has the weights of "wrapped". Elsewhere a duel is
    two snakes: at the root for the hybrid's and the search's way of playing, alive at a node within it.
    """
    if position.constrictor:
        return "constrictor"
    if len(position.snakes) < 2:
        return "solo"
    if position.wrapped:
        return "wrapped"
    if position.hazards or position.ruleset == "royale":
        return "royale"
    return "duel" if len(position.snakes) == 2 else "free-for-all"


def leaf_weights(weights: Weights, position: Position) -> LeafWeights:
    """The weights for a search from that position."""
    fading = weights.fade / (weights.fade + max(0, position.turn))
    terms = [getattr(weights, name) for name in TERMS]
    terms[FOOD] *= fading
    logs = [math.log(number) for number in range(1, position.width * position.height + 4)]
    return LeafWeights(np.array(terms, np.float64), float(weights.softness), np.array(logs, np.float64))


@inlined
def evaluate(
    state: State,
    flood: FloodContext,
    me: int,
    weights: LeafWeights,
    territory_table: Records,
    terms: Floats,
) -> float:
    """The score of the board for snake `me`, which lives; sets `terms`, whose sum it is.

    `territory_table` is the scratch of `territory`, and afterwards holds what it found.
    """
    territory(state, flood, territory_table)
    snakes, logs = state.snakes, weights.logs
    others = 0
    longest = 0
    cells = 0
    room = 0.0
    hunger = 0.0
    food = 0.0
    hazard_share = 0.0
    tails = 0
    for i in range(snakes.shape[0]):
        if i == me or snakes[i].cause > 0:
            continue
        others += 1
        longest = max(longest, snakes[i].length)
        cells += territory_table[i].cells
        room += _room_penalty(territory_table, snakes, i)
        hunger += _hunger(snakes[i].health)
        if territory_table[i].food_distance > 0:
            food += 1.0 / (1 + territory_table[i].food_distance)
        hazard_share += territory_table[i].hazard_cells / (1 + territory_table[i].cells)
        tails += territory_table[i].tail_reached
    own = territory_table[me].cells
    if others > 0:
        terms[SPACE] = logs[own] - logs[cells // others]
        per_other = 1.0 / others
        lead = float(snakes[me].length - longest)
        terms[LENGTH] = lead / (1.0 + abs(lead) / weights.softness)
    else:
        terms[SPACE] = logs[own] - logs[logs.shape[0] - 1]
        per_other = 0.0
        terms[LENGTH] = -float(snakes[me].length) / logs.shape[0]
    terms[ROOM] = per_other * room - _room_penalty(territory_table, snakes, me)
    terms[HEALTH] = per_other * hunger - _hunger(snakes[me].health)
    terms[FOOD] = (
        1.0 / (1 + territory_table[me].food_distance) if territory_table[me].food_distance > 0 else 0.0
    ) - per_other * food
    terms[HAZARD] = per_other * hazard_share - territory_table[me].hazard_cells / (1 + own)
    terms[TAIL] = territory_table[me].tail_reached - per_other * tails
    return _weighted_sum(terms, weights.terms)


@inlined
def _weighted_sum(terms: Floats, weights: Floats) -> float:
    """Weigh the terms in place, and bring them and their sum below a win."""
    total = 0.0
    for term in range(terms.shape[0]):
        terms[term] *= weights[term]
        total += terms[term]
    scale = 1.0 / (1.0 + abs(total) / WIN_SCORE)
    for term in range(terms.shape[0]):
        terms[term] *= scale
    return total * scale


@inlined
def _room_penalty(territory_table: Records, snakes: Records, i: int) -> float:
    """1 - cells/length where its territory is shorter than its body and its tail is not in it, else 0."""
    if territory_table[i].tail_reached != 0 or territory_table[i].cells >= snakes[i].length:
        return 0.0
    return 1.0 - float(territory_table[i].cells) / float(snakes[i].length)


@inlined
def _hunger(health: int) -> float:
    lack = max(0, 40 - health) / 40.0  # 40: by hand, untested
    return lack * lack


@kernel(float64(STATE, FLOOD_CONTEXT, int64, LEAF_WEIGHTS, TERRITORY_TABLE, float64[::1]))
def evaluate_position(
    state: State,
    flood: FloodContext,
    me: int,
    weights: LeafWeights,
    territory_table: Records,
    terms: Floats,
) -> float:
    """`evaluate`, to be called from Python."""
    return evaluate(borrowed(state), borrowed(flood), me, borrowed(weights), territory_table, terms)
