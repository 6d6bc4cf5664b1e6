"""Machine code from files does what compiled code does, also when new code is linked to it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

KERNELS = """
import numpy as np
from engines.core.jit import compiled, kernel

@compiled
def small(n):
    if n > 2:
        raise ValueError("too large")
    return n

@kernel("int64(int64)")
def doubled(n):
    return 2 * small(n)

@kernel("int64(int64)")
def hashed(n):
    return hash((n, n + 1))

@kernel("float64[:](int64)")
def counted(n):
    return np.arange(n) * 1.0
"""

CALLER = """
from engines.core.jit import kernel
from engines.room.kernels import doubled

@kernel("int64(int64)")
def doubled_twice(n):
    return doubled(doubled(n)) if n < 2 else doubled(n) + 1
"""

PROGRAM = """
import sys
import engines
from engines.core import jit

engines.__path__.append(sys.argv[1])
jit._ENGINES, jit._BASE = jit.Path(sys.argv[1]), jit.Path(sys.argv[2])
from engines.room import kernels as k

hits = [sum(one.stats.cache_hits.values()) for one in (k.doubled, k.hashed, k.counted)]
assert k.doubled(2) == 4 and k.hashed(5) == hash((5, 6)) and list(k.counted(3)) == [0.0, 1.0, 2.0]
try:
    k.doubled(3)
except ValueError as error:
    print(*hits, error, end="; ")
try:
    k.doubled("x")
except TypeError:
    print("no such types", end="; ")
if len(sys.argv) > 3:
    from engines.room import caller

    print(sum(caller.doubled_twice.stats.cache_hits.values()), caller.doubled_twice(1), end="; ")
    try:
        caller.doubled_twice(3)
    except ValueError as error:
        print(error)
"""


@pytest.mark.machine_code
def test_stored_kernels_answer_raise_and_link(tmp_path: Path):
    room = tmp_path / "engines" / "room"
    room.mkdir(parents=True)
    (room / "kernels.py").write_text(KERNELS)
    (room / "caller.py").write_text(CALLER)

    def run(*more: str) -> str:
        command = [sys.executable, "-c", PROGRAM, str(room.parent), str(tmp_path / "cache"), *more]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
        assert not done.returncode, done.stderr
        return done.stdout.strip()

    assert run() == "0 0 0 too large; no such types;"
    assert run() == "1 1 1 too large; no such types;"
    # compiled against a kernel from a file, and then from a file itself
    assert run("caller") == "1 1 1 too large; no such types; 0 4; too large"
    assert run("caller") == "1 1 1 too large; no such types; 1 4; too large"
    # other sources, other files
    (room / "kernels.py").write_text(KERNELS.replace("2 * small(n)", "small(n) * 2"))
    assert run().startswith("0 0 0 ")
