"""The approximate solution against the exact one, and the second ply."""

import numpy as np
import pytest

from engines.core.rng import seeded
from engines.flag import rules
from engines.flag.equilibrium.double_oracle import DoubleOracle
from engines.flag.equilibrium.fast_round import AFTER, DEAD, WINNER, fast_round_by_orders, unpack
from engines.flag.equilibrium.local_search import SLIP, second_ply
from engines.flag.equilibrium.payoff import game_of
from engines.flag.equilibrium.value import DISCOUNT
from engines.flag.game import FLAG
from engines.flag.position import start
from engines.flag.step import with_rescuers_home
from engines.flag.weights import network
from tests.flag.boards import board
from tests.vectors import lines

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def second_ply_values(position, pairs):
    game = game_of(rules.table_of(with_rescuers_home(position)), network())
    found = np.zeros(len(pairs))
    second_ply(seeded(0), game, np.array(pairs, np.int64), SLIP, found)
    return found.tolist()


def test_the_second_ply_knows_wins_and_answers_the_same_again():
    won = board(side="A", A1=(0, 6), A2=(9, 9), carries="A1", B1=(0, 0), dead="A3 B2 B3")
    assert second_ply_values(won, [(0, 0)]) == [1.0]
    some = [(number * 37, number * 91) for number in range(20)]
    assert second_ply_values(start("A"), some) == second_ply_values(start("A"), some)


def test_a_round_solved_quickly_is_worth_what_it_is_worth_solved_exactly():
    """With no slips: the value by local search for responses against that by the best of all responses."""
    weights, differences = network(), []
    for line in lines("flag-heuristic.jsonl.gz")[::20]:
        position = FLAG.parse(line["state"], "A")
        if position.over or not (position.living(0) and position.living(1)):
            continue
        game = game_of(rules.table_of(with_rescuers_home(position)), weights)
        stand = np.zeros((1, 2), np.int64)
        after, found = np.zeros(AFTER, np.int64), np.zeros(1)
        fast_round_by_orders(rules.table_of(with_rescuers_home(position)), np.zeros((6, 2), np.int64), after)
        if after[WINNER] != rules.NOBODY or min(np.sum(after[:3] != DEAD), np.sum(after[3:6] != DEAD)) == 0:
            continue
        second_ply(seeded(0), game, stand, 0.0, found)
        table = np.zeros(rules.TABLE, np.int64)
        unpack(after, table)
        exact = DoubleOracle(table, weights)
        for _ in range(60):
            if exact.iterate(300) < 0.004:
                break
        value = 0.5 * (exact.restricted.values_a.max() + exact.restricted.values_b.min())
        differences.append(abs(found[0] / DISCOUNT - value))
    assert len(differences) > 5
    assert np.mean(differences) < 0.02
