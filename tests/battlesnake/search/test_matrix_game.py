"""Matrix games: known answers, and what makes a mix an equilibrium."""

from __future__ import annotations

from random import Random

import pytest

from engines.battlesnake.search.matrix_game import equilibrium


@pytest.mark.parametrize(
    ("payoffs", "value", "by_row", "by_column"),
    [
        ([[3.0]], 3.0, [1.0], [1.0]),
        ([[1.0, 2.0], [0.0, 5.0]], 1.0, [1.0, 0.0], [1.0, 0.0]),
        ([[1.0, -1.0], [-1.0, 1.0]], 0.0, [0.5, 0.5], [0.5, 0.5]),
        ([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[0.0, -1.0, 2.0], [1.0, 0.0, -1.0], [-2.0, 1.0, 0.0]], 0.0, [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]),
        ([[4.0, 0.0], [1.0, 3.0], [0.0, 2.0]], 2.0, [1 / 3, 2 / 3, 0.0], [0.5, 0.5]),
    ],
)
def test_matrix_games_with_known_answers(
    payoffs: list[list[float]], value: float, by_row: list[float], by_column: list[float]
) -> None:
    found = equilibrium(payoffs)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(by_row)
    assert found[2] == pytest.approx(by_column)


def test_neither_side_can_do_better_against_the_mix() -> None:
    rng = Random(2)
    for _ in range(200):
        rows, columns = rng.randint(1, 4), rng.randint(1, 4)
        payoffs = [[float(rng.randint(-5, 5)) for _ in range(columns)] for _ in range(rows)]
        value, by_row, by_column = equilibrium(payoffs)
        assert sum(by_row) == pytest.approx(1)
        assert sum(by_column) == pytest.approx(1)
        assert max(
            sum(a * b for a, b in zip(row, by_column, strict=True)) for row in payoffs
        ) == pytest.approx(value)
        sums = [sum(by_row[i] * payoffs[i][j] for i in range(rows)) for j in range(columns)]
        assert min(sums) == pytest.approx(value)
