"""`quadriga move`: the same question and answer as over HTTP."""

import json
from collections.abc import Callable

import pytest

from app.games.table import WIRE_GAMES
from tests.app.cli.conftest import Ran

Program = Callable[..., Ran]


def body(game: str) -> bytes:
    edge = WIRE_GAMES[game]
    return json.dumps(edge.example_state if edge.reader else edge.example_request()).encode()


@pytest.mark.parametrize("game", WIRE_GAMES)
def test_one_decision_and_options_win_over_the_body(program: Program, game: str):
    options = ("--agent", "greedy", "--budget-iterations", "1", "--seed", "5")
    ran = program("move", game, *options, stdin=body(game))
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out)
    assert answer["agent"] == "greedy"
    assert (answer["stats"]["seed"], answer["stats"]["budgetIterations"]) == (5, 1)
    assert (answer["breakdown"] is None) == (WIRE_GAMES[game].reader is not None), "as the body asks"


@pytest.mark.parametrize("stdin", [b"", b"{", b"[]", b"{}"])
@pytest.mark.parametrize("game", ["battlesnake", "ludo"])
def test_a_body_that_is_wrong_is_bad_input(program: Program, game: str, stdin: bytes):
    ran = program("move", game, stdin=stdin)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert ran.err
