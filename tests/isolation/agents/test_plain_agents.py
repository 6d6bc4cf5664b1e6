"""The agents that do not search."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.budget import Budget, Meter
from engines.isolation.agents.greedy import Parameters
from engines.isolation.game import ISOLATION
from engines.isolation.heuristics import NAMES
from engines.isolation.terms import terms
from tests.isolation.positions import drawn, states
from tests.oracles.isolation import Board
from tests.oracles.isolation import heuristics as plain_heuristics


def decide(name, state, parameters=None, iterations=1, seed=7):
    agent = ISOLATION.agents[name]
    chosen = agent.parameters() if parameters is None else parameters
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(ISOLATION.parse(state), chosen, meter, seed, None)


@given(states(), st.sampled_from(NAMES))
def test_terms_add_up_to_the_heuristic(state, name):
    board = Board.read(state)
    for player in (0, 1):
        total = sum(terms(name, ISOLATION.parse(state), player).values())
        if board.winner() is not None:
            assert total == (math.inf if board.winner() == player else -math.inf)
        else:
            assert total == pytest.approx(plain_heuristics(board, player)[name] or 0.0, abs=1e-9)


@given(states(), st.sampled_from(NAMES), st.integers(0, 9))
def test_greedy_takes_a_best_cell(state, name, seed):
    board = Board.read(state)
    decision = decide("greedy", state, Parameters(name), seed=seed)
    legal = [list(cell) for cell in board.legal()]
    if not legal:
        assert decision.move is None
        assert decision.outcome.winner == 1 - board.to_move
        assert decision.stats["reason"]
        return
    assert [candidate.move for candidate in decision.candidates] == legal
    values = {tuple(c.move): sum(c.terms.values()) for c in decision.candidates}
    assert values[tuple(decision.move)] == max(values.values())
    for cell, value in values.items():
        after = board.play(cell)
        expected = math.inf if after.winner() is not None else plain_heuristics(after, board.to_move)[name]
        assert value == pytest.approx(expected or 0.0, abs=1e-6)
    if math.inf in values.values():
        assert decision.score is None
        assert (decision.outcome.winner, decision.outcome.plies) == (board.to_move, 1)


@given(states(), st.integers(0, 2**63 - 1))
def test_random_answers_with_a_legal_cell(state, seed):
    legal = [list(cell) for cell in Board.read(state).legal()]
    decision = decide("random", state, seed=seed)
    assert decision.move in (legal or [None])
    assert decision == decide("random", state, seed=seed)
    if legal:
        assert [candidate.move for candidate in decision.candidates] == legal


def test_seeds_choose_among_equals():
    empty = ISOLATION.dump(ISOLATION.new({"width": 2, "height": 2}, 0))
    for name in ("random", "greedy"):
        moves = [tuple(decide(name, empty, seed=seed).move) for seed in range(400)]
        assert all(60 < moves.count(cell) < 140 for cell in ((0, 0), (0, 1), (1, 0), (1, 1)))


def test_greedy_without_time_still_moves_legally():
    state = drawn("0 . .\n. . .\n1 . .")
    decision = decide("greedy", state, iterations=0)
    assert decision.move in ([1, 2], [2, 1])
    assert decision.stats["iterations"] == 0
    assert decision.stats["reason"]
    assert all(candidate.score is None for candidate in decision.candidates)
