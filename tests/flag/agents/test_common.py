"""What every agent answers with nothing to play, out of budget, and as candidates."""

import pytest

from engines.core.budget import Budget, Meter
from engines.flag.agents.nash_sampling import Parameters
from engines.flag.game import FLAG
from engines.flag.moves import ends
from engines.flag.parse import parse_orders
from engines.flag.rules import TERMS
from engines.flag.step import play
from tests.flag.boards import board
from tests.vectors import lines

FEW = Parameters(12, 30)


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
