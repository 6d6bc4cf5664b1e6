"""What a state must be, and what is refused by which name."""

import subprocess
import sys

import pytest
from hypothesis import given

from engines.core.errors import PositionError
from engines.isolation.fallback import fallback
from engines.isolation.parse import parse
from engines.isolation.position import dump
from tests.isolation.positions import drawn, states
from tests.oracles.isolation import Board

GOOD = drawn("""
    . . .
    0 # .
    . 1 .
""")


@given(states())
def test_a_state_comes_back_as_it_was(state):
    assert dump(parse(state)) == state
    assert parse(state) == parse(dump(parse(state)))
    assert hash(parse(state)) == hash(parse(state))


def test_order_and_repetition_of_blocked_cells_say_nothing():
    shuffled = GOOD | {"blocked": GOOD["blocked"][::-1] + GOOD["blocked"]}
    assert dump(parse(shuffled)) == GOOD


@given(states())
def test_the_fallback_is_the_first_legal_cell(state):
    legal = Board.read(state).legal()
    assert fallback(parse(state)) == (list(legal[0]) if legal else None)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"width": 0}, ("width",)),
        ({"height": 10}, ("height",)),
        ({"width": True}, ("width",)),
        ({"height": 3.0}, ("height",)),
        ({"height": 10**900}, ("height",)),
        ({"blocked": None}, ("blocked",)),
        ({"blocked": {"0": 1}}, ("blocked",)),
        ({"blocked": [[1, 0], [2, 1], [3, 0]]}, ("blocked", 2)),
        ({"blocked": [[1, 0], [2, 1], [0, -1]]}, ("blocked", 2)),
        ({"blocked": [[1, 0, 0]]}, ("blocked", 0)),
        ({"blocked": [[1, False]]}, ("blocked", 0)),
        ({"blocked": ["10"]}, ("blocked", 0)),
        ({"players": [[1, 0]]}, ("players",)),
        ({"players": [[1, 0], [2, 1], None]}, ("players",)),
        ({"players": [[0, 0], [2, 1]]}, ("players", 0)),
        ({"players": [[1, 0], [1, 0]]}, ("players", 1)),
        ({"players": [[1, 0], [2, 9]]}, ("players", 1)),
        ({"players": [[1, 0], False]}, ("players", 1)),
        ({"toMove": 2}, ("toMove",)),
        ({"toMove": None}, ("toMove",)),
    ],
)
def test_what_makes_no_position_is_refused_by_name(change, path):
    parse(GOOD)
    with pytest.raises(PositionError) as caught:
        parse(GOOD | change)
    assert caught.value.path == path


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_field_is_named(name):
    with pytest.raises(PositionError) as caught:
        parse({key: value for key, value in GOOD.items() if key != name})
    assert caught.value.path == (name,)


def test_one_player_alone_on_the_board_is_a_position():
    state = GOOD | {"players": [None, [2, 1]]}
    assert dump(parse(state)) == state


def test_reading_a_state_loads_no_compiler():
    program = (
        "import sys, engines.isolation.fallback, engines.isolation.parse; sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
