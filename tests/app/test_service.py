"""The service around the moves: health, metrics, CORS, OpenAPI, settings, loading, last resorts."""

import dataclasses
import json
import subprocess
import sys

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from app.games.table import WIRE_GAMES
from app.main import create_app
from app.runtime.loader import Engines
from app.settings import Settings, load_settings
from engines.core.agent import Registry
from tests.vectors import lines


def settings(**changes):
    return Settings(_env_file=None, **changes)


def test_health(client):
    assert client.get("/health/live").json() == {"status": "ok"}
    assert client.get("/health/ready").json() == {"status": "ok"}


def test_every_answer_is_counted_by_route_and_status(client):
    client.post("/ludo/move", json={**WIRE_GAMES["ludo"].example_request(), "agent": "greedy"})
    client.get("/made/up/by/a/client")
    text = client.get("/metrics").text
    assert 'quadriga_http_requests_total{route="/ludo/move",status="200"}' in text
    assert 'route="(none)",status="404"' in text
    assert "made/up" not in text, "labels are ours, not the client's"
    assert 'quadriga_decisions_total{agent="greedy",game="ludo"}' in text
    assert "quadriga_ready 1.0" in text


def test_games_and_agents(client):
    games = client.get("/games").json()["games"]
    assert [game["name"] for game in games] == list(WIRE_GAMES)
    for game in games:
        agents = client.get(f"/games/{game['name']}/agents").json()["agents"]
        assert {"random", "greedy"} <= {agent["name"] for agent in agents}
        assert [agent["name"] for agent in agents if agent["default"]] == [game["defaultAgent"]]


# --- CORS -------------------------------------------------------------------------------------

PREFLIGHT = {
    "Origin": "https://play.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
}


def test_cors_is_closed_by_default(client):
    response = client.options("/ludo/move", headers=PREFLIGHT)
    assert "access-control-allow-origin" not in response.headers
    response = client.get("/games", headers={"Origin": "https://play.example"})
    assert "access-control-allow-origin" not in response.headers


def test_cors_opens_for_the_origins_that_are_named(engines):
    app = create_app(settings(cors_origins="https://play.example, https://other.example"), engines=engines)
    with TestClient(app) as client:
        preflight = client.options("/ludo/move", headers=PREFLIGHT)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == "https://play.example"
        assert "POST" in preflight.headers["access-control-allow-methods"]
        moved = client.post(
            "/ludo/move",
            json=WIRE_GAMES["ludo"].example_request(),
            headers={"Origin": "https://play.example"},
        )
        assert moved.headers["access-control-allow-origin"] == "https://play.example"
        assert "x-decision-id" in moved.headers["access-control-expose-headers"].lower()
        stranger = client.options("/ludo/move", headers={**PREFLIGHT, "Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in stranger.headers


# --- OpenAPI ----------------------------------------------------------------------------------


def operations(document):
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def test_every_operation_has_a_stable_name_of_its_own(client):
    document = client.get("/openapi.json").json()
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    assert {"ludoMove", "snakeMove", "snakeMoveAgent", "flagStep", "agents", "live", "ready"} <= set(names)


def test_every_reference_in_the_document_leads_somewhere(client):
    document = client.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    text = json.dumps(document)
    for piece in text.split('"$ref": "#/components/schemas/')[1:]:
        assert piece.split('"')[0] in schemas


def test_every_game_has_a_state_of_its_own_in_the_document(client):
    document = client.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    for name, wire_game in WIRE_GAMES.items():
        operation = document["paths"][f"/games/{name}/legal"]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        component = schema["properties"]["state"]["$ref"].rsplit("/", 1)[1]
        assert set(schemas[component]["properties"]) >= set(wire_game.example_state), name


def test_every_worked_example_works(client):
    document = client.get("/openapi.json").json()
    tried = 0
    for path, method, operation in operations(document):
        if method != "post":
            continue
        example = operation["requestBody"]["content"]["application/json"]["example"]
        for agent in ("random", "greedy") if "{agent}" in path else ("",):
            response = client.post(path.replace("{agent}", agent), json=example)
            assert response.status_code == 200, (path, response.text)
            tried += 1
    assert tried >= 4 * 3 + 3 + 3 + 6


def test_docs_can_be_switched_off(engines):
    with TestClient(create_app(settings(docs=False), engines=engines)) as client:
        assert client.get("/docs").status_code == 404
        assert client.get("/openapi.json").status_code == 404


# --- settings ---------------------------------------------------------------------------------


def test_settings_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUADRIGA_DEFAULT_LUDO", "random")
    monkeypatch.setenv("QUADRIGA_CORS_ORIGINS", "https://a.example,https://b.example")
    found = load_settings()
    assert found.default_agent("ludo") == "random"
    assert found.cors_origins == ("https://a.example", "https://b.example")
    assert (found.host, found.port) == ("127.0.0.1", 8000)
    monkeypatch.setenv("PORT", "9123")
    assert (load_settings().host, load_settings().port) == ("0.0.0.0", 9123)
    (tmp_path / ".env").write_text("QUADRIGA_SNAKE_COLOR=#00ff00\n")
    assert load_settings().snake_color == "#00ff00"


def test_a_setting_that_makes_no_sense_is_refused(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QUADRIGA_SNAKE_COLOR", "red")
    with pytest.raises(ValidationError):
        load_settings()


def test_a_default_agent_that_does_not_exist_is_told(capsys):
    engines = Engines()
    engines.load(settings(default_ludo="deep_thought"))
    assert not engines.ready
    assert "QUADRIGA_DEFAULT_LUDO=deep_thought" in engines.failure
    with TestClient(create_app(settings(default_ludo="deep_thought"), engines=engines)) as client:
        response = client.get("/health/ready")
        assert response.status_code == 503
        assert client.get("/health/live").status_code == 200


# --- before the kernels are loaded ------------------------------------------------------------


class NeverLoading(Engines):
    """Engines whose kernels take for ever."""

    def start(self, settings):
        pass


@pytest.fixture
def cold():
    with TestClient(create_app(settings(), engines=NeverLoading()), raise_server_exceptions=False) as client:
        yield client


def test_before_the_kernels_are_loaded_moves_are_plain_and_legal(cold):
    assert cold.get("/health/ready").status_code == 503
    assert cold.get("/health/live").status_code == 200
    for game in ("ludo", "isolation", "flag"):
        response = cold.post(f"/{game}/move", json=WIRE_GAMES[game].example_request())
        assert response.status_code == 200
        assert response.json()["stats"]["lastResort"] == "loading"
    for body in lines("battlesnake_requests.jsonl.gz")[:30]:
        response = cold.post("/move", json=body)
        assert response.json()["move"] in ("up", "down", "left", "right")
    assert cold.get("/").json()["apiversion"] == "1"
    response = cold.get("/games/ludo/agents")
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert cold.post("/games/ludo/new", json={}).status_code == 503
    assert 'quadriga_fallback_moves_total{game="ludo",reason="loading"} 1.0' in cold.get("/metrics").text


def test_before_the_kernels_are_loaded_bad_input_is_refused_all_the_same(cold):
    assert cold.post("/ludo/move", json={"state": {}}).status_code == 422
    state = {**WIRE_GAMES["ludo"].example_state, "dice": 7}
    assert cold.post("/ludo/move", json={"state": state}).status_code == 422


def test_the_service_imports_neither_kernels_nor_plots_before_it_serves():
    heavy = ("numba", "scipy", "matplotlib", "dask", "distributed", "llvmlite")
    code = f"import sys, app.runtime.server; print([m for m in {heavy!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_loading_kernels_does_not_bring_scipys_linear_algebra():
    """Numba looks for it where scipy is installed."""
    code = "import sys, engines.core.rng; print([m for m in sys.modules if m.startswith('scipy.linalg')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


# --- last resorts -----------------------------------------------------------------------------


def test_a_search_that_breaks_still_gets_a_legal_move_out(engines, monkeypatch, capsys):
    def broken(position, parameters, meter, seed, memory):
        raise ZeroDivisionError("a bug in the search")

    ludo = engines.game("ludo")
    agents = Registry(
        *(
            dataclasses.replace(agent, decide=broken) if agent.name == "greedy" else agent
            for agent in ludo.agents.values()
        )
    )
    monkeypatch.setattr(type(ludo), "agents", agents)
    with TestClient(create_app(settings(), engines=engines), raise_server_exceptions=False) as client:
        body = {**WIRE_GAMES["ludo"].example_request(), "agent": "greedy"}
        answer = client.post("/ludo/move", json=body).json()
        assert answer["stats"]["lastResort"] == "error"
        assert answer["move"]["piece"] in (0, 1, 2)
        assert 'quadriga_fallback_moves_total{game="ludo",reason="error"} 1.0' in client.get("/metrics").text
