"""The official Battlesnake engine, for benches and tests: the program on the PATH, else its Go module.

`bench/go` names the module's version. Go fetches the sources into its own module cache; what is
built of them stands in `.cache/bin`. `python -m bench.referee` says where the program is, or why
there is none (exit code 1).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

COMMAND = "github.com/BattlesnakeOfficial/rules/cli/battlesnake"

_ROOT = Path(__file__).resolve().parents[1]
_BUILT = _ROOT / ".cache" / "bin"


class NoEngineError(RuntimeError):
    """The official engine can't be had here; the text says why."""


def referee() -> Path:
    """The command-line referee, or a `NoEngineError`. Looked for once in a process."""
    found = _referee()
    if isinstance(found, NoEngineError):
        raise found
    return found


@cache
def _referee() -> Path | NoEngineError:
    installed = shutil.which("battlesnake")
    if installed:
        return Path(installed)
    try:
        return _build(COMMAND, "battlesnake")
    except NoEngineError as error:
        return error


def build_bench() -> Path:
    """The program of bench/go, built anew (Go keeps what has not changed)."""
    return _build(".", "battlesnake-bench")


def _build(package: str, name: str) -> Path:
    go = shutil.which("go")
    if go is None:
        raise NoEngineError("no program `battlesnake` on the PATH, and no Go (1.21 or later) to build it")
    built = _BUILT / name
    try:
        run = subprocess.run(
            [go, "build", "-buildvcs=false", "-mod=readonly", "-o", str(built), package],
            cwd=_ROOT / "bench" / "go",
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise NoEngineError("go build: no end within 600 s") from None
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no message"])[-1]
        raise NoEngineError(f"go build failed: {re.sub(r'https?://[^ ]*', '(address)', last.strip())}")
    return built


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{referee()}\n")
    except NoEngineError as error:
        sys.exit(f"no official referee: {error}")
