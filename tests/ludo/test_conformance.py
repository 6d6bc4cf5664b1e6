"""Replaying vector files: the shipped lines agree, and every spoilt field is noticed."""

import contextlib
import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.core.vectors import DamagedLineError
from engines.ludo.game import LUDO
from tests.vectors import lines

FORMATS = {form.name: form for form in LUDO.formats}
TRANSITIONS = lines("ludo.jsonl.gz")
DECISIONS = lines("ludo-agents.jsonl.gz")


def test_each_line_is_recognised_by_one_format():
    for name, records in (("ludo", TRANSITIONS[:50]), ("ludo-agents", DECISIONS[:50])):
        for record in records:
            assert [form.name for form in LUDO.formats if form.recognises(record)] == [name]


def test_the_shipped_transitions():
    replay = FORMATS["ludo"].replay
    assert [record for record in TRANSITIONS if replay(record).differences] == []


def spoilt(value):
    """Other values for a field, of the same shape and of others."""
    yield None if value is not None else 0
    yield "x"
    if isinstance(value, bool):
        yield not value
        yield int(value)
    elif isinstance(value, float):
        yield value + 0.5
    elif isinstance(value, int):
        yield value + 1
        yield bool(value)
        yield 10**900
    elif isinstance(value, list):
        yield [*value, 0]
        for index, item in enumerate(value):
            for other in spoilt(item):
                changed = copy.deepcopy(value)
                changed[index] = other
                yield changed
    elif isinstance(value, dict):
        yield value | {"more": 1}
        for key, item in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            for other in spoilt(item):
                yield value | {key: other}


@pytest.mark.parametrize("field", ["movable", "piece", "after", "done", "next"])
def test_a_spoilt_result_is_a_difference(field):
    replay = FORMATS["ludo"].replay
    # Pieces are told apart only by the square they leave, so spoil lines in which these differ.
    record = next(
        r for r in TRANSITIONS if len(r["movable"]) == 3 and len(set(r["positions"][r["player"]])) == 4
    )
    for other in spoilt(record[field]):
        found = replay(record | {field: other}).differences
        assert found, (field, other)
        assert all(difference.field.split("[")[0] in (field, "after", "next", "done") for difference in found)


def test_the_shipped_decisions():
    replay = FORMATS["ludo-agents"].replay
    assert [record for record in DECISIONS if replay(record).differences] == []


RESULTS = ["movable", "phase", "phases", "moves", "best", "tuple9", "index9", "why9", "equity"]
RESULTS += ["zone12", "combined17"]


@pytest.mark.parametrize("field", RESULTS)
def test_a_spoilt_decision_is_a_difference(field):
    replay = FORMATS["ludo-agents"].replay
    record = next(
        r for r in DECISIONS if any(m["bonus"] for m in r["moves"]) and any(m["why"] for m in r["moves"])
    )
    for other in spoilt(record[field]):
        found = replay(record | {field: other}).differences
        assert found, (field, other)
        assert {difference.field.split("[")[0].split(".")[0] for difference in found} == {field}
    with pytest.raises(DamagedLineError, match=field):
        replay({key: value for key, value in record.items() if key != field})


@pytest.mark.parametrize("field", ["positions", "ghosts", "player", "dice"])
def test_a_damaged_decision_is_named(field):
    replay = FORMATS["ludo-agents"].replay
    for other in (None, "x", True, 10**900, {}, [[]], 1.5):
        with pytest.raises(DamagedLineError, match=field):
            replay(DECISIONS[0] | {field: other})


def test_readings_are_compared_as_sets():
    replay = FORMATS["ludo-agents"].replay
    record = next(r for r in DECISIONS if any(len(m["why"]) > 1 for m in r["moves"]))
    moves = [move | {"why": move["why"][::-1]} for move in record["moves"]]
    assert replay(record | {"moves": moves}).differences == ()
    moves = [move | {"why": move["why"] * 2} for move in record["moves"]]
    assert replay(record | {"moves": moves}).differences != ()


@pytest.mark.parametrize("field", ["positions", "ghosts", "player", "dice", "round", "attempts"])
def test_a_damaged_input_is_named(field):
    replay = FORMATS["ludo"].replay
    record = TRANSITIONS[0]
    with pytest.raises(DamagedLineError, match=field):
        replay({key: value for key, value in record.items() if key != field})
    for other in (None, "x", True, 10**900, {}, [[]], 1.5):
        with pytest.raises(DamagedLineError, match=field):
            replay(record | {field: other})


@pytest.mark.parametrize("field", ["movable", "piece", "after", "done", "next"])
def test_a_missing_result_is_damage(field):
    with pytest.raises(DamagedLineError, match=field):
        FORMATS["ludo"].replay({key: value for key, value in TRANSITIONS[0].items() if key != field})


def test_a_piece_that_cannot_move_is_a_difference():
    replay = FORMATS["ludo"].replay
    stuck = next(record for record in TRANSITIONS if record["piece"] is None)
    assert [found.field for found in replay(stuck | {"piece": 0}).differences] == ["piece"]
    moving = next(record for record in TRANSITIONS if len(record["movable"]) == 1)
    for piece in {0, 1, 2, 3, 4, -1, None} - {moving["piece"]}:
        assert [found.field for found in replay(moving | {"piece": piece}).differences] == ["piece"]


def test_a_difference_is_readable():
    replay = FORMATS["ludo"].replay(TRANSITIONS[0] | {"done": "maybe"})
    assert "seat 1" in replay.before()
    assert str(TRANSITIONS[0]["piece"]) in replay.moves()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=6,
)


@pytest.mark.parametrize(("name", "record"), [("ludo", TRANSITIONS[7]), ("ludo-agents", DECISIONS[7])])
@given(data=st.data())
def test_nothing_but_damage_is_raised(name, record, data):
    field = data.draw(st.sampled_from(sorted(record)))
    with contextlib.suppress(DamagedLineError):
        replay = FORMATS[name].replay(record | {field: data.draw(json_values)})
        assert replay.before()
        assert replay.moves()
