"""The round settled by look-up, the game between all joint orders, and the agent that plays its mixture."""

import hashlib
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from engines.core.limit import Budget, Meter
from engines.core.rng import seeded
from engines.flag import rules
from engines.flag.agents.equilibrium import BATCH, Equilibrium
from engines.flag.agents.heuristic import plan
from engines.flag.equilibrium.double_oracle import KEPT, DoubleOracle, match_regrets
from engines.flag.equilibrium.fast_round import AFTER, DEAD, WINNER, fast_round_by_orders, unpack
from engines.flag.equilibrium.learning import FACTORED, Learner, Valuation, coalesce, fit, harvest
from engines.flag.equilibrium.local_search import SLIP, Effort, second_ply
from engines.flag.equilibrium.payoff import game_of
from engines.flag.equilibrium.value import DISCOUNT, EMBEDDING, HEAD, HIDDEN, Network, evaluate
from engines.flag.game import FLAG
from engines.flag.one_round import heuristic_orders
from engines.flag.parse import parse_orders
from engines.flag.position import start
from engines.flag.step import with_rescuers_home
from engines.flag.weights import PACKAGE, network
from tests.flag.boards import ORDERS, board, positions
from tests.vectors import lines

# A decision takes tens of seconds without machine code; `test_contract.py` asks the short ones there.
pytestmark = pytest.mark.machine_code

AGENT = FLAG.agents["equilibrium"]


def ask(position, iterations=40, seed=1, parameters=None):
    return AGENT.decide(
        position, parameters or AGENT.parameters(), Meter(Budget(iterations=iterations)), seed, None
    )


# The faster form of the round.


def as_the_next_round_begins(position, given_orders):
    """By the rules themselves: cells (or DEAD), carriers, winner."""
    table, (trace, log) = rules.table_of(position), rules.scratch()
    rules.play_round(table, np.array(given_orders, np.int64), trace, log)
    if table[rules.WINNER] != rules.NOBODY:
        return int(table[rules.WINNER])
    rules.go_home(table, trace, log)
    cells = table[rules.X : rules.X + 6] + 11 * table[rules.Y : rules.Y + 6]
    cells[table[rules.ALIVE : rules.ALIVE + 6] == 0] = DEAD
    return [*cells.tolist(), int(table[rules.CARRIER]), int(table[rules.CARRIER + 1]), rules.NOBODY]


def settled(position, given_orders):
    table, after = rules.table_of(with_rescuers_home(position)), np.zeros(AFTER, np.int64)
    fast_round_by_orders(table, np.array(given_orders, np.int64), after)
    return after.tolist() if after[WINNER] == rules.NOBODY else int(after[WINNER])


def test_look_up_and_rules_agree_on_every_recorded_round():
    for line in lines("flag.jsonl.gz"):
        position, given_orders = FLAG.parse(line["before"]), parse_orders(line["commands"])
        assert settled(position, given_orders) == as_the_next_round_begins(position, given_orders), line[
            "tags"
        ]


@given(positions(), ORDERS)
def test_look_up_and_rules_agree_on_any_round(position, given_orders):
    assert settled(position, given_orders) == as_the_next_round_begins(position, given_orders)


@given(positions())
def test_a_settled_position_is_laid_out_as_it_was(position):
    table = rules.table_of(with_rescuers_home(position))
    stand = [(0, 0)] * 6
    after, again = np.zeros(AFTER, np.int64), np.zeros(AFTER, np.int64)
    fast_round_by_orders(table, np.array(stand, np.int64), after)
    if after[WINNER] == rules.NOBODY:
        unpack(after, table)
        fast_round_by_orders(table, np.array(stand, np.int64), again)
        met = [cell for cell in after[:6] if cell != DEAD]
        if len(met) == len(set(met)) and again[WINNER] == rules.NOBODY:
            assert set(np.flatnonzero(again[:6] == DEAD)) <= set(np.flatnonzero(after[:6] == DEAD))


# The game of one round.


def test_regret_matching_finds_the_mixture_of_a_known_game():
    payoff, regret, mix = np.zeros((KEPT, KEPT)), np.zeros((2, KEPT)), np.zeros((2, KEPT))
    payoff[:2, :2] = [[3, -1], [-2, 1]]  # A plays the first in 3 of 7, B in 2 of 7; worth 1/7
    match_regrets(payoff, np.array([2, 2]), regret, mix, 2000)
    assert mix[0, :2] == pytest.approx([3 / 7, 4 / 7], abs=0.005)
    assert mix[1, :2] == pytest.approx([2 / 7, 5 / 7], abs=0.005)


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
                    all_orders[i] = survey.direction[i, action], survey.distance[i, action]
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


# The second ply.


def second_ply_values(position, pairs):
    game = game_of(rules.table_of(with_rescuers_home(position)), network())
    found = np.zeros(len(pairs))
    second_ply(seeded(0), game, np.array(pairs, np.int64), SLIP, found)
    return found.tolist()


def test_the_second_ply_knows_wins_and_answers_the_same_again():
    won = board(side="A", A1=(0, 6), A2=(9, 9), carries="A1", B1=(0, 0), dead="A3 B2 B3")
    assert second_ply_values(won, [(0, 0)]) == [1.0]
    some = [(number * 37, number * 91) for number in range(20)]
    assert second_ply_values(start("A"), some) == second_ply_values(start("A"), some)


def test_a_round_solved_quickly_is_worth_what_it_is_worth_solved_exactly():
    """With no slips: the value by local search for responses against that by the best of all responses."""
    weights, differences = network(), []
    for line in lines("flag-heuristic.jsonl.gz")[::20]:
        position = FLAG.parse(line["state"], "A")
        if position.over or not (position.living(0) and position.living(1)):
            continue
        game = game_of(rules.table_of(with_rescuers_home(position)), weights)
        stand = np.zeros((1, 2), np.int64)
        after, found = np.zeros(AFTER, np.int64), np.zeros(1)
        fast_round_by_orders(rules.table_of(with_rescuers_home(position)), np.zeros((6, 2), np.int64), after)
        if after[WINNER] != rules.NOBODY or min(np.sum(after[:3] != DEAD), np.sum(after[3:6] != DEAD)) == 0:
            continue
        second_ply(seeded(0), game, stand, 0.0, found)
        table = np.zeros(rules.TABLE, np.int64)
        unpack(after, table)
        exact = DoubleOracle(table, weights)
        for _ in range(60):
            if exact.iterate(300) < 0.004:
                break
        value = 0.5 * (exact.restricted.values_a.max() + exact.restricted.values_b.min())
        differences.append(abs(found[0] / DISCOUNT - value))
    assert len(differences) > 5
    assert np.mean(differences) < 0.02


def test_the_strategy_as_learning_meets_it_is_the_documents():
    for line in lines("flag-heuristic.jsonl.gz"):
        position = FLAG.parse(line["state"], line["side"])
        side, found = position.mover(), np.zeros((6, 2), np.int64)
        heuristic_orders(rules.table_of(position), side, found)
        mine = slice(3 * side, 3 * side + 3)
        assert (found[mine] == plan(position, side).orders[mine]).all()


def test_the_second_ply_is_valued_where_there_is_something_to_choose():
    assert ask(start("A"), 60).stats["second_ply"] > 0
    assert ask(start("A"), 60, parameters=Equilibrium(plies=1)).stats["second_ply"] == 0
    assert ask(start("A"), 60, parameters=Equilibrium(margin=0.0)).stats["second_ply"] == 0


def test_no_slice_does_more_than_two_columns_or_a_few_outcomes_of_the_second_ply():
    """Time is asked for between slices, so this is how late an answer can be."""
    told = [ask(start("B"), done).stats for done in range(1, 44)]
    assert told[-1]["second_ply"] > 0
    for before, after in itertools.pairwise(told):
        assert after["evaluations"] - before["evaluations"] <= 2 * 21**3
        assert after["second_ply"] - before["second_ply"] <= BATCH


def test_no_opponent_is_modelled_unless_asked_for():
    assert Equilibrium().tilt == 0.0
    position = start("B")
    plain = ask(position, parameters=Equilibrium(margin=0.5, plies=1))
    modelled = ask(position, parameters=Equilibrium(margin=0.5, plies=1, tilt=1.0))
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
    rough = ask(start("B"), 10, parameters=Equilibrium(least=0.2, margin=0.0))
    fine = ask(start("B"), 10, parameters=Equilibrium(least=0.0, margin=0.0))
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


# Learning.


def test_learning_is_the_same_again_and_lessens_the_error():
    def course():
        random, rng = seeded(5), np.random.Generator(np.random.PCG64(1))
        parts, head = np.zeros((4, 2, FACTORED, HIDDEN), np.float32), np.zeros(HEAD, np.float32)
        virtual = FACTORED - EMBEDDING[2]
        parts[:, :, EMBEDDING[2] :] = rng.normal(0, 0.3, (4, 2, virtual, HIDDEN))
        head[..., :HIDDEN] = rng.normal(0, 0.05, (*HEAD[:3], HIDDEN))
        learner = Learner(parts, np.full_like(parts, 1e-3), head, np.full_like(head, 1e-3))
        net = Network(np.zeros(EMBEDDING, np.float32), head)
        coalesce(parts, net.embedding)
        seen, worth, after = np.zeros((60, AFTER), np.int64), np.zeros(60), np.zeros(AFTER, np.int64)
        after[WINNER] = 0
        harvest(random, net, after, seen, worth, Valuation(Effort(4, 30, 1), 0.98, 0.2))
        errors = [fit(random, learner, seen, worth, 600, 0.003) for _ in range(6)]
        coalesce(parts, net.embedding)
        return errors, net.embedding, worth

    errors, rows, worth = course()
    again = course()
    assert errors[-1] < 0.5 * errors[0]
    assert np.abs(worth).max() <= 1
    assert errors == again[0]
    assert (rows == again[1]).all()


def test_the_file_that_ships_is_the_one_that_the_docs_tell_how_to_make():
    """`quadriga train flag equilibrium --seed 0`, byte for byte: docs/flag.md tells the digest."""
    digest = hashlib.sha256((PACKAGE / "value.npz").read_bytes()).hexdigest()
    assert digest in (Path(__file__).parents[2] / "docs" / "flag.md").read_text()
