"""One exam for every registered agent of every game: the contract of `engines.core`."""

import copy
import dataclasses
import itertools
import json
import math
import os

import pytest

from app.decisions.answer import Answer, jsonable
from app.decisions.parameters import describe, make_parameters, parameter_schema
from app.decisions.question import AgentCall, Question
from engines.catalogue import GAMES
from engines.core.budget import Budget, Meter
from engines.core.decision import Candidate
from engines.core.rng import derive

AGENTS = [(game, agent) for game in GAMES.values() for agent in game.agents.values()]
EVERY_AGENT = pytest.mark.parametrize(
    ("game", "agent"), AGENTS, ids=[f"{game.name}-{agent.name}" for game, agent in AGENTS]
)

# Enough for every agent to look around; the strong ones are cut short and must answer all the same.
# Without machine code the same questions are asked, of fewer positions and for less thinking.
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
ITERATIONS = 2 if PLAIN else 40
POSITIONS = 2 if PLAIN else 14
SIDES = {"flag": ("A", "B")}


def small_budget(agent):
    return Budget(iterations=min(ITERATIONS, agent.budgets.iterations.maximum))


def with_side(game, position, side):
    return game.parse(game.dump(position), side) if side else position


def joint_moves(game, position, seed):
    """Moves for one step: everybody's, by the agent `random`."""
    agent = game.agents["random"]

    def ask(view):
        return agent.decide(view, agent.parameters(), Meter(Budget(iterations=10)), seed, None).move

    if game.name == "flag":
        return {side: ask(with_side(game, position, side)) for side in "AB"}
    if game.name == "battlesnake":
        state = game.dump(position)
        moves = {}
        for snake in state["board"]["snakes"]:
            moves[snake["id"]] = ask(game.parse({**state, "you": snake}))
        return moves
    return ask(position)


def positions(game, count, seed=3):
    """Positions of random games, starts included, each with a decision to take."""
    found, number = [], 0
    while len(found) < count:
        number += 1
        position = game.new({}, derive(seed, number))
        for turn in range(12):
            found += [with_side(game, position, side) for side in SIDES.get(game.name, (None,))]
            step = game.step(
                position, joint_moves(game, position, derive(seed, number, turn)), derive(seed, turn)
            )
            position = step.position
            if step.over:
                found += [with_side(game, position, side) for side in SIDES.get(game.name, (None,))]
                break
    stride = max(1, len(found) // count)
    return found[::stride][:count]


@pytest.fixture(scope="module")
def samples():
    return {name: positions(game, POSITIONS) for name, game in GAMES.items()}


def decide(agent, position, budget=None, seed=11, memory=None, clock=None):
    meter = Meter(budget or small_budget(agent), clock)
    return agent.decide(position, agent.parameters(), meter, seed, memory)


def is_legal(game, position, move):
    """Does the game itself take the move?"""
    if game.name == "battlesnake":
        return move in ("up", "down", "left", "right")
    if game.name == "ludo":
        legal = game.legal(position)
        return move in legal if legal else move == {"piece": None, "action": 0}
    if game.name == "isolation":
        legal = game.legal(position)
        return move in legal if legal else move is None
    state = game.dump(position)
    if state["status"] == "finished":
        return move == []
    living = [piece[0] for piece in state["pieces"][position.side] if piece[3]]
    return (
        [order["piece"] for order in move] == living
        and all(0 <= order["distance"] <= 10 for order in move)
        and all(order["direction"] in ("up", "down", "left", "right") for order in move)
    )


@EVERY_AGENT
def test_the_same_question_gets_the_same_answer_and_leaves_the_position_alone(game, agent, samples):
    for position in samples[game.name]:
        before = copy.deepcopy(game.dump(position))
        first, second = decide(agent, position), decide(agent, position)
        assert jsonable(first.move) == jsonable(second.move)
        assert first.score == second.score
        assert [(c.move, c.score, dict(c.terms)) for c in first.candidates] == [
            (c.move, c.score, dict(c.terms)) for c in second.candidates
        ]
        assert dict(first.stats) == dict(second.stats)
        assert game.dump(position) == before


@EVERY_AGENT
def test_moves_are_legal_with_any_seed_and_memory_only_helps(game, agent, samples):
    for position in samples[game.name]:
        memory = None
        for seed in (0, 1, 2**63 - 1):
            decision = decide(agent, position, seed=seed, memory=memory)
            assert is_legal(game, position, decision.move), (game.dump(position), decision.move)
            memory = decision.memory


@EVERY_AGENT
def test_terms_add_up_to_the_score(game, agent, samples):
    for position in samples[game.name]:
        decision = decide(agent, position)
        for candidate in decision.candidates:
            total = sum(candidate.terms.values())
            if candidate.score is not None:
                assert math.isfinite(candidate.score)
                assert total == candidate.score
            elif candidate.terms:
                assert not math.isfinite(total)
        assert decision.score is None or math.isfinite(decision.score)


@EVERY_AGENT
def test_budgets_of_iterations_are_kept_and_counted(game, agent, samples):
    for iterations in sorted({1, min(5, ITERATIONS), ITERATIONS}):
        for position in samples[game.name][:5]:
            decision = decide(agent, position, Budget(iterations=iterations))
            assert 0 <= decision.stats["iterations"] <= max(iterations, agent.budgets.iterations.minimum)


@EVERY_AGENT
def test_a_budget_of_iterations_never_reads_the_clock(game, agent, samples):
    def clock():
        raise AssertionError("the clock was read")

    for position in samples[game.name][:5]:
        decide(agent, position, clock=clock)


@EVERY_AGENT
def test_a_legal_move_at_every_point_at_which_time_could_run_out(game, agent, samples):
    """Scan: time runs out at the first question, at the second, … until a search ends by itself."""
    for position in samples[game.name][: 1 if PLAIN else 4]:
        for stop_at in range(1, 4 if PLAIN else 60):
            reads = 0

            def clock(stop_at=stop_at):
                nonlocal reads
                reads += 1
                # The first reading starts the meter; from reading `stop_at` + 1 on, time is over.
                return 0.0 if reads <= stop_at else 1e9

            budget = Budget(ms=1000, iterations=ITERATIONS)
            decision = decide(agent, position, budget, clock=clock)
            assert is_legal(game, position, decision.move)
            for candidate in decision.candidates:
                if candidate.score is not None:
                    assert sum(candidate.terms.values()) == candidate.score
            if reads <= stop_at:
                break


@EVERY_AGENT
def test_a_search_told_to_stop_answers_legally(game, agent, samples):
    for position in samples[game.name][:5]:
        meter = Meter(small_budget(agent))
        meter.stop()
        decision = agent.decide(position, agent.parameters(), meter, 1, None)
        assert is_legal(game, position, decision.move)


@EVERY_AGENT
def test_the_answer_is_plain_json(game, agent, samples):
    for position in samples[game.name]:
        decision = decide(agent, position)
        question = Question(game.name, position, seed=1, explain=True)
        search = AgentCall(question, game, agent, agent.parameters(), small_budget(agent))
        shown = Answer(question, decision, search, elapsed_ms=1.0).json()
        text = json.dumps(shown, allow_nan=False)
        assert json.loads(text) == shown
        assert shown["stats"]["iterations"] >= 0


@EVERY_AGENT
def test_parameters_have_defaults_bounds_and_words(game, agent):
    assert dataclasses.is_dataclass(agent.parameters)
    assert agent.parameters.__dataclass_params__.frozen
    defaults = agent.parameters()
    assert make_parameters(agent, dataclasses.asdict(defaults)) == defaults
    properties = parameter_schema(agent.parameters).get("properties", {})
    assert list(properties) == [field.name for field in dataclasses.fields(defaults)]
    for name, field in properties.items():
        assert field.get("description"), f"{agent.name}.{name} says nothing about itself"


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_position_survives_being_written_and_read(game, samples):
    for position in samples[game.name]:
        state = game.dump(position)
        again = game.parse(json.loads(json.dumps(state)), getattr(position, "side", None))
        assert again == position
        assert hash(again) == hash(position)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_plain_legal_move_is_legal_and_every_board_can_be_drawn(game, samples):
    for position in samples[game.name]:
        assert is_legal(game, position, game.fallback(position))
        assert game.render(position).strip()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_agents_describe_themselves(game):
    described = describe(game, "random")["agents"]
    assert [agent["name"] for agent in described] == list(game.agents)
    assert [agent["name"] for agent in described if agent["default"]] == ["random"]
    assert {"random", "greedy"} <= set(game.agents)
    for agent in described:
        assert agent["summary"]
        assert agent["iteration"]
        for budget in agent["budgets"].values():
            assert budget["minimum"] <= budget["default"] <= budget["maximum"]


def test_terms_add_up_in_any_order_and_by_any_way_of_summing():
    terms = {"a": 0.1, "b": 0.2, "c": -0.3, "d": 1e6 / 3, "e": 7, "f": -math.pi}
    candidate = Candidate.of("up", terms)
    for order in itertools.permutations(candidate.terms.values()):
        assert sum(order) == candidate.score == math.fsum(order)
    for name, value in terms.items():
        assert candidate.terms[name] == pytest.approx(value, abs=1e-6)


def test_an_infinite_term_leaves_no_score():
    assert Candidate.of("up", {"a": math.inf, "b": 1}).score is None
    assert Candidate.of("up", {}).score == 0
