"""The document's search: your word maximises, then one rival's reply minimises; all others go straight on.

The rival sees your word. It is the living snake whose head is nearest, chosen anew at each node.
The tree is walked by a machine with an explicit stack, so a search can rest after any turn and
go on later: a deadline costs no more than the slice that is running.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numba import boolean, float64, int64
from numba.types import UniTuple

from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn
from engines.battlesnake.state import (
    STATE_STACK,
    Floats,
    Ints,
    State,
    StateStack,
    pack,
    state_at,
    state_stack,
)
from engines.core.jit import borrowed, fused, kernel

WIN: Final = 10_000.0
"""A win is worth this less the turns to it; a loss the negative of it plus the turns to it."""
_BEYOND: Final = 1e9
MAX_DEPTH: Final = 8

HEALTH_WEIGHT: Final = 0
LENGTH_WEIGHT: Final = 1
"""Own length less that of the longest living rival (0 where none lives)."""
TERRITORY_WEIGHT: Final = 2
"""Cells nearer to your head than to any other, less those nearest to one other head."""
CENTRE_WEIGHT: Final = 3
"""Steps from your head to the middle, counted against you."""

SIMPLE: Final = (0.01, 0.0, 0.0, 0.0)
"""`evaluate_simple`: only who is out matters; going on is worth health / 100."""
HEALTH_LENGTH: Final = (1.0, 5.0, 0.0, 0.0)
"""The leaf of the original's own override."""
TERRITORY: Final = (0.5, 20.0, 3.0, 1.0)
"""The leaf of the original's negamax."""
LEAVES: Final = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}

_OWN: Final = 0
"""Word of yours that is being tried."""
_LAST: Final = 1
"""The last word to try."""
_REPLY: Final = 2
_RIVAL: Final = 3
"""Who replies; -1 nobody, _UNKNOWN before the first look."""
_UNKNOWN: Final = -2

_ALPHA: Final = 0
_BETA: Final = 1
_MOST: Final = 2
"""The best of your words so far."""
_LEAST: Final = 3
"""The rival's best reply to the present word so far."""


@fused
def tail_of(state: State, i: int) -> int:
    """The cell of a snake's last segment."""
    mask = state.body_rings.shape[1] - 1
    return int(state.body_rings[i, (state.snakes[i].top - state.snakes[i].length + 1) & mask & INDEX_MASK])


@fused
def lead(state: State, me: int) -> int:
    """Own length less that of the longest other living snake."""
    longest = 0
    for i in range(state.snakes.shape[0]):
        if i != me and state.snakes[i].cause <= 0:
            longest = max(longest, state.snakes[i].length)
    return int(state.snakes[me].length - longest)


@fused
def _rival(state: State, me: int) -> int:
    """The nearest other living head; the earlier in the list of equals."""
    stride = state.rules[0].stride
    mine = state.snakes[me].head
    found = -1
    least = 0
    for i in range(state.snakes.shape[0]):
        if i == me or state.snakes[i].cause > 0:
            continue
        head = state.snakes[i].head
        steps = abs(head % stride - mine % stride) + abs(head // stride - mine // stride)
        if found < 0 or steps < least:
            found, least = i, steps
    return found


@fused
def ground_balance(state: State, one: int, other: int, head: int, places: Ints) -> int:
    """Cells that are nearest to one snake's head alone, less those nearest to another's alone (-1: any
    other's), if the first one's head were at `head`.

    Over cells that are empty now: last segments are walls too. The set of nearest heads is handed
    on from step to step, so cells behind a shared one are shared as well.
    """
    owner, steps, queue = places[0], places[1], places[2]
    owner[:] = 0
    shared = state.snakes.shape[0] + 1
    end = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        # Where a tail is, nobody goes; a negative owner is a wall.
        owner[tail_of(state, i) & INDEX_MASK] = -1
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        start = (head if i == one else state.snakes[i].head) & INDEX_MASK
        owner[start] = i + 1
        steps[start] = 0
        queue[end] = start
        end += 1
    heads = end
    balance = 0
    at = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        if at >= heads and owner[cell] != shared:
            if owner[cell] == one + 1:
                balance += 1
            elif other < 0 or owner[cell] == other + 1:
                balance -= 1
        at += 1
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            if state.occupancy[neighbour] != 0:
                continue
            if owner[neighbour] == 0:
                owner[neighbour] = owner[cell]
                steps[neighbour] = steps[cell] + 1
                queue[end] = neighbour
                end += 1
            elif (
                owner[neighbour] > 0
                and owner[neighbour] != owner[cell]
                and steps[neighbour] == steps[cell] + 1
            ):
                owner[neighbour] = shared
    return balance


@fused
def _leaf(state: State, me: int, weights: Floats, places: Ints) -> float:
    value = (
        weights[HEALTH_WEIGHT] * state.snakes[me].health
        + weights[LENGTH_WEIGHT] * lead(state, me)
        - weights[CENTRE_WEIGHT] * off_centre(state, state.snakes[me].head)
    )
    if weights[TERRITORY_WEIGHT] != 0.0:
        value += weights[TERRITORY_WEIGHT] * ground_balance(state, me, -1, state.snakes[me].head, places)
    return float(value)


@fused
def _receive(control: Ints, bounds: Floats, value: float) -> None:
    """A reply has been valued (in one level's rows)."""
    bounds[_LEAST] = min(bounds[_LEAST], value)
    control[_REPLY] += 1
    replies = 4 if control[_RIVAL] >= 0 else 1
    if control[_REPLY] < replies and bounds[_LEAST] > max(bounds[_ALPHA], bounds[_MOST]):
        return
    bounds[_MOST] = max(bounds[_MOST], bounds[_LEAST])
    bounds[_LEAST] = _BEYOND
    control[_REPLY] = 0
    control[_OWN] += 1
    if bounds[_MOST] >= bounds[_BETA]:
        control[_OWN] = control[_LAST] + 1


@kernel(
    UniTuple(int64, 2)(
        *(STATE_STACK, int64, int64, int64, int64, boolean, float64[::1], int64[:, ::1], float64[:, ::1]),
        *(int64[::1], int64[:, ::1]),
    )
)
def walk(
    stack: StateStack,
    me: int,
    depth: int,
    level: int,
    quota: int,
    draw_is_loss: bool,
    weights: Floats,
    control: Ints,
    bounds: Floats,
    moves: Ints,
    places: Ints,
) -> tuple[int, int]:
    """Walk the tree from `level` on for up to `quota` turns; the level reached (-1: done) and the turns.

    The first five arrays hold a world for each level. When done, `bounds[0, _MOST]` is the value.
    """
    stack = borrowed(stack)
    played = 0
    while level >= 0:
        if control[level, _OWN] > control[level, _LAST]:
            value = bounds[level, _MOST]
            level -= 1
            if level >= 0:
                _receive(control[level], bounds[level], value)
            continue
        if played >= quota:
            break
        below = level + 1
        state, after = state_at(stack, level), state_at(stack, below)
        if control[level, _RIVAL] == _UNKNOWN:
            control[level, _RIVAL] = _rival(state, me)
        for i in range(moves.shape[0]):
            if i == me:
                moves[i] = control[level, _OWN]
            elif i == control[level, _RIVAL]:
                moves[i] = control[level, _REPLY]
            else:
                moves[i] = straight(state, i)
        copy_state(after, state)
        play_turn(after, moves)
        played += 1
        if after.snakes[me].cause > 0:
            drawn = after.totals[0].living == 0 and stack.rules[0].solo == 0
            value = 0.0 if drawn and not draw_is_loss else below - WIN
        elif is_over(after):
            value = WIN - below
        elif below == depth:
            value = _leaf(after, me, weights, places)
        else:
            control[below, _OWN] = 0
            control[below, _LAST] = 3
            control[below, _REPLY] = 0
            control[below, _RIVAL] = _UNKNOWN
            bounds[below, _ALPHA] = max(bounds[level, _ALPHA], bounds[level, _MOST])
            bounds[below, _BETA] = min(bounds[level, _BETA], bounds[level, _LEAST])
            bounds[below, _MOST] = -_BEYOND
            bounds[below, _LEAST] = _BEYOND
            level = below
            continue
        _receive(control[level], bounds[level], value)
    return level, played


@dataclass(frozen=True, slots=True)
class Values:
    """What each word is worth at one depth, in turns; nothing at depth 0."""

    depth: int
    moves: dict[str, float]
    clear: bool = False
    """Is a win worth more than every board on which the game goes on?"""

    def best(self) -> tuple[str, ...]:
        """The words of the highest value."""
        most = max(self.moves.values(), default=0.0)
        return tuple(move for move, value in self.moves.items() if value == most)

    def wins_in(self, move: str) -> int | None:
        """Turns after which a word has won, if the rival that replies is the only one; None if it hasn't."""
        value = self.moves.get(move, 0.0)
        return round(WIN - value) if self.clear and value >= WIN - MAX_DEPTH else None


class Search:
    """Iterative deepening over `words`, each valued exactly, within memory for `max_depth` levels.

    `found` holds the deepest complete depth. The position must have you on the board and not be over.
    """

    def __init__(
        self,
        position: Position,
        moves: Sequence[str],
        max_depth: int,
        weights: tuple[float, ...],
        draw_is_loss: bool,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to search")
        state = pack(position)
        levels = max_depth + 1
        self._levels = state_stack(state, levels)
        self._me = position.snakes.index(me)
        self._choices = tuple(moves)
        self._max_depth = max_depth
        self._draw_is_loss = draw_is_loss
        self._weights = np.array(weights, np.float64)
        health, length, territory, _ = weights
        most = (max(100, me.health), len(me.body) + levels, position.width * position.height)
        self._clear = np.dot((health, length, territory), most) < WIN - MAX_DEPTH
        self._control = np.zeros((levels, 4), np.int64)
        self._bounds = np.zeros((levels, 4), np.float64)
        self._moves = np.zeros(len(position.snakes), np.int64)
        # In a flood each cell is queued once, and heads that share a cell once each.
        self._places = np.zeros((3, len(state.occupancy) + len(position.snakes)), np.int64)
        self._level = -1
        self._values: dict[str, float] = {}
        self.slice = max(16, 65_536 // len(state.occupancy))
        """Turns after which a clock should be looked at again, about a millisecond."""
        self.found = Values(0, {})

    @property
    def finished(self) -> bool:
        """Is the greatest depth complete?"""
        return self.found.depth >= self._max_depth or not self._choices

    def advance(self, turns: int) -> int:
        """Search on for up to so many turns; how many it took (fewer only when finished)."""
        played = 0
        while played < turns and not self.finished:
            if self._level < 0:
                move = MOVES.index(self._choices[len(self._values)])
                self._control[0] = (move, move, 0, _UNKNOWN)
                self._bounds[0] = (-_BEYOND, _BEYOND, -_BEYOND, _BEYOND)
                self._level = 0
            self._level, more = walk(
                self._levels,
                self._me,
                self.found.depth + 1,
                self._level,
                turns - played,
                self._draw_is_loss,
                self._weights,
                self._control,
                self._bounds,
                self._moves,
                self._places,
            )
            played += more
            if self._level >= 0:
                continue
            self._values[self._choices[len(self._values)]] = float(self._bounds[0, _MOST])
            if len(self._values) == len(self._choices):
                self.found = Values(self.found.depth + 1, self._values, bool(self._clear))
                self._values = {}
        return played
