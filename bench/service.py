"""The service: what HTTP, validation and the pool add to the bare engine call.

A real server process on the loopback and keep-alive connections. Each client asks at its own fixed
times, and an answer is timed from when its question was due: a slow answer makes the next ones late
instead of unasked. How many a second the service can do is a figure of its own, of clients that ask
again as soon as they are answered. Clients and server share the machine. Wall time, as a caller
feels it: quote figures of an idle machine only.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from app.games.table import WIRE_GAMES
from engines.catalogue import GAMES
from engines.core.budget import Budget, Meter

AGENT = "greedy"
CLIENTS = (1, 8)
GOAL_MS = {50: 2.0, 99: 10.0}
READY_SECONDS = 300
WARM_UP = 100
STARTS = 5
SERVE = [sys.executable, "-c", "from app.cli import main; main()", "serve", "--host", "127.0.0.1"]
RATE = 25
"""Questions a second of each client; a snake in a game asks about two."""


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """Added milliseconds, p50 and p99, by game and number of clients; `seconds` of wall time for each."""
    yield _second_start()
    with server() as port:
        for game in ("battlesnake", "ludo"):
            request = _request(game, port)
            bare = _percentile(_bare(game, seconds / 4), 50)
            for clients in CLIENTS:
                elapsed = asyncio.run(_load(port, request, clients, seconds, RATE))
                for percent, goal in GOAL_MS.items():
                    over = _percentile(elapsed, percent)
                    yield {
                        "name": f"added latency of a {game} move, p{percent}, {clients} client(s)",
                        "value": round((over - bare) * 1000, 3),
                        "unit": "ms",
                        "reference": f"bare call of {AGENT}, p50",
                        "referenceValue": round(bare * 1000, 3),
                        "ratio": round(over / bare, 1),
                        "note": f"goal on an idle machine: under {goal:g} ms; {len(elapsed)} requests, "
                        f"{RATE} a second from each client",
                    }
            most = len(asyncio.run(_load(port, request, max(CLIENTS), seconds))) / seconds
            yield {
                "name": f"{game} moves a second, {max(CLIENTS)} clients without a pause",
                "value": round(most, 1),
                "unit": "requests/s",
                "reference": f"bare calls of {AGENT} a second, one thread",
                "referenceValue": round(1 / bare, 1),
                "ratio": round(most * bare, 4),
                "note": "server and clients share the machine",
            }


def _second_start() -> dict[str, Any]:
    """From nothing to ready with kernels and bytecode cached, against the two imports alone, in turns."""
    imports = [sys.executable, "-c", "import fastapi, numba"]
    starts, references = [], []
    for _ in range(STARTS + 1):
        references.append(_spent(imports, lambda process, _port: process.wait()))
        starts.append(_spent(SERVE, lambda process, port: _until_ready(process, port, pause=0.02)))
    # the first of each filled the caches
    cpu, wall = (statistics.median(elapsed) for elapsed in zip(*starts[1:], strict=True))
    reference_cpu, reference_wall = (
        statistics.median(elapsed) for elapsed in zip(*references[1:], strict=True)
    )
    return {
        "name": "a second start until ready",
        "value": round(cpu, 3),
        "unit": "CPU seconds",
        "reference": "import fastapi, numba",
        "referenceValue": round(reference_cpu, 3),
        "ratio": round(cpu / reference_cpu, 2),
        "note": f"goal: at most 2; wall {wall:.2f} s against {reference_wall:.2f} s, "
        f"{wall / reference_wall:.2f} times; medians of {STARTS}",
    }


def _spent(
    command: list[str], until: Callable[[subprocess.Popen[bytes], int], object]
) -> tuple[float, float]:
    """CPU and wall seconds of a process until something is so; it is ended then."""
    # .pyc files are made and read, as where the service is installed
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    port = _free_port()
    began = time.perf_counter()
    process = subprocess.Popen(
        [*command, *(["--port", str(port)] if command is SERVE else [])],
        stdout=subprocess.DEVNULL,
        env={**environment, "QUADRIGA_LOG_LEVEL": "error"},
    )
    # children count when they have ended, and this is the only one that does
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        until(process, port)
    finally:
        wall = time.perf_counter() - began
        process.kill()
        process.wait(30)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def _request(game: str, port: int) -> bytes:
    """One request for a decision of one iteration, ready for the wire."""
    state = WIRE_GAMES[game].example_state
    if game == "battlesnake":
        path, body = f"/snakes/{AGENT}/move?budgetIterations=1&seed=1", state
    else:
        path, body = f"/{game}/move", {"state": state, "agent": AGENT, "budgetIterations": 1, "seed": 1}
    raw = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(raw)}\r\n\r\n".encode() + raw


def _bare(game: str, seconds: float) -> list[float]:
    """Seconds of each call of the agent itself, on a position made beforehand."""
    agent = GAMES[game].agents[AGENT]
    position = GAMES[game].parse(WIRE_GAMES[game].example_state)
    parameters = agent.parameters()
    elapsed: list[float] = []
    ends = time.perf_counter() + seconds
    while (began := time.perf_counter()) < ends:
        agent.decide(position, parameters, Meter(Budget(iterations=1)), 1, None)
        elapsed.append(time.perf_counter() - began)
    return elapsed


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


async def _load(
    port: int, request: bytes, clients: int, seconds: float, rate: float | None = None
) -> list[float]:
    """Seconds from when each request was due to its answer; without a rate they are due at once."""
    elapsed: list[float] = []

    async def client(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            for _ in range(WARM_UP // clients):
                await _ask(reader, writer, request)
            # clients that start together would ask together
            due = time.perf_counter() + (number / clients / rate if rate else 0)
            ends = due + seconds
            while due < ends:
                began = due
                if (early := due - time.perf_counter()) > 0:
                    await asyncio.sleep(early)
                    began = (
                        time.perf_counter()
                    )  # that the client's timer overslept is not the service's doing
                await _ask(reader, writer, request)
                answered = time.perf_counter()
                elapsed.append(answered - began)
                due = due + 1 / rate if rate else answered
        finally:
            writer.close()
            await writer.wait_closed()

    gc.disable()
    try:
        await asyncio.gather(*(client(number) for number in range(clients)))
    finally:
        gc.enable()
    return elapsed


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> None:
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
    body = await reader.readexactly(length)
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"the service answered {head[:20]!r} {body[:200]!r}")


@contextmanager
def server() -> Iterator[int]:
    """The service in a process of its own, ready; its port."""
    port = _free_port()
    process = subprocess.Popen(
        [*SERVE, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "QUADRIGA_LOG_LEVEL": "error"},
    )
    try:
        _until_ready(process, port)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _until_ready(process: subprocess.Popen[bytes], port: int, pause: float = 0.1) -> None:
    ends = time.monotonic() + READY_SECONDS
    while time.monotonic() < ends:
        if process.poll() is not None:
            raise RuntimeError(f"the service ended with exit code {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(pause)
    raise RuntimeError("the service did not become ready")
