"""The rules against the shipped vectors, against the plain oracle, and by what must always hold."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import void

from engines.battlesnake import rules
from engines.battlesnake.conformance import replay_step
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES
from engines.battlesnake.rules import restore_state
from engines.battlesnake.state import STATE, State, body_of, pack, scratch_copy
from engines.battlesnake.turn import play
from engines.core.jit import borrowed
from tests import vectors
from tests.battlesnake.boards import board_request, request, solo_rule, turn, turns
from tests.oracles import battlesnake as oracle

LINES = vectors.lines("battlesnake.jsonl.gz")


def answered(line: dict[str, Any]) -> dict[str, Any]:
    """The line with the oracle's results."""
    after, over, noop = oracle.step(
        line["before"],
        line["moves"],
        line["ruleset"]["name"],
        line["ruleset"]["settings"]["hazardDamagePerTurn"],
        solo_rule(line),
    )
    return {**line, "after": after, "gameOver": over, "noop": noop}


def test_engine_and_oracle_agree_with_every_shipped_vector() -> None:
    assert len(LINES) > 500
    for line in LINES:
        assert replay_step(line).differences == ()
        assert answered(line) == line


def test_every_situation_is_shipped() -> None:
    tags = Counter(tag for line in LINES for tag in line["tags"])
    assert len(tags) >= 38
    assert min(tags.values()) >= 3


@pytest.mark.parametrize("odd", [False, True])
def test_engine_agrees_with_the_oracle_on_random_boards(odd: bool) -> None:
    rng = Random(3)
    seen: Counter[str] = Counter()
    for _ in range(1500):
        line = answered(turn(rng, odd))
        assert replay_step(line).differences == ()
        seen.update(snake["eliminatedCause"] for snake in line["after"]["snakes"])
    assert len(seen) == 7  # every cause, and survival
    assert min(seen.values()) >= 10


@given(turns())
def test_a_turn_makes_nothing_out_of_nothing(line: dict[str, Any]) -> None:
    """Segments are kept, but for one more per meal (and per turn of a constrictor); food only goes."""
    position = parse(board_request(line))
    result = play(position, line["moves"])
    constrictor = position.constrictor
    for old, fate in zip(position.snakes, result.fates, strict=True):
        body = fate.snake.body
        grown = len(body) - len(old.body)
        assert 0 <= grown <= position.food.count(body[0]) + constrictor
        assert set(body[1:]) <= {*old.body, body[0]}
        assert fate.snake.id == old.id
    assert not Counter(result.food) - Counter(position.food)
    assert bool(result.played) or result.food == position.food


@given(turns(), st.integers(0, 2**63 - 1))
def test_the_world_after_many_turns_is_the_world_packed_anew(line: dict[str, Any], seed: int) -> None:
    """The counts that a turn updates stay those that packing makes: nothing drifts in a long search."""
    state = played(line, seed)
    living = [i for i in range(len(state.snakes)) if state.snakes[i].cause <= 0]
    inside = state.hazard_layers >= 0
    expected = np.zeros_like(state.occupancy)
    for i in living:
        mask = state.body_rings.shape[1] - 1
        top, length = int(state.snakes[i].top), int(state.snakes[i].length)
        cells = [int(state.body_rings[i, (top - k) & mask]) for k in range(length)]
        assert cells[0] == state.snakes[i].head
        np.add.at(expected, cells[:-1], 1)
    assert (state.occupancy[inside] == expected[inside]).all()
    assert state.totals.tolist() == [(len(living), int(state.food.sum()))]


def played(line: dict[str, Any], seed: int) -> State:
    """A world after eight turns of words drawn from the seed."""
    state = pack(parse(board_request(line)))
    for moves in np.random.default_rng(seed).integers(0, 4, (8, len(state.snakes)), np.int64):
        rules.play(state, moves)
    return state


@settings(max_examples=25)
@given(turns(), st.integers(0, 2**63 - 1))
def test_plain_python_and_machine_code_agree(line: dict[str, Any], seed: int) -> None:
    if not hasattr(rules.play_turn, "py_func"):
        pytest.skip("the JIT is off: both are plain Python")
    state = {
        "game": {"ruleset": line["ruleset"]},
        "board": line["before"],
        "you": line["before"]["snakes"][0],
    }
    compiled = pack(parse(state))
    plain = scratch_copy(compiled)
    for row in np.random.default_rng(seed).integers(0, 4, (6, len(compiled.snakes)), np.int64):
        assert rules.play(compiled, row) == rules.play_turn.py_func(plain, row)
        for one, two in zip(compiled, plain, strict=True):
            assert (one == two).all()


# Not cached: the cache knows the engines' sources, not that this kernel contains one of them.
@numba.njit(void(STATE, STATE))
def restored(source: State, copy: State) -> None:
    restore_state(borrowed(copy), borrowed(source))


@given(turns(), st.integers(0, 2**63 - 1), st.integers(0, 60))
def test_a_rewound_world_is_its_source(line: dict[str, Any], seed: int, length: int) -> None:
    """Whether its snakes have grown or died."""
    source = pack(parse(board_request(line)))
    copy = scratch_copy(source)
    count = len(source.snakes)
    for moves in np.random.default_rng(seed).integers(0, 4, (length, count), np.int64):
        rules.play(copy, moves)
    restored(source, copy)
    for one, two in zip(source, copy, strict=True):
        if one is not source.body_rings:
            assert (one == two).all()
    for i in range(count):
        assert body_of(source, i) == body_of(copy, i)


def test_a_ring_that_was_gone_around_is_rewound() -> None:
    position = parse(request([(2, 3), (1, 3), (1, 2)], health=10**6))
    source = pack(position)
    copy = scratch_copy(source)
    for steps in range(len(source.body_rings[0]) - 5, len(source.body_rings[0]) + 3):
        for number in range(steps):
            rules.play(copy, np.array([(0, 3, 1, 2)[number % 4]], np.int64))
        assert copy.snakes[0].cause == 0
        restored(source, copy)
        assert body_of(copy, 0) == position.snakes[0].body


def test_a_constrictor_never_lets_go_of_a_cell() -> None:
    position = BATTLESNAKE.new({"ruleset": "constrictor", "snakes": 1, "width": 9, "height": 9}, 4)
    way = [position.snakes[0].head]
    move = "right" if way[0][0] < 4 else "left"
    for _ in range(5):
        position = BATTLESNAKE.step(position, {position.you: move}, 0).position
        (snake,) = position.snakes
        way.insert(0, snake.head)
        assert snake.health == 100
        # The first turn still uses up a segment of the start.
        assert snake.body == (*way, way[-1])


def test_an_equal_head_on_kills_both_and_a_longer_snake_survives() -> None:
    equal = parse(request([(2, 3), (1, 3), (0, 3)], [(4, 3), (5, 3), (6, 3)]))
    fates = play(equal, {"s0": "right", "s1": "left"}).fates
    assert [(fate.cause, fate.by) for fate in fates] == [("head-collision", "s1"), ("head-collision", "s0")]
    longer = parse(request([(2, 3), (1, 3), (0, 3), (0, 4)], [(4, 3), (5, 3), (6, 3)]))
    fates = play(longer, {"s0": "right", "s1": "left"}).fates
    assert [(fate.cause, fate.by) for fate in fates] == [("", ""), ("head-collision", "s0")]


def test_sixty_four_snakes_on_the_largest_board() -> None:
    """Far beyond what is served in play, and still exact."""
    snakes = [
        {"id": f"s{i}", "health": 50, "body": [{"x": i, "y": y} for y in range(i % 40, i % 40 + 3)]}
        for i in range(64)
    ]
    line = {
        "ruleset": {"name": "wrapped", "settings": {"hazardDamagePerTurn": 3}},
        "solo": False,
        "turn": 9,
        "before": {
            "height": 64,
            "width": 64,
            "food": [{"x": i, "y": i % 40} for i in range(0, 64, 3)],
            "hazards": [{"x": i, "y": 4} for i in range(64)] * 3,
            "snakes": snakes,
        },
        "moves": {snake["id"]: MOVES[index % 4] for index, snake in enumerate(snakes)},
    }
    assert replay_step(answered(line)).differences == ()


def test_bodies_of_thousands_of_stacked_segments() -> None:
    body = [{"x": 3, "y": 3}] * 5000
    line = {
        "ruleset": {"name": "standard", "settings": {"hazardDamagePerTurn": 14}},
        "solo": False,
        "turn": 3,
        "before": {
            "height": 7,
            "width": 7,
            "food": [{"x": 3, "y": 4}],
            "hazards": [],
            "snakes": [
                {"id": "a", "health": 9, "body": body},
                {"id": "b", "health": 9, "body": [{"x": 3, "y": 5}, *body]},
            ],
        },
        "moves": {"a": "up", "b": "down"},
    }
    assert replay_step(answered(line)).differences == ()


def test_a_turn_leaves_the_position_alone() -> None:
    position = parse(request([(2, 3), (1, 3), (0, 3)], [(4, 3), (5, 3), (6, 3)]))
    copy = parse(request([(2, 3), (1, 3), (0, 3)], [(4, 3), (5, 3), (6, 3)]))
    play(position, {"s0": "right", "s1": "left"})
    assert position == copy
    assert hash(position) == hash(copy)
    assert body_of(pack(position), 0) == position.snakes[0].body
