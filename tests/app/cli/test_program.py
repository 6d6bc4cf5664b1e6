"""The program as its users meet it: help, exit codes, pipes, and what it does not load."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from app.cli import PIPE_CLOSED, build
from tests.app.cli.conftest import ROOT, Ran

# Slow to import, and nothing that serving needs.
HEAVY = ("scipy", "matplotlib", "dask", "distributed", "alembic", "pandas", "cv2", "ludopy")


def loaded_by(statement: str) -> set[str]:
    """Top-level packages that a fresh interpreter has loaded after a statement."""
    script = f"import sys\n{statement}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True
    )
    return set(done.stdout.split("\n")[-2].split())


def leaves(command: Any, *path: str) -> Iterator[tuple[str, ...]]:
    """The words by which each command is called, those of groups included."""
    if hasattr(command, "commands"):
        for name, below in command.commands.items():
            yield from leaves(below, *path, name)
    else:
        yield path


LEAVES = list(leaves(typer.main.get_command(build())))


@pytest.mark.parametrize("words", LEAVES, ids=" ".join)
def test_every_command_explains_itself_by_an_example(quadriga: Callable[..., Ran], words: tuple[str, ...]):
    ran = quadriga(*words, "--help")
    assert ran.code == 0
    assert re.search(f"Examples?:.*quadriga {' '.join(words)}", " ".join(ran.out.split()))
    assert words == ("serve",) or "--json" in ran.out


def test_the_program_lists_its_commands_without_loading_the_games(quadriga: Callable[..., Ran]):
    ran = quadriga("--help")
    assert ran.code == 0
    assert all(words[0] in ran.out for words in LEAVES)
    packages = loaded_by("from app.cli import build\nbuild()")
    assert not packages & {"numba", "numpy", "fastapi", "pydantic", *HEAVY}


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("conformance",),
        ("conformance", "ludo"),
        ("conformance", "chess", "x"),
        ("agents", "chess"),
    ],
)
def test_bad_usage_is_exit_code_2(quadriga: Callable[..., Ran], arguments: tuple[str, ...]):
    ran = quadriga(*arguments)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err
    assert not ran.out


def test_bench_says_that_it_needs_a_checkout(
    quadriga: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("app.cli.bench.CHECKOUT", tmp_path)
    ran = quadriga("bench", "ludo")
    assert ran.code == 2
    assert "needs a checkout" in ran.err


TALKATIVE = """
import typer
from app.cli import guarded

def talk():
    for number in range(LINES):
        print(number)

program = typer.Typer()
program.command()(guarded(talk))
program()
"""


@pytest.mark.parametrize(
    "lines", [1, 100_000], ids=["found out at the last flush", "found out while printing"]
)
def test_a_reader_that_leaves_is_no_failure(lines: int):
    script = TALKATIVE.replace("LINES", str(lines))
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read().decode()
    assert errors == ""
    assert process.returncode == PIPE_CLOSED


def test_serving_loads_no_heavy_package_and_numba_only_later():
    packages = loaded_by("from app.main import create_app\ncreate_app()")
    assert "fastapi" in packages
    assert sorted(packages & {"numba", *HEAVY}) == []


def test_the_games_need_no_heavy_package():
    # where there is a scipy, numba itself looks at it; where we serve, there is none
    assert (
        sorted(
            loaded_by("from engines.catalogue import GAMES\nlist(GAMES.values())") & (set(HEAVY) - {"scipy"})
        )
        == []
    )
    serving = (ROOT / "requirements" / "serve.txt").read_text()
    assert not re.search(f"^({'|'.join(HEAVY)})==", serving, re.MULTILINE)


def test_the_names_are_those_of_the_games():
    from engines.catalogue import GAMES, NAMES

    assert set(NAMES) == {game.name for game in GAMES.values()}
    assert list(NAMES) == list(GAMES)


def test_the_catalogue_loads_no_game_before_it_is_asked_for():
    statement = "from engines.catalogue import GAMES, NAMES\nassert list(GAMES) == list(NAMES)"
    assert "numpy" not in loaded_by(statement)
