"""What is sure to be deadly, against the rules themselves; the plain answer; the agents."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.battlesnake.agents.greedy import Parameters
from engines.battlesnake.fallback import fallback
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.turn import play
from engines.core.limit import Budget, Meter
from tests.battlesnake.boards import board_request, cell, request, turn

AGENTS = BATTLESNAKE.agents


def boards(count: int, odd: bool = False) -> list[Position]:
    """Positions of at most three snakes, so that every joint move can be played."""
    rng = Random(11)
    found = []
    while len(found) < count:
        line = turn(rng, odd)
        if 1 <= len(line["before"]["snakes"]) <= 3:
            found.append(parse({**board_request(line), "solo": True}))
    return found


@pytest.mark.parametrize("odd", [False, True])
def test_a_deadly_word_kills_whatever_the_others_do(odd: bool) -> None:
    """Save where another body is entered: its owner may be removed first, and then the way is free."""
    deadly = 0
    for position in boards(60, odd):
        me = position.me
        assert me is not None
        others = [snake.id for snake in position.snakes if snake is not me]
        for option in move_safety(position, me, find_obstacles(position)):
            if not option.cause or option.cause == "snake-collision":
                continue
            deadly += 1
            for replies in product(MOVES, repeat=len(others)):
                fates = play(position, {me.id: option.move, **dict(zip(others, replies, strict=True))}).fates
                assert fates[position.snakes.index(me)].cause
    assert deadly > 50


def test_a_word_that_is_not_deadly_can_be_survived() -> None:
    """Alone on the board, an open word is a safe one."""
    survived = 0
    for position in boards(150):
        me = position.me
        if me is None or len(position.snakes) > 1:
            continue
        for option in move_safety(position, me, find_obstacles(position)):
            if not option.cause:
                survived += 1
                assert not play(position, {me.id: option.move}).fates[0].cause
    assert survived > 20


def test_legal_words_give_way_step_by_step() -> None:
    corner = parse(request([(0, 0), (1, 0), (1, 1), (0, 1)]))
    assert BATTLESNAKE.legal(corner) == {"s0": ["up"]}  # the tail will have moved
    stacked = parse(request([(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]))
    assert BATTLESNAKE.legal(stacked) == {"s0": list(MOVES)}  # nothing is left
    hungry = parse(request([(3, 3), (3, 2), (3, 1)], health=1))
    assert BATTLESNAKE.legal(hungry) == {"s0": ["up", "left", "right"]}  # dead anyway, but into nothing
    fed = parse(request([(3, 3), (3, 2), (3, 1)], health=1, food=[cell(2, 3)]))
    assert BATTLESNAKE.legal(fed) == {"s0": ["left"]}
    burnt = parse(request([(3, 3), (3, 2), (3, 1)], health=30, hazards=[cell(2, 3), cell(3, 4)] * 3))
    assert BATTLESNAKE.legal(burnt) == {"s0": ["right"]}
    wrapped = parse(request([(0, 3), (1, 3), (2, 3)], ruleset="wrapped"))
    assert BATTLESNAKE.legal(wrapped) == {"s0": ["up", "down", "left"]}
    # Nothing is open; but the rival may run into the wall, and its body is no wall then.
    cornered = parse(
        request(
            [(0, 0), (0, 1), (0, 2), (0, 2)],
            [(1, 0), (1, 1), (1, 2), (1, 2)],
            size=(3, 5),
            ruleset="constrictor",
        )
    )
    assert BATTLESNAKE.legal(cornered)["s0"] == ["right"]


def starving() -> Position:
    """The way left leads into the rival, who starves this turn whatever it says."""
    found = parse(request([(2, 2), (2, 1), (2, 0), (2, 0)], [(1, 2), (1, 1), (1, 0)], size=(3, 3)))
    me, rival = found.snakes
    return replace(found, snakes=(me, replace(rival, health=1)))


@pytest.mark.parametrize("name", list(BATTLESNAKE.agents))
def test_the_body_of_who_is_sure_to_starve_is_no_wall(name: str) -> None:
    position = starving()
    assert BATTLESNAKE.legal(position)["s0"] == ["left"]
    agent = BATTLESNAKE.agents[name]
    assert agent.decide(position, agent.parameters(), Meter(Budget(iterations=20)), 1, None).move == "left"


def test_the_plain_answer_is_legal_and_shuns_a_stronger_head() -> None:
    for position in boards(100) + boards(60, odd=True):
        me = position.me
        assert me is not None
        assert fallback(position) in legal_moves(move_safety(position, me, find_obstacles(position)))
    contested = parse(request([(2, 3), (2, 2), (2, 1)], [(4, 3), (4, 2), (4, 1), (4, 0)]))
    assert fallback(contested) != "right"


@pytest.mark.parametrize("name", list(AGENTS))
@given(seed=st.integers(0, 2**63 - 1), iterations=st.integers(0, 5), board=st.integers(0, 30))
def test_an_agent_answers_alike_and_legally(name: str, seed: int, iterations: int, board: int) -> None:
    position = BOARDS[board]
    agent = AGENTS[name]
    meter = Meter(Budget(iterations=iterations))
    decision = agent.decide(position, agent.parameters(), meter, seed, None)
    again = agent.decide(position, agent.parameters(), Meter(Budget(iterations=iterations)), seed, None)
    assert decision == again
    assert decision.move in BATTLESNAKE.legal(position)[position.you]
    assert [candidate.move for candidate in decision.candidates] == list(MOVES)
    for candidate in decision.candidates:
        assert candidate.score is None or candidate.score == sum(candidate.terms.values())
        assert candidate.score is not None or candidate.notes
    assert decision.stats["iterations"] <= max(1, iterations)


BOARDS = boards(31)


GOLDEN = [
    ("right", 46.1401424407959, "left"),
    ("down", 74.06584453582764, "up"),
    ("left", 58.010000228881836, "up"),
    ("down", 66.5492057800293, "down"),
    ("up", 69.89999961853027, "up"),
    ("left", 94.96833324432373, "left"),
    ("up", None, "up"),
    ("left", None, "left"),
    ("down", -400.0, "up"),
    ("right", 11.053333282470703, "right"),
    ("down", -400.0, "down"),
    ("right", 104.89999961853027, "right"),
]
"""Greedy's word and score and random's word, by seed 9; the same with and without the JIT."""


@pytest.mark.parametrize(("index", "expected"), list(enumerate(GOLDEN)))
def test_decisions_stay_what_they_were(index: int, expected: tuple[str, float | None, str]) -> None:
    position = (boards(8) + boards(4, odd=True))[index]
    greedy, random = (
        AGENTS[name].decide(position, AGENTS[name].parameters(), Meter(Budget(iterations=4)), 9, None)
        for name in ("greedy", "random")
    )
    assert (greedy.move, greedy.score, random.move) == expected


def test_random_draws_every_legal_word() -> None:
    position = parse(request([(3, 3), (3, 2), (3, 1)]))
    agent = AGENTS["random"]
    drawn = {
        agent.decide(position, agent.parameters(), Meter(Budget(iterations=1)), seed, None).move
        for seed in range(40)
    }
    assert drawn == {"up", "left", "right"}


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (request([(3, 3), (3, 2), (3, 1)], health=20, food=[cell(4, 3)]), "right"),
        (request([(3, 3), (3, 2), (3, 1)], hazards=[cell(2, 3), cell(3, 4)]), "right"),
        # A pocket of two cells to the left, the open board to the right.
        (request([(1, 6), (1, 5), (0, 5), (0, 4), (0, 3)], [(3, 0), (3, 1), (3, 2)]), "right"),
        # The head-to-head to the right would be lost, the way to the left is as open.
        (request([(3, 1), (3, 0), (3, 0)], [(5, 1), (5, 2), (5, 3), (5, 4)]), None),
    ],
)
def test_greedy_takes_what_is_plainly_better(position: dict[str, object], move: str | None) -> None:
    agent = AGENTS["greedy"]
    decision = agent.decide(parse(position), Parameters(), Meter(Budget(iterations=4)), 3, None)
    assert decision.score is not None
    if move is None:
        assert decision.move != "right"
    else:
        assert decision.move == move


def test_greedy_beats_random() -> None:
    """Twelve games on 7x7: a coin would win ten of them one time in fifty."""
    wins = 0
    for game in range(12):
        position = BATTLESNAKE.new({"width": 7, "height": 7, "snakes": ["greedy", "random"]}, game)
        for _ in range(200):
            moves = {}
            for snake in position.snakes:
                agent = AGENTS[snake.id]
                seen = parse({**BATTLESNAKE.dump(position), "you": {"id": snake.id}})
                meter = Meter(Budget(iterations=4))
                moves[snake.id] = agent.decide(seen, agent.parameters(), meter, position.turn, None).move
            step = BATTLESNAKE.step(position, moves, game)
            position = step.position
            if step.over:
                wins += step.winner == "greedy"
                break
    assert wins >= 10
