"""Recorded games: what is replayed, what differs when spoilt, and what is damaged."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest

from engines.battlesnake.conformance import FORMATS
from engines.battlesnake.position import RULESETS
from engines.battlesnake.recorded import RecordedGames
from engines.core.vectors import DamagedLineError, Difference
from tests import vectors

NAME = "battlesnake_games.jsonl.gz"
LINES = vectors.lines(NAME)
Line = dict[str, Any]


def games() -> list[list[Line]]:
    """The shipped games, each its line and its frames."""
    found: list[list[Line]] = []
    for line in LINES:
        if "recorded" in line:
            found.append([])
        found[-1].append(line)
    return found


GAMES = games()
SHORT = next(game for game in GAMES if game[0]["recorded"]["whole"] and game[0]["recorded"]["snakes"] == 4)
"""A whole game of four snakes."""


def replay(lines: list[Line]) -> list[tuple[int, Difference]]:
    """The differences of each line of a file, by the line's index."""
    replayer = RecordedGames()
    found = [(index, one) for index, line in enumerate(lines) for one in replayer.replay(line).differences]
    replayer.finish()
    return found


def spoilt(index: int, change: Callable[[Line], Any]) -> list[tuple[int, Difference]]:
    """The differences of the short game with one line changed."""
    lines = deepcopy(SHORT)
    change(lines[index])
    return replay(lines)


def test_the_shipped_games_are_of_all_rulesets_and_agree() -> None:
    told = [game[0]["recorded"] for game in GAMES]
    assert {one["ruleset"] for one in told} == set(RULESETS)
    assert len({one["map"] for one in told}) == 19
    assert {one["whole"] for one in told} == {True, False}
    assert replay(LINES) == []


def test_each_line_is_of_this_format_alone() -> None:
    for line in SHORT[:3]:
        assert [form.name for form in FORMATS if form.recognises(line)] == ["battlesnake_games"]


def test_frames_are_the_steps() -> None:
    replayer = RecordedGames()
    assert [replayer.replay(line).steps for line in SHORT[:4]] == [0, 0, 1, 1]


SNAKE = {
    "health": lambda frame: frame["board"]["snakes"][0].update(health=7),
    "head": lambda frame: frame["board"]["snakes"][0]["head"].update(x=50),
    "length": lambda frame: frame["board"]["snakes"][0].update(length=9),
    "neck": lambda frame: frame["board"]["snakes"][0]["body"][1].update(x=-1),
    "tail": lambda frame: frame["board"]["snakes"][0]["body"][-1].update(y=-1),
    "longer": lambda frame: frame["board"]["snakes"][0]["body"].append({"x": 0, "y": 0}),
    "id": lambda frame: frame["board"]["snakes"][0].update(id="somebody else"),
    "gone": lambda frame: frame["board"]["snakes"].pop(0),
}
FRAME = {
    "turn": lambda frame: frame.update(turn=99),
    "turn as text": lambda frame: frame.update(turn="4"),
    "width": lambda frame: frame["board"].update(width=12),
    "height": lambda frame: frame["board"].update(height=12),
}


@pytest.mark.parametrize("index", [1, 2, 5])
@pytest.mark.parametrize("what", [*SNAKE, *FRAME])
def test_a_spoilt_field_of_a_frame_differs(what: str, index: int) -> None:
    found = spoilt(index, (SNAKE | FRAME)[what])
    assert found
    assert {line for line, _ in found} <= {index, index + 1}


def test_a_snake_that_the_rules_eliminate_is_not_there() -> None:
    index = next(
        i
        for i, (one, two) in enumerate(pairwise(SHORT[1:]), 2)
        if len(two["board"]["snakes"]) < len(one["board"]["snakes"])
    )
    before, after = SHORT[index - 1]["board"]["snakes"], SHORT[index]["board"]["snakes"]
    here = {snake["id"] for snake in after}
    lost = next(snake for snake in before if snake["id"] not in here)
    found = spoilt(index, lambda frame: frame["board"]["snakes"].append(lost))
    assert any(line == index and one.field.startswith(f"snakes.{lost['id']}") for line, one in found)


def test_on_the_first_turn_nobody_can_be_gone() -> None:
    lines = deepcopy(SHORT)
    lost = lines[2]["board"]["snakes"][0]["id"]
    for frame in lines[2:]:
        frame["board"]["snakes"] = [snake for snake in frame["board"]["snakes"] if snake["id"] != lost]
    found = replay(lines)
    assert (2, f"snakes.{lost}") in [(line, one.field) for line, one in found]


def test_who_wins_and_when_it_ends_are_compared() -> None:
    def told(**change: Any) -> list[str]:
        return [one.field for _, one in spoilt(0, lambda game: game["recorded"].update(change))]

    result = SHORT[0]["recorded"]["result"]
    assert told(result={**result, "winnerId": "x"}) == ["result.winnerId"]
    assert told(result={**result, "isDraw": not result["isDraw"]}) == ["result.isDraw"]
    assert told(whole=False) == ["over"]


def test_a_game_that_is_too_short_differs_or_cuts_the_file() -> None:
    found = replay([*SHORT[:-1], *SHORT])
    assert [(line, one.field) for line, one in found] == [(len(SHORT) - 1, "frames of the game before")]
    with pytest.raises(DamagedLineError, match="the file ends here, after 3 of the "):
        replay(SHORT[:4])


@pytest.mark.parametrize(
    "key", ["ruleset", "map", "width", "height", "snakes", "frames", "whole", "settings", "result"]
)
def test_a_field_missing_in_a_games_line_is_damage(key: str) -> None:
    line = deepcopy(SHORT[0])
    del line["recorded"][key]
    with pytest.raises(DamagedLineError, match=rf"recorded.{key}: missing"):
        RecordedGames().replay(line)


@pytest.mark.parametrize("key", ["id", "health", "body", "head", "length"])
def test_a_field_missing_in_a_snake_is_damage(key: str) -> None:
    with pytest.raises(DamagedLineError, match=rf"board.snakes\[0\].{key}: missing"):
        spoilt(3, lambda frame: frame["board"]["snakes"][0].pop(key))


def test_nonsense_is_damage_or_a_difference_and_nothing_else() -> None:
    for key in ("turn", "board", "recorded"):
        for odd in (None, True, -1, 3.5, "x", [], {}, 10**900, float("nan")):
            lines = deepcopy(SHORT[:4])
            lines[0 if key == "recorded" else 2][key] = odd
            with pytest.raises(DamagedLineError):
                replay(lines)
