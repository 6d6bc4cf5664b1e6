"""Tabular Q-learning over an abstraction, compiled: one value a piece in every state.

A table is the indices of the states that were learnt, rising, and rows of four values: of `potential9`
one for every index (dense), of the others one for each of those states (sparse). Training works on the
whole table at once. With `from_front` the pieces are numbered from the front instead of by their index,
which folds equal situations together and lets the tuple tell more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel
from engines.core.rng import State, below
from engines.ludo.position import PIECES
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
)

VIEWS = (POTENTIAL9.name, ZONE12.name, COMBINED17.name)
DENSE = VIEWS.index(POTENTIAL9.name)
"""The view whose tables have a row for every index."""
COMPONENTS = 17

Keys = NDArray[np.int64]
Rows = NDArray[np.float32]
"""[states or indices, 4]"""


@inline
def order_pieces(board: Board, seat: int, from_front: bool, order: Values) -> None:
    """order[n]: the piece that the table calls n."""
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


@inline
def state_index(
    view: int, board: Board, seat: int, dice: int, order: Values, seen: Board, values: Values
) -> int:
    """The index of what the view shows, the pieces taken in `order`."""
    seen[:] = board
    for piece in range(PIECES):
        seen[seat, piece] = board[seat, order[piece]]
    if view == 0:
        observe_potential9(seen, seat, dice, values[:9])
        return int(index_potential9(values[:9]))
    if view == 1:
        observe_zone12(seen, seat, dice, values[:12])
        return int(index_zone12(values[:12]))
    observe_combined17(seen, seat, dice, values)
    return int(index_combined17(values))


@inline
def find_row(view: int, keys: Keys, index: int) -> int:
    """The row of a state; -1 where the table has none."""
    if view == DENSE:
        return index
    low, high = 0, keys.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < index:
            low = middle + 1
        else:
            high = middle
    return low if low < keys.shape[0] and keys[low] == index else -1


@inline
def table_piece(
    view: int, from_front: bool, keys: Keys, rows: Rows, board: Board, seat: int, dice: int, rng: State,
    order: Values, seen: Board, values: Values,
) -> int:  # fmt: skip
    """The movable piece of the highest value, ties drawn; -1 where none can move."""
    order_pieces(board, seat, from_front, order)
    row = find_row(view, keys, state_index(view, board, seat, dice, order, seen, values))
    best = 0
    top = 0.0
    for place in range(PIECES):
        piece = order[place]
        if can_move(board[seat, piece], dice):
            value = float(rows[row, place]) if row >= 0 else 0.0
            if best == 0 or value > top:
                best = 0
                top = value
            if value == top:
                best |= 1 << piece
    return int(NTH[best, below(rng, COUNT[best])]) if best else -1


@kernel("int64(int64, boolean, int64[:, ::1], int64, int64, int64[::1])")
def observe(view: int, from_front: bool, board: Board, seat: int, dice: int, order: Values) -> int:
    """The index of the state that the table looks up, and how it numbers the pieces (in `order`)."""
    order_pieces(board, seat, from_front, order)
    seen = np.empty_like(board)
    values = np.zeros(COMPONENTS, np.int64)
    return int(state_index(view, board, seat, dice, order, seen, values))
