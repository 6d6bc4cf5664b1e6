"""The wire models of Isolation: what is accepted, dropped and refused."""

import json

import pytest
from pydantic import TypeAdapter, ValidationError

from app.games.isolation.schemas import EXAMPLE_STATE, Moves, Options, State
from engines.isolation.game import ISOLATION
from tests import vectors


@pytest.mark.parametrize("name", ["isolation.jsonl.gz", "isolation-endgames.jsonl.gz"])
def test_a_vector_line_is_a_state(name):
    for record in vectors.lines(name)[::20]:
        state = State.model_validate_json(json.dumps(record)).plain()
        assert ISOLATION.dump(ISOLATION.parse(state)) == {key: record[key] for key in state}


def test_the_example_is_a_position_with_a_choice():
    state = State.model_validate(EXAMPLE_STATE).plain()
    assert state == EXAMPLE_STATE
    assert len(ISOLATION.legal(ISOLATION.parse(state))) > 2


@pytest.mark.parametrize(
    "change",
    [
        {"width": 10},
        {"height": 0},
        {"width": 7.5},
        {"toMove": True},
        {"toMove": 2},
        {"blocked": [[0, 9]]},
        {"blocked": [[0]]},
        {"blocked": [[0, 0]] * 82},
        {"players": [None]},
        {"players": [[5, 4], [1, "2"]]},
        {"colour": "red"},
    ],
)
def test_a_bad_shape_is_refused_by_its_field(change):
    with pytest.raises(ValidationError) as caught:
        State.model_validate(EXAMPLE_STATE | change)
    assert caught.value.errors()[0]["loc"][0] in change


def test_options_and_moves():
    assert ISOLATION.dump(ISOLATION.new(Options().model_dump(), 0))["width"] == 7
    assert Options.model_validate({"width": 3, "height": 4}).model_dump() == {"width": 3, "height": 4}
    moves = TypeAdapter(Moves)
    assert moves.validate_python([1, 2], strict=True) == [1, 2]
    assert moves.validate_python(None) is None
    for bad in ([1], [1, 9], [True, 1], "a", {}):
        with pytest.raises(ValidationError):
            moves.validate_python(bad, strict=True)
