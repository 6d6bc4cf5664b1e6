"""`quadriga conformance` on recorded games, whose lines refer to those before them."""

import json
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from tests import vectors
from tests.app.cli.conftest import Ran

Quadriga = Callable[..., Ran]

NAME = "battlesnake_games.jsonl.gz"
LINES = vectors.lines(NAME)
GAME = [LINES[0], *takewhile(lambda line: "recorded" not in line, LINES[1:])]
COUNT = len(GAME)


@pytest.mark.parametrize("name", ["battlesnake_games", "battlesnake"])
def test_the_shipped_games_agree(quadriga: Quadriga, name: str):
    frames = sum("recorded" not in line for line in LINES)
    games = len(LINES) - frames
    ran = quadriga("conformance", name, vectors.path(NAME))
    assert ran == (0, f"{frames - games} steps, 0 divergences\n", "")


@pytest.mark.parametrize(
    ("lines", "damage"),
    [
        (GAME[1:3], ["line 1: damaged: a frame without a game", "line 2: damaged: a frame without a game"]),
        (GAME[:3], ["line 3: damaged: the file ends here, after 2 of the"]),
        ([*GAME, GAME[-1]], [f"line {COUNT + 1}: damaged: a frame more than the {COUNT - 1} that"]),
        ([*GAME[:3], "{", *GAME[4:]], ["line 4: damaged: not JSON"]),
        ([*GAME[:3], {"turn": 2, "board": {}}, *GAME[4:]], ["line 4: damaged: board.width: missing"]),
        ([{"recorded": 1}, GAME[1]], ["line 1: damaged: recorded: not", "line 2: damaged: a frame without"]),
        ([*GAME[:3], {"turn": 2}, *GAME[4:]], ["line 4: damaged: its fields are of no format"]),
    ],
    ids=["no game", "cut", "too long", "not JSON", "no board", "no game line", "no format"],
)
def test_damage_is_named_once_by_file_and_line(
    quadriga: Quadriga, tmp_path: Path, lines: list[Any], damage: list[str]
):
    file = tmp_path / "games.jsonl"
    file.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines))
    ran = quadriga("conformance", "battlesnake_games", file)
    assert ran.code == 2
    said = ran.err.splitlines()
    assert len(said) == len(damage)
    assert all(f"{file}, {start}" in line for line, start in zip(said, damage, strict=True))
    assert ran.out.endswith(", 0 divergences\n")


def test_a_divergence_shows_the_board_and_the_moves(quadriga: Quadriga, tmp_path: Path):
    spoilt = json.loads(json.dumps(GAME))
    spoilt[-1]["board"]["snakes"][0]["health"] += 1
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in spoilt))
    ran = quadriga("conformance", "battlesnake_games", file)
    assert ran.code == 1
    assert f"{file}, line {COUNT} (battlesnake_games) diverges" in ran.out
    assert f"snakes.{spoilt[-1]['board']['snakes'][0]['id']}.health" in ran.out
    assert ran.out.endswith(f"\n{COUNT - 2} steps, 1 divergences\n")
