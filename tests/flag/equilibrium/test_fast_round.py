"""The round by look-up is the rules' round."""

import numpy as np
import pytest
from hypothesis import given

from engines.flag import rules
from engines.flag.equilibrium.fast_round import AFTER, DEAD, WINNER, fast_round_by_orders, unpack
from engines.flag.game import FLAG
from engines.flag.parse import parse_orders
from engines.flag.step import with_rescuers_home
from tests.flag.boards import ORDERS, positions
from tests.vectors import lines

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def as_the_next_round_begins(position, given_orders):
    """By the rules themselves: cells (or DEAD), carriers, winner."""
    table, (trace, log) = rules.table_of(position), rules.scratch()
    rules.play_round(table, np.array(given_orders, np.int64), trace, log)
    if table[rules.WINNER] != rules.NOBODY:
        return int(table[rules.WINNER])
    rules.go_home(table, trace, log)
    cells = table[rules.X : rules.X + 6] + 11 * table[rules.Y : rules.Y + 6]
    cells[table[rules.ALIVE : rules.ALIVE + 6] == 0] = DEAD
    return [*cells.tolist(), int(table[rules.CARRIER]), int(table[rules.CARRIER + 1]), rules.NOBODY]


def settled(position, given_orders):
    table, after = rules.table_of(with_rescuers_home(position)), np.zeros(AFTER, np.int64)
    fast_round_by_orders(table, np.array(given_orders, np.int64), after)
    return after.tolist() if after[WINNER] == rules.NOBODY else int(after[WINNER])


def test_look_up_and_rules_agree_on_every_recorded_round():
    for line in lines("flag.jsonl.gz"):
        position, given_orders = FLAG.parse(line["before"]), parse_orders(line["commands"])
        assert settled(position, given_orders) == as_the_next_round_begins(position, given_orders), line[
            "tags"
        ]


@given(positions(), ORDERS)
def test_look_up_and_rules_agree_on_any_round(position, given_orders):
    assert settled(position, given_orders) == as_the_next_round_begins(position, given_orders)


@given(positions())
def test_a_settled_position_is_laid_out_as_it_was(position):
    table = rules.table_of(with_rescuers_home(position))
    stand = [(0, 0)] * 6
    after, again = np.zeros(AFTER, np.int64), np.zeros(AFTER, np.int64)
    fast_round_by_orders(table, np.array(stand, np.int64), after)
    if after[WINNER] == rules.NOBODY:
        unpack(after, table)
        fast_round_by_orders(table, np.array(stand, np.int64), again)
        met = [cell for cell in after[:6] if cell != DEAD]
        if len(met) == len(set(met)) and again[WINNER] == rules.NOBODY:
            assert set(np.flatnonzero(again[:6] == DEAD)) <= set(np.flatnonzero(after[:6] == DEAD))
