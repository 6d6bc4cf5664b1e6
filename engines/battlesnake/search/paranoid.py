"""Paranoid search on a Voronoi evaluation: the sparring partner, in the manner of strong public snakes.

Paranoid search (Sturtevant and Korf, 2000) turns a game of many players into one of two: all others are taken
for one player who wants your worst, so alpha-beta applies, as it does not to max^n. Here the others also know
your move, and each tries every move that runs into nothing. A leaf is evaluated by a Voronoi flood: all heads
spread at once, bodies open up as they move away, the longer snake takes what two reach in the same turn, and
a cell counts by the health that its owner would have there. The search can stop after any node and go on
later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numba import float64, from_dtype, int64, void
from numba.types import UniTuple

from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn, ring_cell
from engines.battlesnake.state import (
    STATE,
    STATE_STACK,
    Floats,
    Ints,
    Record,
    Records,
    State,
    StateStack,
    pack,
    state_at,
    state_stack,
)
from engines.core.jit import borrowed, inlined, kernel, tuple_type
from engines.core.records import record_type

WIN: Final = 10_000.0
"""The score of a win, less the plies until it; a loss is the negative of it plus the plies until it."""
LOST: Final = -5_000.0
"""A score below this is a forced loss."""
MAX_DEPTH: Final = 24
_INFINITY: Final = 1e9
_NEVER: Final = 1 << 20
"""When a cell clears of a body that stays where it is."""
_CONTESTED: Final = -1
"""The owner of a cell where equals meet."""


class Weights(NamedTuple):
    """What a board scores while the game goes on."""

    space: float
    """Of own territory against the strongest rival's, from -1 to 1."""
    steepness: float
    """How fast that nears its ends from equal shares on."""
    thirst: float
    """The part of a cell's value that depends on the health on arrival."""
    growth: float
    """Of length and nearness of food against the longest rival, from -1 to 1."""
    fade: float
    """The turn at which growth counts half."""
    health: float
    """Of full health."""
    draw: float
    """The score when all that are left die at once, plus the plies until it."""


SETTINGS: Final = record_type(
    "Settings",
    me=np.int64,
    turn=np.int64,  # of the game at the root
    area=np.int64,  # cells of the board
    **dict.fromkeys(Weights._fields, np.float64),
)
"""What stays the same during a search."""


class Flood(NamedTuple):
    """The rows of a flood's scratch, and its result, for S snakes on C cells of the frame.

    All but the last are [C + S]: each cell is queued once, and heads that share a cell once each.
    """

    owner: Ints
    """1 + the snake that has a cell; 0 nobody yet, or _CONTESTED."""
    arrival: Ints
    """The step at which the owner arrives."""
    health: Ints
    """Its health then."""
    eaten: Ints
    """Food on its way, this cell's included."""
    length: Ints
    """Its length then."""
    clears: Ints
    """The step from which on a cell is free of the body that lies on it."""
    body: Ints
    """The snake whose body that is."""
    queue: Ints
    """Cells in the order of arrival."""
    area: Floats
    """[S] the value of each snake's cells."""


WINDOW: Final = record_type(
    "Window",
    alpha=np.float64,
    beta=np.float64,
    best=np.float64,  # the score of the best of your moves so far
    worst_reply=np.float64,  # the lowest score of the joint replies to the present move so far
)
"""The scores of one ply."""
CHOICE: Final = record_type(
    "Choice",
    moves=(np.int64, 4),  # those to try
    count=np.int64,  # how many they are
    index=np.int64,  # which of them is being tried; `count` when your moves are done
)
"""The moves of one snake at one ply."""


class Frames(NamedTuple):
    """The state of the search at each ply, for S snakes."""

    windows: Records
    """[plies] of WINDOW"""
    choices: Records
    """[plies, S] of CHOICE"""
    moves: Ints
    """[S] the moves of the turn that is being played"""


_SETTINGS: Final = from_dtype(SETTINGS)
_CHOICES: Final = from_dtype(CHOICE)
FRAMES: Final = tuple_type(Frames, from_dtype(WINDOW)[::1], _CHOICES[:, ::1], int64[::1])


@inlined
def _flood(rows: Ints, area: Floats) -> Flood:
    """The rows by name: as one array they cost a call from Python less."""
    return Flood(rows[0], rows[1], rows[2], rows[3], rows[4], rows[5], rows[6], rows[7], area)


@inlined
def _find_clearing(state: State, flood: Flood) -> None:
    """When each cell of a body is left by its owner, if that does not eat."""
    flood.owner[:] = 0
    flood.clears[:] = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        length, top = state.snakes[i].length, state.snakes[i].top
        # From the tail on: of stacked segments the one nearest to the head is the last to leave.
        for k in range(length - 1, -1, -1):
            cell = ring_cell(state, i, top - k)
            flood.clears[cell] = _NEVER if state.rules[0].constrictor != 0 else length - k
            flood.body[cell] = i


@inlined
def _queue_heads(state: State, flood: Flood) -> int:
    """The start of a flood; how many cells are queued."""
    end = 0
    for i in range(state.snakes.shape[0]):
        flood.area[i] = 0.0
        if state.snakes[i].cause > 0:
            continue
        head = state.snakes[i].head & INDEX_MASK
        flood.owner[head] = i + 1
        flood.arrival[head] = 0
        flood.health[head] = state.snakes[i].health
        flood.eaten[head] = 0
        flood.queue[end] = head
        end += 1
    return end


@inlined
def _spread(state: State, thirst: float, flood: Flood) -> None:
    """Find whose each cell is, since when, and in `area` the value of each snake's cells."""
    _find_clearing(state, flood)
    owner, arrival, queue = flood.owner, flood.arrival, flood.queue
    damage = state.rules[0].damage
    heads = end = _queue_heads(state, flood)
    at = 0
    while at < end:
        cell = queue[at] & INDEX_MASK
        at += 1
        if owner[cell] == _CONTESTED:
            continue
        i = owner[cell] - 1
        if at > heads:
            flood.area[i] += 1.0 - thirst * (1.0 - flood.health[cell] / 100.0)
        time, eaten, health_here = arrival[cell] + 1, flood.eaten[cell], flood.health[cell]
        length_here = state.snakes[i].length + eaten
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            layers, theirs = state.hazard_layers[neighbour], owner[neighbour]
            if layers < 0 or (theirs != 0 and arrival[neighbour] != time):
                continue
            if time < flood.clears[neighbour] + (eaten if flood.body[neighbour] == i else 0):
                continue
            food = 1 if state.food[neighbour] != 0 else 0
            health = 100 if food != 0 else min(100, health_here - 1 - layers * damage)
            if health <= 0:
                continue
            length = length_here + food
            if theirs == 0:
                queue[end] = neighbour
                end += 1
            elif theirs == i + 1 or flood.length[neighbour] > length:
                continue
            elif flood.length[neighbour] == length:
                owner[neighbour] = _CONTESTED
                continue
            owner[neighbour] = i + 1
            arrival[neighbour] = time
            flood.health[neighbour] = health
            flood.eaten[neighbour] = eaten + food
            flood.length[neighbour] = length


@inlined
def _nearness(state: State, me: int, flood: Flood) -> float:
    """1 next to food in own territory, less the farther it is; 0 without any."""
    nearest = 0
    for cell in range(state.food.shape[0]):
        found = state.food[cell] != 0 and flood.owner[cell] == me + 1
        if found and (nearest == 0 or flood.arrival[cell] < nearest):
            nearest = flood.arrival[cell]
    return 2.0 / (1.0 + nearest) if nearest > 0 else 0.0


@inlined
def _softsign(x: float) -> float:
    return x / (1.0 + abs(x))


@inlined
def evaluate(state: State, settings: Record, plies: int, flood: Flood) -> float:
    """The score of a board, so many plies after the root, on which you live and the game goes on."""
    me = settings.me
    _spread(state, settings.thirst, flood)
    own = flood.area[me]
    rival, longest, others = 0.0, 0, 0
    for i in range(state.snakes.shape[0]):
        if i != me and state.snakes[i].cause <= 0:
            others += 1
            rival = max(rival, flood.area[i])
            longest = max(longest, state.snakes[i].length)
    if others == 0:
        rival = max(0.0, settings.area - own)
    share = own / (own + rival) if own + rival > 0.0 else 0.5
    lead = state.snakes[me].length - longest + _nearness(state, me, flood)
    return float(
        settings.space * _softsign(settings.steepness * (2.0 * share - 1.0))
        + settings.growth * _softsign(lead / 2.0) * settings.fade / (settings.fade + (settings.turn + plies))
        + settings.health * state.snakes[me].health / 100.0
    )


@kernel(float64(STATE, _SETTINGS[::1], int64[:, ::1], float64[::1]))
def evaluate_position(state: State, settings: Records, rows: Ints, area: Floats) -> float:
    """`evaluate` at the root, to be called from Python."""
    return evaluate(borrowed(state), settings[0], 0, borrowed(_flood(rows, area)))


@inlined
def _list_moves(state: State, choices: Records) -> None:
    """Each snake's moves that run into nothing that stays; one where there is none, or no snake."""
    for i in range(choices.shape[0]):
        choice = choices[i]
        count = 0
        if state.snakes[i].cause <= 0:
            head = state.snakes[i].head & INDEX_MASK
            for move in range(4):
                if state.occupancy[state.neighbours[head, move]] == 0:
                    choice.moves[count] = move
                    count += 1
        if count == 0:
            choice.moves[0] = 0
            count = 1
        choice.count = count
        choice.index = 0


@kernel(void(STATE, _CHOICES[::1]))
def list_moves(state: State, choices: Records) -> None:
    """The moves that each snake may try."""
    _list_moves(borrowed(state), choices)


@inlined
def _next_reply(choices: Records, me: int) -> bool:
    """Advance to the next joint reply, as an odometer does; False after the last."""
    for i in range(choices.shape[0]):
        if i == me:
            continue
        choices[i].index += 1
        if choices[i].index < choices[i].count:
            return True
        choices[i].index = 0
    return False


@inlined
def _back_up(window: Record, choices: Records, me: int, score: float) -> None:
    """Take in the score of the present move and joint reply, and go on to the next."""
    window.worst_reply = min(window.worst_reply, score)
    if window.worst_reply > max(window.alpha, window.best) and _next_reply(choices, me):
        return
    window.best = max(window.best, window.worst_reply)
    window.worst_reply = _INFINITY
    for i in range(choices.shape[0]):
        if i != me:
            choices[i].index = 0
    choices[me].index += 1
    if window.best >= window.beta:
        choices[me].index = choices[me].count


@kernel(
    UniTuple(int64, 2)(
        *(STATE_STACK, FRAMES, _SETTINGS[::1], int64[:, ::1], float64[::1], int64, int64, int64)
    )
)
def search_nodes(
    stack: StateStack,
    frames: Frames,
    settings: Records,
    rows: Ints,
    area: Floats,
    depth: int,
    ply: int,
    limit: int,
) -> tuple[int, int]:
    """Search on from `ply` for up to `limit` nodes; the ply reached (-1: complete) and the nodes.

    `stack` has a board for each ply, `rows` and `area` are the scratch of a `Flood`. When complete,
    `frames.windows[0].best` is the score.
    """
    stack, frames, flood = borrowed(stack), borrowed(frames), borrowed(_flood(rows, area))
    me, moves, choices = settings[0].me, frames.moves, frames.choices
    nodes = 0
    while ply >= 0:
        window = frames.windows[ply]
        if choices[ply, me].index >= choices[ply, me].count:
            ply -= 1
            if ply >= 0:
                _back_up(frames.windows[ply], choices[ply], me, window.best)
            continue
        if nodes >= limit:
            break
        state, after = state_at(stack, ply), state_at(stack, ply + 1)
        for i in range(moves.shape[0]):
            moves[i] = choices[ply, i].moves[choices[ply, i].index]
        copy_state(after, state)
        play_turn(after, moves)
        nodes += 1
        if after.snakes[me].cause > 0:
            drawn = after.totals[0].living == 0 and stack.rules[0].solo == 0
            score = settings[0].draw + (ply + 1) if drawn else ply + 1 - WIN
        elif is_over(after):
            score = WIN - (ply + 1)
        elif ply + 1 == depth:
            score = evaluate(after, settings[0], depth, flood)
        else:
            alpha, beta = max(window.alpha, window.best), min(window.beta, window.worst_reply)
            ply += 1
            _list_moves(after, choices[ply])
            below = frames.windows[ply]
            below.alpha, below.beta = alpha, beta
            below.best, below.worst_reply = -_INFINITY, _INFINITY
            continue
        _back_up(window, choices[ply], me, score)
    return ply, nodes


class ParanoidSearch:
    """Iterative deepening over `moves`, the best of the depth before first.

    `values` are those of the deepest depth that has one: exact for the best move, upper bounds for the
    others. The position must have you on the board and not be over.
    """

    def __init__(
        self, position: Position, moves: Sequence[str], max_depth: int, weights: Sequence[float]
    ) -> None:
        me = position.me
        if me is None or position.over or not moves:
            raise ValueError("nothing to search")
        state = pack(position)
        plies, snakes = max_depth + 1, len(position.snakes)
        self._root = state
        self._stack = state_stack(state, plies)
        self._me = position.snakes.index(me)
        area = position.width * position.height
        self._settings = np.array([(self._me, position.turn, area, *weights)], SETTINGS)
        self._frames = Frames(
            np.zeros(plies, WINDOW), np.zeros((plies, snakes), CHOICE), np.zeros(snakes, np.int64)
        )
        self._rows = np.zeros((len(Flood._fields) - 1, len(state.occupancy) + snakes), np.int64)
        self._area = np.zeros(snakes, np.float64)
        self._max_depth = max_depth
        self._order = list(moves)
        self._found: dict[str, float] = {}
        """The scores of the depth that is being searched."""
        self._ply = -1
        self.slice = max(4, 16_384 // len(state.occupancy))
        """Nodes that take well under a millisecond, after which a clock should be read again."""
        self.depth = 0
        """The deepest depth that is complete."""
        self.move = moves[0]
        """The choice so far."""
        self.values: dict[str, float] = {}
        self.finished = False

    @property
    def known(self) -> dict[str, tuple[int, float]]:
        """By move its depth and score: as in `values`, or of the depth that is being searched, if the choice
        is of that."""
        found = {move: (self.depth, value) for move, value in self.values.items()}
        if self._found.get(self.move) == max(self._found.values(), default=None):
            found |= {move: (self.depth + 1, value) for move, value in self._found.items()}
        return found

    def evaluate(self) -> float:
        """The static evaluation of the position; `areas` is then that of the position, too."""
        return float(evaluate_position(self._root, self._settings, self._rows, self._area))

    @property
    def areas(self) -> list[float]:
        """The value of each snake's cells in the last flood, in the order of the position's snakes."""
        return [float(value) for value in self._area]

    def advance(self, limit: int) -> int:
        """Search on for up to so many nodes; how many it took (fewer only when finished)."""
        nodes = 0
        while nodes < limit and not self.finished:
            if self._ply < 0:
                self._begin(self._order[len(self._found)])
            self._ply, more = search_nodes(
                self._stack,
                self._frames,
                self._settings,
                self._rows,
                self._area,
                self.depth + 1,
                self._ply,
                limit - nodes,
            )
            nodes += more
            if self._ply < 0:
                self._receive(self._order[len(self._found)], float(self._frames.windows[0].best))
        return nodes

    def _begin(self, move: str) -> None:
        """Begin the search of a move at the root."""
        list_moves(self._root, self._frames.choices[0])
        own = self._frames.choices[0, self._me]
        own.moves[0], own.count = MOVES.index(move), 1
        best = max(self._found.values(), default=-_INFINITY)
        self._frames.windows[0] = (best, _INFINITY, -_INFINITY, _INFINITY)
        self._ply = 0

    def _receive(self, move: str, score: float) -> None:
        """Take in the score of a move; after the last the depth is complete."""
        self._found[move] = score
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
