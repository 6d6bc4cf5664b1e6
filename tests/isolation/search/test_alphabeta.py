"""Minimax and alpha-beta against a plain minimax, and what they promise about time."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.budget import Budget, Meter
from engines.isolation.agents import alphabeta, minimax
from engines.isolation.board import square_of
from engines.isolation.game import ISOLATION
from engines.isolation.heuristics import NAMES
from engines.isolation.rules import tables_of
from engines.isolation.search.alphabeta import SearchStack, advance, reset
from engines.isolation.search.root import RootSearch
from tests.isolation.positions import attributes, drawn, states
from tests.oracles.isolation import Board, random_game, solve
from tests.oracles.isolation import heuristics as plain_heuristics


def plain_minimax(board, depth, player, name):
    """The value for `player`, every line looked at."""
    moves = board.legal()
    if not moves:
        return -math.inf if board.to_move == player else math.inf
    if depth == 0:
        return plain_heuristics(board, player)[name] or 0.0
    values = [plain_minimax(board.play(cell), depth - 1, player, name) for cell in moves]
    return max(values) if board.to_move == player else min(values)


def decide(name, state, iterations, seed=3, parameters=None):
    agent = ISOLATION.agents[name]
    chosen = agent.parameters() if parameters is None else parameters
    return agent.decide(ISOLATION.parse(state), chosen, Meter(Budget(iterations=iterations)), seed, None)


def total(candidate):
    return sum(candidate.terms.values())


def few_moves(state, most=9):
    """Cuts the placements down to what a plain minimax can look at."""
    return len(Board.read(state).legal()) <= most


@settings(max_examples=40)
@given(states(5).filter(few_moves), st.sampled_from(NAMES), st.integers(1, 3))
def test_both_searches_find_the_plain_value_of_every_move(state, name, depth):
    board = Board.read(state)
    position = ISOLATION.parse(state)
    for prune in (False, True):
        search = RootSearch(position, name, Meter(Budget(iterations=10**9)), prune)
        for cell in board.legal():
            found = search.search(square_of(board.width, *cell), depth, -math.inf)
            expected = plain_minimax(board.play(cell), depth - 1, board.to_move, name)
            assert found.exact
            assert found.value == pytest.approx(expected, abs=1e-9)
            shown = search.candidate(square_of(board.width, *cell), found)
            assert total(shown) == pytest.approx(expected, abs=1e-6)


@settings(max_examples=40)
@given(states(5).filter(few_moves), st.sampled_from(NAMES), st.integers(1, 3), st.integers(-6, 6))
def test_a_floor_gives_a_bound(state, name, depth, floor):
    board = Board.read(state)
    search = RootSearch(ISOLATION.parse(state), name, Meter(Budget(iterations=10**9)), prune=True)
    for cell in board.legal():
        found = search.search(square_of(board.width, *cell), depth, float(floor))
        expected = plain_minimax(board.play(cell), depth - 1, board.to_move, name)
        if found.exact:
            assert found.value == pytest.approx(expected, abs=1e-9)
        else:
            assert expected <= found.value + 1e-9 <= floor + 2e-9


def openings(count, plies=2, size=7):
    """States of random games on a square board after so many plies."""
    games = (random_game(size, size, random.Random(seed)) for seed in range(10 * count))
    return [game[plies].state() for game in games if len(game) > plies + 1][:count]


@pytest.mark.parametrize("name", ["open", "center", "improved"])
def test_minimax_plays_a_best_move_three_plies_deep(name):
    heuristic = {"open": "open_move"}.get(name, name)
    for state in openings(3):
        board = Board.read(state)
        decision = decide(f"mm_{name}", state, 10_000)
        values = {
            cell: plain_minimax(board.play(cell), 2, board.to_move, heuristic) for cell in board.legal()
        }
        assert values[tuple(decision.move)] == max(values.values()) == decision.score
        assert {tuple(c.move): c.score for c in decision.candidates} == values
        assert decision.stats["depth"] == 3


@pytest.mark.parametrize("agent", [agent.name for agent in alphabeta.AGENTS])
def test_alphabeta_answers_from_its_last_finished_depth_at_every_stop(agent):
    state = openings(1)[0]
    legal = [list(cell) for cell in Board.read(state).legal()]
    depth, moves = -1, {}
    for nodes in range(400):
        decision = decide(agent, state, nodes)
        assert decision.move in legal
        assert decision.stats["nodes"] == nodes
        assert decision.stats["depth"] >= depth
        depth = decision.stats["depth"]
        assert moves.setdefault(depth, decision.move) == decision.move
        assert ("reason" in decision.stats) == (depth == 0)
    assert depth >= 3


def test_the_slices_change_nothing():
    class Impatient(Meter):
        """Lets the search have one to seven nodes at a time."""

        def left(self, done):
            return min(super().left(done), done % 7 + 1)

    agent = ISOLATION.agents["ab_next_moves"]
    for state in openings(3):
        answers = [
            agent.decide(ISOLATION.parse(state), agent.parameters(), meter(Budget(iterations=3000)), 1, None)
            for meter in (Meter, Impatient)
        ]
        assert answers[0] == answers[1]


def test_the_kernel_says_the_same_without_the_jit():
    position = ISOLATION.parse(openings(1)[0])
    board = tables_of(position)
    for which in range(len(NAMES)):
        for prune in (False, True):
            found = []
            for kernel in (advance, getattr(advance, "py_func", advance)):
                stack = SearchStack()
                reset(stack.state, *position.blank, position.mover_at, position.other_at, math.inf)
                nodes = kernel(attributes(stack.state), 3, which, prune, board, 500)
                found.append((nodes, stack.best, stack.pv, stack.done))
            assert found[0] == found[1]


@settings(max_examples=40)
@given(
    st.integers(1, 4),
    st.integers(2, 4),
    st.integers(0, 10**6),
    st.sampled_from(["ab_center", "ab_next_moves"]),
)
def test_with_all_nodes_the_winner_is_proved(height, width, seed, agent):
    game = random_game(height, width, random.Random(seed))
    for board in game[2:]:
        decision = decide(agent, board.state(), 10**6)
        assert decision.outcome.winner == solve(board)
        assert decision.outcome.plies == distance(board)
        if decision.move and decision.outcome.winner == board.to_move:
            assert solve(board.play(tuple(decision.move))) == board.to_move


def distance(board):
    """Plies to the end when the winner hurries and the loser holds out."""
    after = [board.play(cell) for cell in board.legal()]
    if not after:
        return 0
    won = [child for child in after if solve(child) == board.to_move]
    return 1 + (min(map(distance, won)) if won else max(map(distance, after)))


def test_a_lost_side_holds_out_as_long_as_it_can():
    for seed in range(30):
        for board in random_game(4, 4, random.Random(seed))[2:]:
            if len(board.legal()) > 1 and solve(board) != board.to_move:
                move = tuple(decide("ab_improved", board.state(), 10**6).move)
                assert distance(board.play(move)) == distance(board) - 1


def test_undefined_heuristics_count_nothing_and_leave_it_to_the_seed():
    state = ISOLATION.dump(ISOLATION.new({"width": 5, "height": 5}, 0))
    decisions = [decide("ab_chase_opponent", state, 30, seed) for seed in range(20)]
    assert {decision.stats["depth"] for decision in decisions} == {1}
    assert {candidate.score for candidate in decisions[0].candidates} == {0.0}
    assert len({tuple(decision.move) for decision in decisions}) > 8


def test_the_generic_agent_is_the_named_one():
    state = openings(1)[0]
    for name in ("improved", "next_moves"):
        generic = decide("ab", state, 2000, parameters=alphabeta.Parameters(name))
        assert generic == decide(f"ab_{name}", state, 2000)


@given(states(4))
def test_every_agent_of_the_roster_answers_legally(state):
    board = Board.read(state)
    legal = [list(cell) for cell in board.legal()]
    for agent in (*minimax.AGENTS, *alphabeta.AGENTS):
        decision = decide(agent.name, state, 200)
        assert decision.move in (legal or [None])
        assert [candidate.move for candidate in decision.candidates] == legal
        for candidate in decision.candidates:
            if candidate.score is not None:
                assert candidate.score == total(candidate)


def test_a_win_in_one_is_taken_and_told():
    state = drawn(
        """
        0 # . .
        . . . .
        1 . . .
        """
    )
    decision = decide("ab_open", state, 1000)
    board = Board.read(state)
    wins = [cell for cell in board.legal() if board.play(cell).winner() == 0]
    assert wins
    assert tuple(decision.move) in wins
    assert (decision.score, decision.outcome.winner, decision.outcome.plies) == (None, 0, 1)
    assert decision.candidates[[c.move for c in decision.candidates].index(decision.move)].terms == {
        "won": math.inf
    }
