"""Live requests: whatever can be answered is read, the rest is refused by name."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.battlesnake import schemas
from engines.battlesnake.fallback import fallback
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MAX_SEGMENTS, MAX_SNAKES, MOVES, dump
from engines.core.budget import Budget, Meter
from engines.core.errors import PositionError
from tests import vectors
from tests.battlesnake.boards import cell, request

REQUESTS = vectors.lines("battlesnake_requests.jsonl.gz")
PLAIN = request([(2, 3), (1, 3), (0, 3)], [(4, 3), (5, 3), (6, 3)])


def answers(state: Any) -> None:
    """Every way of answering gives a move."""
    position = parse(state)
    assert fallback(position) in MOVES
    for agent in BATTLESNAKE.agents.values():
        decision = agent.decide(position, agent.parameters(), Meter(Budget(iterations=2)), 5, None)
        assert decision.move in MOVES
    assert BATTLESNAKE.render(position).encode()
    assert parse(dump(position)) == position
    if position.me is not None:
        moves = {snake.id: "up" for snake in position.snakes}
        BATTLESNAKE.step(position, moves, 1)


def changed(path: tuple[Any, ...], value: Any, base: dict[str, Any] = PLAIN) -> dict[str, Any]:
    copy = deepcopy(base)
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def test_requests_of_a_referee_are_read_as_they_are() -> None:
    for line in REQUESTS:
        position = parse(line)
        assert parse(dump(position)) == position
        assert [snake.id for snake in position.snakes] == [snake["id"] for snake in line["board"]["snakes"]]
        assert len(position.hazards) == len(line["board"]["hazards"])
        assert position.timeout == 500
        assert not {"unknown map", "unknown ruleset, played as standard"} & set(position.warnings)
        strict = schemas.State.model_validate(line)
        assert parse(strict.plain()) == position


def test_an_ordinary_board_has_no_warnings() -> None:
    assert parse(PLAIN).warnings == ()
    assert parse(schemas.EXAMPLE_STATE).warnings == ()
    answers(schemas.EXAMPLE_STATE)


@pytest.mark.parametrize(
    ("state", "path"),
    [
        ({}, ("board",)),
        ({**PLAIN, "board": 3}, ("board",)),
        (changed(("board", "width"), None), ("board", "width")),
        (changed(("board", "width"), "7"), ("board", "width")),
        (changed(("board", "height"), 0), ("board", "height")),
        (changed(("board", "height"), 65), ("board", "height")),
        (changed(("board", "height"), True), ("board", "height")),
        (changed(("board", "height"), 10**900), ("board", "height")),
        (changed(("board", "height"), float("nan")), ("board", "height")),
        ({**PLAIN, "you": None}, ("you",)),
        ({**PLAIN, "you": {}}, ("you",)),
        ({**PLAIN, "you": {"id": "nobody", "body": [{"x": "2", "y": 3}]}}, ("you",)),
    ],
)
def test_no_board_or_no_head_is_refused_by_name(state: Any, path: tuple[Any, ...]) -> None:
    with pytest.raises(PositionError) as refusal:
        parse(state)
    assert refusal.value.path == path


@pytest.mark.parametrize(
    ("state", "warning"),
    [
        (changed(("board", "hazards"), [cell(3, 8)]), "hazards off the board"),
        (changed(("board", "food"), [cell(-1, 2)]), "food off the board"),
        (changed(("board", "food"), 7), "no valid food"),
        (changed(("board", "food"), [7]), "invalid food"),
        (changed(("board", "hazards"), [cell(9**99, 2)]), "a cell far off the board"),
        (changed(("board", "snakes", 0, "health"), 400), "invalid health"),
        (changed(("board", "snakes", 0, "health"), float("inf")), "invalid health"),
        (changed(("board", "snakes", 0, "body"), [cell(2, 3)]), "a body without a neck"),
        (changed(("board", "snakes", 0, "body"), [cell(2, 3), cell(5, 5)]), "a disconnected body"),
        (changed(("board", "snakes", 0, "body"), [cell(2, 3), {"x": 2}]), "an invalid segment"),
        (changed(("board", "snakes", 0, "body"), [cell(2, 7), cell(2, 6)]), "a body off the board"),
        (
            changed(("board", "snakes", 0, "body"), [cell(1, 1), cell(1, 2), cell(1, 1), cell(1, 0)]),
            "a self-intersecting body",
        ),
        (changed(("board", "snakes", 1, "body"), [cell(1, 3), cell(1, 4)]), "overlapping snakes"),
        (changed(("board", "snakes", 1, "body"), []), "an invalid snake"),
        (changed(("board", "snakes", 1), None), "an invalid snake"),
        (changed(("board", "snakes", 1, "id"), "s0"), "duplicate snake id"),
        (changed(("board", "snakes"), None), "no list of snakes"),
        (changed(("board", "snakes"), []), "you are not on the board"),
        (changed(("you", "body"), [cell(0, 0)]), "you and board disagree on your head"),
        (changed(("game", "ruleset", "name"), "squad"), "unknown ruleset, played as standard"),
        (changed(("game", "map"), "\ud800"), "unknown map"),
        (changed(("game", "map"), 5), "invalid map"),
        (changed(("game", "ruleset", "name"), None), "invalid name"),
        (changed(("game", "id"), 5), "invalid id"),
        (changed(("you", "latency"), "soon"), "invalid latency"),
        (changed(("game", "timeout"), -3), "invalid timeout"),
        ({**PLAIN, "game": None}, "no valid game"),
        ({**PLAIN, "turn": "x"}, "invalid turn"),
        ({**PLAIN, "you": {"id": "s0"}}, None),
        ({**PLAIN, "you": {"body": [cell(2, 3)]}}, None),
        ({**PLAIN, "you": {"id": "s0", "latency": 12.5, "head": cell(2, 3)}}, None),
    ],
)
def test_an_invalid_field_gets_a_warning_and_an_answer(state: Any, warning: str | None) -> None:
    assert warning is None or warning in parse(state).warnings
    answers(state)


def test_latency_comes_as_a_string_or_a_number() -> None:
    for raw, read in (("62", 62), (62, 62), (62.9, 62), ("x", 0), (None, 0), ("9" * 99, 0), (-4, 0)):
        assert parse(changed(("you", "latency"), raw)).latency == read


def test_settings_in_snake_case_are_understood() -> None:
    played = {"hazard_damage_per_turn": 3, "royale": {"shrink_every_n_turns": 7}}
    settings = parse(changed(("game", "ruleset", "settings"), played)).settings
    assert (settings.hazard_damage, settings.shrink_every) == (3, 7)


def test_solo_is_told_or_guessed() -> None:
    alone = request([(2, 3), (1, 3), (0, 3)])
    assert parse(alone).solo
    assert not parse({**alone, "solo": False}).solo
    assert not parse(PLAIN).solo
    ended = {**PLAIN, "board": {**PLAIN["board"], "snakes": PLAIN["board"]["snakes"][1:]}}
    assert not parse(ended).solo  # you died, the other won: no solo game


def test_bounds_cut_but_never_lose_you() -> None:
    others = [[(x % 60, x // 60)] * 3 for x in range(200)]
    crowded = request([(63, 63)] * 3, *others, size=(64, 64))
    crowded["board"]["snakes"] = crowded["board"]["snakes"][::-1]
    position = parse(crowded)
    assert len(position.snakes) == MAX_SNAKES
    assert position.me is not None
    assert "too many snakes, the rest ignored" in position.warnings
    answers(crowded)
    endless = request([(3, 3)] * 100_000, [(1, 1)] * 100_000)
    position = parse(endless)
    assert sum(len(snake.body) for snake in position.snakes) <= MAX_SEGMENTS + MAX_SNAKES
    assert fallback(position) in MOVES


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=4)
    | st.just(10**400)
    | st.builds(cell, st.integers(-2, 9), st.integers(-2, 9)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["x", "y", "id", "body", "head", "health"]), inner, max_size=4)
    ),
    max_leaves=8,
)
PLACES = st.sampled_from(
    [
        ("game",),
        ("game", "id"),
        ("game", "ruleset"),
        ("game", "ruleset", "name"),
        ("game", "ruleset", "settings"),
        ("game", "timeout"),
        ("turn",),
        ("board", "food"),
        ("board", "hazards"),
        ("board", "snakes"),
        ("board", "snakes", 0),
        ("board", "snakes", 1),
        ("board", "snakes", 1, "id"),
        ("board", "snakes", 1, "body"),
        ("board", "snakes", 0, "body", 1),
        ("board", "snakes", 0, "health"),
        ("you",),
        ("you", "id"),
        ("you", "body"),
        ("you", "latency"),
    ]
)


@given(st.dictionaries(PLACES, JSON, min_size=1, max_size=2))
def test_nothing_a_client_sends_breaks_the_reader(changes: dict[tuple[Any, ...], Any]) -> None:
    state: Any = PLAIN
    for path, value in sorted(changes.items(), key=lambda change: -len(change[0])):
        state = changed(path, value, state)
    if _refused(state) not in (("you",), ("board",)):
        answers(state)


def _refused(state: Any) -> tuple[Any, ...] | None:
    try:
        parse(state)
    except PositionError as refusal:
        return refusal.path
    return None
