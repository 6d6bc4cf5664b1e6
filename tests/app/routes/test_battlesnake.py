"""The official Battlesnake API: a move wherever a board and the own head can be read."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.table import WIRE_GAMES
from app.runtime.sessions import Sessions
from tests.battlesnake.boards import POCKET, cell, request
from tests.vectors import lines

WORDS = ("up", "down", "left", "right")
REQUESTS = lines("battlesnake_requests.jsonl.gz")
EXAMPLE = WIRE_GAMES["battlesnake"].example_state


def test_the_info_is_what_leagues_read(client):
    for path in ("/", "/snakes/greedy/", "/snakes/greedy"):
        info = client.get(path).json()
        assert info["apiversion"] == "1"
        assert {"author", "color", "head", "tail", "version"} <= set(info)


def test_an_unknown_snake_is_404_with_the_names_there_are(client):
    calls = [client.post(f"/snakes/cobra/{what}", json=EXAMPLE) for what in ("start", "move", "end")]
    for response in (client.get("/snakes/cobra/"), *calls):
        assert response.status_code == 404
        assert {"random", "greedy"} <= set(response.json()["known"])


def test_wrong_parameters_on_the_path_are_refused(client):
    assert client.get("/snakes/greedy:colour=blue/").status_code == 422
    assert client.get("/snakes/greedy:colour/").status_code == 422


@pytest.mark.parametrize("agent", ["", "/snakes/random", "/snakes/greedy"])
def test_every_real_request_is_answered_with_a_move(client, agent):
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


@pytest.mark.parametrize("agent", ["published_rhea", "rhea", "rhea_with_negamax_override"])
def test_a_request_that_is_repeated_is_the_same_question_in_the_middle_of_a_game_too(client, agent):
    path = f"/snakes/{agent}/move?explain=true&budgetIterations=12"
    body = copy.deepcopy(EXAMPLE)
    body["game"]["id"] = f"again {agent}"
    client.post(path, json=body)
    body["turn"] += 1
    first, second = (client.post(path, json=body).json() for _ in range(2))
    assert first["stats"]["warmStartTurns"] == 1
    assert first["breakdown"] == second["breakdown"]


def test_iterations_that_are_asked_for_are_done_whatever_the_told_time_is(client):
    body = copy.deepcopy(EXAMPLE)
    body["game"]["timeout"] = 1
    stats = client.post("/snakes/rhea/move?explain=true&budgetIterations=60", json=body).json()["stats"]
    assert stats["iterations"] == 60
    assert "lastResort" not in stats
    stats = client.post(f"/snakes/greedy/move?explain=true&budgetIterations={10**18}", json=body).json()[
        "stats"
    ]
    assert stats["clamped"] == ["budgetIterations"]


def test_a_win_that_is_proven_stands_in_the_outcome(client):
    # The rival is shut in: it must leave the board.
    body = copy.deepcopy(EXAMPLE)
    cells = [[(1, 2), (1, 1), (1, 0), (2, 0)], [(0, 0), (0, 1), (0, 2), (0, 3), (1, 3)]]
    for snake, own in zip((body["you"], body["board"]["snakes"][1]), cells, strict=True):
        snake["body"] = [{"x": x, "y": y} for x, y in own]
        snake["head"], snake["length"] = snake["body"][0], len(own)
    body["board"]["snakes"][0] = body["you"]
    for agent in ("", "/snakes/negamax", "/snakes/published_negamax"):
        answer = client.post(f"{agent}/move?explain=true&budgetIterations=30", json=body).json()
        assert answer["outcome"] == {"winner": body["you"]["id"], "proven": True, "plies": 1}, agent


@pytest.mark.parametrize("agent", ["negamax", "rhea", "rhea_with_negamax_override"])
@pytest.mark.parametrize("config", ["published", "tuned"])
def test_a_config_that_is_gone_names_the_agent_in_its_place(client, agent, config):
    answer = client.post(f"/snakes/{agent}:config={config}/move", json=EXAMPLE)
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert detail == f"params.config: `config` is gone: the document's agent is now `published_{agent}`"


def test_what_is_shouted(client):
    assert client.post("/snakes/random/move", json=EXAMPLE).json()["shout"] == ""
    # A line of one move, drawn by chance, leads into a dead end.
    body = request(POCKET, [(6, 6), (6, 5), (6, 4)], size=(7, 7), food=[cell(1, 3)])
    spec = "published_rhea_with_negamax_override:population=1,evolutions=0,genotype=1"
    answer = client.post(f"/snakes/{spec}/move?budgetIterations=60&seed=2", json=body).json()
    assert answer == {"move": "right", "shout": "Negamax override: left -> right"}


def test_explain_shows_all_four_moves(client):
    answer = client.post("/move?explain=true", json=EXAMPLE).json()
    assert sorted(candidate["move"] for candidate in answer["breakdown"]["candidates"]) == sorted(WORDS)
    for candidate in answer["breakdown"]["candidates"]:
        if candidate["score"] is not None:
            assert sum(candidate["terms"].values()) == candidate["score"]
        else:
            assert candidate["notes"], "a deadly move says why"
    assert answer["stats"]["timeoutMs"] == 500
    assert 0 < answer["stats"]["marginMs"] < 500


def test_the_text_form(client):
    response = client.post("/move", json=EXAMPLE, headers={"Accept": "text/plain"})
    assert response.headers["content-type"].startswith("text/plain")
    assert "move      " in response.text


@pytest.mark.parametrize(
    ("agent", "columns"),
    [
        ("rhea_with_negamax_override", ("negamax", "depth", "evolution.fitness", "territory", "headToHead")),
        ("published_rhea_with_negamax_override", ("negamax", "depth", "territory", "headToHead")),
        ("published_negamax", ("depth", "territory", "headToHead")),
        ("rhea", ("low", "mean", "line", "territory", "headToHead")),
    ],
)
def test_the_table_looks_inside(client, agent, columns):
    path = f"/snakes/{agent}/move?budgetIterations=40"
    text = client.post(path, json=EXAMPLE, headers={"Accept": "text/plain"}).text
    heading = next(line for line in text.splitlines() if "territory" in line)
    assert set(columns) <= set(heading.split())


def test_what_a_client_sent_cannot_steer_a_terminal(client):
    body = copy.deepcopy(EXAMPLE)
    evil = "\x1b[31m\r\n!"
    body["game"].update(map=evil, ruleset={"name": evil})
    for snake in body["board"]["snakes"]:
        snake.update(id=snake["id"] + evil, name=evil)
    body["you"] = body["board"]["snakes"][0]
    for agent in ("rhea_with_negamax_override", "negamax", "rhea", "flood_paranoid"):
        path = f"/snakes/{agent}/move?budgetIterations=40"
        text = client.post(path, json=body, headers={"Accept": "text/plain"}).text
        assert "31m" in text
        assert not any(ord(sign) < 32 and sign != "\n" for sign in text)
        assert "\n!" not in text


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


def test_integers_of_any_length_are_read(client):
    text = json.dumps({**EXAMPLE, "novelty": 1}).replace('"novelty": 1', '"novelty": ' + "9" * 5000)
    assert client.post("/move?budgetIterations=4", content=text.encode()).status_code == 200


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
    one.moved(3, "mine", 20)
    assert other.before(4) is None
    assert one.before(4) == "mine"
    one.moved(4, "later", 20)
    assert one.before(4) == "mine", "asked again"
    one.moved(4, "again", 20)
    assert (one.before(4), one.before(5), one.before(0)) == ("mine", "again", None)
    one.margin.learn(latency_ms=60, own_ms=20, timeout_ms=500)
    sessions.end(("", "game", "a"))
    assert sessions.get(("", "next", "a")).margin.overhead_ms == 40
    sessions.end(("", "never", "seen"))
