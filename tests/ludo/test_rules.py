"""The compiled rules against the plain oracle, the shipped vectors and what must always hold."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

from engines.ludo import rules
from engines.ludo.parse import parse
from engines.ludo.rules import board_of, land, mask_of, play, ring_of, turn
from tests.ludo.strategies import positions
from tests.oracles import ludo as oracle
from tests.vectors import lines


def rows(position):
    return [list(pieces) for pieces in position.positions]


@settings(max_examples=400)
@given(positions())
def test_every_move_is_the_oracles(position):
    assert list(position.movable) == oracle.movable(position.positions[position.player], position.dice)
    for piece in position.movable:
        board = board_of(position.positions)
        captures, refused = play(board, position.player, piece, position.dice)
        after, captured, sent_home = oracle.play(rows(position), position.player, piece, position.dice)
        assert (board.tolist(), captures, refused) == (after, len(captured), sent_home)


@given(positions())
def test_turn_order_is_the_oracles(position):
    board = board_of(position.positions)
    got = turn(
        board, mask_of(position.ghosts), position.player, position.dice, position.round, position.attempts
    )
    expected = oracle.next_turn(
        rows(position),
        position.ghosts,
        position.player,
        position.dice,
        position.round,
        position.attempts,
    )
    assert tuple(map(int, got)) == expected
    assert got[0] not in position.ghosts


@given(positions())
def test_a_move_touches_the_mover_and_the_captured_only(position):
    for piece in position.movable:
        board = board_of(position.positions)
        captures, refused = play(board, position.player, piece, position.dice)
        before = board_of(position.positions)
        changed = [(int(seat), int(other)) for seat, other in np.argwhere(board != before)]
        others = [pair for pair in changed if pair != (position.player, piece)]
        assert ((board >= 0) & (board <= 57)).all()
        assert len(others) == captures <= 2
        assert all(seat != position.player and board[seat, other] == 0 for seat, other in others)
        assert not refused or board[position.player, piece] == 0


@given(positions())
def test_land_is_the_move_on_an_empty_board(position):
    for piece in position.movable:
        square = position.positions[position.player][piece]
        alone = np.zeros((4, 4), np.int64)
        alone[position.player, piece] = square
        play(alone, position.player, piece, position.dice)
        assert land(square, position.dice) == alone[position.player, piece]


def test_the_shipped_transitions_agree_with_the_oracle():
    for line in lines("ludo.jsonl.gz"):
        after = line["positions"]
        if line["piece"] is not None:
            after, _, _ = oracle.play(after, line["player"], line["piece"], line["dice"])
        following = oracle.next_turn(
            after, line["ghosts"], line["player"], line["dice"], line["round"], line["attempts"]
        )
        assert after == line["after"]
        assert bool(oracle.finished(after)) == line["done"]
        assert list(following) == line["next"]


# One line a case of the rules: own squares of seat 0, enemies of seats 1 to 3, piece, dice, what comes out.
CASES = {
    "an overshooting six goes back to 51": ([56], {}, 6, 51, {}),
    "a five from the corridor's end goes to 52": ([56], {}, 5, 52, {}),
    "51 is goal, captures included": ([45], {1: [38]}, 6, 57, {1: [0]}),
    "two on 51 refuse": ([45], {1: [38, 38]}, 6, 0, {1: [38, 38]}),
    "44 jumps to 51 and stays": ([43], {}, 1, 51, {}),
    "a star captures at both ends": ([4], {2: [31, 38]}, 1, 12, {2: [0, 0]}),
    "a refusal at one end leaves the capture at the other": ([4], {2: [31, 38, 38]}, 1, 0, {2: [0, 38, 38]}),
    "a globe refuses for a single piece": ([8], {1: [48]}, 1, 0, {1: [48]}),
    "an owner's start refuses": ([13], {1: [1]}, 1, 0, {1: [1]}),
    "an owner's start refuses for its piece on 52": ([13], {1: [52]}, 1, 0, {1: [52]}),
    "an enemy start captures another enemy": ([13], {2: [40]}, 1, 14, {2: [0]}),
    "behind an enemy's start its 52 is met": ([12], {1: [52]}, 1, 13, {1: [0]}),
    "52 meets the ring square behind the start": ([51], {1: [39]}, 1, 52, {1: [0]}),
    "leaving home captures": ([0], {3: [14]}, 6, 1, {3: [0]}),
    "leaving home is refused by two": ([0], {3: [14, 14]}, 6, 0, {3: [14, 14]}),
    "only the first enemy met counts": ([19], {1: [8], 2: [47, 47]}, 2, 21, {1: [0], 2: [47, 47]}),
}


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    own, enemies, dice, lands, expected = CASES[case]
    board = np.zeros((4, 4), np.int64)
    board[0, 0] = own[0]
    for seat, squares in enemies.items():
        board[seat, : len(squares)] = squares
    play(board, 0, 0, dice)
    assert board[0, 0] == lands
    assert {seat: board[seat, : len(squares)].tolist() for seat, squares in expected.items()} == expected


def test_four_throws_in_the_first_round_and_no_extra_for_a_six():
    home = np.zeros((4, 4), np.int64)
    turns = [(0, 1, 0)]
    for _ in range(5):
        seat, round_, attempts = turns[-1]
        turns.append(tuple(map(int, turn(home, 0, seat, 3, round_, attempts))))
    assert turns == [(0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 3), (1, 1, 0), (1, 1, 1)]
    out = home.copy()
    out[0, 0] = 1
    assert turn(out, 0, 0, 6, 1, 2) == (1, 1, 0)
    assert turn(out, 0b1010, 2, 1, 4, 0) == (0, 5, 0)


def test_the_ring_is_the_same_square_from_every_seat():
    for further in (1, 2, 3):
        for square in range(1, 52):
            start = 1 + 13 * further
            theirs = square - start + 1 if square >= start else square + 53 - start
            if theirs <= 51:
                assert ring_of(0, square) == ring_of(further, theirs)


SAMPLE = """
import json, numpy as np
from engines.core.rng import seeded
from engines.ludo.evaluation.move_value import DEFAULT_WEIGHTS, evaluate_moves
from engines.ludo.simulation.games import play_random
games = []
for seed, ghosts, cap in ((1, 0b1010, 400), (2, 0, 150), (3, 0b1000, 150)):
    board = np.zeros((4, 4), np.int64)
    winner, throws = play_random(board, ghosts, seeded(seed), cap)
    terms = np.zeros((4, 6))
    evaluate_moves(board, 0, 6, ghosts, tuple(DEFAULT_WEIGHTS), terms)
    games.append([int(winner), int(throws), board.tolist(), terms.tolist()])
print(json.dumps(games))
"""


def test_without_the_jit_the_answers_are_the_same(capsys):
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", SAMPLE],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    exec(compile(SAMPLE, "sample", "exec"), {})
    assert json.loads(plain.stdout) == json.loads(capsys.readouterr().out)


def test_the_python_under_the_kernel_gives_the_same():
    under = getattr(rules.play, "py_func", rules.play)
    for line in lines("ludo.jsonl.gz")[::40]:
        if line["piece"] is not None:
            position = parse(line)
            board = board_of(position.positions)
            under(board, position.player, line["piece"], position.dice)
            assert board.tolist() == line["after"]
