"""One exchange ahead: the score after each end cell of a piece while all else is fixed.

Called by the agents that take their pieces one by one. An exchange is steps 2 to 6 of a round
(`rules.exchange`): rescuers, keys and the switch of zones at its end play no part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engines.core.arrays import copy_into
from engines.core.decision import Candidate
from engines.core.jit import kernel
from engines.flag import rules
from engines.flag.position import MAX_DISTANCE, NAMES, Order, Position, order_of
from engines.flag.rules import DIRECTION, DISTANCE, Array, calculate_path, exchange, score

# A piece on the open board has 20 end cells beside its own.
MAX_ENDS: Final = 21


@kernel("int64(int64[::1], int64, int64[:, ::1], int64[:, ::1], int64[:, ::1])")
def score_end_cells(table: Array, piece: int, orders: Array, tried: Array, terms: Array) -> int:
    """The terms of the quick score, from the piece's side, after an exchange for each of its end cells.

    All other pieces follow `orders` (int64[6, 2]). Row 0 of `tried` (int64[MAX_ENDS, 2], the piece's own
    order) and of `terms` (int64[MAX_ENDS, N_TERMS]) is standing; the others come in the order of directions,
    then distances. Returns the number of rows.
    """
    after = np.empty_like(table)
    trace = np.zeros(rules.TRACE, np.int64)
    log = np.zeros((rules.EVENTS, 3), np.int64)
    mine = orders.copy()
    rows = 0
    for direction in range(4):
        most = calculate_path(table, piece, direction, MAX_DISTANCE)
        for distance in range(0 if direction == 0 else 1, most + 1):
            mine[piece, DIRECTION] = direction
            mine[piece, DISTANCE] = distance
            copy_into(after, table)
            trace[rules.LOGGED] = 0
            exchange(after, mine, trace, log)
            tried[rows, DIRECTION] = direction
            tried[rows, DISTANCE] = distance
            score(after, piece // 3, terms[rows])
            rows += 1
    return rows


@kernel("int64(int64[::1], int64[:, ::1], int64)")
def score_after(table: Array, orders: Array, side: int) -> int:
    """The quick score for one side after an exchange."""
    after = table.copy()
    exchange(after, orders, np.zeros(rules.TRACE, np.int64), np.zeros((rules.EVENTS, 3), np.int64))
    return score(after, side, np.zeros(rules.N_TERMS, np.int64))


@kernel("void(int64[::1], int64, int64[:, ::1])")
def heuristic_orders(table: Array, side: int, orders: Array) -> None:
    """The orders of a side by the design document's strategy, as `heuristic.plan` has them; for searches."""
    tried = np.zeros((MAX_ENDS, 2), np.int64)
    terms = np.zeros((MAX_ENDS, rules.N_TERMS), np.int64)
    nobody_moves = np.zeros((6, 2), np.int64)
    predicted = np.zeros((6, 2), np.int64)
    for step in range(2):
        team = 1 - side if step == 0 else side
        for piece in range(3 * team, 3 * team + 3):
            if table[rules.ALIVE + piece] == 0:
                continue
            rows = score_end_cells(table, piece, nobody_moves if step == 0 else predicted, tried, terms)
            take = 0
            for row in range(1, rows):
                if terms[row].sum() > terms[take].sum():
                    take = row
            into = predicted if step == 0 else orders
            into[piece, DIRECTION] = tried[take, DIRECTION]
            into[piece, DISTANCE] = tried[take, DISTANCE]


@dataclass(frozen=True, slots=True)
class PieceScores:
    """What each end cell of a piece comes to, standing first, and the row that is best."""

    piece: int
    orders: tuple[Order, ...]
    terms: tuple[tuple[int, ...], ...]
    """The score's terms after the exchange of each order."""
    scores: tuple[int, ...]
    """Their sums."""
    best: int = 0

    @property
    def still(self) -> int:
        """The score after an exchange in which the piece stands."""
        return self.scores[0]

    @property
    def delta(self) -> int:
        """What the best order gains over standing."""
        return self.scores[self.best] - self.still

    @property
    def best_order(self) -> Order:
        return self.orders[self.best]

    def end(self, position: Position, row: int) -> list[int]:
        """The end cell of a row, seen from the position's cells."""
        direction, distance = self.orders[row]
        x, y = position.pieces[self.piece].cell
        return [x + rules.DX[direction] * distance, y + rules.DY[direction] * distance]

    def entry(self, position: Position) -> dict[str, Any]:
        """The best order with its figures, as the decision vectors write it."""
        return order_of(self.piece, self.best_order) | {
            "delta": self.delta,
            "still": self.still,
            "end": self.end(position, self.best),
            "distinct": len(self.orders),
        }

    def candidates(self, position: Position, notes: tuple[str, ...] = ()) -> list[Candidate]:
        """Every end cell, scored by the terms in which it differs from standing."""
        return [
            Candidate.of(
                order_of(self.piece, self.orders[row]),
                {
                    name: float(term - base)
                    for name, term, base in zip(rules.TERMS, terms, self.terms[0], strict=True)
                },
                notes,
                {"end": self.end(position, row)},
            )
            for row, terms in enumerate(self.terms)
        ]


Choose = Callable[[Sequence[int]], int]
"""Which of several scores is taken: an index."""


def first_best(scores: Sequence[int]) -> int:
    """The first of the greatest: standing, where nothing improves on it."""
    return scores.index(max(scores))


def score_piece(table: Array, piece: int, orders: Array, choose: Choose = first_best) -> PieceScores:
    """Score all end cells of a piece while the others follow `orders`, and choose one."""
    tried = np.zeros((MAX_ENDS, 2), np.int64)
    terms = np.zeros((MAX_ENDS, rules.N_TERMS), np.int64)
    rows = score_end_cells(table, piece, orders, tried, terms)
    found = tuple(map(tuple, terms[:rows].tolist()))
    scores = tuple(map(sum, found))
    return PieceScores(piece, tuple(map(tuple, tried[:rows].tolist())), found, scores, choose(scores))


def rescuer_note(position: Position, piece: int) -> tuple[str, ...]:
    """The note for a piece that was scored where it stands though its path will begin elsewhere."""
    if piece not in position.rescuers:
        return ()
    return (
        f"{NAMES[piece]} is scored from its present cell, but as a pending rescuer it will move from its "
        "start cell",
    )
