"""What holds for every agent: a legal move, the same for the same question; `greedy` and `random`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.battlesnake.agents.greedy import Parameters
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import boards, cell, request

AGENTS = BATTLESNAKE.agents


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
"""Greedy's move and score and random's move, by seed 9; the same with and without the JIT."""


@pytest.mark.parametrize(("index", "expected"), list(enumerate(GOLDEN)))
def test_decisions_stay_what_they_were(index: int, expected: tuple[str, float | None, str]) -> None:
    position = (boards(8) + boards(4, odd=True))[index]
    greedy, random = (
        AGENTS[name].decide(position, AGENTS[name].parameters(), Meter(Budget(iterations=4)), 9, None)
        for name in ("greedy", "random")
    )
    assert (greedy.move, greedy.score, random.move) == expected


def test_random_draws_every_legal_move() -> None:
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
