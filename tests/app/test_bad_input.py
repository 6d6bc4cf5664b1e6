"""Whatever a client sends: a clear problem, never a 5xx, and nothing of it echoed raw."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.table import WIRE_GAMES

PROBLEM = "application/problem+json"
JSON = {"Content-Type": "application/json"}
BOARD_GAMES = ("ludo", "isolation", "flag")
INT_FIELDS = {"ludo": "dice", "isolation": "toMove", "flag": "round"}

POSTS = [
    *(f"/{game}/move" for game in BOARD_GAMES),
    *(f"/games/{game}/{verb}" for game in WIRE_GAMES for verb in ("new", "legal", "step")),
]

BODIES = {
    "nothing": b"",
    "not json": b"dice=6",
    "half of it": b'{"state": {',
    "nan": b'{"state": {"dice": NaN}}',
    "infinity": b'{"state": {"dice": 1e400}}',
    "surrogate": b'{"state": {"dice": "\\ud800"}, "\\ud800": 1}',
    "digits": b'{"state": {"dice": ' + b"9" * 900 + b"}}",
    "deep list": b"[" * 100_000,
    "deep object": b'{"state":' * 50_000,
    "latin-1": '{"état": 1}'.encode("latin-1"),
    "null": b"null",
    "list": b"[1, 2]",
    "string": b'"state"',
    "state is a list": b'{"state": []}',
    "bom": b"\xef\xbb\xbf{}",
    "nul": b"\x00",
}


def assert_problem(response, *statuses):
    assert response.status_code in statuses, response.text
    assert response.headers["content-type"] == PROBLEM
    body = response.json()
    assert body["status"] == response.status_code
    assert body["title"]
    assert body["detail"]
    if response.status_code == 422:
        for error in body["errors"]:
            assert error["field"]
            assert error["reason"]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("name", BODIES)
def test_a_body_that_is_wrong_is_told_what_is_wrong(client, path, name):
    assert_problem(client.post(path, content=BODIES[name], headers=JSON), 422)


@pytest.mark.parametrize("path", [*POSTS, "/move"])
def test_a_body_too_large_is_413(client, path):
    response = client.post(path, content=b" " * 5_000_000, headers=JSON)
    assert_problem(response, 413)


def test_a_body_too_large_without_a_length_is_413(client):
    def chunks():
        for _ in range(50):
            yield b" " * 100_000

    assert_problem(client.post("/ludo/move", content=chunks(), headers=JSON), 413)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "x"])
def test_another_content_type_is_415_with_the_curl_flag(client, path, kind):
    response = client.post(path, content=b"{}", headers={} if kind is None else {"Content-Type": kind})
    assert_problem(response, 415)
    assert "curl --json" in response.json()["detail"]


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "application/vnd.x+json", "APPLICATION/JSON"]
)
def test_json_by_any_of_its_names_is_taken(client, kind):
    body = json.dumps(WIRE_GAMES["ludo"].example_request()).encode()
    assert client.post("/ludo/move", content=body, headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize("game", BOARD_GAMES)
@pytest.mark.parametrize("value", [True, 1.5, "1", None, -1, 10**30, [1], {}])
def test_an_integer_that_is_none_is_refused_by_its_path(client, game, value):
    body = WIRE_GAMES[game].example_request()
    field = INT_FIELDS[game]
    body["state"] = {**body["state"], field: value}
    response = client.post(f"/{game}/move", json=body)
    assert_problem(response, 422)
    assert response.json()["errors"][0]["field"].startswith(f"state.{field}")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 1.5),
        ("budgetMs", 0),
        ("budgetMs", -3),
        ("budgetMs", "150"),
        ("budgetIterations", 0),
        ("budgetIterations", True),
        ("explain", "yes"),
        ("params", []),
        ("agent", 7),
        ("agent", "x" * 501),
        ("match", ["a"]),
    ],
)
def test_options_are_checked_by_name(client, field, value):
    response = client.post("/ludo/move", json={**WIRE_GAMES["ludo"].example_request(), field: value})
    assert_problem(response, 422)
    assert response.json()["errors"][0]["field"] == field


@pytest.mark.parametrize("value", ["9" * 5000, "1e400", '"\\ud800"', "[[[[]]]]", "true", '{"a": null}'])
def test_parameters_of_any_value_are_checked_by_name(client, value):
    request = json.dumps({**WIRE_GAMES["ludo"].example_request(), "agent": "td"})
    content = request[:-1] + f', "params": {{"depth": {value}}}}}'
    assert_problem(client.post("/ludo/move", content=content, headers=JSON), 422)


def test_impossible_states_are_refused_with_path_and_reason(client):
    def first(game, state, **more):
        response = client.post(f"/{game}/move", json={"state": state, **more})
        assert_problem(response, 422)
        return response.json()["errors"][0]

    ludo = WIRE_GAMES["ludo"].example_state
    assert "player" in first("ludo", {**ludo, "player": 1})["field"], "a ghost to move"
    assert "movable" in first("ludo", {**ludo, "movable": [3]})["field"]
    isolation = WIRE_GAMES["isolation"].example_state
    assert "players" in first("isolation", {**isolation, "blocked": []})["field"], "a player on a blank cell"
    assert "players" in first("isolation", {**isolation, "players": [[5, 4], [5, 4]]})["field"]
    flag = WIRE_GAMES["flag"].example_state
    pieces = {**flag["pieces"], "A": flag["pieces"]["A"][:2]}
    assert "pieces" in first("flag", {**flag, "pieces": pieces}, side="A")["field"]


def test_unknown_routes_and_methods_are_problems(client):
    assert_problem(client.get("/nowhere"), 404)
    assert_problem(client.get("/games/chess/agents"), 404)
    assert_problem(client.post("/games/chess/new", json={}), 404)
    assert_problem(client.post("/games/ludo/undo", json={}), 404)
    assert_problem(client.get("/ludo/move"), 405)
    assert_problem(client.delete("/move"), 405)


def test_an_unknown_key_is_told_harmlessly(client):
    evil = "\u202e<script>" + "x" * 5000
    response = client.post("/ludo/move", json={**WIRE_GAMES["ludo"].example_request(), evil: 1})
    assert_problem(response, 422)
    assert len(response.text) < 2000
    assert "\u202e" not in response.text


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(data=st.data())
def test_a_state_with_any_value_anywhere_is_an_answer_or_a_problem(client, data):
    game = data.draw(st.sampled_from(BOARD_GAMES))
    body = json.loads(json.dumps(WIRE_GAMES[game].example_request()))
    body["budgetIterations"] = 3
    body["budgetMs"] = None
    places = list(leaves(body["state"], ("state",)))
    *parents, last = data.draw(st.sampled_from(places))
    target = body
    for step in parents:
        target = target[step]
    target[last] = data.draw(json_values)
    content = json.dumps(body).encode()
    for path in (f"/{game}/move", f"/games/{game}/legal"):
        sent = content if path.endswith("move") else json.dumps({"state": body["state"]}).encode()
        response = client.post(path, content=sent, headers=JSON)
        assert response.status_code in (200, 422), response.text


def leaves(value, path):
    """Every place inside a JSON value, containers included."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from leaves(item, (*path, key))
