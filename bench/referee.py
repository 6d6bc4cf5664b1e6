"""The official Battlesnake engine, got and built with Go, for benches and for tests from outside.

`QUADRIGA_RULES_SOURCE` may name an unpacked source folder of the engine's Go module; without it
Go fetches the module. What is built stands in `.cache/`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

MODULE = "github.com/BattlesnakeOfficial/rules"
VERSION = "87e094e"
"""The commit of December 2025 whose behaviour the rules follow."""

_ROOT = Path(__file__).resolve().parents[1]
_BUILT = _ROOT / ".cache" / "bin"


class NoEngineError(RuntimeError):
    """The official engine can't be had here; the text says why."""


def referee() -> Path | None:
    """The command-line referee: on the PATH, else built; None where neither works (`why_not` says why)."""
    found = shutil.which("battlesnake")
    if found:
        return Path(found)
    try:
        return build_referee()
    except NoEngineError:
        return None


def why_not() -> str:
    """Why `referee` gives None."""
    try:
        build_referee()
    except NoEngineError as error:
        return str(error)
    return ""


def build_referee() -> Path:
    """The referee, built unless it was."""
    built = _BUILT / "battlesnake"
    if not built.exists():
        source = os.environ.get("QUADRIGA_RULES_SOURCE")
        if source:
            _go("build", "-o", str(built), "./cli/battlesnake", at=Path(source))
        else:
            _go("install", f"{MODULE}/cli/battlesnake@{VERSION}", at=_ROOT, GOBIN=str(_BUILT))
    return built


def build_bench() -> Path:
    """The program of bench/go, built anew (Go keeps what has not changed)."""
    work = _ROOT / ".cache" / "go-bench"
    work.mkdir(parents=True, exist_ok=True)
    for name in ("main.go", "go.mod"):
        shutil.copyfile(_ROOT / "bench" / "go" / name, work / name)
    source = os.environ.get("QUADRIGA_RULES_SOURCE")
    if source:
        _go(
            "mod", "edit", f"-require={MODULE}@v0.0.0", f"-replace={MODULE}={Path(source).resolve()}", at=work
        )
    else:
        _go("get", f"{MODULE}@{VERSION}", at=work)
    built = _BUILT / "battlesnake-bench"
    _go("build", "-o", str(built), ".", at=work)
    return built


def _go(*arguments: str, at: Path, **environment: str) -> None:
    go = shutil.which("go")
    if go is None:
        raise NoEngineError("Go (1.21 or later) is not installed")
    if not at.is_dir():
        raise NoEngineError(f"no folder {at.name} (QUADRIGA_RULES_SOURCE)")
    _BUILT.mkdir(parents=True, exist_ok=True)
    run = subprocess.run(
        [go, *arguments],
        cwd=at,
        env={**os.environ, "GOFLAGS": "-mod=mod", **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if run.returncode:
        last = (run.stderr.strip().splitlines() or ["no message"])[-1]
        raise NoEngineError(f"go {arguments[0]} failed: {re.sub(r'https?://[^ ]*', '(address)', last)}")
