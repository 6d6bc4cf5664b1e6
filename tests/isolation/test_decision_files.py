"""The decision files through conformance, and what happens to them when they are wrong or damaged."""

import copy
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.vectors import DamagedLineError
from engines.isolation.game import ISOLATION
from tests import vectors

FORMATS = {form.name: form for form in ISOLATION.formats}
SLOW = bool(os.environ.get("NUMBA_DISABLE_JIT"))
ENDGAMES = [
    record for record in vectors.lines("isolation-endgames.jsonl.gz") if record["nodes"] < 2000 or not SLOW
]
SMALL = vectors.lines("isolation-small.json")[0]
FEW = {"boards": [board for board in SMALL["boards"] if board["pairs"] <= 72]}
JUNK = [None, True, 3, -1, 0.5, "x", [], {}, [[0]], 10**400, float("nan")]


def replay(name, record):
    return FORMATS[name].replay(record)


def endgame(**wanted):
    """The last shipped end game whose fields have these values: it needs few nodes."""
    found = [r for r in ENDGAMES if all(r[key] == value for key, value in wanted.items())]
    return copy.deepcopy(found[-1])


def test_every_shipped_end_game_replays():
    for record in ENDGAMES:
        assert replay("isolation-endgames", record).differences == ()


def test_every_shipped_board_replays():
    boards = FEW if SLOW else SMALL
    shown = replay("isolation-small", boards)
    assert shown.differences == ()
    assert shown.steps == sum(board["pairs"] for board in boards["boards"])


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("winner", [1, None, True, False, "0"]),
        ("winning", [[], None, [[0, 0]], "all"]),
        ("moves", [0, 99, None, "2", True]),
        ("filled", [25, None, 26.5]),
        ("colourRule", [1, 0, None, "true"]),
    ],
)
def test_a_spoilt_end_game_differs(field, values):
    record = endgame(winner=0, filled=26)
    assert replay("isolation-endgames", record).differences == ()
    for value in [*values, not record["colourRule"] if field == "colourRule" else None]:
        spoilt = record | {field: value}
        found = replay("isolation-endgames", spoilt).differences
        assert {difference.field.split("[")[0] for difference in found} == {field}


@pytest.mark.parametrize(
    "field",
    ["width", "height", "blocked", "players", "toMove", "winner", "winning", "moves", "filled", "colourRule"],
)
def test_a_missing_field_of_an_end_game_is_damage(field):
    record = endgame(filled=26)
    del record[field]
    with pytest.raises(DamagedLineError, match=field):
        replay("isolation-endgames", record)


def test_an_end_game_needs_both_players():
    with pytest.raises(DamagedLineError, match="players"):
        replay("isolation-endgames", endgame(filled=26) | {"players": [None, None]})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("winner", 0),
        ("winner", None),
        ("winningFirst", [[0, 0]]),
        ("winningFirst", None),
        ("pairs", 29),
        ("pairsWonByFirst", 9),
        ("colourRuleHolds", 17.5),
        ("table", "-"),
        ("table", 7),
    ],
)
def test_a_spoilt_board_differs(field, value):
    board = next(board for board in SMALL["boards"] if (board["width"], board["height"]) == (2, 3))
    found = replay("isolation-small", {"boards": [board | {field: value}]}).differences
    assert [difference.field for difference in found] == [f"boards[0].{field}"]


def test_each_sign_of_a_table_is_compared():
    board = next(board for board in SMALL["boards"] if board["pairs"] == 6)
    for index, sign in enumerate(board["table"]):
        table = board["table"][:index] + ("0" if sign != "0" else "1") + board["table"][index + 1 :]
        assert replay("isolation-small", {"boards": [board | {"table": table}]}).differences


@pytest.mark.parametrize("field", ["width", "height", "winner", "winningFirst", "pairs", "table"])
def test_a_missing_field_of_a_board_is_damage(field):
    board = {key: value for key, value in SMALL["boards"][0].items() if key != field}
    with pytest.raises(DamagedLineError, match=field):
        replay("isolation-small", {"boards": [board]})


@settings(max_examples=100)
@given(st.data())
def test_junk_never_raises_anything_else(data):
    board = SMALL["boards"][3]
    for name, record in (("isolation-endgames", endgame(filled=26)), ("isolation-small", board)):
        field = data.draw(st.sampled_from(sorted(record)))
        value = data.draw(st.recursive(st.sampled_from(JUNK), st.lists, max_leaves=3))
        spoilt = record | {field: value}
        try:
            replay(name, spoilt if name == "isolation-endgames" else {"boards": [spoilt]})
        except DamagedLineError:
            continue
    for boards in JUNK:
        if boards != []:
            with pytest.raises(DamagedLineError):
                replay("isolation-small", {"boards": boards})
