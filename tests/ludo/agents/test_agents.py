"""The players: lawful, deterministic, and able to say why."""

from collections import Counter

import pytest
from hypothesis import given, settings

from engines.core.budget import Budget, Meter
from engines.ludo.game import LUDO
from engines.ludo.parse import parse
from tests.ludo.strategies import positions


def decide(name, position, seed=1, iterations=1, **params):
    agent = LUDO.agents[name]
    return agent.decide(
        position, agent.parameters(**params), Meter(Budget(iterations=iterations)), seed, None
    )


@pytest.mark.parametrize("name", LUDO.agents)
@settings(max_examples=40)
@given(position=positions())
def test_decisions_are_lawful_and_add_up(name, position):
    decision = decide(name, position)
    assert decision == decide(name, position)
    assert decision.move in LUDO.legal(position)
    assert [candidate.move["piece"] for candidate in decision.candidates] == list(position.movable)
    for candidate in decision.candidates:
        assert candidate.score == sum(candidate.terms.values())
    if position.movable:
        assert decision.score == max(candidate.score for candidate in decision.candidates)
        assert decision.stats["iterations"] == 1
    else:
        assert decision.move == {"piece": None, "action": 0}
        assert decision.stats["reason"]


@pytest.mark.parametrize("name", LUDO.agents)
def test_stopped_before_the_first_look_it_still_moves(name):
    position = parse({"positions": [[3, 9, 0, 0]] + [[0] * 4] * 3, "ghosts": [], "player": 0, "dice": 6})
    decision = decide(name, position, iterations=0)
    assert decision.move in LUDO.legal(position)
    assert decision.score is None
    assert "stopped" in decision.stats["reason"]
    assert len(decision.candidates) == 4


# A table takes the pieces in order; for equal squares it may have learnt different values.
@pytest.mark.parametrize("name", [name for name in LUDO.agents if name != "q_learning"])
def test_equal_moves_are_drawn_by_the_seed(name):
    position = parse({"positions": [[0] * 4] * 4, "ghosts": [], "player": 0, "dice": 6})
    drawn = Counter(decide(name, position, seed).move["piece"] for seed in range(400))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 60


@pytest.mark.parametrize(
    ("own", "enemy", "dice", "piece", "term"),
    [
        ([10, 20, 57, 57], [47, 0, 0, 0], 1, 1, "captures"),  # seat 2 on 47 stands on own 21
        ([10, 0, 57, 57], [0, 0, 0, 0], 6, 1, "leave_home"),
        ([54, 30, 57, 57], [0, 0, 0, 0], 3, 0, "goal"),
        ([8, 20, 57, 57], [35, 0, 0, 0], 1, 1, "sent_home"),  # the globe on 9 is held
        ([17, 36, 57, 57], [41, 0, 0, 0], 5, 0, "danger"),  # from two squares ahead of seat 2 to a globe
    ],
)
def test_greedy_takes_the_better_move(own, enemy, dice, piece, term):
    position = parse(
        {"positions": [own, [0] * 4, enemy, [0] * 4], "ghosts": [1, 3], "player": 0, "dice": dice}
    )
    decision = decide("greedy", position)
    assert decision.move["piece"] == piece
    one, two = (candidate.terms[term] for candidate in decision.candidates[:2])
    assert one != two


def test_greedys_danger_is_what_the_next_throw_takes_on_average():
    # Seat 2 stands three squares behind seat 0's piece after its move and nowhere else: one throw in six.
    position = parse(
        {
            "positions": [[20, 0, 0, 0], [0] * 4, [44, 0, 0, 0], [0] * 4],
            "ghosts": [1, 3],
            "player": 0,
            "dice": 1,
        }
    )
    danger = decide("greedy", position, leave_home=8.0).candidates[0].terms["danger"]
    assert danger == pytest.approx(-(21 + 8) / 6, abs=1e-6)
    assert decide("greedy", position, caution=0.0).candidates[0].terms["danger"] == 0


def test_greedy_beats_random():
    wins = Counter()
    for game in range(60):
        names = {0: "greedy", 2: "random"} if game % 2 else {0: "random", 2: "greedy"}
        position, turn = LUDO.new({"players": 2}, game), 0
        while True:
            turn += 1
            move = decide(names[position.player], position, turn).move
            step = LUDO.step(position, move, game * 10_000 + turn)
            position = step.position
            if step.over:
                wins[names[step.winner]] += 1
                break
    assert wins["greedy"] >= 45
