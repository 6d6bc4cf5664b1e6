"""The compiled rules and heuristics against the plain oracle, and against themselves without the JIT."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.errors import PositionError
from engines.core.rng import seeded
from engines.isolation import heuristics, rules
from engines.isolation.board import UNPLACED
from engines.isolation.game import ISOLATION
from engines.isolation.parse import parse
from engines.isolation.position import after
from tests.isolation.positions import drawn, states
from tests.oracles.isolation import Board, random_game
from tests.oracles.isolation import heuristics as plain_heuristics


def pythonic(kernel):
    """The kernel's Python source, also where the JIT is off."""
    return getattr(kernel, "py_func", kernel)


@given(states())
def test_legal_moves_are_the_oracles(state):
    board = Board.read(state)
    position = ISOLATION.parse(state)
    assert ISOLATION.legal(position) == [list(cell) for cell in board.legal()]
    assert rules.winner(position) == board.winner()


@given(states())
def test_heuristics_are_the_oracles(state):
    board = Board.read(state)
    found = heuristics.heuristics(parse(state))
    for index, player in enumerate((board.to_move, 1 - board.to_move)):
        expected = plain_heuristics(board, player)
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            assert found[name][index] == (None if value is None else pytest.approx(value, abs=1e-9))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32))
def test_a_game_blocks_one_more_cell_a_ply_and_ends_where_the_oracle_ends(height, width, seed):
    boards = random_game(height, width, random.Random(seed))
    position = ISOLATION.new({"height": height, "width": width}, seed)
    for ply, (board, following) in enumerate(itertools.pairwise(boards)):
        assert ISOLATION.dump(position) == board.state()
        assert len(ISOLATION.dump(position)["blocked"]) == ply
        cell = following.players[board.to_move]
        step = ISOLATION.step(position, list(cell), seed)
        assert step.over == (following is boards[-1])
        assert step.winner == following.winner()
        position = step.position
    assert ISOLATION.legal(position) == []
    assert len(boards) - 1 <= height * width
    assert ISOLATION.step(position, None, seed).winner == boards[-1].winner()


@given(states(), st.randoms(use_true_random=False))
def test_kernels_say_the_same_without_the_jit(state, chance):
    position = parse(state)
    board = rules.tables_of(position)
    knights = board.knights
    mover, other = position.mover_at, position.other_at
    for at in (mover, other):
        node = (*position.blank, at, knights)
        assert rules.compiled_moves(*node) == pythonic(rules.compiled_moves)(*node)
    node = (*position.blank, mover, other, board)
    assert heuristics.move_counts(*node) == pythonic(heuristics.move_counts)(*node)
    compiled, plain = np.empty((2, len(heuristics.NAMES), 2))
    heuristics.evaluate_all(*position.blank, mover, other, board, compiled)
    pythonic(heuristics.evaluate_all)(*position.blank, mover, other, board, plain)
    np.testing.assert_array_equal(compiled, plain)
    seed = chance.getrandbits(32)
    games = [
        play(*position.blank, mover, other, knights, seeded(seed))
        for play in (rules.random_game, pythonic(rules.random_game))
    ]
    assert games[0] == games[1]
    for square in rules.legal_squares(position):
        assert rules.play(position, square) == after(position, square)
        numbers = (*position.blank, mover, other, square)
        assert rules.make_move(*numbers) == pythonic(rules.make_move)(*numbers)


def test_a_random_game_in_one_kernel_is_a_legal_game():
    plies = {
        rules.random_game(
            *ISOLATION.new({}, 0).blank, UNPLACED, UNPLACED, rules.board_tables(7, 7).knights, seeded(seed)
        )
        for seed in range(50)
    }
    assert 2 <= min(plies) < max(plies) <= 49


def test_the_sides_may_not_pass_move_elsewhere_or_play_on():
    going = ISOLATION.parse(drawn("0 . .\n. . .\n1 . ."))
    for moves in (None, [0, 1], [0, 0], [3, 3], [1], "no", [1, True], 7):
        with pytest.raises(PositionError):
            ISOLATION.step(going, moves, 0)
    over = ISOLATION.parse(drawn("0 . .\n. . #\n1 # ."))
    assert ISOLATION.step(over, None, 0).over
    with pytest.raises(PositionError):
        ISOLATION.step(over, [0, 1], 0)


def test_events_tell_what_happened():
    start = ISOLATION.new({"width": 1, "height": 1}, 0)
    step = ISOLATION.step(start, [0, 0], 0)
    assert (step.over, step.winner) == (True, 0)
    assert step.events == (
        {"type": "place", "player": 0, "from": None, "to": [0, 0]},
        {"type": "stuck", "player": 1},
    )


@pytest.mark.parametrize("options", [{"width": 0}, {"height": 10}, {"height": "7"}])
def test_boards_out_of_range_are_refused(options):
    with pytest.raises(PositionError) as caught:
        ISOLATION.new(options, 0)
    assert caught.value.path == tuple(options)


def test_the_board_is_drawn():
    position = ISOLATION.parse(drawn("0 . .\n. . .\n1 # ."))
    assert ISOLATION.render(position) == ("    0 1 2\n\n0   0 · ·\n1   · · +\n2   1 # ·\n\nplayer 0 to move")
