"""`quadriga conformance` on the shipped files of the real games: good, spoilt and damaged."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli.conftest import Ran
from tests.vectors import lines, path

Quadriga = Callable[..., Ran]

RESULTS = {
    "battlesnake": ("after", "gameOver", "noop"),
    "ludo": ("after", "done", "next"),
    "isolation": ("legal", "heuristics", "terminal", "winner"),
    "flag": ("paths", "collisions", "events", "after", "winner", "score", "scoreWithCaptures"),
}
SPOILABLE = [(game, field) for game, fields in RESULTS.items() for field in fields]
SAMPLE = 12


def spoilt(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case dict():
            first = next(iter(value))
            return {**value, first: spoilt(value[first])}
        case list():
            return value[:-1] if value else [1]
    return 1


def sample(game: str) -> list[dict[str, Any]]:
    found = lines(f"{game}.jsonl.gz")
    return found[:: len(found) // SAMPLE][:SAMPLE]


def write(where: Path, records: list[dict[str, Any]]) -> Path:
    file = where / "some.jsonl.gz"
    file.write_bytes(gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode()))
    return file


@pytest.mark.parametrize("game", RESULTS)
def test_good_lines(quadriga: Quadriga, tmp_path: Path, game: str):
    ran = quadriga("conformance", game, write(tmp_path, sample(game)))
    assert ran == (0, f"{SAMPLE} steps, 0 divergences\n", "")


@pytest.mark.parametrize(("game", "field"), SPOILABLE, ids=[f"{game}-{field}" for game, field in SPOILABLE])
def test_a_spoilt_field_is_a_divergence_and_an_absent_one_is_damage(
    quadriga: Quadriga, tmp_path: Path, game: str, field: str
):
    records = sample(game)
    records[4] = {**records[4], field: spoilt(records[4][field])}
    ran = quadriga("conformance", game, write(tmp_path, records))
    assert ran.code == 1, ran
    assert "line 5 " in ran.out
    assert ran.out.endswith(f"\n{SAMPLE} steps, 1 divergences\n")
    assert field in ran.out

    del records[4][field]
    ran = quadriga("conformance", game, write(tmp_path, records))
    assert ran.code == 2, ran
    assert "line 5: damaged" in ran.err
    assert ran.out == f"{SAMPLE - 1} steps, 0 divergences\n"


@pytest.mark.parametrize(
    ("game", "other"), [("ludo", "flag"), ("flag", "isolation"), ("isolation", "battlesnake")]
)
def test_a_file_of_another_game_is_damage(quadriga: Quadriga, tmp_path: Path, game: str, other: str):
    ran = quadriga("conformance", game, write(tmp_path, sample(other)))
    assert ran.code == 2
    assert ran.err.count("damaged") == SAMPLE


@pytest.mark.parametrize(
    "name", ["battlesnake_requests", "ludo-agents", "flag-heuristic", "isolation-endgames", "isolation-small"]
)
def test_files_beside_the_rules_are_replayed_or_name_their_agent(
    quadriga: Quadriga, tmp_path: Path, name: str
):
    file = path("isolation-small.json")
    if name != "isolation-small":
        file = write(tmp_path, lines(f"{name}.jsonl.gz")[:3])
    ran = quadriga("conformance", name, file)
    assert "damaged" not in ran.err
    if ran.code:
        assert ran.code == 2
        assert "needs the agent" in ran.err
    else:
        assert ran.out.endswith(" steps, 0 divergences\n")


@pytest.mark.parametrize("game", RESULTS)
def test_the_registry_as_the_api_gives_it(quadriga: Quadriga, game: str):
    ran = quadriga("agents", game, "--json")
    assert ran.code == 0
    agents = json.loads(ran.out)["agents"]
    assert {"random", "greedy"} <= {agent["name"] for agent in agents}
    assert sum(agent["default"] for agent in agents) == 1
    assert all(agent.keys() >= {"summary", "parameters", "iteration", "budgets"} for agent in agents)
    shown = quadriga("agents", game)
    assert shown.code == 0
    assert all(agent["name"] in shown.out for agent in agents)


def test_all_registries_at_once(quadriga: Quadriga):
    ran = quadriga("agents", "--json")
    assert ran.code == 0
    assert json.loads(ran.out).keys() == RESULTS.keys()
