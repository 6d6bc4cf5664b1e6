"""Reading states: what is taken, what is refused, and under which name."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.ludo.schemas import EXAMPLE_STATE, Moves, Options, State
from engines.core.errors import PositionError
from engines.ludo.fallback import fallback
from engines.ludo.parse import parse, parse_move
from engines.ludo.position import Position, dump
from tests.ludo.strategies import positions
from tests.vectors import lines

GOOD = {
    "positions": [[0, 5, 12, 57], [0, 0, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0]],
    "ghosts": [1, 3],
    "player": 0,
    "dice": 6,
}


def changed(**fields):
    return json.loads(json.dumps(GOOD)) | fields


@given(positions())
def test_dump_and_parse_are_inverse(position):
    state = dump(position)
    assert parse(state) == position
    assert hash(parse(state)) == hash(position)
    assert dump(parse(json.loads(json.dumps(state)))) == state


def test_left_out_fields_have_their_defaults():
    assert parse(GOOD) == Position(
        ((0, 5, 12, 57), (0,) * 4, (3, 0, 0, 0), (0,) * 4), (1, 3), 0, 6, round=2, attempts=0
    )
    assert parse(changed(round=None, attempts=None, movable=None)) == parse(GOOD)


@pytest.mark.parametrize("movable", [None, [], [0, 1, 2]])
def test_movable_is_worked_out_or_agrees(movable):
    assert parse(changed(movable=movable)).movable == (0, 1, 2)


BAD = {
    "dice 0": (changed(dice=0), ("dice",)),
    "dice 7": (changed(dice=7), ("dice",)),
    "dice true": (changed(dice=True), ("dice",)),
    "dice float": (changed(dice=6.0), ("dice",)),
    "dice huge": (changed(dice=10**900), ("dice",)),
    "square 58": (changed(positions=[[0, 5, 58, 57], *GOOD["positions"][1:]]), ("positions", 0, 2)),
    "square -1": (changed(positions=[[-1, 5, 0, 57], *GOOD["positions"][1:]]), ("positions", 0, 0)),
    "five pieces": (changed(positions=[[0] * 5, [0] * 4, [0] * 4, [0] * 4]), ("positions", 0)),
    "three seats": (changed(positions=[[0] * 4] * 3), ("positions",)),
    "no list": (changed(positions={"0": 1}), ("positions",)),
    "no row": (changed(positions=[[0] * 4, "0000", [0] * 4, [0] * 4]), ("positions", 1)),
    "player 4": (changed(player=4), ("player",)),
    "a ghost to move": (changed(player=1), ("player",)),
    "a ghost on the board": (
        changed(positions=[[0] * 4, [0, 0, 7, 0], [0] * 4, [0] * 4]),
        ("positions", 1, 2),
    ),
    "seat 0 a ghost": (changed(ghosts=[1, 0]), ("ghosts", 1)),
    "a ghost twice": (changed(ghosts=[3, 3]), ("ghosts", 1)),
    "ghost 4": (changed(ghosts=[4]), ("ghosts", 0)),
    "ghosts no list": (changed(ghosts=1), ("ghosts",)),
    "round 0": (changed(round=0), ("round",)),
    "attempts 4": (changed(attempts=4), ("attempts",)),
    "movable contradicts": (changed(movable=[0, 1]), ("movable",)),
    "movable in another order": (changed(movable=[2, 1, 0]), ("movable",)),
    "movable where none is": (changed(dice=3, positions=[[0] * 4] * 4, movable=[0]), ("movable",)),
    "movable out of range": (changed(movable=[0, 1, 4]), ("movable", 2)),
}


@pytest.mark.parametrize("case", BAD)
def test_refused_by_name(case):
    state, path = BAD[case]
    with pytest.raises(PositionError) as refusal:
        parse(state)
    assert refusal.value.path == path
    assert refusal.value.reason
    assert len(refusal.value.reason) < 200


@pytest.mark.parametrize("field", GOOD)
def test_a_missing_field_is_named(field):
    with pytest.raises(PositionError, match="missing") as refusal:
        parse({key: value for key, value in GOOD.items() if key != field})
    assert refusal.value.path == (field,)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@given(st.sampled_from([*GOOD, "round", "attempts", "movable"]), json_values)
def test_any_json_is_read_or_refused(field, value):
    state = changed(**{field: value})
    try:
        position = parse(state)
    except PositionError:
        with pytest.raises((ValidationError, PositionError)):
            parse(State.model_validate(state).plain())
    else:
        assert parse(dump(position)) == position


def test_vector_lines_can_be_posted_as_they_are():
    for name in ("ludo.jsonl.gz", "ludo-agents.jsonl.gz"):
        for line in lines(name)[::50]:
            assert parse(State.model_validate(line).plain()).movable == tuple(line["movable"])


def test_unknown_fields_are_refused_by_name():
    with pytest.raises(ValidationError, match="banana"):
        State.model_validate(GOOD | {"banana": 1})
    for model in (Options, Moves):
        with pytest.raises(ValidationError, match="banana"):
            model.model_validate({"piece": 1, "banana": 1})


def test_the_example_is_a_state():
    assert parse(State.model_validate(EXAMPLE_STATE).plain()).movable == (0, 1, 2)


def test_the_plain_move_is_the_first_movable_piece():
    assert fallback(parse(GOOD)) == {"piece": 0, "action": 0}
    assert fallback(parse(changed(dice=5))) == {"piece": 1, "action": 0}
    assert fallback(parse(changed(positions=[[57] * 4, *GOOD["positions"][1:]]))) == {
        "piece": None,
        "action": 0,
    }


def test_positions_need_no_compiler():
    modules = "engines.ludo.parse, engines.ludo.fallback, app.games.ludo.schemas"
    code = f"import sys, {modules}; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


MOVES = {
    "no piece": ({}, ("piece",)),
    "no object": ([0], ("piece",)),
    "null though some can move": ({"piece": None}, ("piece",)),
    "a finished piece": ({"piece": 3}, ("piece",)),
    "piece 4": ({"piece": 4}, ("piece",)),
    "piece true": ({"piece": True}, ("piece",)),
    "another's action": ({"piece": 2, "action": 1}, ("action",)),
}


@pytest.mark.parametrize("case", MOVES)
def test_moves_refused_by_name(case):
    value, path = MOVES[case]
    with pytest.raises(PositionError) as refusal:
        parse_move(value, parse(GOOD))
    assert refusal.value.path == path


def test_with_nothing_to_move_only_null_is_taken():
    stuck = parse(changed(positions=[[0] * 4, [0] * 4, [3, 0, 0, 0], [0] * 4], dice=2))
    assert parse_move({"piece": None, "action": 0}, stuck) is None
    with pytest.raises(PositionError, match="play null"):
        parse_move({"piece": 0}, stuck)
