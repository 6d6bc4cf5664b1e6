"""A position as flat arrays that the rules change in place, and back again.

The rules, the searches and the evolution work on a `State`; `position` and `parse` must not know it.
Cells are numbered row by row over a frame: the board with a rim of at least one cell around it, so that a
head that leaves the board still has a number. `neighbours` says where each move leads, over the edge where
the board is wrapped; the rim is closed in `occupancy`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, int16, uint16
from numpy.typing import NDArray

from engines.battlesnake.position import OFFSETS, Cell, Position
from engines.core.jit import borrowed, inlined, tuple_type
from engines.core.records import record_type

SNAKE: Final = record_type(
    "Snake",
    head=np.int64,  # cell
    top=np.int64,  # where in its ring the body begins, modulo the ring's size; it goes on downwards
    length=np.int64,  # segments
    health=np.int64,  # 0 to 100
    cause=np.int64,  # 0 while it lives (or STRANDED), else an index of CAUSES
    eliminated_by=np.int64,  # index of the snake that did it, -1 for none
    collision=np.int64,  # scratch of the turn: the cause that its head has met
)
TOTALS: Final = record_type("Totals", living=np.int64, food=np.int64)
"""Snakes that live, and pieces of food in the frame."""
RULES: Final = record_type(
    "Rules",
    damage=np.int64,  # health that a hazard layer takes; negative layers heal
    constrictor=np.int64,  # 1 where every snake grows every turn
    solo=np.int64,  # 1 where the game goes on with one snake left
    stride=np.int64,  # cells in a row of the frame
    rows=np.int64,  # rows of the frame
    margin=np.int64,  # cells of the rim on each side
)

STRANDED: Final = -1
"""Cause of a living snake with more than its last segment off the board: the next turn is its last."""

CAUSES = (
    "",
    "hazard",
    "out-of-health",
    "wall-collision",
    "snake-self-collision",
    "snake-collision",
    "head-collision",
)
HAZARD: Final = 1
OUT_OF_HEALTH: Final = 2
WALL: Final = 3
SELF: Final = 4
BODY: Final = 5
HEAD_ON: Final = 6

OFF_BOARD: Final = 8192
"""What a rim cell counts in `occupancy`, beyond the segments that lie on it."""

_BLOCK = 64

Records = NDArray[Any]
"""An array of one of the record types above."""
Record = Any
"""One of its rows."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]
Cells = NDArray[np.uint16]


class State(NamedTuple):
    """One board. S snakes, C cells of the frame (rounded up), R cells of a ring (a power of two).

    The first five arrays change in a turn, the others never. `occupancy[cell]` counts the segments that will
    still be there after the next move: every living snake's but its last. So it is what a mover must not
    enter, and what a head that has just moved collides with, without touching any segment but first and last.
    """

    snakes: Records
    """[S] of SNAKE."""
    body_rings: Cells
    """[S, R] the cells of each body, its head at `snakes[i].top`."""
    occupancy: Shorts
    """[C] segments, and OFF_BOARD on the rim."""
    food: Shorts
    """[C] pieces of food."""
    totals: Records
    """[1] of TOTALS."""
    hazard_layers: Shorts
    """[C] hazard layers; on the rim -1 - layers."""
    neighbours: Cells
    """[C, 4] the cells that the four moves lead to."""
    rules: Records
    """[1] of RULES."""


CHANGING: Final = State._fields[:5]
"""The arrays that a turn changes."""


class StateStack(NamedTuple):
    """A board for each ply of a search, `state_at(stack, ply)`; the last three arrays are shared by all."""

    snakes: Records
    """[plies, S] of SNAKE."""
    body_rings: Cells
    """[plies, S, R]"""
    occupancy: Shorts
    """[plies, C]"""
    food: Shorts
    """[plies, C]"""
    totals: Records
    """[plies, 1] of TOTALS."""
    hazard_layers: Shorts
    neighbours: Cells
    rules: Records


_snake, _totals, _rules = from_dtype(SNAKE), from_dtype(TOTALS), from_dtype(RULES)
_shared = (int16[::1], uint16[:, ::1], _rules[::1])
STATE = tuple_type(State, _snake[::1], uint16[:, ::1], int16[::1], int16[::1], _totals[::1], *_shared)
"""A `State` in a kernel's signature."""
STATE_STACK = tuple_type(
    StateStack, _snake[:, ::1], uint16[:, :, ::1], int16[:, ::1], int16[:, ::1], _totals[:, ::1], *_shared
)
"""A `StateStack` in a kernel's signature."""


@inlined
def state_at(stack: StateStack, ply: int) -> State:
    """The board at a ply, for as long as the caller holds the stack."""
    return borrowed(
        State(
            stack.snakes[ply],
            stack.body_rings[ply],
            stack.occupancy[ply],
            stack.food[ply],
            stack.totals[ply],
            stack.hazard_layers,
            stack.neighbours,
            stack.rules,
        )
    )


def pack(position: Position) -> State:
    """The arrays of a position. Segments lie within the frame; food and hazards beyond are out of reach."""
    segments = (cell for snake in position.snakes for cell in snake.body)
    margin = 1 + max((_distance_outside(position, cell) for cell in segments), default=0)
    stride = position.width + 2 * margin
    rows = position.height + 2 * margin
    # Whole blocks are copied faster; the cells at the end are no part of the frame.
    cells = -(-stride * rows // _BLOCK) * _BLOCK
    neighbours, outside = _frame(position.width, position.height, margin, position.wrapped)
    food, hazards = np.zeros(cells, np.int16), np.zeros(cells, np.int16)
    for counts, places in ((food, position.food), (hazards, position.hazards)):
        for x, y in places:
            if -margin <= x < position.width + margin and -margin <= y < position.height + margin:
                counts[(y + margin) * stride + x + margin] += 1
    totals = np.array([(len(position.snakes), int(food.sum()))], TOTALS)
    occupancy = np.zeros(cells, np.int16)
    occupancy[: len(outside)] = outside.astype(np.int16) * OFF_BOARD
    hazards[: len(outside)][outside] = -1 - hazards[: len(outside)][outside]
    snakes = np.zeros(len(position.snakes), SNAKE)
    body_rings = np.zeros((len(position.snakes), _ring_capacity(position)), np.uint16)
    for index, snake in enumerate(position.snakes):
        body = [(y + margin) * stride + x + margin for x, y in snake.body]
        body_rings[index, : len(body)] = body[::-1]
        np.add.at(occupancy, body[:-1], 1)
        cause = STRANDED if any(outside[cell] for cell in body[:-1]) else 0
        snakes[index] = (body[0], len(body) - 1, len(body), snake.health, cause, -1, 0)
    damage = position.settings.hazard_damage
    rules = np.array([(damage, position.constrictor, position.solo, stride, rows, margin)], RULES)
    return State(snakes, body_rings, occupancy, food, totals, hazards, neighbours, rules)


def scratch_copy(state: State) -> State:
    """A copy whose changing arrays are its own."""
    changing = [array.copy() for array in state[: len(CHANGING)]]
    return State._make([*changing, *state[len(CHANGING) :]])


def state_stack(state: State, plies: int) -> StateStack:
    """A stack with the state at ply 0.

    Untouched pages of empty arrays cost no memory; only plies that are reached are written.
    """
    stack = {
        name: np.empty((plies, *getattr(state, name).shape), getattr(state, name).dtype) for name in CHANGING
    }
    for name, plane in stack.items():
        plane[0] = getattr(state, name)
    return StateStack(
        **stack, hazard_layers=state.hazard_layers, neighbours=state.neighbours, rules=state.rules
    )


def root_and_scratch(state: State) -> StateStack:
    """A stack of two, the state and a scratch copy of it: for kernels that play from a root over and over.

    Passing two states from Python would cost as much again for each call, a microsecond and a half.
    """
    twice = [array[None].repeat(2, axis=0) for array in state[: len(CHANGING)]]
    return StateStack._make([*twice, *state[len(CHANGING) :]])


def body_of(state: State, index: int) -> tuple[Cell, ...]:
    """The cells of a snake, from its head."""
    top, length = int(state.snakes[index].top), int(state.snakes[index].length)
    ring, stride, margin = state.body_rings[index], int(state.rules[0].stride), int(state.rules[0].margin)
    numbers = ring[(top - np.arange(length)) % len(ring)].tolist()
    return tuple((number % stride - margin, number // stride - margin) for number in numbers)


def food_left(position: Position, state: State) -> tuple[Cell, ...]:
    """The food of the position that a turn has left there, in its order."""
    if position.constrictor:
        return ()
    stride, margin = int(state.rules[0].stride), int(state.rules[0].margin)
    rows = int(state.rules[0].rows)

    def there(cell: Cell) -> bool:
        column, row = cell[0] + margin, cell[1] + margin
        if not (0 <= column < stride and 0 <= row < rows):
            return True
        return bool(state.food[row * stride + column])

    return tuple(cell for cell in position.food if there(cell))


def _distance_outside(position: Position, cell: Cell) -> int:
    x, y = cell
    return max(0, -x, x - position.width + 1, -y, y - position.height + 1)


def _ring_capacity(position: Position) -> int:
    """A power of two that no body outgrows.

    A snake lives only while the cells that it has entered are all different, and each food makes
    it one longer, so it never exceeds what it began with, plus the board, plus stacked food.
    """
    longest = max((len(snake.body) for snake in position.snakes), default=1)
    need = longest + position.width * position.height + len(position.food) + 4
    return 1 << (need - 1).bit_length()


@lru_cache(maxsize=64)
def _frame(width: int, height: int, margin: int, wrapped: bool) -> tuple[Cells, NDArray[np.bool_]]:
    """`neighbours` of a frame and which of its cells are outside the board; shared, and never written to."""
    stride, rows = width + 2 * margin, height + 2 * margin
    y, x = np.divmod(np.arange(stride * rows), stride)
    neighbours = np.empty((stride * rows, 4), np.uint16)
    for move, (dx, dy) in enumerate(OFFSETS):
        column = _shifted(x + dx, width, margin, wrapped, stride)
        row = _shifted(y + dy, height, margin, wrapped, rows)
        neighbours[:, move] = row * stride + column
    outside = (x < margin) | (x >= margin + width) | (y < margin) | (y >= margin + height)
    return neighbours, outside


def _shifted(place: Ints, size: int, margin: int, wrapped: bool, frame: int) -> Ints:
    """Columns or rows after a move: over the edge where the board is wrapped, within the frame anyway."""
    if not wrapped:
        return np.clip(place, 0, frame - 1)  # only heads that are lost already stand at the frame's end
    end = margin + size
    return np.where(place < margin, end - 1, np.where(place >= end, margin, place)).astype(np.int64)
