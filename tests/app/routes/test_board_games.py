"""`/ludo/move`, `/isolation/move`, `/flag/move`: the contract of a move answer."""

import json

import pytest

from app.games.table import WIRE_GAMES

BOARD_GAMES = ("ludo", "isolation", "flag")


def ask(client, game, **changes):
    body = {**WIRE_GAMES[game].example_request(), **changes}
    return client.post(f"/{game}/move", json=body)


@pytest.mark.parametrize("game", BOARD_GAMES)
@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_an_answer_has_a_move_and_its_evidence(client, game, agent):
    response = ask(client, game, agent=agent)
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["agent"] == agent
    assert answer["decisionId"] == response.headers["X-Decision-Id"]
    assert answer["stats"]["seed"] == 7
    assert answer["stats"]["iterations"] >= 1
    assert answer["stats"]["elapsedMs"] >= 0
    shown = answer["breakdown"]
    assert set(shown) == {"candidates", "chosen", "context", "line"}
    assert shown["chosen"] == answer["move"]
    for candidate in shown["candidates"]:
        if candidate["score"] is not None:
            assert sum(candidate["terms"].values()) == candidate["score"]


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_without_explain_there_is_no_breakdown(client, game):
    assert ask(client, game, explain=False).json()["breakdown"] is None


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_explain_can_be_asked_for_in_the_query(client, game):
    body = {**WIRE_GAMES[game].example_request(), "explain": False}
    assert client.post(f"/{game}/move?explain=true", json=body).json()["breakdown"]["candidates"]
    assert client.post(f"/{game}/move?explain=false", json=body).json()["breakdown"] is None


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_the_same_seed_and_iterations_give_the_same_answer(client, game):
    def bare(response):
        answer = response.json()
        del answer["decisionId"], answer["stats"]["elapsedMs"]
        return answer

    changes = {"budgetMs": None, "budgetIterations": 50}
    assert bare(ask(client, game, **changes)) == bare(ask(client, game, **changes))


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_a_seed_is_drawn_where_none_is_given_and_told(client, game):
    seeds = {ask(client, game, seed=None).json()["stats"]["seed"] for _ in range(4)}
    assert len(seeds) == 4
    assert all(seed < 2**53 for seed in seeds), "a front end's numbers hold no more"


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_a_budget_beyond_the_range_is_clamped_and_told(client, game):
    stats = ask(client, game, budgetMs=1e8, agent="random").json()["stats"]
    assert stats["clamped"] == ["budgetMs"]
    assert stats["budgetMs"] < 1e8
    stats = ask(client, game, budgetIterations=10**12, agent="random").json()["stats"]
    assert "budgetIterations" in stats["clamped"]


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_snake_case_is_accepted(client, game):
    body = WIRE_GAMES[game].example_request()
    body["budget_ms"] = body.pop("budgetMs")
    assert client.post(f"/{game}/move", json=body).status_code == 200


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_an_agent_may_carry_its_parameters_and_an_unknown_one_is_404_with_the_names(client, game):
    response = ask(client, game, agent="deep_thought")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert {"random", "greedy"} <= set(response.json()["known"])
    wrong = ask(client, game, agent="random:colour=blue")
    assert wrong.status_code == 422
    assert wrong.json()["errors"][0]["field"] == "params.colour"


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_the_text_form_draws_the_board_and_the_table(client, game):
    body = WIRE_GAMES[game].example_request()
    response = client.post(f"/{game}/move", json=body, headers={"Accept": "text/plain"})
    assert response.headers["content-type"].startswith("text/plain")
    assert "X-Decision-Id" in response.headers
    assert "move      " in response.text
    assert "score" in response.text


def test_result_fields_of_a_vector_line_are_accepted_and_ignored(client):
    state = {
        **WIRE_GAMES["ludo"].example_state,
        "after": [[9]],
        "done": True,
        "next": [1, 2, 3],
        "tags": ["x"],
    }
    assert ask(client, "ludo", state=state).status_code == 200


@pytest.mark.parametrize("game", BOARD_GAMES)
def test_unknown_fields_are_refused_by_name(client, game):
    top = ask(client, game, colour="blue")
    assert top.status_code == 422
    assert top.json()["errors"] == [{"field": "colour", "reason": "there is no such field"}]
    inside = ask(client, game, state={**WIRE_GAMES[game].example_state, "colour": "blue"})
    assert inside.json()["errors"] == [{"field": "state.colour", "reason": "there is no such field"}]


def test_nothing_to_play_is_an_answer(client):
    home = {"positions": [[0] * 4, [0] * 4, [0] * 4, [0] * 4], "ghosts": [], "player": 0, "dice": 3}
    answer = ask(client, "ludo", state=home).json()
    assert answer["move"] == {"piece": None, "action": 0}
    assert answer["stats"]["reason"]
    stuck = {"width": 3, "height": 3, "blocked": [[1, 1], [0, 0]], "players": [[1, 1], [0, 0]], "toMove": 0}
    answer = ask(client, "isolation", state=stuck).json()
    assert answer["move"] is None
    assert answer["stats"]["reason"]


def test_flag_tells_the_cells_that_will_really_be_passed(client):
    answer = ask(client, "flag", agent="greedy").json()
    assert [path["piece"] for path in answer["timeline"]] == [order["piece"] for order in answer["move"]]


def test_flag_needs_to_know_whose_decision_it_is(client):
    body = WIRE_GAMES["flag"].example_request()
    del body["side"]
    response = client.post("/flag/move", json=body)
    assert response.status_code == 422
    assert response.json()["errors"] == [{"field": "side", "reason": "this field is required"}]


def test_answers_are_strict_json(client):
    """Infinite values of the published Isolation heuristics appear inside terms only, as words."""
    stuck_next = {
        "width": 3,
        "height": 3,
        "blocked": [[0, 0], [1, 1], [2, 1]],
        "players": [[0, 0], [1, 1]],
        "toMove": 0,
    }
    text = ask(client, "isolation", state=stuck_next, agent="greedy").text

    def refuse(word):
        raise AssertionError(word)

    json.loads(text, parse_constant=refuse)
