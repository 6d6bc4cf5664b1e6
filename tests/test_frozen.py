"""Expected values that nobody changes: `frozen.sha256` holds their digests.

They say what the games are and what is played. An engine that misses them is wrong, not they.
"""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tests" / "frozen.sha256"
FROM = "c133b38"
FOLDERS = (
    "tests/recorded/*.gz",
    "tests/vectors/*.gz",
    "tests/vectors/*.json",
    "tests/oracles/*.py",
    "engines/*/weights/*",
)
STAKES = (
    "is not what it was. It holds expected values, by which it is proven that nothing else has changed: "
    "put it back, and look for the mistake in the engines. What is learnt or recorded anew gets a new file."
)


def digest(path: Path) -> str:
    """Of a file's bytes; of numbers in JSON without their names, which may change."""
    content = path.read_bytes()
    if path.parent.name == "weights" and path.suffix == ".json":
        content = json.dumps(numbers(json.loads(content))).encode()
    return hashlib.sha256(content).hexdigest()


def numbers(value: object) -> list[object]:
    """All that is no name, in the file's order."""
    if isinstance(value, dict):
        value = list(value.values())
    return [number for item in value for number in numbers(item)] if isinstance(value, list) else [value]


def listed() -> dict[str, str]:
    pairs = (line.split() for line in LIST.read_text("utf-8").splitlines())
    return {name: found for found, name in pairs}


def present() -> set[str]:
    paths = (path for pattern in FOLDERS for path in ROOT.glob(pattern))
    return {path.relative_to(ROOT).as_posix() for path in paths}


@pytest.mark.parametrize("name", sorted(listed()))
def test_expected_values_stay(name: str):
    path = ROOT / name
    assert path.is_file(), f"{name} is gone or moved: a moved file is listed at its new place, same digest"
    assert digest(path) == listed()[name], f"{name} {STAKES}"


def test_every_file_of_expected_values_is_listed():
    new = sorted(present() - set(listed()))
    told = "\n".join(f"{digest(ROOT / name)}  {name}" for name in new)
    assert not new, f"add to tests/frozen.sha256, so that they stay as they are:\n{told}"


def test_no_commit_changes_engines_and_expected_values():
    """Else what an engine newly gets wrong could become what is expected of it."""
    log = subprocess.run(
        ["git", "log", "--no-merges", "--format=%x00%h", "--name-only", f"{FROM}..HEAD"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if log.returncode:
        pytest.skip(f"no checkout with {FROM} in its history")
    frozen = {name for name in listed() if name.startswith("tests/")}
    for commit in log.stdout.split("\0")[1:]:
        name, *files = commit.split()
        engines = [file for file in files if file.startswith("engines/")]
        assert not (engines and frozen & set(files)), f"{name} changes engines and expected values"
