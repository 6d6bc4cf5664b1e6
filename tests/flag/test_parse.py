"""Reading states: what may be left out, and every refusal by the name of its field."""

import copy

import pytest

from engines.core.errors import PositionError
from engines.flag.parse import parse, parse_orders
from engines.flag.position import dump
from tests.flag.boards import board

BASE = dump(board(A1=(5, 0), A2=(3, 3), B1=(5, 8), dead="B3", carries="A1"))


def changed(*path, value):
    """BASE with one field set, or removed where the value is `...`."""
    state = copy.deepcopy(BASE)
    target = state
    for key in path[:-1]:
        target = target[key]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return state


def refusal(state, side=None):
    with pytest.raises(PositionError) as refused:
        parse(state, side)
    return refused.value


@pytest.mark.parametrize(
    "flags",
    [
        {"A": None, "B": "A1"},
        {"A": [None], "B": ["A1"]},
        {"A": [None, None, None], "B": [None, None, "A1"]},
        {"A": [5, 10, None], "B": "A1"},
    ],
)
def test_what_follows_from_the_rest_may_be_left_out(flags):
    state = changed("flags", value=flags)
    del state["zones"], state["keys"]
    assert dump(parse(state)) == BASE


def test_the_order_of_pieces_in_a_state_does_not_matter():
    state = copy.deepcopy(BASE)
    state["pieces"]["A"].reverse()
    assert dump(parse(state)) == BASE


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("pieces", "A", 0, 0), 0),
        (("pieces", "B", 2, 0), 4),
        (("pieces", "B", 2, 0), 10**400),
        (("pieces", "A", 1, 1), 11),
        (("pieces", "A", 1, 2), -1),
        (("pieces", "A", 1, 2), 1.5),
        (("pieces", "A", 1, 3), 2),
        (("pieces", "A", 1, 3), True),
        (("pieces", "A", 1), [1, 2, 3]),
        (("pieces", "A", 1), None),
        (("pieces", "A"), {}),
        (("pieces", "A"), [[1, 4, 8, 1]] * 7),
        (("pieces", "B"), ...),
        (("pieces",), []),
        (("pieces",), ...),
        (("flags", "B"), [5, 0, "A2"]),
        (("flags", "B"), [5, 1, "A1"]),
        (("flags", "B", 2), "B1"),
        (("flags", "B", 2), "A4"),
        (("flags", "B", 2), ["A1", "A2"]),
        (("flags", "A", 2), "B3"),
        (("flags", "A"), [5, 9, None]),
        (("flags", "A", 0), 11),
        (("flags", "A", 0), None),
        (("flags", "A"), [5, 10]),
        (("flags", "A"), 7),
        (("flags", "A"), ...),
        (("flags",), ...),
        (("zones", "B"), True),
        (("zones", "A"), False),
        (("zones", "A"), 1),
        (("zones", "A"), ...),
        (("zones",), [True, False]),
        (("keys", "B"), None),
        (("keys", "B"), [9, 1]),
        (("keys", "A"), [9, 1]),
        (("keys", "B"), [True, 9]),
        (("keys", "B"), "1,9"),
        (("rescuers", "B"), [3]),
        (("rescuers", "B"), [4]),
        (("rescuers", "A"), ["A1"]),
        (("rescuers", "A"), [1, 1]),
        (("rescuers", "A"), ...),
        (("rescuers",), ...),
        (("round",), 0),
        (("round",), 10**400),
        (("round",), True),
        (("round",), ...),
        (("status",), "paused"),
        (("status",), ["playing"]),
        (("status",), ...),
        (("winner",), "A"),
        (("winner",), "C"),
        (("winner",), ...),
    ],
)
def test_refused_by_name(path, value):
    error = refusal(changed(*path, value=value))
    shared = min(len(error.path), len(path))
    assert error.path[:shared] == path[:shared]
    assert error.path
    assert error.reason


def test_a_flag_is_carried_by_a_living_enemy_on_whose_cell_it_is():
    assert "its own team's flag" in refusal(changed("flags", "B", 2, value="B1")).reason
    assert "dead" in refusal(changed("flags", "A", 2, value="B3")).reason
    assert "on its cell [5, 0]" in refusal(changed("flags", "B", value=[5, 1, "A1"])).reason
    assert "home cell [5, 10]" in refusal(changed("flags", "A", value=[5, 9, None])).reason


def test_pieces_missing_and_there_twice():
    assert "missing" in refusal(changed("pieces", "A", value=BASE["pieces"]["A"][:2])).reason
    assert "twice" in refusal(changed("pieces", "A", 0, 0, value=2)).reason


def test_status_and_winner_must_agree():
    finished = changed("status", value="finished")
    assert refusal(finished).path == ("winner",)
    assert parse({**finished, "winner": "B"}).over


@pytest.mark.parametrize("side", ["C", "a", "", 0, True, ["A"]])
def test_an_unknown_side_is_refused(side):
    assert refusal(BASE, side).path == ("side",)


def order(**fields):
    return {"piece": 1, "direction": "up", "distance": 1, **fields}


@pytest.mark.parametrize(
    ("moves", "path"),
    [
        ({"A": [order(distance=11)]}, ("A", 0, "distance")),
        ({"A": [order(distance=-1)]}, ("A", 0, "distance")),
        ({"A": [order(distance=1.0)]}, ("A", 0, "distance")),
        ({"A": [order(distance=True)]}, ("A", 0, "distance")),
        ({"B": [order(direction="north")]}, ("B", 0, "direction")),
        ({"B": [order(direction=None)]}, ("B", 0, "direction")),
        ({"B": [order(piece=4)]}, ("B", 0, "piece")),
        ({"B": [order(piece=0)]}, ("B", 0, "piece")),
        ({"A": [order(), order(piece=2), order(distance=0)]}, ("A", 2, "piece")),
        ({"A": [{"piece": 1, "direction": "up"}]}, ("A", 0, "distance")),
        ({"A": [[1, "up", 1]]}, ("A", 0)),
        ({"A": {"piece": 1}}, ("A",)),
        ({"A": None}, ("A",)),
        ({"C": []}, ()),
        ([], ()),
    ],
)
def test_orders_refused_by_name(moves, path):
    with pytest.raises(PositionError) as refused:
        parse_orders(moves)
    assert refused.value.path == path


def test_the_same_piece_number_of_both_teams_is_no_conflict_and_a_team_may_give_no_orders():
    assert parse_orders({"A": [order(distance=3)], "B": [order(direction="left")]}) == (
        (0, 3),
        (0, 0),
        (0, 0),
        (2, 1),
        (0, 0),
        (0, 0),
    )
    assert parse_orders({}) == ((0, 0),) * 6
