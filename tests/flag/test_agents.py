"""`random`, `greedy` and `nash_sampling`: what they look at, answer and say about it."""

from collections import Counter

import pytest

from engines.core.agents import NoParameters
from engines.core.limit import Budget, Meter
from engines.flag.agents.heuristic import plan
from engines.flag.agents.nash_sampling import Samples
from engines.flag.game import FLAG
from engines.flag.moves import ends
from engines.flag.parse import parse_orders
from engines.flag.position import TEAMS, start
from engines.flag.rules import TERMS
from engines.flag.score import quick
from engines.flag.step import play
from tests.flag.boards import board
from tests.vectors import lines

FEW = Samples(12, 30)
# One of the equilibrium's is a whole round of regret matching: seconds without machine code.
ITERATIONS = {"equilibrium": 2}


def ask(name, position, seed=1, iterations=None, parameters=None):
    agent = FLAG.agents[name]
    if parameters is None:
        parameters = FEW if name == "nash_sampling" else agent.parameters()
    if iterations is None:
        iterations = ITERATIONS.get(name, 10_000)
    return agent.decide(position, parameters, Meter(Budget(iterations=iterations)), seed, None)


EVERY = pytest.mark.parametrize("name", list(FLAG.agents))


@EVERY
def test_with_nothing_to_play_the_answer_is_empty_and_says_why(name):
    jailed = ask(name, board(side="A", dead="A1 A2 A3"))
    assert (jailed.move, jailed.stats["iterations"]) == ([], 0)
    assert "lives" in jailed.stats["reason"]
    over = play(board(side="A", A1=(0, 5), carries="A1"), parse_orders({"A": [order(1, "up", 1)]})).after
    finished = ask(name, over)
    assert finished.move == []
    assert "finished" in finished.stats["reason"]


def order(piece, direction, distance):
    return {"piece": piece, "direction": direction, "distance": distance}


@EVERY
def test_each_living_piece_gets_one_order_and_each_of_its_end_cells_is_a_candidate(name):
    for line in lines("flag-heuristic.jsonl.gz")[::25]:
        position = FLAG.parse(line["state"], line["side"])
        if position.rescuers:
            continue
        mine = position.living(position.mover())
        made = ask(name, position)
        assert [entry["piece"] for entry in made.move] == [piece % 3 + 1 for piece in mine]
        for piece in mine:
            looked_at = [found for found in made.candidates if found.move["piece"] == piece % 3 + 1]
            assert [found.details["end"] for found in looked_at] == [end for _, end in ends(position, piece)]
        if name != "nash_sampling":  # which may order five steps where the wall is two away
            assert all(entry in [found.move for found in made.candidates] for entry in made.move)


@pytest.mark.parametrize("name", ["greedy", "heuristic", "nash_sampling"])
def test_terms_are_the_scores_own_and_add_up_to_the_gain_over_standing(name):
    for line in lines("flag-heuristic.jsonl.gz")[::40]:
        made = ask(name, FLAG.parse(line["state"], line["side"]))
        for found in made.candidates:
            assert tuple(found.terms) == TERMS
            assert found.score == sum(found.terms.values())
            if found.move["distance"] == 0:
                assert found.score == 0


@pytest.mark.parametrize("name", ["greedy", "heuristic", "nash_sampling"])
def test_out_of_budget_a_legal_answer_goes_out_with_the_reason(name):
    position = FLAG.parse(lines("flag-heuristic.jsonl.gz")[40]["state"], "A")
    for iterations in range(8):
        made = ask(name, position, iterations=iterations)
        assert [entry["piece"] for entry in made.move] == [i + 1 for i in position.living(0)]
        assert made.stats["iterations"] <= iterations
        if iterations < len(position.living(0)):
            assert "budget" in made.stats["reason"]
        assert len(made.candidates) == sum(len(list(ends(position, i))) for i in position.living(0))


def test_random_goes_to_every_end_cell_about_equally_often():
    position = board(side="A", A1=(5, 5), dead="A2 A3")
    counts = Counter(str(ask("random", position, seed).move) for seed in range(19 * 60))
    assert len(counts) == 19
    assert min(counts.values()) >= 30
    assert max(counts.values()) <= 95


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


def test_nash_sampling_plays_within_five_steps_and_is_the_same_for_a_seed():
    position = FLAG.parse(lines("flag-heuristic.jsonl.gz")[60]["state"], "B")
    one, two = ask("nash_sampling", position, 5), ask("nash_sampling", position, 5)
    assert one == two
    assert all(1 <= entry["distance"] <= 5 for entry in one.move)
    assert one.stats == {"iterations": 12, "evaluations": 12 * 30}
    assert one.move != ask("nash_sampling", position, 6).move


def test_nash_sampling_by_default_makes_the_documents_45000_evaluations():
    assert Samples() == Samples(own_samples=300, enemy_samples=150)
    assert FLAG.agents["nash_sampling"].budgets.iterations.default == 300


def test_nash_sampling_is_worth_what_its_answer_leaves():
    """The score told is that of the own orders against the enemy orders shown in the context."""
    for line in lines("flag-heuristic.jsonl.gz")[::60]:
        position = FLAG.parse(line["state"], line["side"])
        if position.rescuers:
            continue
        made = ask("nash_sampling", position)
        side = position.mover()
        moves = {TEAMS[side]: made.move, TEAMS[1 - side]: made.context["expected_enemy"]}
        after = play(position, parse_orders(moves)).after
        rescued = after.rescuers or any(
            after.zone_active(team) != position.zone_active(team) for team in (0, 1)
        )
        if not rescued:
            assert quick(after, side) == made.score


def test_slices_do_not_change_what_nash_sampling_draws():
    position = FLAG.parse(lines("flag-heuristic.jsonl.gz")[60]["state"], "B")
    agent = FLAG.agents["nash_sampling"]

    class Slow(Meter):
        """Lets one own order through at a time."""

        def left(self, done):
            return 1

    budget = Budget(iterations=10_000)
    whole = agent.decide(position, FEW, Meter(budget), 3, None)
    assert agent.decide(position, FEW, Slow(budget), 3, None) == whole


def test_a_standing_order_needs_no_reason_in_the_plan():
    made = plan(start(), 0)
    assert [seen.delta for seen in (*made.enemy, *made.own)] == [0] * 6
    assert FLAG.agents["heuristic"].parameters is NoParameters
