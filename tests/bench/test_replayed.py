"""How overrides are judged: by the points that either move brings."""

from __future__ import annotations

import json

import pytest

from bench import replayed
from engines.battlesnake.position import Position, Snake


def _corner() -> Position:
    """`a` sits in the corner; up is the only way that is not the wall or its own neck."""
    one = Snake("a", 90, ((0, 0), (1, 0), (2, 0)))
    two = Snake("b", 90, ((6, 6), (6, 5), (6, 4)))
    return Position(7, 7, (one, two), you="a")


def test_a_move_into_the_wall_brings_nothing() -> None:
    disagreement = replayed.Disagreement(_corner(), "left", "up", 10)
    assert replayed.points(disagreement, "left", 5, 2) == 0


@pytest.mark.machine_code
def test_a_played_out_move_is_the_same_again() -> None:
    disagreement = replayed.Disagreement(_corner(), "left", "up", 10)
    once = replayed.points(disagreement, "up", 40, 2)
    assert 0 <= once <= 2
    assert replayed.points(disagreement, "up", 40, 2) == once


@pytest.mark.machine_code
def test_a_game_tells_its_overrides() -> None:
    line = replayed.replay(0, 2, 1)
    assert line["game"] == 0
    assert line["overrides"] >= len(line["replayed"])
    assert json.loads(json.dumps(line)) == line


@pytest.mark.machine_code
def test_differences_are_judged_by_value() -> None:
    line = replayed.replay(0, 3, 1, "value")
    assert (line["by"], line["overrides"]) == ("value", sum(row["override"] for row in line["replayed"]))
    assert all(row["from"] != row["to"] for row in line["replayed"])
    assert json.loads(json.dumps(line)) == line


@pytest.mark.machine_code
def test_a_move_into_the_wall_is_not_worth_what_the_other_is() -> None:
    proposed, preferred = replayed.values(replayed.Disagreement(_corner(), "left", "up", 10), 200)
    assert proposed == -100.0 < preferred


def test_summary_by_value() -> None:
    rows = [
        {"override": True, "fromValue": 1.0, "toValue": 3.0},
        {"override": False, "fromValue": 1.0, "toValue": 0.0},
        {"override": False, "fromValue": 1.0, "toValue": 1.0},
    ]
    text = replayed.summary([{"by": "value", "replayed": rows}, {"by": "value", "replayed": []}])
    assert text.startswith("2 games; 1 overrides: 1 right, 0 wrong, 0 alike")
    assert "2 other differences: 0 right, 1 wrong, 1 alike" in text
    assert text.endswith("-0.50 points of value each")


def test_summary() -> None:
    row = {"fromPoints": 1.0, "toPoints": 4.0}
    lines = [
        {"by": "games", "overrides": 5, "times": 4, "replayed": [row, {"fromPoints": 2.0, "toPoints": 1.0}]},
        {"by": "games", "overrides": 0, "times": 4, "replayed": []},
        {"by": "games", "overrides": 1, "times": 4, "replayed": [{"fromPoints": 2.0, "toPoints": 2.0}]},
    ]
    text = replayed.summary(lines)
    assert text.startswith("3 games, 6 overrides, 3 judged: 1 right, 1 wrong, 1 alike")
    assert text.endswith("+16.7 points in 100 games")
