"""A learnt table and the look into it, compiled: one value for each piece in every state.

A state is an index of an abstraction. The table over `potential9` has a row for every index (dense),
those over the others one for each state that was learnt (sparse). With `from_front` the pieces are
numbered from the front instead of by their index, which folds equal situations together and lets the
tuple say more.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below
from engines.ludo.position import PIECES, SEATS
from engines.ludo.q_learning.abstractions import (
    COMBINED17,
    POTENTIAL9,
    ZONE12,
    Values,
    index_combined17,
    index_potential9,
    index_zone12,
    observe_combined17,
    observe_potential9,
    observe_zone12,
)
from engines.ludo.rules import (
    COUNT,
    NTH,
    Board,
    can_move,
    copy_board,
)

VIEWS = (POTENTIAL9.name, ZONE12.name, COMBINED17.name)
"""The abstractions, by the numbers that kernels and files know them by."""
DENSE = VIEWS.index(POTENTIAL9.name)
"""The abstraction whose tables have a row for every index."""
COMPONENTS = max(len(view.components) for view in (POTENTIAL9, ZONE12, COMBINED17))

Rows = NDArray[np.float32]
"""[state or index, place]: the value of moving the piece that stands at a place of the order."""


class Table(NamedTuple):
    """A learnt table."""

    abstraction: int
    """Of VIEWS."""
    from_front: bool
    keys: NDArray[np.int64]
    """[state]: the indices that were learnt, rising."""
    rows: Rows
    """Dense tables have zeros where nothing was learnt."""

    def values(self, index: int) -> list[float] | None:
        """The four values of a state; None where it was not learnt."""
        place = int(np.searchsorted(self.keys, index))
        if place == len(self.keys) or self.keys[place] != index:
            return None
        found: list[float] = self.rows[index if self.abstraction == DENSE else place].tolist()
        return found


NO_TABLE = Table(0, False, np.zeros(0, np.int64), np.zeros((0, PIECES), np.float32))
"""Stands where no table is asked."""
TABLE = numba.typeof(NO_TABLE)


class StateScratch(NamedTuple):
    """Memory for one state after another."""

    order: Values
    """[place]: the piece that stands there."""
    board: Board
    """The board with the pieces in that order."""
    values: Values
    """[COMPONENTS]: the tuple."""


@compiled
def state_scratch() -> StateScratch:
    """Memory for states."""
    return StateScratch(
        np.empty(PIECES, np.int64), np.empty((SEATS, PIECES), np.int64), np.zeros(COMPONENTS, np.int64)
    )


@compiled
def order_pieces(board: Board, seat: int, from_front: bool, order: Values) -> None:
    """Write the order in which the table takes the pieces."""
    for piece in range(PIECES):
        order[piece] = piece
    if from_front:
        for place in range(1, PIECES):
            piece = order[place]
            at = place
            while at > 0 and board[seat, order[at - 1]] < board[seat, piece]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = piece


@compiled
def state_index(view: int, board: Board, seat: int, dice: int, scratch: StateScratch) -> int:
    """The index of what the abstraction sees, the pieces taken in `scratch.order`."""
    seen, values = scratch.board, scratch.values
    copy_board(seen, board)
    for place in range(PIECES):
        seen[seat, place] = board[seat, scratch.order[place]]
    if view == 0:
        observe_potential9(seen, seat, dice, values[:9])
        return int(index_potential9(values[:9]))
    if view == 1:
        observe_zone12(seen, seat, dice, values[:12])
        return int(index_zone12(values[:12]))
    observe_combined17(seen, seat, dice, values)
    return int(index_combined17(values))


@compiled
def find_row(table: Table, index: int) -> int:
    """The row of a state; -1 where the table has none."""
    if table.abstraction == DENSE:
        return index
    keys = table.keys
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < index:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == index else -1


@compiled
def table_piece(table: Table, board: Board, seat: int, dice: int, rng: Rng, scratch: StateScratch) -> int:
    """The movable piece of the highest value, ties drawn; -1 where none can move."""
    order_pieces(board, seat, table.from_front, scratch.order)
    row = find_row(table, state_index(table.abstraction, board, seat, dice, scratch))
    best = 0
    top = 0.0
    for place in range(PIECES):
        piece = scratch.order[place]
        if can_move(board[seat, piece], dice):
            value = float(table.rows[row, place]) if row >= 0 else 0.0
            if best == 0 or value > top:
                best = 0
                top = value
            if value == top:
                best |= 1 << piece
    return int(NTH[best, below(rng, COUNT[best])]) if best else -1


@kernel("int64(int64, boolean, int64[:, ::1], int64, int64, int64[::1])")
def observe(view: int, from_front: bool, board: Board, seat: int, dice: int, order: Values) -> int:
    """The index of the state that the table looks up; `order` becomes the order of the pieces."""
    scratch = StateScratch(order, np.empty_like(board), np.zeros(COMPONENTS, np.int64))
    order_pieces(board, seat, from_front, order)
    return int(state_index(view, board, seat, dice, scratch))
