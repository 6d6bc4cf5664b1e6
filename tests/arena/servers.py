"""Endpoints that do what a test scripts, over real HTTP on this machine."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from arena.games import load_game
from engines.core.budget import Budget, Meter

Reply = tuple[int, bytes]
Script = Callable[[str, str, Any], Reply]
"""method, path with query, body (None for GET) -> status and body."""


class Endpoint(ThreadingHTTPServer):
    daemon_threads = True
    script: Script
    asked: list[tuple[str, str, Any]]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Endpoint

    def _answer(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        body = json.loads(raw) if raw else None
        self.server.asked.append((self.command, self.path, body))
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            status, content = self.server.script(self.command, self.path, body)
            self.send_response(status)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    do_GET = do_POST = _answer  # noqa: N815 - the library's names

    def log_message(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def serving(script: Script) -> Iterator[Endpoint]:
    server = Endpoint(("127.0.0.1", 0), _Handler)
    server.script, server.asked = script, []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ok(value: Any) -> Reply:
    return 200, json.dumps(value).encode()


def engine(method: str, path: str, body: Any) -> Reply:
    """Our own move route, in short: the registry's agents over HTTP."""
    if method == "GET":
        return ok({})
    game = load_game(path.split("/")[1])
    position = game.parse(body["state"], *([body["side"]] if "side" in body else []))
    agent = game.agents[body.get("agent", "greedy")]
    meter = Meter(Budget(iterations=body["budgetIterations"]))
    decision = agent.decide(position, agent.parameters(), meter, body["seed"], None)
    stats = {"elapsedMs": 1.5, "seed": body["seed"], "iterations": 3, "depth": 4}
    return ok({"move": decision.move, "stats": stats})


def always(status: int, content: bytes) -> Script:
    return lambda method, path, body: (status, content)


def slow(seconds: float) -> Script:
    def script(method: str, path: str, body: Any) -> Reply:
        if method == "POST":
            time.sleep(seconds)
        return ok({"move": "up"})

    return script
