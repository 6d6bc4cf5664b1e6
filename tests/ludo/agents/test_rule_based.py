"""The rule-based player: the document's scores, its readings, its strength, its own interface."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config

from engines.core.budget import Budget, Meter
from engines.core.rng import seeded
from engines.ludo.agents.rule_based import Parameters, evaluate
from engines.ludo.documented import RuleBasedPlayer
from engines.ludo.evaluation.rule_evaluation import DEFAULT_READINGS
from engines.ludo.game import LUDO
from engines.ludo.parse import parse
from engines.ludo.simulation.games import lone_rule_player
from tests.ludo.strategies import positions
from tests.oracles import ludo as oracle
from tests.vectors import lines

DECISIONS = lines("ludo-agents.jsonl.gz")


def decide(position, seed=1, **params):
    agent = LUDO.agents["rule_based"]
    return agent.decide(position, agent.parameters(**params), Meter(Budget(iterations=1)), seed, None)


def position_of(own, enemy=(0, 0, 0, 0), dice=1):
    """Two players, seat 0 to move, seat 2 its enemy."""
    rows = [list(own), [0] * 4, list(enemy), [0] * 4]
    return parse({"positions": rows, "ghosts": [1, 3], "player": 0, "dice": dice})


readings = st.fixed_dictionaries(
    {
        "rule_order": st.sampled_from(["list", "score"]),
        "override": st.sampled_from(["strategy", "literal"]),
        "flee": st.sampled_from(["open", "safe"]),
    }
)


@given(positions(), readings)
def test_every_score_is_the_oracles(position, chosen):
    held, moves = evaluate(position, Parameters(**chosen))
    rows = [list(pieces) for pieces in position.positions]
    expected = oracle.decision(rows, position.player, position.dice, **chosen)
    assert held == expected["phases"]
    assert [
        {
            "piece": move.piece,
            "land": move.land,
            "rule": move.rule,
            "base": move.base,
            "mult": move.multiplier,
            "bonus": move.bonus,
            "risk": sum(move.risk.values()),
            "break": move.penalty,
            "final": move.score,
            "captures": move.captures,
            "sent_home": move.sent_home,
        }
        for move in moves
    ] == expected["moves"]


@given(positions(), readings, st.booleans())
def test_terms_add_up_to_the_score(position, chosen, refuse):
    params = Parameters(**chosen, refuse_self_harm=refuse)
    _, moves = evaluate(position, params)
    decision = decide(position, **chosen, refuse_self_harm=refuse)
    for move, candidate in zip(moves, decision.candidates, strict=True):
        assert sum(candidate.terms.values()) == candidate.score == move.score


def test_the_decision_is_among_the_best_of_the_vectors():
    for line in DECISIONS[::10]:
        decision = decide(parse(line))
        assert decision.move["piece"] in line["best"]
        assert decision.score == max(move["final"] for move in line["moves"])
        assert decision.context == {"phase": line["phase"], "phases": line["phases"]}


def test_every_part_of_a_score_has_its_own_term():
    # A STRATEGY move off a blockade onto a globe, with an enemy behind the square left.
    decision = decide(position_of([6, 6, 30, 57], dice=3))
    assert decision.candidates[0].terms == {
        "strategy": 0.0,
        "progress_score": 1000.0,
        "globe_hop": 500.0,
        "balanced_front": 350.0,
        "split_blockade": 250.0,
        "blockade_break_penalty": -500.0,
    }
    # Goal in the closing phase: the multiplier is a term of its own.
    closing = decide(position_of([55, 57, 30, 20], dice=2))
    assert closing.candidates[0].terms == {"win_move": 1e6, "multiplier": 1e6}
    assert closing.context["phase"] == "closing"


def test_each_enemys_share_of_the_risk_is_told():
    rows = [[20, 57, 0, 30], [8, 0, 0, 0], [46, 0, 0, 0], [0] * 4]
    position = parse({"positions": rows, "ghosts": [3], "player": 0, "dice": 3})
    terms = decide(position).candidates[0].terms
    # Own 23 is ring 22; seat 1's 8 is ring 20 and seat 2's 46 is ring 19.
    assert terms["risk_from_seat_1"] == -5 * 800
    assert terms["risk_from_seat_2"] == -4 * 800


def piece_chosen(position, **params):
    return decide(position, **params).move["piece"]


def test_reading_rule_order():
    # Leaving home onto an own piece: a blockade by the list, by score the rule of coming out.
    position = position_of([0, 1, 57, 30], dice=6)
    by_list, by_score = (
        next(c for c in decide(position, rule_order=order).candidates if c.move["piece"] == 0)
        for order in ("list", "score")
    )
    assert by_list.details["rule"] == "FORM_BLOCKADE_MOVE"
    assert "list-order" in by_list.details["readings"]
    assert (by_score.details["rule"], by_score.score) == ("GET_OUT_OF_HOME", 7000.0)


def test_reading_override():
    # A threatened piece that captures: to the letter it scores minus its risk alone.
    position = position_of([20, 57, 57, 30], enemy=[45, 49, 0, 0], dice=3)
    kept = decide(position).candidates[0]
    literal = decide(position, override="literal").candidates[0]
    assert kept.details["rule"] == literal.details["rule"] == "CAPTURE_MOVE"
    assert kept.score > 40_000
    assert literal.score == sum(v for k, v in literal.terms.items() if k.startswith("risk_from"))
    assert literal.terms["override"] < -40_000


def test_reading_flee():
    position = position_of([20, 57, 57, 0], enemy=[45, 0, 0, 0], dice=6)
    assert decide(position).candidates[0].details["rule"] == "FLEE_MOVE"
    assert decide(position, flee="safe").candidates[0].details["rule"] != "FLEE_MOVE"


def test_refusing_self_harm():
    # A threatened piece would flee to a globe that an enemy holds, and be sent home.
    position = position_of([20, 57, 57, 30], enemy=[45, 48, 0, 0], dice=2)
    assert piece_chosen(position) == 0
    assert piece_chosen(position, refuse_self_harm=True) == 3
    harmed = decide(position, refuse_self_harm=True).candidates[0]
    assert harmed.terms["refuse_self_harm"] < 0
    assert "is sent home by those who stand there" in harmed.notes


# Twenty thousand games where compiled; a handful keeps the path alive where the JIT is off.
GAMES = 50 if config.DISABLE_JIT else 20_000


@pytest.mark.parametrize(("ghosts", "rate", "margin"), [(0b1010, 0.795, 0.015), (0, 0.52, 0.015)])
def test_it_is_as_strong_as_documented(ghosts, rate, margin):
    won, judged = lone_rule_player(GAMES, ghosts, DEFAULT_READINGS, seeded(6), 100_000)
    assert judged > 20 * GAMES
    if GAMES > 1000:
        assert abs(won / GAMES - rate) < margin


def state(position, **fields):
    """The document's state object for a position of seat 0."""
    shown = {
        "player_pieces": list(position.positions[0]),
        "enemy_pieces": [list(pieces) for pieces in position.positions[1:]],
        "dice_roll": position.dice,
        "valid_moves": list(position.movable),
        "movable_pieces": list(position.movable),
    }
    return SimpleNamespace(**shown | fields)


def test_the_documents_interface():
    player = RuleBasedPlayer(seed=3, debug_scores=True)
    assert (player.is_on_policy, player.needs_replay_learning, player.supports_score_debug) == (
        False,
        False,
        True,
    )
    position = position_of([0, 20, 57, 30], enemy=[45, 0, 0, 0], dice=2)
    assert player.act(position) == player.act(state(position)) == 0
    assert [(move["piece"], move["rule"]) for move in player.get_last_score_debug()] == [
        (move.piece, move.rule) for move in evaluate(position, Parameters())[1]
    ]
    assert player.act(state(position, movable_pieces=[3])) == 0
    assert player.act(state(position, movable_pieces=None)) == 0
    assert player.act(state(position, valid_moves=[3, 1], movable_pieces=[])) == 1
    assert player.act(state(position, valid_moves=[], movable_pieces=None)) == 0
    assert player.act(state(position, enemy_pieces=[])) in (0, 1)
    quiet = RuleBasedPlayer()
    quiet.act(position)
    assert quiet.get_last_score_debug() == []


def test_the_documents_ties_are_drawn_from_its_seed():
    position = position_of([0, 0, 0, 0], dice=6)
    one, two = RuleBasedPlayer(seed=5), RuleBasedPlayer(seed=5)
    actions = [one.act(position) for _ in range(40)]
    assert actions == [two.act(position) for _ in range(40)]
    assert set(actions) == {0, 1, 2, 3}
