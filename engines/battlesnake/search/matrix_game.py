"""Zero-sum matrix games: their value and an optimal mixed strategy of each side, by the simplex method."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_SIZE: Final = 16
"""Rows or columns at most."""
TABLEAU_SHAPE: Final = (MAX_SIZE + 1, MAX_SIZE + 2)
"""Room for the row of the objective and the column of the right-hand sides."""
_EPSILON: Final = 1e-9


@compiled
def solve(payoffs: Floats, rows: int, columns: int, tableau: Floats, basis: Ints) -> float:
    """The value of the game over the first `rows` and `columns` of `payoffs`, where the row player maximises.

    Solves the column player's linear program in a condensed tableau, which at the end holds the row player's
    solution as well: `strategies` reads both. `basis[0]` has the variable of each row of the tableau (those
    in the basis), `basis[1]` that of each column; numbers below `columns` are the column player's, those from
    there on slacks.
    """
    # Payoffs are shifted to be positive: so is the value, by which the solution is scaled.
    least = payoffs[0, 0]
    for i in range(rows):
        for j in range(columns):
            least = min(least, payoffs[i, j])
    for i in range(rows):
        for j in range(columns):
            tableau[i, j] = payoffs[i, j] - least + 1.0
        tableau[i, columns] = 1.0
        basis[0, i] = columns + i
    for j in range(columns):
        tableau[rows, j] = -1.0
        basis[1, j] = j
    tableau[rows, columns] = 0.0
    for _ in range(16 * (rows + columns)):
        # Bland's rule, so that it cannot cycle: of those that improve, the variable with the lowest number.
        enter = -1
        for j in range(columns):
            if tableau[rows, j] < -_EPSILON and (enter < 0 or basis[1, j] < basis[1, enter]):
                enter = j
        if enter < 0:
            break
        leave = -1
        tightest = 0.0
        for i in range(rows):
            if tableau[i, enter] <= _EPSILON:
                continue
            ratio = tableau[i, columns] / tableau[i, enter]
            if (
                leave < 0
                or ratio < tightest - _EPSILON
                or (ratio <= tightest + _EPSILON and basis[0, i] < basis[0, leave])
            ):
                leave = i
                tightest = ratio
        if leave < 0:
            break
        _pivot(tableau, rows, columns, leave, enter)
        left = basis[0, leave]
        basis[0, leave] = basis[1, enter]
        basis[1, enter] = left
    return float(1.0 / tableau[rows, columns] + least - 1.0)


@compiled
def _pivot(tableau: Floats, rows: int, columns: int, leave: int, enter: int) -> None:
    """Exchange the variable of row `leave` for that of column `enter`."""
    pivot = tableau[leave, enter]
    for i in range(rows + 1):
        if i == leave:
            continue
        factor = tableau[i, enter] / pivot
        for j in range(columns + 1):
            if j != enter:
                tableau[i, j] -= factor * tableau[leave, j]
        tableau[i, enter] = -factor
    for j in range(columns + 1):
        tableau[leave, j] /= pivot
    tableau[leave, enter] = 1.0 / pivot


@kernel("float64(float64[:,::1], int64, int64, float64[:,::1], int64[:,::1], float64[::1], float64[::1])")
def strategies(
    payoffs: Floats,
    rows: int,
    columns: int,
    tableau: Floats,
    basis: Ints,
    row_strategy: Floats,
    column_strategy: Floats,
) -> float:
    """`solve`, and an optimal mixed strategy of each side in `row_strategy` and `column_strategy`."""
    value = solve(payoffs, rows, columns, tableau, basis)
    row_strategy[:] = 0.0
    column_strategy[:] = 0.0
    scale = 1.0 / tableau[rows, columns]
    for i in range(rows):
        if basis[0, i] < columns:
            column_strategy[basis[0, i]] = max(0.0, tableau[i, columns] * scale)
    for j in range(columns):
        if basis[1, j] >= columns:
            row_strategy[basis[1, j] - columns] = max(0.0, tableau[rows, j] * scale)
    return value


def equilibrium(payoffs: list[list[float]]) -> tuple[float, list[float], list[float]]:
    """The value of a game of at most MAX_SIZE x MAX_SIZE, and a mixed strategy of each side."""
    matrix = np.array(payoffs, np.float64)
    rows, columns = matrix.shape
    row_strategy, column_strategy = np.zeros(rows), np.zeros(columns)
    value = strategies(
        matrix,
        rows,
        columns,
        np.zeros(TABLEAU_SHAPE),
        np.zeros((2, MAX_SIZE + 1), np.int64),
        row_strategy,
        column_strategy,
    )
    return float(value), row_strategy.tolist(), column_strategy.tolist()
