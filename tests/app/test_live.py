"""The real thing: `quadriga serve` as a process of its own, spoken to over HTTP. Part of `make check`."""

import concurrent.futures
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from app.games.table import WIRE_GAMES
from tests.vectors import lines

pytestmark = pytest.mark.outside

QUADRIGA = str(Path(sys.executable).with_name("quadriga"))

# Only so that a broken server does not hang the run.
PATIENCE = 120


def free_port():
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def serving(**environment):
    """A server process and a client of it, from the moment the port is open."""
    port = free_port()
    process = subprocess.Popen(
        [QUADRIGA, "serve", "--port", str(port)],
        env={**os.environ, **environment},
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
            end = time.monotonic() + PATIENCE
            while True:
                try:
                    client.get("/health/live")
                    break
                except httpx.TransportError:
                    assert process.poll() is None, "the server ended"
                    assert time.monotonic() < end
                    time.sleep(0.02)
            yield client, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)


def is_ready(client, end):
    """Are the kernels loaded? Fails where they never will be."""
    status = client.get("/health/ready").json()["status"]
    assert status != "failed"
    assert time.monotonic() < end
    return status == "ok"


def wait_ready(client):
    end = time.monotonic() + PATIENCE
    while not is_ready(client, end):
        time.sleep(0.05)


@pytest.fixture(scope="module")
def live():
    with serving() as (client, _):
        wait_ready(client)
        yield client


def test_moves_go_out_from_the_first_moment(capfd):
    """Whether or not kernels are loaded yet, each answer is a legal move."""
    with serving() as (client, process):
        answers, end = [], time.monotonic() + PATIENCE
        while not is_ready(client, end):
            answers.append(client.post("/move", json=WIRE_GAMES["battlesnake"].example_state))
        answers.append(client.post("/move", json=WIRE_GAMES["battlesnake"].example_state))
        assert all(answer.status_code == 200 for answer in answers)
        assert all(answer.json()["move"] in ("up", "down", "left", "right") for answer in answers)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) in (0, -signal.SIGTERM)


def test_every_real_battlesnake_request_is_answered(live):
    for body in lines("battlesnake_requests.jsonl.gz"):
        answer = live.post("/move", json=body)
        assert answer.status_code == 200
        assert answer.json()["move"] in ("up", "down", "left", "right")


@pytest.mark.parametrize("game", ["ludo", "isolation", "flag"])
def test_every_board_game_answers_in_json_and_in_text(live, game):
    body = WIRE_GAMES[game].example_request()
    assert live.post(f"/{game}/move", json=body).json()["breakdown"]["candidates"]
    text = live.post(f"/{game}/move", json=body, headers={"Accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain")


def test_a_game_can_be_played_by_the_rules_over_http(live):
    state = live.post("/games/isolation/new", json={"options": {"width": 5, "height": 5}}).json()["state"]
    over = False
    while not over:
        legal = live.post("/games/isolation/legal", json={"state": state}).json()["moves"]
        move = live.post("/isolation/move", json={"state": state, "seed": 1}).json()["move"]
        assert move in legal
        after = live.post("/games/isolation/step", json={"state": state, "moves": move}).json()
        state, over = after["state"], after["over"]
    assert after["winner"] in (0, 1)


def test_health_and_metrics_answer_while_every_core_searches(live):
    """Order, not time: the small answers are back while the searches are still under way."""
    body = {
        "state": live.post("/games/isolation/new", json={}).json()["state"],
        "agent": "ab_improved",
        "budgetMs": 3000,
        "seed": 1,
    }
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        searches = [threads.submit(live.post, "/isolation/move", json=body) for _ in range(8)]
        while "quadriga_searches_in_hand 8.0" not in live.get("/metrics").text:
            assert not any(search.done() for search in searches)
            time.sleep(0.002)
        assert live.get("/health/live").status_code == 200
        assert live.post("/ludo/move", json=WIRE_GAMES["ludo"].example_request()).status_code == 200
        assert not all(search.done() for search in searches)
        answers = [search.result() for search in searches]
    assert all(answer.status_code == 200 for answer in answers)
    stats = [answer.json()["stats"] for answer in answers]
    assert not any("lastResort" in found for found in stats)
    assert all(found["elapsedMs"] < 3000 + 250 for found in stats), "in time, all of them"
    assert any("grantedMs" in found for found in stats), "eight searches cannot all have three seconds"


def test_big_bodies_are_refused_over_a_real_socket(live):
    assert (
        live.post(
            "/ludo/move", content=b" " * 5_000_000, headers={"Content-Type": "application/json"}
        ).status_code
        == 413
    )
    assert live.get("/health/live").status_code == 200


def test_a_second_start_compiles_nothing():
    found = subprocess.run([QUADRIGA, "warm", "--check"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_port_of_a_platform_is_taken():
    port = free_port()
    code = "from app.settings import load_settings; s = load_settings(); print(s.host, s.port)"
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PORT": str(port)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == ["0.0.0.0", str(port)]


def test_a_default_agent_that_does_not_exist_ends_the_server():
    """It can be told once the engines are loaded; to go on would be to play plain moves for good."""
    ran = subprocess.run(
        [QUADRIGA, "serve", "--port", str(free_port())],
        env={**os.environ, "QUADRIGA_DEFAULT_BATTLESNAKE": "nobody"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 2
    assert "QUADRIGA_DEFAULT_BATTLESNAKE=nobody: not an agent's name; battlesnake has" in ran.stderr
