"""Who may import whom: the contracts of pyproject.toml, and what must not even be loaded."""

import subprocess
import sys

import pytest

from engines.catalogue import NAMES
from tests.app.cli.conftest import ROOT
from tests.app.cli.test_program import loaded_by


def test_the_import_contracts_hold():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize("game", NAMES)
def test_a_state_is_read_and_a_plain_move_found_without_numba(game: str):
    packages = loaded_by(
        f"from engines.catalogue import ENTRIES\nENTRIES[{game!r}].parse, ENTRIES[{game!r}].fallback"
    )
    assert "engines" in packages
    assert "numba" not in packages


@pytest.mark.parametrize("game", NAMES)
def test_the_engines_load_nothing_of_the_service(game: str):
    packages = loaded_by(f"import engines.{game}.game")
    assert not packages & {"app", "fastapi", "starlette", "pydantic", "structlog", "typer"}
