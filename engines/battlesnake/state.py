"""A position as the flat arrays that the rules work on, in place, and back again.

Cells are numbered row by row over a frame: the board with a rim of at least one cell around it,
so that a head that leaves the board still has a number. `exits` says where each word leads,
wrapping included; the rim is walled off in `taken`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engines.battlesnake.position import OFFSETS, Cell, Position

HEAD: Final = 0
"""Cell of the head."""
TOP: Final = 1
"""Where in its ring the body begins (modulo the ring's size); it goes on downwards."""
LENGTH: Final = 2
HEALTH: Final = 3
CAUSE: Final = 4
"""0 while it lives (or STRANDED), else the index in `CAUSES`."""
BY: Final = 5
"""Index of the snake that did it, -1 for none."""
COLLISION: Final = 6
"""Scratch of the turn."""
COLUMNS: Final = 7

STRANDED: Final = -1
"""CAUSE of a living snake with more than its last segment off the board: the next turn is its last."""

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

LIVING: Final = 0
FOOD: Final = 1

DAMAGE: Final = 0
CONSTRICTOR: Final = 1
SOLO: Final = 2
STRIDE: Final = 3
ROWS: Final = 4
MARGIN: Final = 5

OFF_BOARD: Final = 8192
"""What a rim cell counts in `taken`, beyond the segments that lie on it."""

_BLOCK = 64

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Shorts = NDArray[np.int16]
Cells = NDArray[np.uint16]


class State(NamedTuple):
    """Entry points take its arrays one by one, in this order; the first five change in a turn.

    `taken[cell]` counts the segments that will still be there after the next move: every living
    snake's but its last. So it is what a mover must not enter, and what a head that has just
    moved collides with, without touching any segment but first and last.
    """

    snakes: Ints
    """A row for each snake, see the column names above."""
    body_rings: Cells
    """A row for each body: a ring of a power of two cells, the head at TOP."""
    occupancy: Shorts
    food: Shorts
    """Entries of the list of food for each cell."""
    totals: Ints
    """LIVING snakes, and FOOD in the frame."""
    hazard_layers: Shorts
    """Hazard layers for each cell; on the rim, -1 - layers."""
    neighbours: Cells
    """For each cell the cells that the four words lead to."""
    rules: Ints
    """DAMAGE, CONSTRICTOR, SOLO, and of the frame STRIDE, ROWS and MARGIN."""


SIGNATURE = (
    "int64[:,::1], uint16[:,::1], int16[::1], int16[::1], int64[::1], int16[::1], uint16[:,::1], int64[::1]"
)
"""A world's arrays in a kernel's signature."""
CHANGING = "int64[:,::1], uint16[:,::1], int16[::1], int16[::1], int64[::1]"
"""Those of them that change in a turn."""
LEVELS = (
    "int64[:,:,::1], uint16[:,:,::1], int16[:,::1], int16[:,::1], int64[:,::1],"
    " int16[::1], uint16[:,::1], int64[::1]"
)
"""Those of `levelled`."""


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
    totals = np.array([len(position.snakes), int(food.sum())], np.int64)
    occupancy = np.zeros(cells, np.int16)
    occupancy[: len(outside)] = outside.astype(np.int16) * OFF_BOARD
    hazard_layers = hazards
    hazard_layers[: len(outside)][outside] = -1 - hazards[: len(outside)][outside]
    snakes = np.zeros((len(position.snakes), COLUMNS), np.int64)
    body_rings = np.zeros((len(position.snakes), _ring_capacity(position)), np.uint16)
    for index, snake in enumerate(position.snakes):
        body = [(y + margin) * stride + x + margin for x, y in snake.body]
        body_rings[index, : len(body)] = body[::-1]
        np.add.at(occupancy, body[:-1], 1)
        state = STRANDED if any(outside[cell] for cell in body[:-1]) else 0
        snakes[index] = (body[0], len(body) - 1, len(body), snake.health, state, -1, 0)
    rules = np.array(
        [position.settings.hazard_damage, position.constrictor, position.solo, stride, rows, margin], np.int64
    )
    return State(snakes, body_rings, occupancy, food, totals, hazard_layers, neighbours, rules)


def scratch_copy(state: State) -> State:
    """A copy whose changing arrays are its own."""
    snakes, body_rings, occupancy, food, totals = (part.copy() for part in state[:5])
    return State(
        snakes, body_rings, occupancy, food, totals, state.hazard_layers, state.neighbours, state.rules
    )  # type: ignore[arg-type]


def state_stack(state: State, levels: int) -> State:
    """The changing arrays for a world on each level of a search, this one on level 0; the rest shared.

    Untouched pages of empty arrays cost no memory; only levels that are reached are written.
    """
    stack = [np.empty((levels, *part.shape), part.dtype) for part in state[:5]]
    for level, part in zip(stack, state[:5], strict=True):
        level[0] = part
    return State(*stack, *state[5:])  # type: ignore[call-arg]


def body_of(state: State, index: int) -> tuple[Cell, ...]:
    """The cells of a snake, from its head."""
    top, length = (int(state.snakes[index, column]) for column in (TOP, LENGTH))
    ring, stride, margin = state.body_rings[index], int(state.rules[STRIDE]), int(state.rules[MARGIN])
    numbers = ring[(top - np.arange(length)) % len(ring)].tolist()
    return tuple((number % stride - margin, number // stride - margin) for number in numbers)


def food_left(position: Position, state: State) -> tuple[Cell, ...]:
    """The food of the position that a turn has left there, in its order."""
    if position.constrictor:
        return ()
    stride, margin = int(state.rules[STRIDE]), int(state.rules[MARGIN])
    rows = int(state.rules[ROWS])

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
    """`exits` and `outside` of a board; shared, and never written to."""
    stride, rows = width + 2 * margin, height + 2 * margin
    y, x = np.divmod(np.arange(stride * rows), stride)
    neighbours = np.empty((stride * rows, 4), np.uint16)
    for move, (dx, dy) in enumerate(OFFSETS):
        column = _land(x + dx, width, margin, wrapped, stride)
        row = _land(y + dy, height, margin, wrapped, rows)
        neighbours[:, move] = row * stride + column
    outside = (x < margin) | (x >= margin + width) | (y < margin) | (y >= margin + height)
    return neighbours, outside


def _land(place: Ints, size: int, margin: int, wrapped: bool, frame: int) -> Ints:
    if not wrapped:
        return np.clip(place, 0, frame - 1)  # only heads that are lost already stand at the frame's end
    end = margin + size
    return np.where(place < margin, end - 1, np.where(place >= end, margin, place)).astype(np.int64)
