"""New games, steps, events, the picture."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from pydantic import TypeAdapter

from app.games.ludo.schemas import Moves, Options, State
from engines.core.errors import PositionError
from engines.ludo.game import LUDO
from engines.ludo.parse import parse
from engines.ludo.render import cell_of
from tests.ludo.strategies import positions
from tests.oracles import ludo as oracle


@pytest.mark.parametrize(
    ("options", "ghosts"),
    [
        ({}, ()),
        ({"players": 2}, (1, 3)),
        ({"players": 3}, (3,)),
        ({"players": 4}, ()),
        ({"ghosts": [3, 2]}, (2, 3)),
    ],
)
def test_a_new_game(options, ghosts):
    plain = Options.model_validate(options).model_dump(by_alias=True, exclude_unset=True)
    start = LUDO.new(plain, 11)
    assert start.ghosts == ghosts
    assert (start.positions, start.player, start.round, start.attempts) == (((0,) * 4,) * 4, 0, 1, 0)
    assert LUDO.new(plain, 11) == start
    State.model_validate(LUDO.dump(start))
    assert set(Counter(LUDO.new(plain, seed).dice for seed in range(100))) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"players": 1}, ("players",)),
        ({"players": True}, ("players",)),
        ({"players": 2, "ghosts": [1, 3]}, ("players",)),
        ({"ghosts": [0]}, ("ghosts", 0)),
        ({"ghosts": [1, 1]}, ("ghosts", 1)),
    ],
)
def test_options_refused_by_name(options, path):
    with pytest.raises(PositionError) as refusal:
        LUDO.new(options, 1)
    assert refusal.value.path == path


@given(positions())
def test_a_step_is_the_oracles_and_its_events_tell_it(position):
    for move in LUDO.legal(position):
        TypeAdapter(Moves).validate_python(move)
        step = LUDO.step(position, move, 5)
        before = [list(pieces) for pieces in position.positions]
        after, captured = before, []
        if move["piece"] is not None:
            after, captured, _ = oracle.play(before, position.player, move["piece"], position.dice)
        assert [list(pieces) for pieces in step.position.positions] == after
        order = (step.position.player, step.position.round, step.position.attempts)
        assert order == oracle.next_turn(
            after, position.ghosts, position.player, position.dice, position.round, position.attempts
        )
        assert sorted(event[2:4] for event in step.events if event[0] == "captured") == sorted(
            map(list, captured)
        )
        assert step.over == bool(oracle.finished(after))
        assert step.events[-1] == ["turn", step.position.player, step.position.dice]
        assert parse(LUDO.dump(step.position)) == step.position
        assert LUDO.step(position, move, 5) == step


def test_events_of_a_refused_capture_and_an_extra_throw():
    state = {
        "positions": [[6, 0, 0, 0], [0] * 4, [38, 38, 31, 0], [0] * 4],
        "ghosts": [1, 3],
        "player": 0,
        "dice": 6,
    }
    step = LUDO.step(parse(state | {"positions": [[49, 0, 0, 0], *state["positions"][1:]]}), {"piece": 0}, 3)
    assert step.events[:2] == (["moved", 0, 0, 49, 55], ["extra_throw", 0, "six"])
    refused = LUDO.step(
        parse(state | {"dice": 6, "positions": [[6, 0, 0, 0], [0] * 4, [38, 38, 0, 0], [0] * 4]}),
        {"piece": 0},
        3,
    )
    assert refused.events[:2] == (["moved", 0, 0, 6, 0], ["sent_home", 0, 0])


def test_the_last_piece_wins_and_play_may_go_on():
    position = parse(
        {
            "positions": [[57, 57, 57, 55], [0] * 4, [3, 0, 0, 0], [0] * 4],
            "ghosts": [1, 3],
            "player": 0,
            "dice": 2,
        }
    )
    step = LUDO.step(position, {"piece": 3}, 1)
    assert (step.over, step.winner) == (True, 0)
    assert ["finished", 0] in step.events
    later = LUDO.step(step.position, LUDO.fallback(step.position), 2)
    assert (later.over, later.winner) == (True, 0)
    assert ["finished", 0] not in later.events


def test_every_square_has_a_cell_of_its_own():
    ring = {cell_of(0, square) for square in range(1, 52)}
    assert len(ring) == 51
    for seat in range(4):
        own = [cell_of(seat, square) for square in range(1, 58)]
        assert len(set(own)) == 57
        assert all(0 <= row < 15 and 0 <= column < 15 for row, column in own)
        # Neighbouring squares touch, over corners of the cross diagonally.
        for (row, column), (below, beside) in itertools.pairwise(own):
            assert max(abs(row - below), abs(column - beside)) == 1
    assert cell_of(0, 14) == cell_of(1, 1)
    assert cell_of(0, 27) == cell_of(2, 1)


def test_the_picture():
    position = parse(
        {
            "positions": [[0, 5, 5, 57], [0] * 4, [31, 0, 0, 0], [0] * 4],
            "ghosts": [1, 3],
            "player": 0,
            "dice": 4,
        }
    )
    picture = LUDO.render(position)
    assert "A2C" in picture
    assert "A seat 0: 0 5 5 57  throws 4 in round 2, movable: 1, 2" in picture
    assert "B seat 1: empty" in picture
    assert max(map(len, picture.splitlines())) <= 80
