"""The solved board: what it says, against searches that do not read it."""

import random

import pytest

from engines.core.budget import Budget, Meter
from engines.isolation.agents.perfect import Parameters
from engines.isolation.board import board_tables, cell_of, squares_in
from engines.isolation.game import ISOLATION
from engines.isolation.openings.book import SOLVED, opening
from engines.isolation.openings.solution import (
    canonical,
    decode,
    encode,
    pairs,
    placed,
    solutions,
    symmetries,
    values,
)
from engines.isolation.parse import parse
from engines.isolation.position import start
from engines.isolation.rules import legal_squares, play
from engines.isolation.solver.proof import colour_rule
from tests.oracles import isolation as oracle
from tests.oracles.isolation import Board


def targets(knights, square):
    """The squares a knight move away on an empty board."""
    word = int(knights[square])
    return set(squares_in(word, 0) if square % 2 else squares_in(0, word))


ALL_PAIRS = [(first, second) for first in range(49) for second in range(49) if first != second]


@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 3), (2, 2), (3, 2), (3, 3), (3, 4)])
def test_a_board_solved_up_to_symmetry_is_solved(height, width):
    known = dict(solutions(height, width, {}, ways=4))
    assert decode(height, width, encode(height, width, known)) == known
    empty = start(height, width)
    positions = [empty, *(play(empty, square) for square in legal_squares(empty))]
    pairs_placed = [
        play(position, square) for position in positions[1:] for square in legal_squares(position)
    ]
    positions += pairs_placed
    positions += [play(position, square) for position in pairs_placed for square in legal_squares(position)]
    for position in positions:
        board = Board.read(ISOLATION.dump(position))
        assert values(position, known) == {
            square: oracle.solve(board.play(cell_of(width, square))) == board.to_move
            for square in legal_squares(position)
        }


def test_the_work_can_be_gone_on_with():
    whole = dict(solutions(3, 3, {}, ways=4))
    half = dict(list(whole.items())[:5])
    assert dict(solutions(3, 3, half, ways=4)) == {p: m for p, m in whole.items() if p not in half}


@pytest.mark.parametrize(("height", "width", "count"), [(7, 7, 8), (4, 4, 8), (4, 7, 4), (1, 1, 8)])
def test_symmetries_keep_knight_moves(height, width, count):
    images = symmetries(height, width)
    knights = board_tables(height, width).knights
    assert len(images) == count
    for image in images:
        assert sorted(image) == list(range(height * width))
        for square in range(height * width):
            assert {image[step] for step in targets(knights, square)} == targets(knights, image[square])
    if height * width > 1:
        assert len({canonical(height, width, pair)[0] for pair in pairs(height, width)}) == len(
            pairs(height, width)
        )


def test_the_second_player_wins_7x7():
    assert SOLVED.keys() == {(7, 7)}
    first = opening(start(7, 7))
    assert len(first) == 49
    assert not any(first.values())


def test_the_colour_rule_errs_only_after_the_centre_and_a_knight_move():
    wrong = set()
    won = 0
    for pair in ALL_PAIRS:
        position = placed(7, 7, pair)
        wins = any(opening(position).values())
        won += wins
        if wins != (colour_rule(position) == 0):
            wrong.add(tuple(cell_of(7, square) for square in pair))
    assert won == 1160
    assert wrong == {
        ((3, 3), (3 + a, 3 + b)) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)
    }


def test_placements_and_pairs_tell_one_story():
    for first in range(0, 49, 5):
        answers = opening(play(start(7, 7), first))
        assert len(answers) == 48
        for second, wins in answers.items():
            assert wins != any(opening(placed(7, 7, (first, second))).values())


def test_a_search_from_deep_in_the_game_never_contradicts_the_solution():
    """Following the solution's winning moves, the search proves the win as soon as it can."""
    agent = ISOLATION.agents["perfect"]
    chance = random.Random(2)
    for pair in chance.sample(ALL_PAIRS, 4):
        position = placed(7, 7, pair)
        wins = [square for square, won in opening(position).items() if won]
        winner = 0 if wins else 1
        position = play(position, chance.choice(wins or legal_squares(position)))
        for _ in range(40):
            decision = agent.decide(position, Parameters(), Meter(Budget(iterations=20_000)), 1, None)
            if decision.outcome is not None:
                assert decision.outcome.winner == winner
            if decision.outcome is None or decision.move is None:
                break
            position = ISOLATION.step(position, decision.move, 0).position


def test_only_the_placements_and_two_moves_are_known():
    assert opening(start(7, 8)) is None
    state = ISOLATION.dump(placed(7, 7, (0, 24)))
    assert opening(parse(state)) is not None
    assert opening(parse(state | {"blocked": [*state["blocked"], [6, 6]]})) is None
    assert opening(parse(state | {"players": [[0, 0], None]})) is None
    third = play(placed(7, 7, (0, 24)), legal_squares(placed(7, 7, (0, 24)))[0])
    assert opening(third) is not None
    assert opening(play(third, legal_squares(third)[0])) is None
    alone = state | {"blocked": [[0, 0]], "players": [[0, 0], None], "toMove": 0}
    assert opening(parse(alone)) is None
    assert opening(parse(alone | {"toMove": 1})) is not None


@pytest.mark.parametrize("table", [True, False])
def test_the_agent_reads_the_table_where_it_may(table):
    agent = ISOLATION.agents["perfect"]
    position = play(start(7, 7), 24)
    decision = agent.decide(position, Parameters(table), Meter(Budget(iterations=500)), 1, None)
    if table:
        assert decision.outcome.winner == 1
        assert {tuple(c.move) for c in decision.candidates if c.details["winner"] == 1} >= {(3, 4), (0, 1)}
        assert decision.context["proof"]
    else:
        assert decision.outcome is None
