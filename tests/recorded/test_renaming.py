"""The table of new names, on small tables of its own."""

import pytest

from tests.recorded.form import grains, pack_body, unpack_body
from tests.recorded.renaming import Renaming, difference

NOTHING = {part: {} for part in ("parameters", "values", "terms", "stats", "context", "details", "strings")}
ADDED = {"stats": ["new"], "context": [], "details": []}


def table(**parts):
    return Renaming("g", {"g": {"agents": {}, **NOTHING, "added": ADDED, **parts}})


def test_a_spec_becomes_an_agent_of_its_own():
    names = table(agents={"rhea:config=published": "published_rhea", "rhea:config=tuned": "rhea"})
    assert names.question("rhea", {"config": "published", "elite": 2}) == ("published_rhea", {"elite": 2})
    assert names.question("rhea", {"config": "tuned"}) == ("rhea", {})
    assert names.question("rhea", {"elite": 2}) == ("rhea", {"elite": 2})


def test_parameters_and_their_values_have_new_names_or_are_gone():
    names = table(
        parameters={"*": {"late": "lmr"}, "greedy": {"centre": None}},
        values={"*": {"root": {"words": "moves", "pairs": None}}},
    )
    assert names.question("negamax", {"late": 3, "root": "words"}) == ("negamax", {"lmr": 3, "root": "moves"})
    assert names.question("negamax", {"root": "pairs"}) is None
    assert names.question("greedy", {"centre": 1.0}) is None
    assert names.question("negamax", {"centre": 1.0}) == ("negamax", {"centre": 1.0})


def test_answers_are_told_in_todays_names_and_without_sentences():
    names = table(
        terms={"*": {"room": "space", "uniform": None}},
        stats={"*": {"turns": "nodes"}},
        details={"*": {"low": "worst"}},
        strings={"*": {"FLEE": "flee"}},
    )
    old = {
        "stats": {"turns": 3, "reason": "because"},
        "context": {},
        "candidates": [
            {
                "move": "up",
                "score": 5,
                "terms": {"room": 2, "space": 3, "uniform": 0},
                "details": {"rule": "FLEE", "evolution": {"low": 1.5}},
                "notes": ["wins"],
            }
        ],
    }
    new = {
        "stats": {"nodes": 3, "reason": "for", "new": 1},
        "context": {},
        "candidates": [
            {
                "move": "up",
                "score": 5,
                "terms": {"space": 5},
                "details": {"rule": "flee", "evolution": {"worst": 1.5}},
                "notes": [],
            }
        ],
    }
    assert difference(names.answer(old, "a", {}), names.bare(new)) is None
    new["candidates"][0]["details"]["evolution"]["worst"] = 1.5000000000000002
    found = difference(names.answer(old, "a", {}), names.bare(new))
    assert found == "candidates[0].details.evolution.worst: recorded 1.5, now 1.5000000000000002"


@pytest.mark.parametrize(
    ("old", "new"), [(0.0, -0.0), (1, True), ([1], [1, 2]), ({"a": 1}, {}), ({}, {"a": 1}), (None, 0)]
)
def test_what_differs_is_seen(old, new):
    assert difference({"x": old}, {"x": new})


def test_scores_are_whole_grains_or_stand_in_full():
    assert grains(1.5) == 3 << 19
    assert grains(0.1) == "0.1"
    assert grains(float("-inf")) == "-inf"
    assert grains(None) is None


@pytest.mark.parametrize(
    ("cells", "packed"),
    [
        ([(1, 1), (1, 2), (2, 2), (2, 2)], "1,1 ur."),
        ([(0, 0), (6, 0), (6, 6)], "0,0 ld"),
        ([(0, 0), (3, 3)], [0, 0, 3, 3]),
        ([(-1, 2), (0, 2), (0, 1)], "-1,2 rd"),
    ],
)
def test_bodies_are_packed_and_unpacked(cells, packed):
    body = [{"x": x, "y": y} for x, y in cells]
    assert pack_body(body, 7, 7) == packed
    assert unpack_body(packed, 7, 7) == body
