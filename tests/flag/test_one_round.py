"""One exchange ahead."""

import numpy as np
import pytest

from engines.flag import rules
from engines.flag.agents.heuristic import plan
from engines.flag.game import FLAG
from engines.flag.one_round import heuristic_orders
from tests.vectors import lines

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


def test_the_strategy_as_learning_meets_it_is_the_documents():
    for line in lines("flag-heuristic.jsonl.gz"):
        position = FLAG.parse(line["state"], line["side"])
        side, found = position.mover(), np.zeros((6, 2), np.int64)
        heuristic_orders(rules.table_of(position), side, found)
        mine = slice(3 * side, 3 * side + 3)
        assert (found[mine] == plan(position, side).orders[mine]).all()
