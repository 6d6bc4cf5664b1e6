"""Looking one exchange ahead: what each end cell of a piece is worth while all else is fixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engines.core.decision import Candidate
from engines.core.jit import kernel
from engines.flag import rules
from engines.flag.position import MAX_DISTANCE, NAMES, Order, Position, order_of
from engines.flag.rules import Array, calculate_path, exchange, score

# A piece on the open board has 20 end cells beside its own.
MOST_ENDS: Final = 21
# A row of `look`: direction, distance, then the score's terms.
ROW: Final = 2 + rules.N_TERMS


@kernel("int64(int64[::1], int64, int64[:, ::1], int64[:, ::1])")
def look(table: Array, piece: int, orders: Array, found: Array) -> int:
    """The terms of the quick score, from the piece's side, after an exchange for each of its end cells.

    All other pieces follow `orders`. Row 0 of `found` is standing; the others come in the order of
    directions, then distances. Returns the number of rows.
    """
    after = np.empty_like(table)
    trace = np.zeros(rules.TRACE, np.int64)
    log = np.zeros((rules.EVENTS, 3), np.int64)
    mine = orders.copy()
    rows = 0
    for direction in range(4):
        most = calculate_path(table, piece, direction, MAX_DISTANCE)
        for distance in range(0 if direction == 0 else 1, most + 1):
            mine[piece, 0] = direction
            mine[piece, 1] = distance
            after[:] = table
            trace[rules.LOGGED] = 0
            exchange(after, mine, trace, log)
            found[rows, 0] = direction
            found[rows, 1] = distance
            score(after, piece // 3, found[rows, 2:])
            rows += 1
    return rows


@kernel("int64(int64[::1], int64[:, ::1], int64)")
def worth(table: Array, orders: Array, side: int) -> int:
    """The quick score for one side after an exchange."""
    after = table.copy()
    exchange(after, orders, np.zeros(rules.TRACE, np.int64), np.zeros((rules.EVENTS, 3), np.int64))
    return score(after, side, np.zeros(rules.N_TERMS, np.int64))


@kernel("void(int64[::1], int64, int64[:, ::1])")
def naive_plan(table: Array, side: int, orders: Array) -> None:
    """The orders of a side by the design document's strategy (`heuristic.plan`), for learning."""
    found = np.zeros((MOST_ENDS, ROW), np.int64)
    standing = np.zeros((6, 2), np.int64)
    predicted = np.zeros((6, 2), np.int64)
    for step in range(2):
        team = 1 - side if step == 0 else side
        for piece in range(3 * team, 3 * team + 3):
            if table[rules.ALIVE + piece] == 0:
                continue
            rows = look(table, piece, standing if step == 0 else predicted, found)
            take = 0
            for row in range(1, rows):
                if found[row, 2:].sum() > found[take, 2:].sum():
                    take = row
            into = predicted if step == 0 else orders
            into[piece, 0] = found[take, 0]
            into[piece, 1] = found[take, 1]


@dataclass(frozen=True, slots=True)
class View:
    """All that was seen for one piece: a row for each end cell, standing first, and the row that is best."""

    piece: int
    rows: tuple[tuple[int, ...], ...]
    best: int = 0

    @property
    def still(self) -> int:
        """The score after an exchange in which the piece stands."""
        return self.value(0)

    @property
    def delta(self) -> int:
        """What the best order gains over standing."""
        return self.value(self.best) - self.still

    def value(self, row: int) -> int:
        """The score after the exchange of a row."""
        return sum(self.rows[row][2:])

    def order(self, row: int) -> Order:
        return self.rows[row][0], self.rows[row][1]

    def end(self, position: Position, row: int) -> list[int]:
        """The end cell of a row, seen from the position's cells."""
        direction, distance = self.order(row)
        x, y = position.pieces[self.piece].cell
        return [x + rules.DX[direction] * distance, y + rules.DY[direction] * distance]

    def entry(self, position: Position) -> dict[str, Any]:
        """The best order with its figures, as the decision vectors write it."""
        return order_of(self.piece, self.order(self.best)) | {
            "delta": self.delta,
            "still": self.still,
            "end": self.end(position, self.best),
            "distinct": len(self.rows),
        }

    def candidates(self, position: Position, notes: tuple[str, ...] = ()) -> list[Candidate]:
        """Every end cell, valued by the terms in which it differs from standing."""
        stand = self.rows[0]
        return [
            Candidate.of(
                order_of(self.piece, self.order(row)),
                {
                    name: float(term - base)
                    for name, term, base in zip(rules.TERMS, values[2:], stand[2:], strict=True)
                },
                notes,
                {"end": self.end(position, row)},
            )
            for row, values in enumerate(self.rows)
        ]


Choose = Callable[[Sequence[int]], int]
"""Which of several values is taken: an index."""


def first_best(values: Sequence[int]) -> int:
    """The first of the greatest: standing, where nothing improves on it."""
    return values.index(max(values))


def view(table: Array, piece: int, orders: Array, choose: Choose = first_best) -> View:
    """Look at all end cells of a piece and choose one by the scores after each exchange."""
    found = np.zeros((MOST_ENDS, ROW), np.int64)
    rows = tuple(map(tuple, found[: look(table, piece, orders, found)].tolist()))
    return View(piece, rows, choose([sum(row[2:]) for row in rows]))


def shown_as_is(position: Position, piece: int) -> tuple[str, ...]:
    """The note for a piece that was valued where it stands though its path will begin elsewhere."""
    if piece not in position.rescuers:
        return ()
    return (f"{NAMES[piece]} is valued where it stands, yet goes to its start cell before it moves",)
