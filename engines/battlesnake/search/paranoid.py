"""The search of the flood snakes: all others together want your worst, and they see your word.

Two parts. The flood says whose every cell is: all heads spread at once, bodies open up as they
move away, the longer snake takes what two reach in one turn, and a cell counts by the health its
owner would have there. The search deepens at full width, every rival with every word that does not
run into something, cut off where a line can no longer matter. It can rest after any turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numba import float64, int64, void
from numba.types import UniTuple
from numpy.typing import NDArray

from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn
from engines.battlesnake.state import (
    STATE,
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
LOST: Final = -5_000.0
"""Below this a value is a loss that is forced."""
MAX_DEPTH: Final = 24
_BEYOND: Final = 1e9
_NEVER: Final = 1 << 20
"""When a cell clears of a body that stays where it is."""

SPACE: Final = 0
STEEPNESS: Final = 1
THIRST: Final = 2
GROWTH: Final = 3
FADE: Final = 4
HEALTH_WEIGHT: Final = 5
DRAW: Final = 6
WEIGHTS: Final = 7

_OWNER: Final = 0
"""1 + the snake that has a cell; 0 nobody yet, _NOBODY where equals meet."""
_WHEN: Final = 1
_HEALTH: Final = 2
_EATEN: Final = 3
"""Food on the way there."""
_REACH: Final = 4
"""Length of the longest that arrives there first."""
_CLEARS: Final = 5
"""From when on a cell is free of the body that lies on it."""
_BODY: Final = 6
"""Whose body."""
_QUEUE: Final = 7
_PLACES: Final = 8
_NOBODY: Final = -1

_ALPHA: Final = 0
_BETA: Final = 1
_MOST: Final = 2
_LEAST: Final = 3
"""As in `negamax`: the bounds of a level, the best of your words, the worst reply to the present one."""

_COUNT: Final = 4
_DIGIT: Final = 5
"""After a snake's words worth trying at a level: how many, and which one is being tried."""


@fused
def _clears(state: State, places: Ints) -> None:
    """When each cell of a body is left by its owner, if that does not eat."""
    mask = state.body_rings.shape[1] - 1
    places[_OWNER, :] = 0
    places[_CLEARS, :] = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        length, top = state.snakes[i].length, state.snakes[i].top
        # From the tail on: of stacked segments the one nearest to the head is the last to leave.
        for k in range(length - 1, -1, -1):
            cell = state.body_rings[i, (top - k) & mask & INDEX_MASK]
            places[_CLEARS, cell] = _NEVER if state.rules[0].constrictor != 0 else length - k
            places[_BODY, cell] = i


@fused
def _arrives(state: State, health: int, cell: int) -> int:
    """Health of a snake that comes to a cell with so much; none where that is its end."""
    if state.food[cell] != 0:
        return 100
    left = health - 1 - state.hazard_layers[cell] * state.rules[0].damage
    return int(max(0, min(100, left)))


@fused
def flood(state: State, thirst: float, places: Ints, evaluate: Floats) -> None:
    """What each snake's cells are worth to it, in `worth`; whose they are and since when, in `places`."""
    _clears(state, places)
    owner, when, queue = places[_OWNER], places[_WHEN], places[_QUEUE]
    end = 0
    for i in range(state.snakes.shape[0]):
        evaluate[i] = 0.0
        if state.snakes[i].cause > 0:
            continue
        head = state.snakes[i].head & INDEX_MASK
        owner[head] = i + 1
        when[head] = 0
        places[_HEALTH, head] = state.snakes[i].health
        places[_EATEN, head] = 0
        queue[end] = head
        end += 1
    heads = end
    at = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        if owner[cell] == _NOBODY:
            continue
        i = owner[cell] - 1
        if at > heads:
            evaluate[i] += 1.0 - thirst * (1.0 - places[_HEALTH, cell] / 100.0)
        time = when[cell] + 1
        eaten = places[_EATEN, cell]
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            if state.hazard_layers[neighbour] < 0 or (owner[neighbour] != 0 and when[neighbour] != time):
                continue
            if time < places[_CLEARS, neighbour] + (eaten if places[_BODY, neighbour] == i else 0):
                continue
            health = _arrives(state, places[_HEALTH, cell], neighbour)
            if health <= 0:
                continue
            meal = 1 if state.food[neighbour] != 0 else 0
            length = state.snakes[i].length + eaten + meal
            if owner[neighbour] == 0:
                queue[end] = neighbour
                end += 1
            elif owner[neighbour] == i + 1 or places[_REACH, neighbour] > length:
                continue
            elif places[_REACH, neighbour] == length:
                owner[neighbour] = _NOBODY
                continue
            owner[neighbour] = i + 1
            when[neighbour] = time
            places[_HEALTH, neighbour] = health
            places[_EATEN, neighbour] = eaten + meal
            places[_REACH, neighbour] = length


@fused
def _nearness(state: State, me: int, places: Ints) -> float:
    """1 beside food that is yours by the flood, less the farther it is; 0 without any."""
    nearest = 0
    for cell in range(state.food.shape[0]):
        found = state.food[cell] != 0 and places[_OWNER, cell] == me + 1
        if found and (nearest == 0 or places[_WHEN, cell] < nearest):
            nearest = places[_WHEN, cell]
    return 2.0 / (1.0 + nearest) if nearest > 0 else 0.0


@fused
def _soft(x: float) -> float:
    return x / (1.0 + abs(x))


@fused
def judge(
    state: State, me: int, turns: int, cells: int, weights: Floats, places: Ints, evaluate: Floats
) -> float:
    """What going on is worth after so many turns, on a board of so many cells."""
    flood(state, weights[THIRST], places, evaluate)
    own = evaluate[me]
    rival, longest, others = 0.0, 0, 0
    for i in range(state.snakes.shape[0]):
        if i != me and state.snakes[i].cause <= 0:
            others += 1
            rival = max(rival, evaluate[i])
            longest = max(longest, state.snakes[i].length)
    if others == 0:
        rival = max(0.0, cells - own)
    share = own / (own + rival) if own + rival > 0.0 else 0.5
    ahead = state.snakes[me].length - longest + _nearness(state, me, places)
    return float(
        weights[SPACE] * _soft(weights[STEEPNESS] * (2.0 * share - 1.0))
        + weights[GROWTH] * _soft(ahead / 2.0) * weights[FADE] / (weights[FADE] + turns)
        + weights[HEALTH_WEIGHT] * state.snakes[me].health / 100.0
    )


@kernel(float64(STATE, int64, int64, int64, float64[::1], int64[:, ::1], float64[::1]))
def worth_of(
    state: State,
    me: int,
    turns: int,
    cells: int,
    weights: Floats,
    places: Ints,
    evaluate: Floats,
) -> float:
    """`judge` of one world."""
    state = borrowed(state)
    return judge(state, me, turns, cells, weights, places, evaluate)


@fused
def _open_moves(state: State, i: int, choice: Ints) -> None:
    """The words of a snake that run into nothing that stays; one, where there is none."""
    head = state.snakes[i].head & INDEX_MASK
    count = 0
    for move in range(4):
        if state.occupancy[state.neighbours[head, move]] == 0:
            choice[count] = move
            count += 1
    if count == 0:
        choice[0] = 0
        count = 1
    choice[_COUNT] = count
    choice[_DIGIT] = 0


@kernel(void(STATE, int64[:, ::1]))
def open_moves(
    state: State,
    choices: Ints,
) -> None:
    """The words that each snake of a world may try."""
    state = borrowed(state)
    for i in range(state.snakes.shape[0]):
        _open_moves(state, i, choices[i])


@fused
def _next_reply(choices: Ints, me: int) -> bool:
    """Bring the others' words on by one, as a number is counted up; False after the last."""
    for i in range(choices.shape[0]):
        if i == me:
            continue
        choices[i, _DIGIT] += 1
        if choices[i, _DIGIT] < choices[i, _COUNT]:
            return True
        choices[i, _DIGIT] = 0
    return False


@fused
def _receive(choices: Ints, me: int, bounds: Floats, value: float) -> None:
    """A joint reply has been valued (in one level's rows)."""
    bounds[_LEAST] = min(bounds[_LEAST], value)
    if bounds[_LEAST] > max(bounds[_ALPHA], bounds[_MOST]) and _next_reply(choices, me):
        return
    bounds[_MOST] = max(bounds[_MOST], bounds[_LEAST])
    bounds[_LEAST] = _BEYOND
    for i in range(choices.shape[0]):
        if i != me:
            choices[i, _DIGIT] = 0
    choices[me, _DIGIT] += 1
    if bounds[_MOST] >= bounds[_BETA]:
        choices[me, _DIGIT] = choices[me, _COUNT]


@kernel(
    UniTuple(int64, 2)(
        *(STATE_STACK, int64, int64, int64, int64, int64, int64, float64[::1], int64[:, :, ::1]),
        *(float64[:, ::1], int64[::1], int64[:, ::1], float64[::1]),
    )
)
def walk(
    stack: StateStack,
    me: int,
    turns: int,
    cells: int,
    depth: int,
    level: int,
    quota: int,
    weights: Floats,
    choices: NDArray[np.int64],
    bounds: Floats,
    moves: Ints,
    places: Ints,
    evaluate: Floats,
) -> tuple[int, int]:
    """Walk the tree from `level` on for up to `quota` turns; the level reached (-1: done) and the turns.

    The first five arrays hold a world for each level. When done, `bounds[0, _MOST]` is the value.
    """
    stack = borrowed(stack)
    played = 0
    while level >= 0:
        if choices[level, me, _DIGIT] >= choices[level, me, _COUNT]:
            value = bounds[level, _MOST]
            level -= 1
            if level >= 0:
                _receive(choices[level], me, bounds[level], value)
            continue
        if played >= quota:
            break
        below = level + 1
        state, after = state_at(stack, level), state_at(stack, below)
        for i in range(moves.shape[0]):
            moves[i] = choices[level, i, choices[level, i, _DIGIT]]
        copy_state(after, state)
        play_turn(after, moves)
        played += 1
        if after.snakes[me].cause > 0:
            drawn = after.totals[0].living == 0 and stack.rules[0].solo == 0
            value = weights[DRAW] + below if drawn else below - WIN
        elif is_over(after):
            value = WIN - below
        elif below == depth:
            value = judge(after, me, turns + below, cells, weights, places, evaluate)
        else:
            for i in range(moves.shape[0]):
                if after.snakes[i].cause > 0:
                    choices[below, i, 0] = 0
                    choices[below, i, _COUNT] = 1
                    choices[below, i, _DIGIT] = 0
                else:
                    _open_moves(after, i, choices[below, i])
            bounds[below, _ALPHA] = max(bounds[level, _ALPHA], bounds[level, _MOST])
            bounds[below, _BETA] = min(bounds[level, _BETA], bounds[level, _LEAST])
            bounds[below, _MOST] = -_BEYOND
            bounds[below, _LEAST] = _BEYOND
            level = below
            continue
        _receive(choices[level], me, bounds[level], value)
    return level, played


class Paranoia:
    """Iterative deepening over `words`, the best of the depth before first.

    `values` are those of the deepest depth that has one: exact for the best word, bounds from above
    for the others. The position must have you on the board and not be over.
    """

    def __init__(
        self, position: Position, moves: Sequence[str], max_depth: int, weights: tuple[float, ...]
    ) -> None:
        me = position.me
        if me is None or position.over or not moves:
            raise ValueError("nothing to search")
        state = pack(position)
        levels = max_depth + 1
        self._levels = state_stack(state, levels)
        self._world = state
        self._me = position.snakes.index(me)
        self._turn = position.turn
        self._area = position.width * position.height
        self._max_depth = max_depth
        self._weights = np.array(weights, np.float64)
        count = len(position.snakes)
        self._choices = np.zeros((levels, count, 6), np.int64)
        self._bounds = np.zeros((levels, 4), np.float64)
        self._moves = np.zeros(count, np.int64)
        # Each cell is queued once, and heads that share a cell once each.
        self._places = np.zeros((_PLACES, len(state.occupancy) + count), np.int64)
        self._worth = np.zeros(count, np.float64)
        self._order = list(moves)
        self._found: dict[str, float] = {}
        self._level = -1
        self.slice = max(4, 16_384 // len(state.occupancy))
        """Turns after which a clock should be looked at again, well under a millisecond."""
        self.depth = 0
        """The deepest depth that is complete."""
        self.move = moves[0]
        """The choice so far."""
        self.values: dict[str, float] = {}
        self.finished = False

    @property
    def known(self) -> dict[str, tuple[int, float]]:
        """By word the depth and the value of the last look at it: as in `values`, or of the depth in hand if
        the choice is one of that."""
        found = {move: (self.depth, value) for move, value in self.values.items()}
        if self._found.get(self.move) == max(self._found.values(), default=None):
            found |= {move: (self.depth + 1, value) for move, value in self._found.items()}
        return found

    def evaluate(self) -> float:
        """What the position is worth without a look ahead; `cells` then has what each snake's cells are."""
        return float(
            worth_of(self._world, self._me, self._turn, self._area, self._weights, self._places, self._worth)
        )

    @property
    def cells(self) -> list[float]:
        """The worth of each snake's cells where the flood ran last, in the order of the position's snakes."""
        return [float(evaluate) for evaluate in self._worth]

    def advance(self, turns: int) -> int:
        """Search on for up to so many turns; how many it took (fewer only when finished)."""
        played = 0
        while played < turns and not self.finished:
            if self._level < 0:
                self._begin(self._order[len(self._found)])
            self._level, more = walk(
                self._levels,
                self._me,
                self._turn,
                self._area,
                self.depth + 1,
                self._level,
                turns - played,
                self._weights,
                self._choices,
                self._bounds,
                self._moves,
                self._places,
                self._worth,
            )
            played += more
            if self._level < 0:
                self._valued(self._order[len(self._found)], float(self._bounds[0, _MOST]))
        return played

    def _begin(self, move: str) -> None:
        open_moves(self._world, self._choices[0])
        own = self._choices[0, self._me]
        own[0], own[_COUNT] = MOVES.index(move), 1
        best = max(self._found.values(), default=-_BEYOND)
        self._bounds[0] = (best, _BEYOND, -_BEYOND, _BEYOND)
        self._level = 0

    def _valued(self, move: str, value: float) -> None:
        self._found[move] = value
        best = max(self._found, key=self._found.__getitem__)
        complete = len(self._found) == len(self._order)
        # A loss forced at this depth may be none against this rival: the choice of the depth before stays.
        if self._found[best] >= LOST or not self.values:
            self.move = best
        if not complete:
            return
        self.depth += 1
        self.values = self._found
        self._order.sort(key=lambda other: -self.values[other])
        # The choice goes first even where bounds are level with it.
        self._order.sort(key=lambda other: other != self.move)
        self._found = {}
        decided = not LOST < self.values[best] < -LOST
        self.finished = decided or self.depth >= self._max_depth
