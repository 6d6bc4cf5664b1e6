"""Running commands: in this process for speed, as programs where only that shows the truth."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from app.cli import build

ROOT = Path(__file__).resolve().parents[3]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def quadriga(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """`quadriga ARGUMENT…` in this process."""
    monkeypatch.setenv("COLUMNS", "160")

    def run(*arguments: object) -> Ran:
        with pytest.raises(SystemExit) as ended:
            build()([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Ran(int(ended.value.code or 0), out, err)

    return run


@pytest.fixture
def program() -> Callable[..., Ran]:
    """`quadriga ARGUMENT…` as a program of its own."""

    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-c", "from app.cli import main; main()", *map(str, arguments)],
            cwd=ROOT,
            input=stdin,
            capture_output=True,
            env={**os.environ, "COLUMNS": "160", **environment},
            timeout=300,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
