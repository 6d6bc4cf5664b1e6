"""The shipped vectors through conformance and oracle, and lines that are wrong or damaged."""

import contextlib
import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.vectors import DamagedLineError
from engines.isolation.conformance import PUBLISHED
from engines.isolation.game import ISOLATION
from tests import vectors
from tests.oracles.isolation import Board
from tests.oracles.isolation import heuristics as plain_heuristics

RECORDS = {
    "isolation": vectors.lines("isolation.jsonl.gz"),
    "isolation-endgames": vectors.lines("isolation-endgames.jsonl.gz"),
    "isolation-small": vectors.lines("isolation-small.json"),
}
FORMATS = {form.name: form for form in ISOLATION.formats}
JUNK = [None, True, 3, -1, 0.5, "x", [], {}, [[0]], 10**400, float("nan")]


def replay(record, name="isolation"):
    return FORMATS[name].replay(record)


def line(**wanted):
    """The first shipped line whose fields have these values."""
    return copy.deepcopy(
        next(r for r in RECORDS["isolation"] if all(r[key] == value for key, value in wanted.items()))
    )


def test_every_shipped_line_is_of_one_format():
    for name, records in RECORDS.items():
        for record in records:
            assert [form.name for form in ISOLATION.formats if form.recognises(record)] == [name]


def test_every_shipped_line_replays():
    for record in RECORDS["isolation"]:
        assert replay(record).differences == ()


def test_the_oracle_agrees_with_every_fourth_shipped_line():
    for record in RECORDS["isolation"][::4]:
        board = Board.read(record)
        assert [list(cell) for cell in board.legal()] == record["legal"]
        for index, player in enumerate((board.to_move, 1 - board.to_move)):
            expected = plain_heuristics(board, player)
            for name, pair in record["heuristics"].items():
                value = float(pair[index]) if isinstance(pair[index], str) else pair[index]
                assert expected[name] == (None if value is None else pytest.approx(value, abs=1e-9))
        if record["move"] is not None:
            board = board.play(tuple(record["move"]))
        assert (board.winner() is not None, board.winner()) == (record["terminal"], record["winner"])


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("index", [0, 1])
def test_a_spoilt_heuristic_differs(name, index):
    record = line(terminal=False)
    pair = record["heuristics"][name]
    for value in ((pair[index] or 0) + 1e-8, 10**400, "inf", str(pair[index]), True, [1]):
        record["heuristics"][name] = [value if place == index else pair[place] for place in (0, 1)]
        assert [found.field for found in replay(record).differences] == [f"heuristics.{name}[{index}]"]


@pytest.mark.parametrize(
    ("wanted", "field", "value"),
    [
        ({"terminal": False}, "terminal", True),
        ({"terminal": True}, "terminal", False),
        ({"terminal": True}, "terminal", 1),
        ({"winner": 0}, "winner", 1),
        ({"winner": 1}, "winner", None),
        ({"winner": 1}, "winner", True),
        ({"winner": None}, "winner", 0),
        ({"winner": None}, "winner", False),
        ({"winner": None}, "move", None),
        ({"winner": None}, "move", [0, 99]),
        ({"winner": None}, "move", "up"),
        ({"move": None}, "move", [0, 0]),
        ({"move": None}, "terminal", False),
        ({"terminal": False}, "legal", []),
        ({"terminal": False}, "legal", None),
        ({"move": None}, "legal", [[0, 0]]),
        ({"terminal": False}, "heuristics", None),
    ],
)
def test_a_spoilt_result_differs(wanted, field, value):
    record = line(**wanted)
    assert replay(record).differences == ()
    record[field] = value
    assert {found.field.split(".")[0] for found in replay(record).differences} == {field}


def test_a_move_that_is_not_legal_differs():
    record = line(terminal=False)
    for cell in record["blocked"]:
        record["move"] = cell
        assert [found.field for found in replay(record).differences] == ["move"]


def test_each_legal_cell_is_compared():
    record = line(terminal=False)
    for index in range(len(record["legal"])):
        spoilt = copy.deepcopy(record)
        spoilt["legal"][index][1] += 1
        assert replay(spoilt).differences
        del spoilt["legal"][index]
        assert replay(spoilt).differences


def test_our_own_heuristic_may_stand_in_a_line():
    record = line(terminal=False)
    for place, player in enumerate((record["toMove"], 1 - record["toMove"])):
        value = plain_heuristics(Board.read(record), player)["avoid_corners_fixed"]
        record["heuristics"].setdefault("avoid_corners_fixed", [None, None])[place] = value
    assert replay(record).differences == ()
    record["heuristics"]["avoid_corners_fixed"][0] += 1
    assert len(replay(record).differences) == 1
    record["heuristics"]["nobody_knows"] = [1, 1]
    assert len(replay(record).differences) == 2


@pytest.mark.parametrize(
    "name",
    ["width", "height", "blocked", "players", "toMove", "legal", "heuristics", "move", "terminal", "winner"],
)
def test_a_missing_field_is_damage(name):
    record = line(terminal=False)
    del record[name]
    with pytest.raises(DamagedLineError, match=name):
        replay(record)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_missing_heuristic_is_damage(name):
    record = line(terminal=False)
    del record["heuristics"][name]
    with pytest.raises(DamagedLineError, match=name):
        replay(record)


@pytest.mark.parametrize("name", ["width", "height", "blocked", "players", "toMove"])
def test_an_input_that_makes_no_position_is_damage(name):
    for value in JUNK:
        record = line(terminal=False)
        record[name] = value
        if name == "blocked" and value == []:
            continue  # refused for the players on blank cells
        try:
            found = replay(record).differences
        except DamagedLineError:
            continue
        assert found


@given(st.sampled_from(sorted(line())), st.recursive(st.sampled_from(JUNK), st.lists, max_leaves=4))
def test_junk_in_a_field_never_raises_anything_else(name, value):
    record = line(terminal=False) | {name: value}
    with contextlib.suppress(DamagedLineError):
        replay(record)


def test_a_difference_is_readable():
    record = line(terminal=False)
    record["terminal"] = True
    shown = replay(record)
    assert shown.before() == ISOLATION.render(ISOLATION.parse(record))
    assert shown.moves() == f"move {record['move']}"
    assert shown.steps == 1
