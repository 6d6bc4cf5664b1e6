"""The distance to the end, against plain counting, and the lines that show it."""

import os
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.budget import Budget, Meter
from engines.isolation.board import cell_of
from engines.isolation.game import ISOLATION
from engines.isolation.parse import parse
from engines.isolation.solver.distance import Distances
from engines.isolation.solver.proof import MovesProof, TranspositionTable
from tests import vectors
from tests.isolation.positions import states
from tests.oracles.isolation import Board

SLOW = bool(os.environ.get("NUMBA_DISABLE_JIT"))


@cache
def counted(board):
    """Does the side to move win, and after how many plies: the winner hurries, the loser holds out."""
    children = [counted(board.play(move)) for move in board.legal()]
    faster = [plies for wins, plies in children if not wins]
    if faster:
        return True, 1 + min(faster)
    return False, 1 + max((plies for _, plies in children), default=-1)


def measured(state, quota=4096):
    position = parse(state)
    decided = TranspositionTable(position.height * position.width)
    proof = MovesProof(position, decided, all_moves=True)
    while not proof.resolved:
        proof.run(quota)
    distances = Distances(position, proof.values, decided)
    while not distances.done:
        distances.run(quota)
    return distances


def placed(largest):
    return states(largest).filter(
        lambda state: None not in state["players"] and state["width"] * state["height"] > 3
    )


@settings(max_examples=30 if SLOW else 100, deadline=None)
@given(placed(5).filter(lambda state: state["width"] * state["height"] - len(state["blocked"]) <= 12))
def test_every_move_s_distance_is_the_counted_one(state):
    board = Board.read(state)
    distances = measured(state)
    assert {cell_of(state["width"], square): plies for square, plies in distances.plies.items()} == {
        move: 1 + counted(board.play(move))[1] for move in board.legal()
    }
    if board.legal():
        assert distances.best == counted(board)[1]


@settings(max_examples=15 if SLOW else 40, deadline=None)
@given(placed(5).filter(lambda state: state["width"] * state["height"] - len(state["blocked"]) <= 12))
def test_a_line_is_best_play_to_the_end(state):
    for square, line in measured(state).pvs.items():
        board = Board.read(state)
        assert line[0] == square
        for number, step in enumerate(line):
            move = cell_of(state["width"], step)
            if number:
                wins, plies = counted(board)
                reply_wins, reply_plies = counted(board.play(move))
                assert (reply_wins, reply_plies) == (not wins, plies - 1)
            board = board.play(move)
        assert not board.legal()


@settings(max_examples=10, deadline=None)
@given(placed(4), st.sampled_from([1, 7, 100]))
def test_slices_change_nothing(state, quota):
    one, other = measured(state), measured(state, quota)
    assert (one.plies, one.pvs) == (other.plies, other.pvs)


def test_the_agent_wins_as_fast_as_it_can_and_tells_the_line():
    agent = ISOLATION.agents["perfect"]
    records = [
        r for r in vectors.lines("isolation-endgames.jsonl.gz") if r["nodes"] < (200 if SLOW else 5000)
    ]
    assert records
    for record in records[:12]:
        position = parse(record)
        decision = agent.decide(position, agent.parameters(), Meter(Budget(iterations=10**6)), 1, None)
        plies = decision.outcome.plies
        assert plies % 2 == (decision.outcome.winner == record["toMove"])
        assert decision.line[0] == decision.move
        if decision.outcome.winner == record["toMove"]:
            assert len(decision.line) == plies
        for move in decision.line:
            step = ISOLATION.step(position, move, 0)
            position = step.position
        assert step.over
        assert step.winner == record["winner"]


def test_where_the_distance_is_not_found_the_line_is_the_move():
    agent = ISOLATION.agents["perfect"]
    state = ISOLATION.dump(ISOLATION.new({}, 0))
    decision = agent.decide(parse(state), agent.parameters(), Meter(Budget(iterations=100)), 1, None)
    assert decision.outcome.plies is None
    assert list(decision.line) == [decision.move]
