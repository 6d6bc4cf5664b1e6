"""Real games under the official referee, every turn of them played again by our rules."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, ClassVar

import pytest

from bench.referee import NoEngineError, referee
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES
from engines.battlesnake.turn import play
from engines.core.budget import Budget, Meter

pytestmark = [pytest.mark.outside, pytest.mark.referee]

SETUPS = [
    # ruleset, map, width, height, snakes, hazard damage
    ("standard", "standard", 11, 11, 4, 14),
    ("standard", "standard", 7, 7, 2, 14),
    ("standard", "standard", 19, 19, 8, 14),
    ("standard", "hz_hazard_pits", 11, 11, 4, 9),
    ("standard", "arcade_maze", 19, 21, 4, 100),
    ("standard", "snail_mode", 11, 11, 3, 20),
    ("standard", "healing_pools", 11, 11, 2, -20),
    ("standard", "sinkholes", 11, 11, 4, 5),
    ("royale", "royale", 11, 11, 5, 14),
    ("royale", "royale", 9, 13, 3, 40),
    ("solo", "standard", 7, 7, 1, 14),
    ("standard", "standard", 9, 9, 1, 14),
    ("constrictor", "empty", 11, 11, 6, 14),
    ("constrictor", "standard", 9, 9, 2, 14),
    ("wrapped", "standard", 11, 11, 4, 14),
    ("wrapped", "hz_islands_bridges", 11, 11, 4, 25),
    ("wrapped_constrictor", "empty", 9, 7, 3, 14),
    ("squadless", "standard", 11, 11, 7, 14),
]


class Snakes(BaseHTTPRequestHandler):
    """Snakes of three tempers by their path; every word is written down by game, turn and snake."""

    protocol_version = "HTTP/1.1"
    moves: ClassVar[dict[tuple[str, int, str], str]] = {}

    def do_GET(self) -> None:
        self._answer({"apiversion": "1"})

    def do_POST(self) -> None:
        state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/move"):
            self._answer({})
            return
        position = parse(state)
        key = (position.game, position.turn, position.you)
        rng = Random(f"{position.turn} {self.path}")
        if "reckless" in self.path and rng.random() < 0.1:
            move = rng.choice(MOVES)
        else:
            agent = BATTLESNAKE.agents["greedy" if "greedy" in self.path else "random"]
            meter = Meter(Budget(iterations=4))
            move = agent.decide(position, agent.parameters(), meter, rng.getrandbits(60), None).move
        self.moves[key] = move
        self._answer({"move": move, "shout": ""})

    def _answer(self, body: dict[str, Any]) -> None:
        raw = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """The referee drops its connections when a game has ended; that is no error."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="module")
def command() -> Path:
    try:
        return referee()
    except NoEngineError as error:
        pytest.skip(f"no official referee: {error}")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = Server(("127.0.0.1", 0), Snakes)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("ruleset", "map_name", "width", "height", "count", "damage"),
    SETUPS,
    ids=[f"{ruleset}-{map_name}-{w}x{h}-{n}" for ruleset, map_name, w, h, n, _ in SETUPS],
)
def test_the_referee_and_our_rules_see_the_same_game(
    ruleset: str,
    map_name: str,
    width: int,
    height: int,
    count: int,
    damage: int,
    command: Path,
    address: str,
    tmp_path: Path,
) -> None:
    output = tmp_path / "game.jsonl"
    tempers = ("greedy", "reckless", "random")
    snakes = [f"--name=s{i} --url={address}/{tempers[i % 3]}/{i}".split() for i in range(count)]
    subprocess.run(
        [
            str(command),
            "play",
            f"--width={width}",
            f"--height={height}",
            f"--gametype={ruleset}",
            f"--map={map_name}",
            f"--hazardDamagePerTurn={damage}",
            "--shrinkEveryNTurns=4",
            "--foodSpawnChance=40",
            "--timeout=5000",
            "--seed=7",
            f"--output={output}",
            *(part for snake in snakes for part in snake),
        ],
        check=True,
        capture_output=True,
        timeout=300,
    )
    _, *frames, _ = [json.loads(line) for line in output.read_text().splitlines()]
    assert len(frames) >= 2
    for before, after in pairwise(frames):
        position = parse({**before, "solo": ruleset == "solo" or count == 1})
        moves = {snake.id: Snakes.moves[position.game, position.turn, snake.id] for snake in position.snakes}
        result = play(position, moves)
        assert result.played
        living = [
            {"id": fate.snake.id, "health": fate.snake.health, "body": fate.snake.body}
            for fate in result.fates
            if not fate.cause
        ]
        assert living == [
            {"id": s["id"], "health": s["health"], "body": tuple((c["x"], c["y"]) for c in s["body"])}
            for s in after["board"]["snakes"]
        ]
        food = [(c["x"], c["y"]) for c in after["board"]["food"]]
        assert food[: len(result.food)] == list(result.food)  # the map only adds
        assert after["turn"] == before["turn"] + 1
        assert result.over == (after is frames[-1])
