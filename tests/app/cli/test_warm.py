"""The kernels' cache: complete after `warm`, and without what older sources left."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.warm import STALE_AFTER_SECONDS, prune
from tests.app.cli.conftest import Ran


def test_prune_removes_old_digests_and_nothing_else(tmp_path: Path):
    names = ("0123456789abcdef", "fedcba9876543210", "aaaaaaaaaaaaaaaa", "somebody-elses")
    for name in names:
        (tmp_path / name / "deep").mkdir(parents=True)
        (tmp_path / name / "deep" / "kernel.nbc").write_bytes(b"x")
    (tmp_path / "bbbbbbbbbbbbbbbb").write_bytes(b"a file")
    now = 1_000_000_000
    for path in tmp_path.rglob("*"):
        os.utime(path, (now, now))
    later = now + STALE_AFTER_SECONDS + 1
    os.utime(tmp_path / "aaaaaaaaaaaaaaaa" / "deep" / "kernel.nbc", (later, later))
    assert prune(tmp_path, keep={"0123456789abcdef"}, now=later) == 1
    assert {path.name for path in tmp_path.iterdir()} == {*names, "bbbbbbbbbbbbbbbb"} - {"fedcba9876543210"}
    assert prune(tmp_path / "absent", keep={"x"}) == 0


@pytest.mark.machine_code
def test_a_start_after_warm_compiles_nothing(program: Callable[..., Ran]):
    assert program("warm").code == 0
    ran = program("warm", "--check", "--json")
    assert ran.code == 0, ran
    assert '"compiled": 0' in ran.out
    assert '"loaded": 0' not in ran.out


@pytest.mark.machine_code
def test_a_cache_that_cannot_be_written_is_told(program: Callable[..., Ran], tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    ran = program("warm", "--check", NUMBA_CACHE_DIR=str(blocked), NUMBA_DISABLE_JIT="1")
    assert ran.code == 1
    assert "cannot be written" in ran.err
