"""The agent that solves: what it promises with all the nodes it wants, with few, and with none."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.budget import Budget, Meter
from engines.isolation.board import square_of
from engines.isolation.game import ISOLATION
from engines.isolation.parse import parse
from engines.isolation.solver.proof import solve
from tests import vectors
from tests.isolation.positions import drawn, states
from tests.oracles import isolation as oracle
from tests.oracles.isolation import Board

SLOW = bool(os.environ.get("NUMBA_DISABLE_JIT"))
ENOUGH = 10**6


def decide(state, iterations, seed=3):
    agent = ISOLATION.agents["perfect"]
    meter = Meter(Budget(iterations=iterations))
    return agent.decide(parse(state), agent.parameters(), meter, seed, None)


def endgames(most):
    return [r for r in vectors.lines("isolation-endgames.jsonl.gz") if r["nodes"] < (2000 if SLOW else most)]


@settings(max_examples=40)
@given(states(4).filter(lambda state: None not in state["players"]))
def test_with_enough_nodes_the_answer_is_the_truth(state):
    board = Board.read(state)
    decision = decide(state, ENOUGH)
    assert decision.outcome.winner == oracle.solve(board)
    assert decision.outcome.proven
    values = {tuple(c.move): c.details["winner"] for c in decision.candidates}
    assert values == {cell: oracle.solve(board.play(cell)) for cell in board.legal()}
    if decision.move is not None:
        assert values[tuple(decision.move)] == decision.outcome.winner
        assert decision.stats["decided"] == len(values)


def test_the_shipped_end_games_are_won_where_they_are_won():
    for record in endgames(20_000):
        decision = decide(record, ENOUGH)
        assert decision.outcome.winner == record["winner"]
        winning = [c.move for c in decision.candidates if c.details["winner"] == record["toMove"]]
        assert winning == record["winning"]
        assert decision.move in (winning or [c.move for c in decision.candidates])


@pytest.mark.parametrize("record", endgames(3000)[:4] + endgames(30_000)[:2])
def test_at_every_stop_the_answer_is_legal_and_claims_nothing_false(record):
    legal = [list(cell) for cell in Board.read(record).legal()]
    for nodes in (0, 1, 2, 3, 5, 10, 30, 100, 300, 1000, 3000, 10_000):
        decision = decide(record, nodes)
        assert decision.move in legal
        assert decision.stats["nodes"] <= nodes
        assert [candidate.move for candidate in decision.candidates] == legal
        for candidate in decision.candidates:
            if "winner" in candidate.details:
                assert (candidate.details["winner"] == record["toMove"]) == (
                    candidate.move in record["winning"]
                )
            if candidate.score is not None:
                assert candidate.score == sum(candidate.terms.values())
        if decision.outcome is None:
            assert decision.stats["reason"]
        else:
            assert decision.outcome.winner == record["winner"]
            assert (decision.move in record["winning"]) == (record["winner"] == record["toMove"])


@given(states(9), st.integers(0, 400))
def test_any_position_gets_a_legal_answer(state, nodes):
    legal = [list(cell) for cell in Board.read(state).legal()]
    decision = decide(state, nodes)
    assert decision.move in (legal or [None])
    assert decision == decide(state, nodes)
    if not legal:
        assert decision.outcome.winner == 1 - state["toMove"]


def test_a_lost_side_sets_the_trap_that_is_easiest_to_fall_into():
    """Of two losing moves it takes the one after which fewer replies keep the win."""
    seen = 0
    for record in endgames(5000):
        if record["winning"] or record["moves"] < 2:
            continue
        board = Board.read(record)
        decision = decide(record, ENOUGH)
        shares = {}
        for cell in board.legal():
            replies = solve(parse(board.play(cell).state())).values
            shares[cell] = 1 - sum(replies.values()) / len(replies)
        hopes = {tuple(c.move): c.terms["trap"] for c in decision.candidates}
        assert hopes[tuple(decision.move)] == max(hopes.values())
        for cell, share in shares.items():
            assert share / 7 - 1e-6 <= hopes[cell] <= share / 7 + 6 / 7 + 1e-6
        seen += max(shares.values()) > 0
    assert seen > 3


def test_the_mirror_theorem_is_named():
    state = drawn("0 . . .\n. . . .\n. . . .\n. . . .")
    state |= {"toMove": 1}
    decision = decide(state, ENOUGH)
    assert decision.outcome.winner == 1
    image = next(candidate for candidate in decision.candidates if candidate.move == [3, 3])
    assert image.details["winner"] == 1
    assert any("mirror" in note for note in image.notes)
    assert square_of(4, 3, 3) == 14
