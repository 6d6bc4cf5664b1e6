"""The published search: your move maximises, then one rival's reply minimises; all others go straight on.

The rival knows your move. It is the living snake whose head is nearest, chosen anew at each node. Alpha-beta
to a fixed depth, deepened iteratively. The search keeps its own stack, so that it can stop after any node and
go on later: a deadline costs no more than the slice that is running.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numba import from_dtype, int64
from numba.types import UniTuple

from engines.battlesnake.geometry import off_centre, straight
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.rules import INDEX_MASK, copy_state, is_over, play_turn, tail_of
from engines.battlesnake.state import (
    STATE_STACK,
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
_INFINITY: Final = 1e9
MAX_DEPTH: Final = 8


class LeafWeights(NamedTuple):
    """What a board counts at the greatest depth."""

    health: float
    length: float
    """Of the lead over the longest living other (0 where none lives)."""
    territory: float
    """Of the cells that are nearer to your head than to any other, less those nearest to one other head."""
    centre: float
    """Of the distance from your head to the middle, as a penalty."""


SIMPLE: Final = LeafWeights(0.01, 0.0, 0.0, 0.0)
"""`evaluate_simple`: only eliminations matter; while the game goes on a board scores health / 100."""
HEALTH_LENGTH: Final = LeafWeights(1.0, 5.0, 0.0, 0.0)
"""The leaf of the original's own override."""
TERRITORY: Final = LeafWeights(0.5, 20.0, 3.0, 1.0)
"""The leaf of the original's negamax."""
LEAVES: Final = {"simple": SIMPLE, "health_length": HEALTH_LENGTH, "territory": TERRITORY}

FRAME: Final = record_type(
    "Frame",
    own=np.int64,  # your move that is being tried
    last=np.int64,  # the last of your moves to try
    reply=np.int64,  # the rival's move that is being tried
    rival=np.int64,  # the snake that replies; _NOBODY, or _UNKNOWN until the node is first expanded
    alpha=np.float64,
    beta=np.float64,
    best=np.float64,  # the score of the best of your moves so far
    worst_reply=np.float64,  # the lowest score of the replies to the present move so far
)
"""The state of the search at one ply."""
_NOBODY: Final = -1
_UNKNOWN: Final = -2


SETTINGS: Final = record_type(
    "Settings",
    me=np.int64,
    draw=np.int64,  # 1 where it scores 0 when all that are left die at once, else that is a loss
    **dict.fromkeys(LeafWeights._fields, np.float64),
)
"""What stays the same during a search."""


class Scratch(NamedTuple):
    """What a search writes to, for S snakes on C cells of the frame."""

    moves: Ints
    """[S] the moves of a turn."""
    flood: Ints
    """[3, C + S] the arrays of a flood: owner, distance, queue."""


SCRATCH: Final = tuple_type(Scratch, int64[::1], int64[:, ::1])


@inlined
def lead(state: State, me: int) -> int:
    """Own length less that of the longest other living snake (0 where none lives)."""
    longest = 0
    for i in range(state.snakes.shape[0]):
        if i != me and state.snakes[i].cause <= 0:
            longest = max(longest, state.snakes[i].length)
    return int(state.snakes[me].length - longest)


@inlined
def _nearest_rival(state: State, me: int) -> int:
    """The living snake whose head is nearest, the earlier in the list of equals; _NOBODY where none lives."""
    stride = state.rules[0].stride
    mine = state.snakes[me].head
    found = _NOBODY
    least = 0
    for i in range(state.snakes.shape[0]):
        if i == me or state.snakes[i].cause > 0:
            continue
        head = state.snakes[i].head
        steps = abs(head % stride - mine % stride) + abs(head // stride - mine // stride)
        if found < 0 or steps < least:
            found, least = i, steps
    return found


@inlined
def area_balance(state: State, one: int, other: int, head: int, flood: Ints) -> int:
    """Cells that are nearest to one snake's head alone, less those nearest to another's alone (-1: any
    other's), if the first one's head were at `head`.

    A Voronoi flood over cells that are empty now: last segments are walls too. Cells that two heads reach at
    the same distance are shared, and so are the cells first reached through them.
    """
    owner, steps, queue = flood[0], flood[1], flood[2]
    owner[:] = 0
    shared = state.snakes.shape[0] + 1
    end = 0
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        # A negative owner is a wall.
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
        mine, step = owner[cell], steps[cell] + 1
        if at >= heads and mine != shared:
            if mine == one + 1:
                balance += 1
            elif other < 0 or mine == other + 1:
                balance -= 1
        at += 1
        for move in range(4):
            neighbour = state.neighbours[cell, move]
            if state.occupancy[neighbour] != 0:
                continue
            theirs = owner[neighbour]
            if theirs == 0:
                owner[neighbour] = mine
                steps[neighbour] = step
                queue[end] = neighbour
                end += 1
            elif theirs > 0 and theirs != mine and steps[neighbour] == step:
                owner[neighbour] = shared
    return balance


@inlined
def _evaluate(state: State, settings: Record, flood: Ints) -> float:
    me = settings.me
    head = state.snakes[me].head
    score = (
        settings.health * state.snakes[me].health
        + settings.length * lead(state, me)
        - settings.centre * off_centre(state, head)
    )
    if settings.territory != 0.0:
        score += settings.territory * area_balance(state, me, -1, head, flood)
    return float(score)


@inlined
def _open_frame(frame: Record, alpha: float, beta: float) -> None:
    """Begin a node, with all of your moves to try."""
    frame.own, frame.last = 0, 3
    frame.reply, frame.rival = 0, _UNKNOWN
    frame.alpha, frame.beta = alpha, beta
    frame.best, frame.worst_reply = -_INFINITY, _INFINITY


@inlined
def _back_up(frame: Record, score: float) -> None:
    """Take in the score of the present move and reply, and go on to the next."""
    frame.worst_reply = min(frame.worst_reply, score)
    frame.reply += 1
    replies = 4 if frame.rival >= 0 else 1
    if frame.reply < replies and frame.worst_reply > max(frame.alpha, frame.best):
        return
    frame.best = max(frame.best, frame.worst_reply)
    frame.worst_reply = _INFINITY
    frame.reply = 0
    frame.own += 1
    if frame.best >= frame.beta:
        frame.own = frame.last + 1


@inlined
def _choose_moves(state: State, me: int, frame: Record, moves: Ints) -> None:
    """The moves of all snakes that the frame stands at."""
    if frame.rival == _UNKNOWN:
        frame.rival = _nearest_rival(state, me)
    for i in range(moves.shape[0]):
        if i == me:
            moves[i] = frame.own
        elif i == frame.rival:
            moves[i] = frame.reply
        else:
            moves[i] = straight(state, i)


@kernel(
    UniTuple(int64, 2)(
        *(STATE_STACK, from_dtype(FRAME)[::1], from_dtype(SETTINGS)[::1], SCRATCH, int64, int64, int64)
    )
)
def search_nodes(
    stack: StateStack,
    frames: Records,
    settings: Records,
    scratch: Scratch,
    depth: int,
    ply: int,
    limit: int,
) -> tuple[int, int]:
    """Search on from `ply` for up to `limit` nodes; the ply reached (-1: complete) and the nodes.

    `stack` and `frames` have a board and a frame for each ply. When complete, `frames[0].best` is the score.
    """
    stack, scratch = borrowed(stack), borrowed(scratch)
    me, moves = settings[0].me, scratch.moves
    nodes = 0
    while ply >= 0:
        frame = frames[ply]
        if frame.own > frame.last:
            ply -= 1
            if ply >= 0:
                _back_up(frames[ply], frame.best)
            continue
        if nodes >= limit:
            break
        state, after = state_at(stack, ply), state_at(stack, ply + 1)
        _choose_moves(state, me, frame, moves)
        copy_state(after, state)
        play_turn(after, moves)
        nodes += 1
        if after.snakes[me].cause > 0:
            drawn = after.totals[0].living == 0 and stack.rules[0].solo == 0
            score = 0.0 if drawn and settings[0].draw != 0 else ply + 1 - WIN
        elif is_over(after):
            score = WIN - (ply + 1)
        elif ply + 1 == depth:
            score = _evaluate(after, settings[0], scratch.flood)
        else:
            alpha, beta = max(frame.alpha, frame.best), min(frame.beta, frame.worst_reply)
            ply += 1
            _open_frame(frames[ply], alpha, beta)
            continue
        _back_up(frame, score)
    return ply, nodes


@dataclass(frozen=True, slots=True)
class Values:
    """The score of each move at one depth, in plies; none at depth 0."""

    depth: int
    moves: dict[str, float]
    wins_are_exact: bool = False
    """Does a win score more than every board on which the game goes on?"""

    def best(self) -> tuple[str, ...]:
        """The moves of the highest score."""
        most = max(self.moves.values(), default=0.0)
        return tuple(move for move, value in self.moves.items() if value == most)

    def wins_in(self, move: str) -> int | None:
        """Turns after which a move has won, if the rival that replies is the only one; None if it hasn't."""
        value = self.moves.get(move, 0.0)
        return round(WIN - value) if self.wins_are_exact and value >= WIN - MAX_DEPTH else None


class PublishedSearch:
    """Iterative deepening over `moves`, each with its exact score, within memory for `max_depth` plies.

    `found` holds the deepest complete depth. The position must have you on the board and not be over.
    """

    def __init__(
        self,
        position: Position,
        moves: Sequence[str],
        max_depth: int,
        weights: Sequence[float],
        draw_is_loss: bool,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to search")
        state = pack(position)
        plies = max_depth + 1
        self._stack = state_stack(state, plies)
        self._frames = np.zeros(plies, FRAME)
        leaf = LeafWeights(*map(float, weights))
        self._settings = np.array([(position.snakes.index(me), not draw_is_loss, *leaf)], SETTINGS)
        snakes = len(position.snakes)
        # In a flood each cell is queued once, and heads that share a cell once each.
        flood = np.zeros((3, len(state.occupancy) + snakes), np.int64)
        self._scratch = Scratch(np.zeros(snakes, np.int64), flood)
        self._moves = tuple(moves)
        self._max_depth = max_depth
        greatest = (max(100, me.health), len(me.body) + plies, position.width * position.height)
        self._wins_are_exact = bool(
            np.dot((leaf.health, leaf.length, leaf.territory), greatest) < WIN - MAX_DEPTH
        )
        self._ply = -1
        self._scores: dict[str, float] = {}
        """Of the depth that is being searched."""
        self.slice = max(16, 65_536 // len(state.occupancy))
        """Nodes that take about a millisecond, after which a clock should be read again."""
        self.found = Values(0, {})

    @property
    def finished(self) -> bool:
        """Is the greatest depth complete?"""
        return self.found.depth >= self._max_depth or not self._moves

    def advance(self, limit: int) -> int:
        """Search on for up to so many nodes; how many it took (fewer only when finished)."""
        nodes = 0
        while nodes < limit and not self.finished:
            if self._ply < 0:
                move = MOVES.index(self._moves[len(self._scores)])
                self._frames[0] = (move, move, 0, _UNKNOWN, -_INFINITY, _INFINITY, -_INFINITY, _INFINITY)
                self._ply = 0
            self._ply, more = search_nodes(
                self._stack,
                self._frames,
                self._settings,
                self._scratch,
                self.found.depth + 1,
                self._ply,
                limit - nodes,
            )
            nodes += more
            if self._ply >= 0:
                continue
            self._scores[self._moves[len(self._scores)]] = float(self._frames[0].best)
            if len(self._scores) == len(self._moves):
                self.found = Values(self.found.depth + 1, self._scores, self._wins_are_exact)
                self._scores = {}
        return nodes
