"""The public package `ludopy`, live: 100,000 random moves with the same dice and the same choices."""

import random
import warnings

import numpy as np
import pytest

from engines.ludo.parse import parse
from engines.ludo.rules import board_of, mask_of, play, turn

MOVES = 100_000
SEATINGS = [[], [1, 3], [3], [2, 3], [1, 2, 3]]


@pytest.mark.outside
def test_ludopy_plays_the_same():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ludopy = pytest.importorskip("ludopy", reason="ludopy is not installed (`make check` installs it)")
    rng = random.Random(20)
    np.random.seed(20)
    played = 0
    while played < MOVES:
        ghosts = rng.choice(SEATINGS)
        game = ludopy.Game(ghost_players=ghosts)
        seat, round_, attempts = 0, 1, 0
        # Some games go on past the first finished seat, as the package lets them.
        after_the_end = rng.choice([0, 50])
        while after_the_end >= 0:
            (dice, movable, *_), player = game.get_observation()
            assert (player, game.round, game.current_start_attempts) == (seat, round_, attempts)
            before = [pieces.tolist() for pieces in game.get_pieces()[0]]
            position = parse(
                {
                    "positions": before,
                    "ghosts": ghosts,
                    "player": player,
                    "dice": int(dice),
                    "round": game.round,
                    "attempts": attempts,
                }
            )
            assert list(position.movable) == movable.tolist()
            board = board_of(before)
            piece = rng.choice(position.movable) if position.movable else -1
            *_, over = game.answer_observation(piece)
            # The history only grows; drop it.
            game.hist.clear()
            if piece >= 0:
                play(board, seat, piece, int(dice))
            assert board.tolist() == [pieces.tolist() for pieces in game.get_pieces()[0]]
            assert bool((board == 57).all(axis=1).any()) == bool(over)
            seat, round_, attempts = map(int, turn(board, mask_of(ghosts), seat, int(dice), round_, attempts))
            played += 1
            after_the_end -= bool(over)
