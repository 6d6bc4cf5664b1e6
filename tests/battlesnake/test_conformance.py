"""Vector lines: what is recognised, what differs when spoilt, and what is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from engines.battlesnake.conformance import FORMATS
from engines.core.vectors import DamagedLineError
from tests import vectors

STEP, REQUEST, _ = FORMATS
LINES = vectors.lines("battlesnake.jsonl.gz")
REQUESTS = vectors.lines("battlesnake_requests.jsonl.gz")
ODD_VALUES = (None, True, -1, 3.5, "x", [], 10**900, "\ud800", float("nan"), float("inf"))
RICH = next(
    line
    for line in LINES
    if line["after"]["food"] and line["after"]["hazards"] and "body_collision" in line["tags"]
)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each value in a JSON document, containers included."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))


def changed(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy = deepcopy(record)
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def without(record: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    copy = deepcopy(record)
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return copy


def spoilt(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return value[:-1] if isinstance(value, list) else None


RESULTS = [path for key in ("after", "gameOver", "noop") for path in leaves(RICH[key], (key,))]


def test_each_format_knows_its_own_lines() -> None:
    for line in LINES[:20]:
        assert STEP.recognises(line)
        assert not REQUEST.recognises(line)
    for line in REQUESTS[:20]:
        assert REQUEST.recognises(line)
        assert not STEP.recognises(line)


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: ".".join(map(str, path)))
def test_a_spoilt_result_field_differs(path: tuple[Any, ...]) -> None:
    assert STEP.replay is not None
    value: Any = RICH
    for key in path:
        value = value[key]
    replay = STEP.replay(changed(RICH, path, spoilt(value)))
    assert replay.differences
    assert all(difference.field.startswith(path[0]) for difference in replay.differences)
    assert "health" in replay.before()
    assert replay.moves()
    for odd in ODD_VALUES:
        if odd != value:
            assert STEP.replay(changed(RICH, path, odd)).differences


@pytest.mark.parametrize(
    "path", [p for p in RESULTS if isinstance(p[-1], str)], ids=lambda path: ".".join(map(str, path))
)
def test_a_missing_result_field_is_damage(path: tuple[Any, ...]) -> None:
    assert STEP.replay is not None
    with pytest.raises(DamagedLineError, match=path[-1]):
        STEP.replay(without(RICH, path))


def test_a_broken_input_field_is_damage_or_a_difference_and_nothing_else() -> None:
    assert STEP.replay is not None
    damaged = 0
    inputs = [p for key in ("ruleset", "solo", "turn", "before", "moves") for p in leaves(RICH[key], (key,))]
    for path in inputs:
        broken = [without(RICH, path)] + [changed(RICH, path, odd) for odd in (*ODD_VALUES, {})]
        for record in broken:
            try:
                STEP.replay(record)
            except DamagedLineError:
                damaged += 1
    assert damaged > 8 * len([p for p in inputs if p[0] in ("before", "moves")])


@pytest.mark.parametrize(
    ("path", "moves"),
    [
        (("before", "width"), "before.width"),
        (("before", "snakes", 0, "body", 0, "x"), r"before.snakes\[0\].body\[0\].x"),
        (("moves", RICH["before"]["snakes"][0]["id"]), "moves"),
        (("ruleset", "settings", "hazardDamagePerTurn"), "hazardDamagePerTurn"),
        (("solo",), "solo"),
    ],
)
def test_damage_is_named(path: tuple[Any, ...], moves: str) -> None:
    assert STEP.replay is not None
    with pytest.raises(DamagedLineError, match=moves):
        STEP.replay(without(RICH, path))


@pytest.mark.machine_code  # without it the tuned evolution takes minutes over these boards
def test_every_shipped_request_gets_legal_words() -> None:
    assert REQUEST.replay is not None
    assert len(REQUESTS) > 50
    for line in REQUESTS:
        assert REQUEST.replay(line).differences == ()


def test_an_illegal_word_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    from engines.battlesnake import conformance

    assert REQUEST.replay is not None
    line = next(
        line for line in REQUESTS if any(s["id"] == line["you"]["id"] for s in line["board"]["snakes"])
    )
    monkeypatch.setattr(conformance, "fallback", lambda position: "north")
    replay = REQUEST.replay(line)
    assert [difference.got for difference in replay.differences] == ["north"]
    assert "fallback:north" in replay.moves()


def test_a_request_without_a_head_is_damage() -> None:
    assert REQUEST.replay is not None
    with pytest.raises(DamagedLineError, match="head"):
        REQUEST.replay({**REQUESTS[0], "you": {}})
