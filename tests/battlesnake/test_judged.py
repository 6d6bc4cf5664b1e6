"""How overrides are judged: by the points that either word brings."""

from __future__ import annotations

import json

import pytest

from bench import judged
from engines.battlesnake.board import Position, Snake


def _corner() -> Position:
    """`a` sits in the corner; up is the only way that is not the wall or its own neck."""
    one = Snake("a", 90, ((0, 0), (1, 0), (2, 0)))
    two = Snake("b", 90, ((6, 6), (6, 5), (6, 4)))
    return Position(7, 7, (one, two), you="a")


def test_a_word_into_the_wall_brings_nothing() -> None:
    spoken = judged.Spoken(_corner(), "left", "up", 10)
    assert judged.points(spoken, "left", 5, 2) == 0


@pytest.mark.machine_code
def test_a_played_out_word_is_the_same_again() -> None:
    spoken = judged.Spoken(_corner(), "left", "up", 10)
    once = judged.points(spoken, "up", 40, 2)
    assert 0 <= once <= 2
    assert judged.points(spoken, "up", 40, 2) == once


@pytest.mark.machine_code
def test_a_game_tells_its_overrides() -> None:
    line = judged.judge(0, 2, 1)
    assert line["game"] == 0
    assert line["overrides"] >= len(line["judged"])
    assert json.loads(json.dumps(line)) == line


def test_told() -> None:
    row = {"fromPoints": 1.0, "toPoints": 4.0}
    lines = [
        {"overrides": 5, "times": 4, "judged": [row, {"fromPoints": 2.0, "toPoints": 1.0}]},
        {"overrides": 0, "times": 4, "judged": []},
        {"overrides": 1, "times": 4, "judged": [{"fromPoints": 2.0, "toPoints": 2.0}]},
    ]
    words = judged.told(lines)
    assert words.startswith("3 games, 6 overrides, 3 judged: 1 right, 1 wrong, 1 alike")
    assert words.endswith("+16.7 points in 100 games")
