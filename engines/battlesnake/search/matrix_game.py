"""Two move at once: what a matrix of payoffs is worth, and with what chances each side should play."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import inline, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST: Final = 16
"""Rows or columns at most."""
ROOM: Final = (MOST + 1, MOST + 2)
"""Shape of the scratch table."""
_TINY: Final = 1e-9


@inline
def solve(payoffs: Floats, rows: int, columns: int, table: Floats, names: Ints) -> float:
    """The value of the game in which the chooser of the row wants much.

    Linear programming: the column player's, in a condensed tableau that the pivots turn into the row
    player's as well. Afterwards `strategies` reads both from `table` and `names`. Rows and columns of
    `payoffs` beyond those told are not looked at.
    """
    least = payoffs[0, 0]
    for i in range(rows):
        for j in range(columns):
            least = min(least, payoffs[i, j])
    for i in range(rows):
        for j in range(columns):
            table[i, j] = payoffs[i, j] - least + 1.0
        table[i, columns] = 1.0
        names[0, i] = columns + i
    for j in range(columns):
        table[rows, j] = -1.0
        names[1, j] = j
    table[rows, columns] = 0.0
    for _ in range(16 * (rows + columns)):
        # Bland's rule, lest it go in circles: of those that help, the variable named first.
        enter = -1
        for j in range(columns):
            if table[rows, j] < -_TINY and (enter < 0 or names[1, j] < names[1, enter]):
                enter = j
        if enter < 0:
            break
        leave = -1
        tightest = 0.0
        for i in range(rows):
            if table[i, enter] <= _TINY:
                continue
            ratio = table[i, columns] / table[i, enter]
            if (
                leave < 0
                or ratio < tightest - _TINY
                or (ratio <= tightest + _TINY and names[0, i] < names[0, leave])
            ):
                leave = i
                tightest = ratio
        if leave < 0:
            break
        _pivot(table, rows, columns, leave, enter)
        name = names[0, leave]
        names[0, leave] = names[1, enter]
        names[1, enter] = name
    return float(1.0 / table[rows, columns] + least - 1.0)


@inline
def _pivot(table: Floats, rows: int, columns: int, leave: int, enter: int) -> None:
    pivot = table[leave, enter]
    for i in range(rows + 1):
        if i == leave:
            continue
        factor = table[i, enter] / pivot
        for j in range(columns + 1):
            if j != enter:
                table[i, j] -= factor * table[leave, j]
        table[i, enter] = -factor
    for j in range(columns + 1):
        table[leave, j] /= pivot
    table[leave, enter] = 1.0 / pivot


@kernel("float64(float64[:,::1], int64, int64, float64[:,::1], int64[:,::1], float64[::1], float64[::1])")
def strategies(
    payoffs: Floats, rows: int, columns: int, table: Floats, names: Ints, by_row: Floats, by_column: Floats
) -> float:
    """`solve`, and the chances of each row and column in `by_row` and `by_column`."""
    value = solve(payoffs, rows, columns, table, names)
    by_row[:] = 0.0
    by_column[:] = 0.0
    scale = 1.0 / table[rows, columns]
    for i in range(rows):
        if names[0, i] < columns:
            by_column[names[0, i]] = max(0.0, table[i, columns] * scale)
    for j in range(columns):
        if names[1, j] >= columns:
            by_row[names[1, j] - columns] = max(0.0, table[rows, j] * scale)
    return value


def equilibrium(payoffs: list[list[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a game of at most MOST x MOST, and the chances of each row and each column."""
    matrix = np.array(payoffs, np.float64)
    rows, columns = matrix.shape
    by_row, by_column = np.zeros(rows), np.zeros(columns)
    value = strategies(
        matrix, rows, columns, np.zeros(ROOM), np.zeros((2, MOST + 1), np.int64), by_row, by_column
    )
    return float(value), by_row.tolist(), by_column.tolist()
