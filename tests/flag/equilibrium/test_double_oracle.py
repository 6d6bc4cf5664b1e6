"""Regret matching on a game whose solution is known."""

import numpy as np
import pytest

from engines.flag.equilibrium.double_oracle import MAX_KEPT_COLUMNS, match_regrets

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def test_regret_matching_finds_the_mixture_of_a_known_game():
    payoff, regret, mix = (
        np.zeros((MAX_KEPT_COLUMNS, MAX_KEPT_COLUMNS)),
        np.zeros((2, MAX_KEPT_COLUMNS)),
        np.zeros((2, MAX_KEPT_COLUMNS)),
    )
    payoff[:2, :2] = [[3, -1], [-2, 1]]  # A plays the first in 3 of 7, B in 2 of 7; worth 1/7
    match_regrets(payoff, np.array([2, 2]), regret, mix, 2000)
    assert mix[0, :2] == pytest.approx([3 / 7, 4 / 7], abs=0.005)
    assert mix[1, :2] == pytest.approx([2 / 7, 5 / 7], abs=0.005)
