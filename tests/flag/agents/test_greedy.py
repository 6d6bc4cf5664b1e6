"""`greedy`: what it plays."""

from engines.flag.position import start
from tests.flag.agents.test_common import ask, order
from tests.flag.boards import board


def test_random_and_greedy_order_a_pending_rescuer_from_its_start_cell():
    position = board(side="A", A1=(9, 1), pending="A1", dead="A2 A3")
    for name in ("random", "greedy"):
        assert ask(name, position).candidates[0].details["end"] == [4, 8]


def test_greedy_takes_the_flag_the_win_and_else_what_the_seed_says():
    assert ask("greedy", board(side="A", A1=(0, 0), dead="B1 B2 B3")).move[0] == order(1, "right", 5)
    assert ask("greedy", board(side="B", B2=(0, 7), carries="B2")).move[1] in [
        order(2, "down", distance) for distance in range(3, 8)
    ]
    answers = {str(ask("greedy", start("A"), seed).move) for seed in range(10)}
    assert len(answers) > 5


def test_greedy_takes_the_enemy_to_stand():
    position = board(side="B", A1=(3, 3), B1=(5, 3), B2=(9, 9), B3=(9, 8))
    caught = ask("greedy", position).move[0]
    assert caught["direction"] == "left"
    assert caught["distance"] >= 2
