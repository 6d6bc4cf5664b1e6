"""The wire models: what they let through to the engine and what they stop."""

import pytest
from pydantic import TypeAdapter, ValidationError

from app.games.flag.schemas import EXAMPLE_MOVES, EXAMPLE_STATE, Flags, Moves, Options, State
from engines.flag.game import FLAG
from tests.vectors import lines

MOVES = TypeAdapter(Moves)


def test_the_examples_can_be_played():
    position = FLAG.parse(State.model_validate(EXAMPLE_STATE).plain())
    assert FLAG.dump(position) == EXAMPLE_STATE
    step = FLAG.step(position, MOVES.validate_python(EXAMPLE_MOVES), 0)
    assert step.events == (["jailed", "A2"], ["flag_home", "B"], ["zone_reset", "B2"])


def test_every_state_and_command_of_the_vectors_passes():
    for line in lines("flag.jsonl.gz")[::10]:
        for field in ("before", "after"):
            assert State.model_validate(line[field]).plain() == line[field]
        assert MOVES.validate_python(line["commands"]) == line["commands"]


def test_results_of_a_vector_line_are_dropped_and_other_fields_refused():
    assert "tags" not in State.model_validate({**EXAMPLE_STATE, "tags": ["swap_enemy"], "score": {}}).plain()
    with pytest.raises(ValidationError, match="colour"):
        State.model_validate({**EXAMPLE_STATE, "colour": 1})


@pytest.mark.parametrize("flags", [{"A": None, "B": "A2"}, {"A": [None], "B": [5, 0, "A2"]}])
def test_derived_fields_may_be_left_out(flags):
    state = {name: value for name, value in EXAMPLE_STATE.items() if name not in ("zones", "keys")}
    position = FLAG.parse(State.model_validate({**state, "flags": flags}).plain())
    assert FLAG.dump(position) == EXAMPLE_STATE


def test_the_schema_tells_of_both_forms_of_a_flag():
    parts, alone = Flags.model_json_schema()["properties"]["B"]["anyOf"]
    assert (parts["type"], parts["minItems"], parts["maxItems"]) == ("array", 1, 3)
    assert alone["enum"] == ["A1", "A2", "A3", "B1", "B2", "B3", None]


@pytest.mark.parametrize(
    ("field", "value", "location"),
    [
        ("round", 10**900, ("round",)),
        ("round", True, ("round",)),
        ("round", "1", ("round",)),
        ("status", "paused", ("status",)),
        ("winner", "C", ("winner",)),
        ("pieces", {"A": [[1, 4, 8, 1]] * 3}, ("pieces", "B")),
        ("pieces", {"A": [[1, 4, 8]] * 3, "B": []}, ("pieces", "A", 0)),
        ("pieces", {"A": [[1, 4, 11, 1]] * 3, "B": []}, ("pieces", "A", 0, 2)),
        ("flags", {"A": [5, 10, "C1"], "B": None}, ("flags", "A", 2)),
        ("flags", {"A": [5, 10, 1.5], "B": None}, ("flags", "A", 2)),
        ("zones", {"A": 1, "B": True}, ("zones", "A")),
        ("keys", {"A": [9, 1, 1], "B": None}, ("keys", "A")),
        ("rescuers", {"A": [4], "B": []}, ("rescuers", "A", 0)),
    ],
)
def test_shapes_and_bounds_are_refused_by_name(field, value, location):
    with pytest.raises(ValidationError) as refused:
        State.model_validate({**EXAMPLE_STATE, field: value})
    assert location in [error["loc"] for error in refused.value.errors()]


@pytest.mark.parametrize(
    ("moves", "location"),
    [
        ({"C": []}, ("C",)),
        ({"A": [{"piece": 1, "direction": "up", "distance": 11}]}, ("A", 0, "distance")),
        ({"A": [{"piece": 1, "direction": "north", "distance": 1}]}, ("A", 0, "direction")),
        ({"B": [{"piece": True, "direction": "up", "distance": 1}]}, ("B", 0, "piece")),
        ({"B": [{"piece": 1, "direction": "up"}]}, ("B", 0, "distance")),
    ],
)
def test_orders_are_refused_by_name(moves, location):
    with pytest.raises(ValidationError) as refused:
        MOVES.validate_python(moves)
    assert location in [error["loc"] for error in refused.value.errors()]


def test_there_are_no_options():
    assert Options().model_dump() == {}
    with pytest.raises(ValidationError):
        Options.model_validate({"size": 11})
