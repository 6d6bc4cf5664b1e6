"""Games under the official command-line referee: snakes in this process, and what the referee saw."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

Move = Callable[[str, dict[str, Any]], str]
"""The word for a request that came to a path."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A kind of game."""

    ruleset: str = "standard"
    map: str = "standard"
    width: int = 11
    height: int = 11
    snakes: int = 2
    damage: int = 14
    shrink: int = 25
    food: int = 15

    def __str__(self) -> str:
        return f"{self.ruleset}-{self.map}-{self.width}x{self.height}-{self.snakes}"


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as the referee wrote it down: every turn's request, `you` left out."""

    turns: tuple[dict[str, Any], ...]
    latencies: dict[str, list[int]] = field(default_factory=dict)
    """By the snake's name: what each of its answers took, in ms."""


def play(
    program: Path, mode: Mode, urls: Sequence[str], told: int, seed: int, output: Path, limit: float = 600
) -> Seen:
    """One game to its end, `snake-1` at the first address; a RuntimeError after `limit` seconds."""
    snakes = [f"--name=snake-{number} --url={url}".split() for number, url in enumerate(urls, 1)]
    options = {
        "width": mode.width,
        "height": mode.height,
        "gametype": mode.ruleset,
        "map": mode.map,
        "hazardDamagePerTurn": mode.damage,
        "shrinkEveryNTurns": mode.shrink,
        "foodSpawnChance": mode.food,
        "timeout": told,
        "seed": seed,
        "output": output,
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    arguments += [part for snake in snakes for part in snake]
    try:
        subprocess.run([str(program), "play", *arguments], check=True, capture_output=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{mode}, seed {seed}: no end within {limit:g} s") from None
    except subprocess.CalledProcessError as error:
        last = (error.stderr or b"").decode(errors="replace").strip().splitlines()[-1:]
        raise RuntimeError(f"{mode}, seed {seed}: the referee failed: {' '.join(last)[:200]}") from None
    return seen(output)


def seen(output: Path) -> Seen:
    """What a game's file says: a header, a line for each turn, the result."""
    _, *turns, _ = [json.loads(line) for line in output.read_text().splitlines()]
    found: dict[str, list[int]] = {}
    for frame in turns[1:]:
        for snake in frame["board"]["snakes"]:
            found.setdefault(snake["name"], []).append(int(snake["latency"]))
    return Seen(tuple(turns), found)


class _Server(ThreadingHTTPServer):
    """The referee drops its connections when a game has ended; that is no error."""

    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


@contextmanager
def stable(move: Move) -> Iterator[str]:
    """Snakes that `move` speaks for, in threads of this process; their address."""

    class Snake(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer({"apiversion": "1"})

        def do_POST(self) -> None:
            state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._answer({"move": move(self.path, state)} if self.path.endswith("/move") else {})

        def _answer(self, body: dict[str, Any]) -> None:
            raw = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Snake)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
