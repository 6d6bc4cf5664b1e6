"""The agent that plays a mixture of the game between all joint orders."""

import itertools
from collections import Counter

import numpy as np
import pytest

from engines.core.budget import Budget, Meter
from engines.flag import rules
from engines.flag.agents.equilibrium import BATCH, Parameters
from engines.flag.equilibrium.fast_round import AFTER, DEAD
from engines.flag.equilibrium.payoff import game_of
from engines.flag.equilibrium.value import evaluate
from engines.flag.game import FLAG
from engines.flag.parse import parse_orders
from engines.flag.position import start
from engines.flag.weights import network
from tests.flag.boards import board
from tests.flag.equilibrium.test_fast_round import as_the_next_round_begins
from tests.vectors import lines

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code


AGENT = FLAG.agents["equilibrium"]


def ask(position, iterations=40, seed=1, parameters=None):
    return AGENT.decide(
        position, parameters or AGENT.parameters(), Meter(Budget(iterations=iterations)), seed, None
    )


def test_the_exploitability_told_is_what_an_answer_by_the_rules_would_gain():
    """Every joint order of the enemy, played by the rules against every order of the mixture."""
    for side in "AB":
        position = board(side=side, A1=(5, 3), A2=(4, 7), B1=(5, 7), B2=(3, 2), dead="A3 B3")
        made = ask(position, 40)
        weights = network()
        survey = game_of(rules.table_of(position), weights).survey
        enemy = 1 - "AB".index(side)
        sign = 1 if side == "A" else -1
        mixture = [
            (entry["probability"], parse_orders({side: entry["move"]})) for entry in made.context["mixture"]
        ]
        worst = 2.0
        for chosen in itertools.product(*(range(survey.counts[3 * enemy + i]) for i in range(3))):
            total = 0.0
            for chance, ours in mixture:
                all_orders = np.array(ours, np.int64)
                for i, action in enumerate(chosen, 3 * enemy):
                    all_orders[i] = survey.orders[i, action]
                after = np.zeros(AFTER, np.int64)
                after[:AFTER] = _after(position, all_orders)
                total += chance * sign * evaluate(weights, after)
            worst = min(worst, total)
        upper = max(candidate.score for candidate in made.candidates)
        assert upper - worst == pytest.approx(made.stats["exploitability"], abs=1e-4)


def _after(position, all_orders):
    found = as_the_next_round_begins(position, all_orders.tolist())
    return found if isinstance(found, list) else [DEAD] * 6 + [-1, -1, found]


def test_within_its_default_iterations_hardly_anything_is_left_to_exploit():
    positions_seen = [
        FLAG.parse(line["state"], line["side"]) for line in lines("flag-heuristic.jsonl.gz")[::25]
    ]
    told = [ask(position, 60).stats.get("exploitability", 0.0) for position in [start("A"), *positions_seen]]
    assert max(told) < 0.02


def test_values_of_both_sides_are_each_others_negative():
    for line in lines("flag-heuristic.jsonl.gz")[::60]:
        a, b = (ask(FLAG.parse(line["state"], side)).stats.get("value") for side in "AB")
        if a is not None and b is not None:
            assert a == pytest.approx(-b, abs=0.01)


def test_the_second_ply_is_valued_where_there_is_something_to_choose():
    assert ask(start("A"), 60).stats["second_ply"] > 0
    assert ask(start("A"), 60, parameters=Parameters(plies=1)).stats["second_ply"] == 0
    assert ask(start("A"), 60, parameters=Parameters(margin=0.0)).stats["second_ply"] == 0


def test_no_slice_does_more_than_two_columns_or_a_few_outcomes_of_the_second_ply():
    """Time is asked for between slices, so this is how late an answer can be."""
    told = [ask(start("B"), done).stats for done in range(1, 44)]
    assert told[-1]["second_ply"] > 0
    for before, after in itertools.pairwise(told):
        assert after["evaluations"] - before["evaluations"] <= 2 * 21**3
        assert after["second_ply"] - before["second_ply"] <= BATCH


def test_no_opponent_is_modelled_unless_asked_for():
    assert Parameters().tilt == 0.0
    position = start("B")
    plain = ask(position, parameters=Parameters(margin=0.5, plies=1))
    modelled = ask(position, parameters=Parameters(margin=0.5, plies=1, tilt=1.0))
    assert plain.context["mixture"] != modelled.context["mixture"]
    assert modelled.stats["exploitability"] > 0.02


# The answer.


def test_the_mixture_is_small_adds_up_and_is_what_seeds_draw_from():
    position = start("B")
    made = ask(position)
    mixture = made.context["mixture"]
    assert 1 < len(mixture) <= 32
    assert sum(entry["probability"] for entry in mixture) == pytest.approx(1, abs=1e-4)
    drawn = Counter(str(ask(position, 6, seed).move) for seed in range(150))
    told = {str(e["move"]): e["probability"] for e in ask(position, 6).context["mixture"]}
    assert set(drawn) <= set(told)
    for move, probability in told.items():
        assert drawn[move] / 150 == pytest.approx(probability, abs=0.15)


def test_each_candidate_tells_its_chance_and_chances_of_a_piece_add_up():
    made = ask(start("A"), 8)
    for piece in (1, 2, 3):
        chances = [c.details["probability"] for c in made.candidates if c.move["piece"] == piece]
        assert sum(chances) == pytest.approx(1, abs=1e-4)
        assert all(list(c.terms) == ["value"] for c in made.candidates)


def test_a_mixture_without_small_change_is_measured_as_it_is_played():
    rough = ask(start("B"), 10, parameters=Parameters(least=0.2, margin=0.0))
    fine = ask(start("B"), 10, parameters=Parameters(least=0.0, margin=0.0))
    assert len(rough.context["mixture"]) < len(fine.context["mixture"])
    assert rough.stats["exploitability"] > fine.stats["exploitability"]


# What the design document calls success, and what it leaves to be wished.


def played(position, seed=1):
    """The position's orders by the agent, the enemy standing, and the round that they make."""
    made = ask(position, seed=seed)
    return made, FLAG.step(position, {position.side: made.move}, 0)


def test_it_carries_the_flag_home_and_knows_that_nothing_prevents_it():
    made, step = played(board(side="A", A1=(0, 5), carries="A1", dead="B1 B2 B3"))
    assert step.winner == "A"
    assert (made.outcome.winner, made.outcome.plies) == ("A", 1)
    assert made.score == pytest.approx(1)


def test_it_wins_by_the_key_from_which_a_carrier_is_sent_home():
    position = board(side="B", B1=(1, 9), carries="B1", pending="B1", dead="A1 A2 A3")
    made, step = played(position)
    assert step.winner == "B"
    assert made.outcome.winner == "B"


def test_it_takes_a_flag_that_nobody_can_defend():
    made, step = played(board(side="A", A1=(0, 0), dead="B1 B2 B3"))
    assert step.position.carriers[1] is not None
    assert made.score > 0.5


def test_it_catches_a_carrier_on_its_way():
    caught = 0
    for seed in range(8):
        position = board(side="A", A1=(3, 6), A2=(8, 6), B2=(5, 6), carries="B2", dead="A3 B1 B3")
        _, step = played(position, seed)
        caught += step.position.carriers[0] is None and step.winner is None
    assert caught >= 1


def test_it_frees_its_prisoners():
    position = board(side="A", A1=(9, 4), B1=(0, 0), B2=(1, 0), B3=(2, 0), dead="A2 A3")
    made = ask(position)
    freeing = sum(
        entry["probability"]
        for entry in made.context["mixture"]
        if FLAG.step(position, {"A": entry["move"]}, 0).position.rescuers
    )
    assert freeing > 0.9


def test_it_defends_before_the_flag_is_taken():
    """An enemy stands a straight line from the flag: orders that would meet it there are played."""
    position = board(side="A", A1=(3, 8), A2=(8, 8), A3=(9, 6), B1=(5, 6), B2=(0, 0), B3=(10, 0))
    made = ask(position)
    raid = [{"piece": 1, "direction": "up", "distance": 4}]
    stopped = sum(
        entry["probability"]
        for entry in made.context["mixture"]
        if not FLAG.step(position, {"A": entry["move"], "B": raid}, 0).position.pieces[3].alive
    )
    assert stopped > 0.5
