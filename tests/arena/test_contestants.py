"""How a contestant is written, and what is refused of it by name."""

import pytest

from arena.contestants import Local, Remote, read, read_all, resolve
from arena.errors import ArenaError
from arena.games import load_game
from engines.core.budget import Budget


@pytest.mark.parametrize(
    ("text", "spec", "label", "ms", "iterations"),
    [
        ("greedy", "greedy", "greedy", 20, 7),  # without a budget of its own: the one for all
        ("greedy@ms=150", "greedy", "greedy@ms=150", 150, None),
        (
            "ab:heuristic=center@iterations=500",
            "ab:heuristic=center",
            "ab:heuristic=center@iterations=500",
            None,
            500,
        ),
        ("ab@ms=150,iterations=10#deep", "ab", "deep", 150, 10),
        ("http://h:8000/snakes/a@ms=300", "http://h:8000/snakes/a", "h:8000/snakes/a@ms=300", 300, None),
        ("https://user@host/x#old", "https://user@host/x", "old", 20, 7),
    ],
)
def test_a_contestant_is_read(text, spec, label, ms, iterations):
    found = read(text, ms=20, iterations=7)
    assert (found.spec, found.label, found.ms, found.iterations) == (spec, label, ms, iterations)


def test_two_of_one_name_are_told_apart():
    assert [one.label for one in read_all(["a", "a", "b", "a"], None, None)] == ["a", "a (2)", "b", "a (3)"]


def resolved(text, game="isolation", **budget):
    return resolve(read(text, **budget), load_game(game))


def test_an_agent_gets_its_parameters_and_its_budget():
    found = resolved("greedy:heuristic=center@iterations=5")
    assert isinstance(found, Local)
    assert found.parameters.heuristic == "center"
    assert found.budget == Budget(iterations=5)
    assert resolved("random").budget.ms == 150  # the agent's own default
    assert resolved("python:tests.arena.agents.NAP:ms=7.5").parameters.ms == 7.5


def test_an_endpoint_may_name_the_agent_that_it_shall_ask():
    assert resolved("http://h:1/base/?agent=ab:heuristic=center@ms=90") == Remote(
        "http://h:1/base", "ab:heuristic=center", 90, None
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no agent"),
        ("nobody", "no agent 'nobody'; it has .*random"),
        ("greedy:heuristic=nonsense", "heuristic=nonsense"),
        ("greedy:depth=3", "no parameter 'depth'; it has heuristic"),
        ("greedy:heuristic", "parameter=value"),
        ("greedy:heuristic=center,heuristic=center", "given twice"),
        ("greedy@ms=soon", "not a number"),
        ("greedy@iterations=0", "1 or more"),
        ("greedy@ms=inf", "1 or more"),
        ("http://", "not an address"),
        ("http://host:99999", "not an address"),
        ("http://host?speed=3", "agent="),
        ("python:nowhere.at.all", "cannot be imported"),
        ("python:tests.arena.agents.first", "is not an"),
        ("python:tests.arena.agents.NAP:ms=-1", "ms=-1"),
        ("x" * 501, "500 characters"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(text, said):
    with pytest.raises(ArenaError, match=said):
        resolved(text)


def test_no_such_game():
    with pytest.raises(ArenaError, match="there are battlesnake, ludo"):
        load_game("chess")


@pytest.mark.parametrize("agent", ["negamax", "rhea", "rhea_with_negamax_override"])
@pytest.mark.parametrize("config", ["published", "tuned"])
def test_a_config_that_is_gone_names_the_agent_in_its_place(agent, config):
    with pytest.raises(ArenaError, match=f"document's agent is now `published_{agent}`"):
        resolve(read(f"{agent}:config={config}"), load_game("battlesnake"))
