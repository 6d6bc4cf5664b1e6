"""Whole games in compiled code: the same rules, fair dice, fair choices."""

import random

import numpy as np
import pytest

from engines.core.rng import seeded
from engines.ludo.simulation.games import play_random, random_games
from tests.oracles import ludo as oracle


def test_one_seed_one_game():
    board = np.full((4, 4), 9, np.int64)
    other = np.zeros((4, 4), np.int64)
    assert play_random(board, 0b1010, seeded(4), 5000) == play_random(other, 0b1010, seeded(4), 5000)
    assert (board == other).all()
    assert (board[[1, 3]] == 0).all()
    assert (board == 57).all(axis=1).sum() == 1


def test_the_cap_ends_a_game():
    assert play_random(np.zeros((4, 4), np.int64), 0, seeded(4), 10) == (-1, 10)


@pytest.mark.parametrize("ghosts", [(), (3,), (1, 3)])
def test_length_and_winners_are_the_oracles(ghosts):
    alive = [seat for seat in range(4) if seat not in ghosts]
    wins = np.zeros(4, np.int64)
    games = 1500
    mask = sum(1 << seat for seat in ghosts)
    throws = random_games(games, np.zeros((4, 4), np.int64), mask, seeded(8), 100_000, wins) / games
    rng = random.Random(2)
    plain = [oracle.random_game(ghosts, rng)[1] for _ in range(60)]
    # Five standard errors of the small sample.
    assert abs(np.mean(plain) - throws) < 5 * np.std(plain) / len(plain) ** 0.5
    assert wins.sum() == games
    assert all(abs(wins[seat] / games - 1 / len(alive)) < 0.05 for seat in alive)
