"""Every test of c133b38 is still here under its name, or `successors.json` names what has taken its place."""

import ast
import gzip
import json
from functools import cache
from pathlib import Path

from tests.recorded.form import HERE

ROOT = HERE.parent.parent


def functions_of(path: Path) -> list[str]:
    """Node ids of a file's test functions, without their parameters."""
    found = []

    def walk(body: list[ast.stmt], name: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                walk(node.body, f"{name}::{node.name}")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
                found.append(f"{name}::{node.name}")

    walk(ast.parse(path.read_text("utf-8")).body, path.relative_to(ROOT).as_posix())
    return found


@cache
def today() -> frozenset[str]:
    return frozenset(name for path in (ROOT / "tests").rglob("test_*.py") for name in functions_of(path))


def successors(old: str, table: dict[str, str | list[str]]) -> list[str]:
    """Where a test is now: by its own entry, by that of its file, or where it was."""
    file, _, rest = old.partition("::")
    if old in table:
        named = table[old]
        return [named] if isinstance(named, str) else named
    if file in table:
        moved = table[file]
        files = [moved] if isinstance(moved, str) else moved
        found = [f"{name}::{rest}" for name in files if f"{name}::{rest}" in today()]
        return found or [f"{files[0]}::{rest}"]
    return [old]


def test_every_test_is_kept_or_has_a_successor():
    table = json.loads((HERE / "successors.json").read_text("utf-8"))
    before = gzip.decompress((HERE / "tests_of_c133b38.txt.gz").read_bytes()).decode().split()
    assert len(before) == len(set(before)) > 800
    lost = {
        old: gone
        for old in before
        if (gone := [new for new in successors(old, table) if new not in today()])
        or not successors(old, table)
    }
    assert not lost, (
        f"name in tests/recorded/successors.json what has taken the place of {json.dumps(lost, indent=1)}"
    )
    known = {name for old in before for name in (old, old.partition("::")[0])}
    assert set(table) <= known, f"no tests of c133b38: {sorted(set(table) - known)}"
