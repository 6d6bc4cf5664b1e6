"""`quadriga arena` as it is typed: tables, files, exit codes and refusals."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from arena.presets import PRESETS
from arena.records import Record
from arena.results import read_results
from tests.app.cli.conftest import ROOT
from tests.arena.build import OURS
from tests.arena.servers import always, engine, serving

NAME = "arena-isolation-match-seed3"
SHAPES = ("Standing", "PairResult", "Timing", "Lengths", "SprtResult", "Setup")
QUICK = ("--executor", "inline", "--iterations", 1)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_match_prints_its_table_and_leaves_its_files(quadriga, tmp_path):
    ran = quadriga("arena", "match", "isolation", "greedy", "random", "--games", 6, "--seed", 3, *QUICK)
    assert ran.code == 0
    for words in ("isolation, match: 6 games, seed 3, 1 iteration a move", "greedy : random", "p99", "plies"):
        assert words in ran.out
    assert f"results: {NAME}.json" in ran.err
    found = read_results(tmp_path / f"{NAME}.json")
    assert (found.played, found.complete, found.games_file) == (
        6,
        True,
        "arena-isolation-match-seed3.games.jsonl",
    )
    again = quadriga("arena", "show", f"{NAME}.json")
    assert again.out == ran.out


def test_the_clock_and_the_cores_are_part_of_the_set_up_and_refused_where_they_mean_nothing(quadriga):
    played = (
        "arena",
        "match",
        "isolation",
        "greedy",
        "random",
        "--games",
        2,
        "--executor",
        "inline",
        "--ms",
        5,
    )
    found = json.loads(quadriga(*played, "--clock", "processor", "--json", "--out", "a.json").out)
    assert (found["setup"]["clock"], found["setup"]["cores"]) == ("processor", 1)
    found = json.loads(quadriga(*played, "--cores", 2, "--json", "--out", "b.json").out)
    assert (found["setup"]["clock"], found["setup"]["cores"]) == ("wall", 2)
    for wrong, words in (
        (("--clock", "sun"), "one of wall, processor"),
        (("--clock", "processor", "--cores", 2), "that of one core"),
        (("--cores", 0), "1 or more"),
    ):
        ran = quadriga(*played, *wrong)
        assert ran.code == 2
        assert words in ran.err
    with serving(always(200, b"{}")) as server:
        ran = quadriga(
            "arena", "match", "battlesnake", server.url, "greedy", "--games", 2, "--clock", "processor"
        )
    assert ran.code == 2
    assert "wall's clock" in ran.err


def test_json_for_machines(quadriga):
    ran = quadriga("arena", "match", "ludo", "greedy", "random", "--games", 2, "--cap", 20, "--json", *QUICK)
    assert json.loads(ran.out)["played"] == 2
    assert ran.err == ""


def test_a_game_is_shown_move_by_move(quadriga):
    quadriga("arena", "match", "isolation", "greedy", "random", "--games", 4, "--out", "r.json", *QUICK)
    ran = quadriga("arena", "show", "r.json", "--game", 3)
    assert ran.code == 0
    record = json.loads(quadriga("arena", "show", "r.json", "--game", 3, "--json").out)
    assert ran.out.count("played") == record["length"]
    assert "game 3, opening 1: random (first), greedy (second);" in ran.out
    one = quadriga("arena", "show", "r.games.jsonl", "--game", 3, "--ply", 0)
    assert one.out.count("played") == 1
    missing = quadriga("arena", "show", "r.json", "--game", 17)
    assert (missing.code, "no game 17: it has 4" in missing.err) == (2, True)
    assert quadriga("arena", "show", "r.games.jsonl").code == 2
    assert quadriga("arena", "show", "r.json", "--game", 1, "--browser").code == 2  # Battlesnake alone


def test_every_format_is_played(quadriga):
    ran = quadriga(
        "arena", "round-robin", "flag", "greedy", "random", "heuristic", "--games", 2, "--json", *QUICK
    )
    assert len(json.loads(ran.out)["pairings"]) == 3
    ran = quadriga(
        "arena", "gauntlet", "flag", "greedy", "random", "heuristic", "--games", 2, "--json", *QUICK
    )
    assert {row["one"] for row in json.loads(ran.out)["pairings"]} == {"greedy"}
    ran = quadriga(
        "arena", "free-for-all", "battlesnake", *["random"] * 5, "--games", 5, "--cap", 9, "--json", *QUICK
    )
    found = json.loads(ran.out)
    assert (found["played"], len(found["standings"]), found["setup"]["groups"]) == (5, 5, [[0, 1, 2, 3, 4]])
    ran = quadriga(
        "arena", "free-for-all", "ludo", *["random"] * 4, "--seats", 3, "--games", 3, "--cap", 9, *QUICK
    )
    assert "12 games" in ran.out


def test_plots_are_drawn(quadriga, tmp_path):
    quadriga(
        "arena", "match", "isolation", "greedy#a $x$ b", "random", "--games", 4, "--plots", "drawn", *QUICK
    )
    made = sorted(path.name for path in (tmp_path / "drawn").iterdir())
    assert made == [f"{name}.{form}" for name in ("lengths", "ratings", "wins") for form in ("png", "svg")]
    assert (tmp_path / "drawn" / "wins.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "drawn" / "ratings.svg").read_text()


def test_resuming_makes_the_same_table_and_will_not_mix_tournaments(quadriga, tmp_path):
    command = ("arena", "match", "isolation", "greedy", "random", "--games", 6, "--out", "r.json", *QUICK)
    quadriga(*command)
    before = read_results(tmp_path / "r.json").table()
    assert (quadriga(*command).code, read_results(tmp_path / "r.json").table()) == (2, before)
    games = tmp_path / "r.games.jsonl"
    games.write_bytes(games.read_bytes()[:-700])
    (tmp_path / "r.json").write_text("{")
    resumed = quadriga(*command, "--resume")
    assert resumed.code == 0
    assert "damaged; these games are played again" in resumed.err
    assert read_results(tmp_path / "r.json").table() == before
    other = quadriga(*command, "--resume", "--seed", 9)
    assert (other.code, "seed differ" in other.err) == (2, True)
    assert quadriga(*command, "--force", "--seed", 9).code == 0


def test_a_sequential_test_ends_with_its_answer(quadriga):
    test = ("--games", 400, "--sprt", 0, 100, *QUICK, "--json")
    ran = quadriga("arena", "match", "isolation", "greedy", "random", *test, "--out", "a.json")
    assert (ran.code, json.loads(ran.out)["sprt"]["accepted"]) == (0, "H1")
    ran = quadriga("arena", "match", "isolation", "random", "greedy", *test, "--out", "b.json")
    assert (ran.code, json.loads(ran.out)["sprt"]["accepted"]) == (1, "H0")
    ran = quadriga(
        "arena",
        "match",
        "isolation",
        "random",
        "random",
        *("--games", 2, "--sprt", -5, 5),
        *QUICK,
        "--out",
        "c.json",
    )
    assert (ran.code, "no answer yet" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("match", "chess", "a", "b"), "no game is called 'chess'"),
        (("match", "ludo", "nobody", "random"), "ludo has no agent 'nobody'; it has"),
        (("match", "isolation", "greedy:heuristic=7", "random"), "heuristic=7"),
        (("match", "isolation", "greedy:speed=7", "random"), "no parameter 'speed'"),
        (("match", "isolation", "greedy", "random", "--games", 3), "multiple of 2 (say 4)"),
        (("match", "isolation", "greedy", "random", "--sprt", 5, 0), "--sprt"),
        (("match", "isolation", "greedy", "random", "--set", "width"), "NAME=VALUE"),
        (("match", "isolation", "greedy", "random", "--set", "width=99"), "--set width"),
        (("match", "isolation", "greedy", "random", "--executor", "cloud"), "--executor cloud"),
        (("match", "isolation", "greedy", "random", "--ms", 0), "--ms"),
        (("match", "isolation", "greedy", "random", "--seed", -1), "--seed"),
        (("match", "isolation", "greedy", "random", "--out", "r.csv"), "ends in .json"),
        (("match", "isolation", "greedy", "random", "--out", "/proc/nowhere/r.json"), "cannot be written"),
        (("match", "isolation", "http://127.0.0.1:9", "random"), "cannot be reached"),
        (("match", "isolation", "http://", "random"), "not an address"),
        (("round-robin", "isolation", "greedy"), "too few"),
        (("free-for-all", "isolation", "greedy", "random", "random", "--seats", 3), "--seats"),
        (("preset", "nonsense"), "there are isolation-steadman"),
        (("check", "isolation", "nobody"), "no agent 'nobody'"),
        (("show", "nowhere.json"), "cannot be read"),
        (("show", "nowhere.json", "--game", 1), "cannot be read"),
    ],
)
def test_bad_input_is_named_and_ends_with_2(quadriga, tmp_path, arguments, said):
    ran = quadriga("arena", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert not list(tmp_path.iterdir())


def test_a_contestant_that_answers_garbage_is_named_and_its_games_kept(quadriga, tmp_path):
    with serving(always(200, b"what?")) as server:
        ran = quadriga("arena", "match", "isolation", f"{server.url}#mad", "random", "--games", 4, *QUICK)
    assert ran.code == 1
    assert "mad: not one of its answers could be used" in ran.err
    found = read_results(tmp_path / "arena-isolation-match-seed0.json")
    rows = {row.label: row for row in found.standings}
    assert (rows["mad"].failed, rows["mad"].losses, rows["random"].failed) == (4, 4, 0)
    assert found.complete


def test_a_compliance_check_comes_first_where_it_is_wanted(quadriga, tmp_path):
    with serving(always(200, b"{}")) as server:
        ran = quadriga("arena", "match", "isolation", server.url, "random", "--compliance", *QUICK)
    assert (ran.code, "no `move`" in ran.err, list(tmp_path.iterdir())) == (1, True, [])
    with serving(engine) as server:
        ran = quadriga(
            "arena", "match", "isolation", server.url, "random", "--compliance", "--games", 2, *QUICK
        )
    assert ran.code == 0


def test_a_contestant_is_checked_alone(quadriga):
    assert quadriga("arena", "check", "ludo", "greedy@iterations=1").out.count("ok  ") == 2
    ran = quadriga("arena", "check", "isolation", OURS + "LIE@iterations=1")
    assert (ran.code, "FAIL every answer is legal" in ran.out) == (1, True)
    ran = quadriga("arena", "check", "isolation", OURS + "LIE@iterations=1", "--json")
    assert [check["passed"] for check in json.loads(ran.out)["checks"]] == [False, True]


def test_the_presets_are_listed(quadriga):
    ran = quadriga("arena", "preset")
    assert ran.code == 0
    assert [line.split()[0] for line in ran.out.splitlines()] == list(PRESETS)


@pytest.mark.parametrize(
    "command", ["match", "round-robin", "gauntlet", "free-for-all", "preset", "check", "schema", "show"]
)
def test_every_help_has_an_example(quadriga, command):
    assert f"Example:  quadriga arena {command}" in quadriga("arena", command, "--help").out


def test_the_results_file_has_a_schema_and_the_docs_name_its_fields(quadriga):
    found = json.loads(quadriga("arena", "schema").out)
    docs = (ROOT / "docs" / "arena.md").read_text()
    shapes = [found, *(found["$defs"][name] for name in SHAPES)]
    for shape in shapes:
        for field in shape["properties"]:
            assert f"`{field}`" in docs, field
    for field in Record.model_json_schema()["properties"]:
        assert f"`{field}`" in docs, field


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    """As a program of its own, with workers of its own: a signal says the truth."""
    command = [sys.executable, "-c", "from app.cli import main; main()", "arena", "match", "isolation"]
    command += [f"{OURS}NAP", f"{OURS}NAP", "--iterations", "1", "--games", "2000", "--workers", "1"]
    out = tmp_path / "r.json"
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    games = tmp_path / "r.games.jsonl"
    while process.poll() is None and not (games.exists() and games.read_bytes().count(b"\n") > 2):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    found = read_results(out)
    assert 0 < found.played == games.read_bytes().count(b"\n") - 1 < 2000
    assert f"stopped after {found.played} of 2000 games" in stderr
    assert not found.complete
    assert "isolation, match" in stdout
