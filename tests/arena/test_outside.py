"""With real outside parts: a Dask scheduler and workers as processes, our own service behind HTTP."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from arena.archive import Archive
from arena.run import run
from arena.workforce import Dask
from tests.app.cli.conftest import ROOT
from tests.app.test_live import serving, wait_ready
from tests.arena.build import OURS, games, setup, tournament

pytestmark = pytest.mark.outside

DASK = [sys.executable, "-m", "dask"]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler's address and its two workers, of one thread each."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    log = (tmp_path / "dask.log").open("wb")
    common = {"cwd": tmp_path, "env": environment, "stdout": log, "stderr": log}
    with contextlib.ExitStack() as stack:
        stack.callback(log.close)

        def start(*arguments):
            process = subprocess.Popen([*DASK, *arguments], **common)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        options = ("--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        workers = [start("worker", "--scheduler-file", str(file), *options) for _ in range(2)]
        end = time.monotonic() + 60
        while not file.exists() or not file.read_bytes().strip():
            assert time.monotonic() < end, (tmp_path / "dask.log").read_text()
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], workers


def test_a_lost_worker_of_a_cluster_changes_nothing(cluster, tmp_path):
    address, workers = cluster
    made = setup("isolation", OURS + "NAP:ms=2", OURS + "LAST", "random", "greedy", openings=5)
    local, _ = tournament(tmp_path / "local.games.jsonl", made)
    path = tmp_path / "dask.games.jsonl"
    archive = Archive.create(path, made)
    force = Dask(address, 2)
    end = time.monotonic() + 60
    while len(force._client.scheduler_info(-1)["workers"]) < 2:
        assert time.monotonic() < end, (tmp_path / "dask.log").read_text()
        time.sleep(0.05)
    lost = []

    def watch(tally, count):
        if count >= 12 and not lost:
            lost.append(count)
            workers[0].send_signal(signal.SIGKILL)

    try:
        outcome = run(made, archive, force, watch)
        left = len(force._client.scheduler_info(-1)["workers"])
    finally:
        force.close()
        archive.close()
    assert outcome.complete
    assert lost[0] < made.games == 60
    assert left == 1
    numbers = [json.loads(line)["number"] for line in path.read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(60))  # nothing lost, nothing counted twice
    found, _ = tournament(path, made)
    assert found.table() == local.table()


def test_two_deployments_play_as_two_agents_at_home():
    with serving() as (client, _):
        wait_ready(client)
        url = str(client.base_url).rstrip("/")
        for game in ("isolation", "ludo", "flag", "battlesnake"):
            routes = (f"{url}/snakes/greedy", f"{url}/snakes/random")
            if game != "battlesnake":
                routes = (f"{url}?agent=greedy", f"{url}?agent=random")
            away = games(setup(game, f"{routes[0]}#one", f"{routes[1]}#two", openings=1, cap=40))
            home = games(setup(game, "greedy#one", "random#two", openings=1, cap=40))
            assert [record.plies for record in away] == [record.plies for record in home]
            assert not any(record.faults for record in away)
