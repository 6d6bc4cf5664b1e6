"""The official Battlesnake API: a move wherever a board and the own head can be read."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.table import EDGES
from app.runtime.sessions import Sessions
from tests.vectors import lines

WORDS = ("up", "down", "left", "right")
REQUESTS = lines("battlesnake_requests.jsonl.gz")
EXAMPLE = EDGES["battlesnake"].example_state


def test_the_info_is_what_leagues_read(client):
    for path in ("/", "/snakes/greedy/", "/snakes/greedy"):
        info = client.get(path).json()
        assert info["apiversion"] == "1"
        assert {"author", "color", "head", "tail", "version"} <= set(info)


def test_an_unknown_snake_is_404_with_the_names_there_are(client):
    for response in (client.get("/snakes/cobra/"), client.post("/snakes/cobra/move", json=EXAMPLE)):
        assert response.status_code == 404
        assert {"random", "greedy"} <= set(response.json()["known"])


def test_wrong_parameters_on_the_path_are_refused(client):
    assert client.get("/snakes/greedy:colour=blue/").status_code == 422
    assert client.get("/snakes/greedy:colour/").status_code == 422


@pytest.mark.parametrize("agent", ["", "/snakes/random", "/snakes/greedy"])
def test_every_real_request_is_answered_with_a_word(client, agent):
    for body in REQUESTS:
        assert client.post(f"{agent}/start", json=body).status_code == 200
        response = client.post(f"{agent}/move?budgetIterations=4", json=body)
        assert response.status_code == 200
        answer = response.json()
        assert set(answer) == {"move", "shout"}
        assert answer["move"] in WORDS
        assert len(response.headers["X-Decision-Id"]) == 32
        assert client.post(f"{agent}/end", json=body).status_code == 200


def test_the_same_request_gets_the_same_answer(client):
    path = "/snakes/random/move?explain=true"
    first, second = (client.post(path, json=EXAMPLE).json() for _ in range(2))
    assert first["move"] == second["move"]
    assert first["stats"]["seed"] == second["stats"]["seed"]
    other = client.post(path + "&seed=5", json=EXAMPLE).json()
    assert other["stats"]["seed"] == 5


def test_explain_shows_all_four_words(client):
    answer = client.post("/move?explain=true", json=EXAMPLE).json()
    assert sorted(candidate["move"] for candidate in answer["breakdown"]["candidates"]) == sorted(WORDS)
    for candidate in answer["breakdown"]["candidates"]:
        if candidate["score"] is not None:
            assert sum(candidate["terms"].values()) == candidate["score"]
        else:
            assert candidate["notes"], "a deadly word says why"
    assert answer["stats"]["toldMs"] == 500
    assert 0 < answer["stats"]["marginMs"] < 500


def test_the_text_form(client):
    response = client.post("/move", json=EXAMPLE, headers={"Accept": "text/plain"})
    assert response.headers["content-type"].startswith("text/plain")
    assert "move      " in response.text


def test_a_query_that_makes_no_sense_is_ignored_and_told(client):
    answer = client.post("/move?explain=true&seed=abc&budgetIterations=-1", json=EXAMPLE).json()
    assert answer["stats"]["ignored"] == ["seed", "budgetIterations"]


ODD = {
    "no content type": lambda body: None,
    "no game": lambda body: body.pop("game"),
    "no ruleset": lambda body: body["game"].pop("ruleset"),
    "unknown ruleset": lambda body: body["game"]["ruleset"].update(name="moon"),
    "unknown map": lambda body: body["game"].update(map="moon"),
    "ruleset is a list": lambda body: body["game"].update(ruleset=[]),
    "timeout is a word": lambda body: body["game"].update(timeout="soon"),
    "timeout zero": lambda body: body["game"].update(timeout=0),
    "timeout huge": lambda body: body["game"].update(timeout=10**900),
    "no turn": lambda body: body.pop("turn"),
    "turn is huge": lambda body: body.update(turn=10**900),
    "no food": lambda body: body["board"].pop("food"),
    "food is null": lambda body: body["board"].update(food=None),
    "food off the board": lambda body: body["board"]["food"].append({"x": -3, "y": 10**30}),
    "hazard without y": lambda body: body["board"].update(hazards=[{"x": 1}]),
    "hazards off the board": lambda body: body["board"].update(hazards=[{"x": 3, "y": 99}] * 50),
    "no snakes": lambda body: body["board"].update(snakes=[]),
    "snakes null": lambda body: body["board"].update(snakes=None),
    "not on the board": lambda body: body["you"].update(id="ghost"),
    "no id": lambda body: body["you"].pop("id"),
    "id is a number": lambda body: body["you"].update(id=7),
    "no health": lambda body: body["you"].pop("health"),
    "health odd": lambda body: body["you"].update(health=-40),
    "health is nan": lambda body: body["you"].update(health=float("nan")),
    "no neck": lambda body: body["you"].update(body=body["you"]["body"][:1]),
    "no body, a head": lambda body: body["you"].pop("body"),
    "body empty, a head": lambda body: body["you"].update(body=[]),
    "body torn": lambda body: body["you"].update(body=[{"x": 0, "y": 0}, {"x": 5, "y": 5}]),
    "off the board": lambda body: body["you"].update(body=[{"x": -1, "y": 3}], head={"x": -1, "y": 3}),
    "latency is a number": lambda body: body["you"].update(latency=17),
    "latency is a list": lambda body: body["you"].update(latency=[]),
    "shout is a surrogate": lambda body: body["you"].update(shout="\ud800", name="\ud800"),
    "id is a surrogate": lambda body: (body["you"].update(id="\ud800"), body["game"].update(id="\ud800")),
    "one by one": lambda body: body["board"].update(width=1, height=1),
    "64 by 64": lambda body: body["board"].update(width=64, height=64),
    "new fields": lambda body: (body.update(novelty=1), body["board"].update(novelty=[])),
    "overlapping twins": lambda body: body["board"]["snakes"].append({**body["you"], "id": "twin"}),
    "the same snake twice": lambda body: body["board"]["snakes"].append(copy.deepcopy(body["you"])),
}


@pytest.mark.parametrize("agent", ["", "/snakes/random"])
@pytest.mark.parametrize("name", ODD)
def test_an_odd_request_is_answered_all_the_same(client, agent, name):
    body = copy.deepcopy(EXAMPLE)
    ODD[name](body)
    response = client.post(f"{agent}/move", content=json.dumps(body).encode())
    assert response.status_code == 200, response.text
    assert response.json()["move"] in WORDS


@pytest.mark.parametrize(
    "spoil",
    [
        lambda body: body.pop("board"),
        lambda body: body["board"].pop("width"),
        lambda body: body["board"].update(height="tall"),
        lambda body: body["board"].update(width=0),
        lambda body: body["board"].update(width=65),
        lambda body: body["board"].update(width=10**900),
        lambda body: body.pop("you"),
        lambda body: body.update(you=[]),
        lambda body: (body["you"].pop("body"), body["you"].pop("head")),
    ],
)
def test_without_a_board_or_a_head_there_is_a_problem(client, spoil):
    body = copy.deepcopy(EXAMPLE)
    spoil(body)
    response = client.post("/move", content=json.dumps(body).encode())
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b"[" * 100_000, b'{"a":' * 90_000, b"\xff\xfe"])
def test_what_is_no_json_object_is_a_problem(client, raw):
    for path in ("/move", "/start", "/end", "/snakes/random/move"):
        assert client.post(path, content=raw).status_code == 422


@given(data=st.data())
def test_any_value_anywhere_is_an_answer_or_a_problem(client, data):
    body = copy.deepcopy(data.draw(st.sampled_from(REQUESTS)))
    places = list(_places(body, ()))
    *parents, last = data.draw(st.sampled_from(places))
    target = body
    for step in parents:
        target = target[step]
    odd = st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
        st.just([]),
        st.just({}),
        st.just(10**900),
        st.just([{"x": 1, "y": 1}] * 40),
    )
    target[last] = data.draw(odd)
    response = client.post("/move?budgetIterations=4", content=json.dumps(body).encode())
    assert response.status_code in (200, 422), response.text
    if response.status_code == 200:
        assert response.json()["move"] in WORDS


def _places(value, path):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from _places(item, (*path, key))


def test_what_is_remembered_is_bounded_and_the_longest_unused_goes_first():
    sessions = Sessions(2)
    first = sessions.get(("", "game", "a"))
    sessions.get(("", "game", "b"))
    assert sessions.get(("", "game", "a")) is first
    sessions.get(("", "game", "c"))
    assert len(sessions) == 2
    assert sessions.get(("", "game", "a")) is first, "b was longest unused"


def test_two_snakes_of_one_game_are_remembered_apart_and_what_is_learnt_of_the_network_stays():
    sessions = Sessions(8)
    one, other = sessions.get(("", "game", "a")), sessions.get(("", "game", "b"))
    one.memory = "mine"
    assert other.memory is None
    one.margin.learn(latency_ms=60, own_ms=20, told_ms=500)
    sessions.end(("", "game", "a"))
    assert sessions.get(("", "next", "a")).margin.overhead_ms == 40
    sessions.end(("", "never", "seen"))
