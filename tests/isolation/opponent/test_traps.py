"""The opponents that the traps are set for: they play as the agents of the roster play."""

import math
import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.budget import Budget, Meter
from engines.core.rng import seeded
from engines.isolation.heuristics import NAMES
from engines.isolation.opponent.model import UPDATE_COST, OpponentModel, updated
from engines.isolation.opponent.reply import (
    SEES_LOSS,
    SEES_NOTHING,
    SEES_WIN,
    STOPPED,
    STUCK,
    reply,
    shuffled_moves,
)
from engines.isolation.opponent.traps import OPPONENTS, WEIGHTS, TrapSearch
from engines.isolation.parse import parse
from engines.isolation.rules import legal_squares, play, tables_of
from engines.isolation.search.alphabeta import SearchStack
from engines.isolation.search.root import RootSearch, fixed_depth, iterative_deepening
from engines.isolation.solver.proof import solve
from tests.isolation.positions import attributes, states
from tests.oracles.isolation import random_game


def ask(kernel, position, opponent, quota, seed):
    node = (*position.blank, position.mover_at, position.other_at)
    return kernel(attributes(SearchStack().state), node, *opponent, quota, tables_of(position), seeded(seed))


def order_of(position, seed):
    """The order in which the opponent looks at its moves."""
    order = np.empty(81, np.int64)
    plain = getattr(shuffled_moves, "py_func", shuffled_moves)
    count = plain(*position.blank, position.mover_at, tables_of(position).knights, seeded(seed), order)
    return order[:count].tolist()


@settings(max_examples=60)
@given(states(7).filter(lambda state: None not in state["players"]), st.integers(0, 99), st.integers(1, 800))
def test_an_opponent_answers_as_the_agent_does(state, seed, quota):
    position = parse(state)
    order = order_of(position, seed)
    assert sorted(order) == legal_squares(position)
    for which, fixed in OPPONENTS:
        square, sees, nodes = ask(reply, position, (which, fixed), quota, seed)
        if not order:
            assert (square, sees) == (-1, STUCK)
            continue
        search = RootSearch(position, NAMES[which], Meter(Budget(iterations=quota)), prune=fixed == 0)
        if fixed:
            best, found = fixed_depth(search, order)
            if len(found) < len(order):
                assert sees in (STOPPED, SEES_WIN)
                assert sees == SEES_WIN or nodes == quota
                continue
        else:
            best, found, _ = iterative_deepening(search, order)
        value = max((root.value for root in found.values()), default=0.0)
        assert nodes <= quota
        if value == math.inf:
            assert sees == SEES_WIN
            assert found[square].value == math.inf
        elif value == -math.inf:
            assert sees == SEES_LOSS
        else:
            assert (square, nodes) == (best, search.nodes)
            assert sees == (SEES_NOTHING if fixed else STOPPED)


@settings(max_examples=60)
@given(states(4).filter(lambda state: None not in state["players"]), st.integers(0, 99))
def test_what_an_opponent_sees_is_so(state, seed):
    position = parse(state)
    won = solve(position).won
    for opponent in OPPONENTS:
        _, sees, _ = ask(reply, position, opponent, 5000, seed)
        if sees in (SEES_WIN, SEES_LOSS):
            assert won == (sees == SEES_WIN)


def test_replies_are_the_same_without_the_jit():
    for seed in range(3):
        game = random_game(5, 5, random.Random(seed))
        position = parse(game[len(game) // 2].state())
        plain = getattr(reply, "py_func", reply)
        for opponent in OPPONENTS:
            assert ask(reply, position, opponent, 40, seed) == ask(plain, position, opponent, 40, seed)


def grown(position, seed, nodes, until=10**9, weights=WEIGHTS):
    traps = TrapSearch(position, seed, weights=weights)
    spent = traps.run(Meter(Budget(iterations=nodes)), 0, until)
    return spent, [traps.trap_rate(square) for square in legal_squares(position)]


def test_a_line_that_is_cut_off_leaves_every_hope_as_it_was():
    position = parse(random_game(7, 7, random.Random(1))[6].state())
    whole, expected = grown(position, 1, 10**9, until=200_000)
    for cut in (whole, whole + 300, whole + 1200):
        assert grown(position, 1, cut) == (cut, expected)


@given(states(5), st.integers(0, 99))
def test_hope_is_a_share_and_a_function_of_seed_and_nodes(state, seed):
    position = parse(state)
    spent, found = grown(position, seed, 8000)
    assert (spent, found) == grown(position, seed, 8000)
    assert spent == 8000 or not found
    assert all(0 <= trap_rate < 1 for trap_rate in found)


def test_a_won_position_is_full_of_hope():
    """Where the opponent is beaten whatever it does, nearly every line through a winning move is a gift."""
    seen = 0
    for seed in range(20):
        game = random_game(6, 6, random.Random(seed))
        position = parse(game[max(2, len(game) - 8)].state())
        values = solve(position).values
        if not any(values.values()) or all(values.values()):
            continue
        hopes = dict(zip(legal_squares(position), grown(position, seed, 200_000)[1], strict=True))
        best = max(values, key=hopes.get)
        assert values[best]
        assert hopes[best] > 0.5
        seen += 1
    assert seen > 3


def test_a_gift_is_counted_where_the_solver_proves_it_and_nowhere_else():
    gifts = 0
    for seed in range(12):
        game = random_game(6, 6, random.Random(seed))
        position = parse(game[len(game) // 2].state())
        node = (*position.blank, position.mover_at, position.other_at)
        won, nodes = TrapSearch(position, seed)._won(node, 10**6)
        assert won == solve(position).won
        gifts += won
        if nodes > 1:
            # not enough nodes to tell: the line is cut off, not counted as no gift
            assert TrapSearch(position, seed)._won(node, nodes - 1)[0] is None
    assert 0 < gifts < 12
    early = parse(random_game(7, 7, random.Random(1))[4].state())
    node = (*early.blank, early.mover_at, early.other_at)
    assert TrapSearch(early, 1)._won(node, 10**6) == (False, 0)


def test_who_answers_as_a_searcher_does_is_taken_for_it():
    meter = Meter(Budget(iterations=10**7))
    shares = []
    for game in range(4):
        for number, opponent in enumerate(OPPONENTS[:3]):
            model = OpponentModel(parse(random_game(7, 7, random.Random(game))[6].state()))
            for ply in range(4):
                if not legal_squares(model.left):
                    break
                square, _, _ = ask(reply, model.left, opponent, 10_000, ply)
                position = play(model.left, int(square))
                weights, nodes = updated(model, position, meter, 1)
                assert nodes in (0, UPDATE_COST)
                if not legal_squares(position):
                    break
                model = OpponentModel(play(position, legal_squares(position)[0]), weights)
            shares.append(weights[number] / sum(weights))
    assert sum(shares) / len(shares) > 1.4 * WEIGHTS[0] / sum(WEIGHTS)


def test_nothing_is_learned_from_another_game():
    first, second = (parse(random_game(7, 7, random.Random(seed))[8].state()) for seed in (1, 2))
    assert updated(OpponentModel(first), second, Meter(Budget(iterations=10**7)), 1) == (WEIGHTS, 0)
