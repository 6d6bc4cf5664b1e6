"""`POST /isolation/analyze`."""

import pytest
from fastapi.testclient import TestClient

from app.games.table import WIRE_GAMES
from app.main import create_app
from app.runtime.loader import Engines
from app.settings import Settings
from tests import vectors
from tests.isolation.positions import drawn
from tests.oracles.isolation import Board

START = {"width": 7, "height": 7, "blocked": [], "players": [None, None], "toMove": 0}
LATE = drawn("# . . . #\n. 0 . # .\n. . # . .\n# . . 1 .\n. . . . .")


def ask(client, state, headers=None, **changes):
    body = {"state": state, "budgetIterations": 300_000, "seed": 7, **changes}
    return client.post("/isolation/analyze", json=body, headers=headers)


def test_every_move_is_proved_with_its_distance_and_its_line(client):
    response = ask(client, LATE)
    assert response.status_code == 200, response.text
    found = response.json()
    board = Board.read(LATE)
    assert [move["move"] for move in found["moves"]] == [list(cell) for cell in board.legal()]
    assert found["outcome"]["proven"]
    assert found["decisionId"] == response.headers["X-Decision-Id"]
    for move in found["moves"]:
        assert move["proven"]
        assert move["estimate"] is None
        assert move["line"][0] == move["move"]
        assert len(move["line"]) == move["plies"]
    best = next(move for move in found["moves"] if move["move"] == found["best"])
    assert (best["winner"], best["plies"]) == (found["outcome"]["winner"], found["outcome"]["plies"])
    assert found["line"] == best["line"]
    kept = [move["plies"] for move in found["moves"] if move["winner"] == best["winner"]]
    assert best["plies"] == (min if best["winner"] == LATE["toMove"] else max)(kept)


def test_the_winning_moves_of_the_shipped_end_games(client):
    records = [r for r in vectors.lines("isolation-endgames.jsonl.gz") if 0 < r["nodes"] < 3000][:6]
    for record in records:
        found = ask(client, record).json()
        assert found["outcome"]["winner"] == record["winner"]
        winning = [m["move"] for m in found["moves"] if m["winner"] == record["toMove"]]
        assert winning == record["winning"]


def test_where_each_heuristic_goes(client):
    found = ask(client, LATE, heuristicNodes=500).json()
    names = [entry["heuristic"] for entry in found["heuristics"]]
    assert names[:3] == ["open_move", "center", "improved"]
    assert len(names) == 11
    board = Board.read(LATE)
    legal = [list(cell) for cell in board.legal()]
    winners = {tuple(move["move"]): move["winner"] for move in found["moves"]}
    for entry in found["heuristics"]:
        assert entry["moves"]
        assert all(move in legal for move in entry["moves"])
        assert entry["keeps"] == all(
            winners[tuple(move)] == found["outcome"]["winner"] for move in entry["moves"]
        )
        assert entry["searched"]["move"] in legal


def test_the_start_is_read_from_the_solution(client):
    found = ask(client, START).json()
    assert found["outcome"] == {"winner": 1, "proven": True, "plies": None}
    assert "solution" in found["proof"]
    assert len(found["moves"]) == 49
    assert all(move["winner"] == 1 and move["plies"] is None for move in found["moves"])


def test_the_mirror_theorem_is_told(client):
    found = ask(client, {**START, "width": 4, "height": 4}).json()
    assert "mirror" in found["theorem"]
    assert "mirror" in found["proof"]
    assert found["outcome"]["winner"] == 1


def test_what_is_not_proved_is_estimated_and_says_so(client):
    state = {**START, "width": 9, "height": 9, "blocked": [[0, 0], [4, 4]], "players": [[0, 0], [4, 4]]}
    found = ask(client, state, budgetIterations=20_000).json()
    assert found["outcome"] is None
    assert found["proof"] is None
    assert found["colourRule"] == 0
    open_moves = [move for move in found["moves"] if not move["proven"]]
    assert open_moves
    for move in open_moves:
        assert move["winner"] is None
        assert move["plies"] is None
        assert sum(move["terms"].values()) == move["estimate"]


def test_a_game_that_is_over(client):
    state = drawn("0 1\n# #")
    found = ask(client, state).json()
    assert found["best"] is None
    assert found["moves"] == []
    assert found["outcome"] == {"winner": 1, "proven": True, "plies": 0}


def test_the_same_budget_of_nodes_gives_the_same_analysis(client):
    def bare():
        found = ask(client, LATE, budgetIterations=1000).json()
        del found["decisionId"], found["stats"]["elapsedMs"]
        return found

    assert bare() == bare()


def test_in_plain_text(client):
    response = ask(client, LATE, {"Accept": "text/plain"}, heuristicNodes=200)
    assert response.headers["content-type"].startswith("text/plain")
    assert "weighted_chase_opponent" in response.text
    assert "outcome" in response.text


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"heuristicNodes": 10**6}, "heuristicNodes"),
        ({"seed": -1}, "seed"),
        ({"agent": "greedy"}, "agent"),
        ({"state": {**START, "width": 10}}, "state.width"),
        ({"state": {**START, "players": [[0, 0], None]}}, "state.players[0]"),
        ({"state": {**START, "blocked": [[7, 0]]}}, "state.blocked[0]"),
    ],
)
def test_bad_input_is_refused_by_name(client, changes, field):
    response = client.post("/isolation/analyze", json={"state": START, **changes})
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["errors"][0]["field"] == field


def test_budgets_are_clamped_and_that_is_told(client):
    found = client.post("/isolation/analyze", json={"state": LATE, "budgetMs": 0.2}).json()
    assert found["stats"]["clamped"] == ["budgetMs"]


def test_no_search_in_time_is_flagged(engines):
    app = create_app(Settings(_env_file=None, max_waiting=1), engines=engines)
    with TestClient(app) as client:
        app.state.context.pool._max_waiting = 0
        found = client.post(
            "/isolation/analyze", json={"state": WIRE_GAMES["isolation"].example_state}
        ).json()
    assert found["stats"]["lastResort"] == "overload"
    assert found["best"] is not None
    assert found["moves"] == []


def test_before_the_kernels_are_loaded():
    class NeverLoading(Engines):
        def start(self, settings):
            pass

    with TestClient(create_app(Settings(_env_file=None), engines=NeverLoading())) as client:
        assert ask(client, START).status_code == 503
        assert ask(client, {}).status_code == 422
