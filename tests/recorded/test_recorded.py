"""Every question that was recorded at c133b38 has the same answer today, names aside (README.md)."""

import json
from collections import Counter
from functools import cache

import pytest

from engines.catalogue import GAMES
from engines.core.budget import Budget, Meter
from tests.recorded import form
from tests.recorded.renaming import Renaming, difference

QUESTIONS = {"battlesnake": 16, "ludo": 1, "isolation": 2, "flag": 2}
"""By game: into how many tests its questions are dealt."""
WHOLE_GAMES = {"battlesnake": 10, "isolation": 1}
SHOWN = 3


@cache
def recorded(name):
    return tuple(form.lines(f"{name}.jsonl.gz"))


def dealt(name, part, parts):
    return recorded(name)[part::parts]


def asked(game, record):
    """Today's agent and its parameters; None where there is no such question any more."""
    found = Renaming(game).question(record["agent"], record["parameters"])
    if found is None:
        return None
    agent = GAMES[game].agents[found[0]]
    return agent, agent.parameters(**found[1])


def decide(chosen, position, iterations, seed, memory=None):
    agent, parameters = chosen
    return agent.decide(position, parameters, Meter(Budget(iterations=iterations)), seed, memory)


def compared(game, record, old, decision):
    """The first field in which an answer differs from the recorded one."""
    names, new = Renaming(game), form.full(decision)
    if "digest" in old:
        new = form.brief(new)
        old = {key: old[key] for key in new}
    old = names.answer(old, record["agent"], record["parameters"])
    return difference(old, names.bare(new))


def told(game, record, position, iterations, seed, found):
    return (
        f"{found}\n  {game} {record['agent']} {json.dumps(record['parameters'])}, question {record['id']}, "
        f"{iterations} iterations, seed {seed}\n{GAMES[game].draw(position)}\n  {GAMES[game].dump(position)}"
    )


def report(failures, count):
    if failures:
        shown = "\n\n".join(failures[:SHOWN])
        pytest.fail(f"{len(failures)} of {count} answers differ from c133b38:\n\n{shown}", pytrace=False)


def parts(table):
    return [pytest.param(game, part, id=f"{game}-{part}") for game in table for part in range(table[game])]


@pytest.mark.machine_code
@pytest.mark.parametrize(("game", "part"), parts(QUESTIONS))
def test_every_question_has_its_recorded_answer(game, part):
    failures, records = [], dealt(game, part, QUESTIONS[game])
    for record in records:
        if (chosen := asked(game, record)) is None:
            continue
        state = form.unpack_request(record["state"]) if game == "battlesnake" else record["state"]
        position = GAMES[game].parse(state, record["side"])
        effort = record["iterations"], record["seed"]
        old = record.get("answer") or record["brief"]
        if found := compared(game, record, old, decide(chosen, position, *effort)):
            failures.append(told(game, record, position, *effort, found))
    report(failures, len(records))


@pytest.mark.machine_code
@pytest.mark.parametrize("part", range(WHOLE_GAMES["battlesnake"]))
def test_snakes_that_remember_play_their_recorded_games(part):
    """Each turn is asked on the board that was recorded, with the memory of today's own answer before."""
    failures, count = [], 0
    for record in dealt("battlesnake-games", part, WHOLE_GAMES["battlesnake"]):
        if (chosen := asked("battlesnake", record)) is None:
            continue
        memories = {}
        for turn in record["turns"]:
            for snake, old in turn["answers"].items():
                board = {**record, **turn, "you": snake}
                request = form.unpack_request(board, f"game-{record['id']}")
                position = GAMES["battlesnake"].parse(request)
                effort = record["iterations"], old["seed"]
                decision = decide(chosen, position, *effort, memories.get(snake))
                memories[snake] = decision.memory
                count += 1
                if found := compared("battlesnake", record, old.get("answer") or old, decision):
                    failures.append(told("battlesnake", record, position, *effort, found))
    report(failures, count)


@pytest.mark.machine_code
def test_isolation_is_played_as_recorded_with_what_is_thought_of_the_opponent():
    failures, count = [], 0
    for record in recorded("isolation-games"):
        if (chosen := asked("isolation", record)) is None:
            continue
        memory = None
        for turn in record["turns"]:
            position = GAMES["isolation"].parse(turn["state"])
            effort = turn["iterations"], turn["seed"]
            decision = decide(chosen, position, *effort, memory)
            memory = decision.memory
            count += 1
            if found := compared("isolation", record, turn["answer"], decision):
                failures.append(told("isolation", record, position, *effort, found))
    report(failures, count)


def test_enough_is_asked():
    """Renaming must not quietly retire what is to be proven: 3,000 questions and 200 games stay."""
    questions = [(game, record) for game in QUESTIONS for record in recorded(game)]
    assert sum(asked(*question) is not None for question in questions) >= 3000
    games = recorded("battlesnake-games")
    assert len(games) == 200
    gone = Counter(record["agent"] for record in games if asked("battlesnake", record) is None)
    assert sum(gone.values()) <= 16, f"only the 16 games with root=pairs may go: {gone}"
