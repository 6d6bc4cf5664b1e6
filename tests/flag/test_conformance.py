"""The vectors through the rules and the heuristic, and the proof that a wrong line is noticed."""

import copy
import os
import subprocess
import sys
from collections import Counter

import pytest

from engines.core.vectors import DamagedLineError
from engines.flag.conformance import DECISION_RESULTS, FORMATS, ROUND_RESULTS
from engines.flag.game import FLAG
from tests.flag.answers import answers
from tests.oracles import flag as oracle
from tests.vectors import lines

ROUNDS, DECISIONS = FORMATS
RESULTS = {"flag": ROUND_RESULTS, "flag-heuristic": DECISION_RESULTS}
EACH_FORMAT = pytest.mark.parametrize("vectors", FORMATS, ids=lambda found: found.name)


def records(vectors, stride=1):
    return lines(f"{vectors.name}.jsonl.gz")[::stride]


@EACH_FORMAT
def test_every_line_is_recognised_and_agrees(vectors):
    for record in records(vectors):
        assert [found.name for found in FORMATS if found.recognises(record)] == [vectors.name]
        assert vectors.replay(record).differences == (), record["id"]


def test_the_shipped_rounds_exercise_every_rule():
    tags = Counter(tag for record in records(ROUNDS) for tag in record["tags"])
    assert len(tags) == 47
    assert min(tags.values()) >= 5


def test_the_oracle_agrees_with_the_rounds():
    for record in records(ROUNDS, 3):
        got = oracle.play(record["before"], record["commands"])
        assert got == {name: record[name] for name in ROUND_RESULTS}


def test_the_oracle_agrees_with_the_decisions():
    for record in records(DECISIONS, 10):
        got = oracle.heuristic(record["state"], record["side"])
        assert got == {name: record[name] for name in DECISION_RESULTS}


def leaves(value, path=()):
    """The path of every value inside a JSON value, containers included."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))


def with_value(record, path, value):
    spoilt = copy.deepcopy(record)
    target = spoilt
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return spoilt


def without(record, path):
    spoilt = copy.deepcopy(record)
    target = spoilt
    for key in path[:-1]:
        target = target[key]
    del target[path[-1]]
    return spoilt


def spoil(value):
    """Other values in a value's place: wrong ones, and right ones of a wrong type."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, str(value), 10**400, value + 0.5, *([bool(value)] if value in (0, 1) else [])]
    if isinstance(value, str):
        return [value + "x", None, "\ud800"]
    if value is None:
        return [0, "A1", False]
    if isinstance(value, list):
        return [[*value, 0], {}, None]
    return [{**value, "more": 1}, [], None]


def rich(vectors):
    """A few lines in which as much as possible happens."""
    ranked = sorted(records(vectors), key=lambda record: (-len(record.get("events", [])), record["id"]))
    return ranked[:3] + ranked[len(ranked) // 2 :: len(ranked)]


@EACH_FORMAT
def test_each_spoilt_result_is_a_difference(vectors):
    for record in rich(vectors):
        for name in RESULTS[vectors.name]:
            for path in [(name, *rest) for rest in [(), *leaves(record[name])]]:
                original = record
                for key in path:
                    original = original[key]
                for value in spoil(original):
                    found = vectors.replay(with_value(record, path, value)).differences
                    assert found, (path, value)
                    assert all(difference.field.startswith(name) for difference in found)
                if len(path) > 1:
                    assert vectors.replay(without(record, path)).differences, path


@EACH_FORMAT
def test_a_missing_field_is_a_damaged_line(vectors):
    record = records(vectors)[7]
    for name in record:
        if name in ("id", "tags"):
            continue
        assert vectors.recognises(without(record, (name,)))
        with pytest.raises(DamagedLineError, match=name):
            vectors.replay(without(record, (name,)))


ODD = (None, "x", True, 1.5, float("nan"), 10**400, -1, [], {}, [[]], "\ud800")


@EACH_FORMAT
def test_no_input_whatever_makes_anything_but_a_damaged_line(vectors):
    inputs = ("before", "commands") if vectors is ROUNDS else ("state", "side")
    damaged = 0
    for record in rich(vectors)[:2]:
        for name in inputs:
            for path in [(name, *rest) for rest in [(), *leaves(record[name])]]:
                for value in ODD:
                    try:
                        vectors.replay(with_value(record, path, value))
                    except DamagedLineError:
                        damaged += 1
                if len(path) > 1 and isinstance(path[-1], str):
                    with pytest.raises(DamagedLineError):
                        vectors.replay(without(record, path))
    assert damaged > 500


def test_a_finished_position_cannot_be_replayed():
    record = records(ROUNDS)[3]
    over = {**record["before"], "status": "finished", "winner": "A"}
    with pytest.raises(DamagedLineError, match="finished"):
        ROUNDS.replay({**record, "before": over})
    decision = records(DECISIONS)[3]
    over = {**decision["state"], "status": "finished", "winner": "A"}
    with pytest.raises(DamagedLineError, match="finished"):
        DECISIONS.replay({**decision, "state": over})


def test_a_line_is_drawn_for_a_reader():
    replay = ROUNDS.replay(records(ROUNDS)[0])
    assert "playing" in replay.before()
    assert "A1 right 1" in replay.moves()
    replay = DECISIONS.replay(records(DECISIONS)[0])
    assert replay.moves() == "heuristic decides for A"


def test_without_the_compiler_all_answers_are_the_same():
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.flag.answers"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert plain[0] == "0"
    assert len(plain) == 1 + 5 * len(FLAG.agents)
    assert plain == list(answers())
