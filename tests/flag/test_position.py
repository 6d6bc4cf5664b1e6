"""Positions: the start, whose decision it is, read and written alike."""

import copy

import pytest

from engines.core.errors import PositionError
from engines.flag.fallback import fallback
from engines.flag.parse import parse
from engines.flag.position import dump, start
from tests.flag.test_parse import BASE
from tests.vectors import lines


def test_states_of_the_vectors_are_read_and_written_alike():
    for line in lines("flag.jsonl.gz")[::3]:
        for field in ("before", "after"):
            assert dump(parse(line[field])) == line[field]


def test_the_start():
    state = dump(start())
    assert state["pieces"] == {
        "A": [[1, 4, 8, 1], [2, 5, 8, 1], [3, 6, 8, 1]],
        "B": [[1, 4, 2, 1], [2, 5, 2, 1], [3, 6, 2, 1]],
    }
    assert state["flags"] == {"A": [5, 10, None], "B": [5, 0, None]}
    assert (state["round"], state["status"], state["winner"]) == (1, "playing", None)


def test_a_position_knows_whose_decision_it_is():
    assert parse(BASE, "B").side == "B"
    assert parse(BASE) == parse(copy.deepcopy(BASE))
    assert hash(parse(BASE, "A")) == hash(parse(copy.deepcopy(BASE), "A"))
    with pytest.raises(PositionError) as refused:
        fallback(parse(BASE))
    assert refused.value.path == ("side",)
