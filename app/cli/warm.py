"""`quadriga warm`: the machine code of every kernel, made ahead of the first start."""

from __future__ import annotations

import compileall
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.output import Json, compact, complain

# Directories written to more recently are kept: another process may be filling them.
STALE_AFTER_SECONDS = 3600

ROOT = Path(__file__).resolve().parents[2]

_DIGEST = re.compile("[0-9a-f]{16}")


def warm(
    check: Annotated[
        bool, typer.Option("--check", help="Fail (exit code 1) when anything had to be compiled.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compile the kernels of all games into the cache, so that later starts only load them.

    Prints how many were compiled now (helpers counted), how many were there, and the time;
    removes the machine code of older sources. `make setup` and the image's build call this.

    Example:  quadriga warm && quadriga warm --check
    """
    started = time.perf_counter()
    # Where PYTHONDONTWRITEBYTECODE is set, as in many images, every start would compile the sources.
    for room in ("app", "engines"):
        compileall.compile_dir(str(ROOT / room), quiet=2)
    from engines.catalogue import GAMES

    for game in GAMES:
        GAMES[game]  # loading it is the work
    from engines.core import jit

    seconds = time.perf_counter() - started
    compiled, loaded = census()
    root, directories = jit.cache_root(), jit.cache_directories()
    cached = all(directories.values())
    removed = prune(root, keep={place.name for place in directories.values() if place is not None})
    if as_json:
        figures = {"compiled": compiled, "loaded": loaded, "seconds": round(seconds, 2)}
        print(compact({**figures, "cached": cached, "directory": str(root), "removed": removed}))
    else:
        print(f"{compiled} kernels compiled, {loaded} loaded from the cache, {seconds:.1f} s")
        print(f"cache: {root}" + (f", {removed} older ones removed" if removed else ""))
    if not cached:
        complain(f"{root} cannot be written: every start will compile")
    if check and (compiled or not cached):
        complain("the cache was not complete")
        raise typer.Exit(1)


def census() -> tuple[int, int]:
    """How many functions of the engines were compiled in this process, and how many came from the cache.

    Helpers count only where a caller was compiled: a kernel from the cache has them inside.
    """
    from numba.core.registry import CPUDispatcher

    found: dict[int, Any] = {
        id(value): value
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == "engines"
        for value in vars(module).values()
        if isinstance(value, CPUDispatcher)
    }
    ready = [dispatcher for dispatcher in found.values() if dispatcher.signatures]
    loaded = sum(1 for dispatcher in ready if dispatcher.stats.cache_hits)
    return len(ready) - loaded, loaded


def prune(root: Path, keep: set[str], now: float | None = None) -> int:
    """Remove old digest directories other than `keep`; returns how many."""
    oldest = (time.time() if now is None else now) - STALE_AFTER_SECONDS
    removed = 0
    for directory in root.iterdir() if root.is_dir() else ():
        if directory.name in keep or not _DIGEST.fullmatch(directory.name) or not directory.is_dir():
            continue
        if max(path.stat().st_mtime for path in (directory, *directory.rglob("*"))) < oldest:
            shutil.rmtree(directory, ignore_errors=True)
            removed += 1
    return removed
