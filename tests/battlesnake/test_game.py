"""A game from its start to its end, with the food and the hazards that the map adds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from app.games.battlesnake import schemas
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.position import RULESETS, Position
from engines.core.errors import PositionError
from tests.battlesnake.boards import cell, request

CORNERS = {(1, 1), (1, 9), (9, 1), (9, 9)}
SIDES = {(1, 5), (5, 1), (5, 9), (9, 5)}


def test_starts_on_a_square_board() -> None:
    groups = set()
    for seed in range(30):
        position = BATTLESNAKE.new({"snakes": 4}, seed)
        heads = {snake.head for snake in position.snakes}
        assert heads in (CORNERS, SIDES)
        groups.add(heads == CORNERS)
        assert all(snake.body == (snake.head,) * 3 and snake.health == 100 for snake in position.snakes)
        *near, centre = position.food
        assert centre == (5, 5)
        for snake, food in zip(position.snakes, near, strict=True):
            assert abs(food[0] - snake.head[0]) == abs(food[1] - snake.head[1]) == 1
            assert food not in {(0, 0), (0, 10), (10, 0), (10, 10)}
        assert len(set(position.food)) == 5
    assert groups == {True, False}
    eight = BATTLESNAKE.new({"snakes": 8}, 1)
    assert {snake.head for snake in eight.snakes} == CORNERS | SIDES
    small = BATTLESNAKE.new({"snakes": 5, "width": 7, "height": 7}, 1)
    assert small.food == ((3, 3),)


def test_starts_elsewhere_stand_on_even_cells() -> None:
    position = BATTLESNAKE.new({"snakes": 16, "width": 19, "height": 21, "map": "standard"}, 3)
    heads = {snake.head for snake in position.snakes}
    assert len(heads) == 16
    assert all((x + y) % 2 == 0 for x, y in heads)
    assert len(position.food) == 16
    assert not heads & set(position.food)


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"map": "hz_islands"}, ("map",)),
        ({"ruleset": "squad"}, ("ruleset",)),
        ({"snakes": 17}, ("snakes",)),
        ({"snakes": []}, ("snakes",)),
        ({"snakes": ["a", "a"]}, ("snakes", 1)),
        ({"snakes": ["a", "\ud800"]}, ("snakes", 1)),
        ({"snakes": 3, "width": 2, "height": 2}, ("snakes",)),
        ({"width": 65}, ("width",)),
        ({"width": True}, ("width",)),
    ],
)
def test_what_cannot_be_begun_is_refused_by_name(options: dict[str, Any], path: tuple[Any, ...]) -> None:
    with pytest.raises(PositionError) as refusal:
        BATTLESNAKE.new(options, 0)
    assert refusal.value.path == path


def test_a_turn_tells_what_happened() -> None:
    position = parse(
        request([(2, 3), (1, 3), (0, 3)], [(6, 3), (6, 2), (6, 1)], food=[cell(3, 3)], ruleset="standard")
    )
    step = BATTLESNAKE.step(position, {"s0": "right", "s1": "right"}, 5)
    assert step.events[:2] == (["ate", "s0"], ["eliminated", "s1", "wall-collision", ""])
    assert step.events[2][0] == "food"  # the minimum of one is made up for
    assert step.over
    assert step.winner == "s0"
    assert step.position.turn == position.turn + 1
    assert step.position.snakes[0].body == ((3, 3), (2, 3), (1, 3), (1, 3))
    after = BATTLESNAKE.step(step.position, {"s0": "up"}, 5)
    assert after.position == step.position
    assert (after.over, after.winner, after.events) == (True, "s0", ())


def test_your_elimination_is_remembered() -> None:
    position = parse(request([(6, 3), (6, 2), (6, 1)], [(2, 3), (1, 3), (0, 3)], [(0, 0)] * 3))
    step = BATTLESNAKE.step(position, {"s0": "right", "s1": "right", "s2": "up"}, 5)
    assert not step.over
    assert step.position.me is None
    assert step.position.eliminated_you is not None
    assert step.position.eliminated_you.head == (7, 3)
    assert parse(BATTLESNAKE.dump(step.position)) == step.position
    assert schemas.State.model_validate(BATTLESNAKE.dump(step.position))
    assert "you are not on the board" in BATTLESNAKE.render(step.position)


@pytest.mark.parametrize(
    "moves", [{"s0": "up"}, {"s0": "up", "s1": 3}, {"s0": "up", "s1": "up", "s2": "up"}, [], None]
)
def test_moves_must_be_those_of_the_living(moves: Any) -> None:
    position = parse(request([(2, 3), (1, 3), (0, 3)], [(4, 3), (5, 3), (6, 3)]))
    with pytest.raises(PositionError):
        BATTLESNAKE.step(position, moves, 0)


def test_a_text_that_is_no_move_goes_straight_on() -> None:
    position = parse(request([(2, 3), (1, 3), (0, 3)], [(4, 5), (4, 6), (5, 6)]))
    step = BATTLESNAKE.step(position, {"s0": "", "s1": "UP"}, 0)
    assert [snake.head for snake in step.position.snakes] == [(3, 3), (4, 4)]


def wander(position: Position, seed: int, turns: int) -> list[Position]:
    """The positions of a game in which everyone takes the first legal move."""
    seen = [position]
    for _ in range(turns):
        moves = {identity: moves[0] for identity, moves in BATTLESNAKE.legal(position).items()}
        step = BATTLESNAKE.step(position, moves, seed)
        position = step.position
        seen.append(position)
        if step.over:
            break
    return seen


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_ruleset_is_played_to_an_end(ruleset: str) -> None:
    count = 1 if ruleset == "solo" else 4
    start = BATTLESNAKE.new({"ruleset": ruleset, "snakes": count}, 8)
    assert start == BATTLESNAKE.new({"ruleset": ruleset, "snakes": count}, 8)
    game = wander(start, 8, 400)
    assert game == wander(start, 8, 400)
    assert game[-1].over or ruleset == "solo"
    assert [position.turn for position in game] == list(range(len(game)))


def test_food_appears_as_the_map_says() -> None:
    """One in a hundred less than the chance; never on a snake, on food or beside a head."""
    options = {"foodSpawnChance": 51, "minimumFood": 0, "snakes": 1}
    start = BATTLESNAKE.new(options, 2)
    spawned: Counter[int] = Counter()
    for seed in range(400):
        step = BATTLESNAKE.step(start, {start.you: "up"}, seed)
        added = [tuple(event[1:]) for event in step.events if event[0] == "food"]
        spawned[len(added)] += 1
        (snake,) = step.position.snakes
        for x, y in added:
            assert (x, y) not in start.food
            assert (x, y) not in snake.body
            assert abs(x - snake.head[0]) + abs(y - snake.head[1]) > 1
    assert set(spawned) == {0, 1}
    assert 160 <= spawned[1] <= 240
    never = BATTLESNAKE.new({"foodSpawnChance": 1, "minimumFood": 0, "snakes": 1}, 2)
    assert len(BATTLESNAKE.step(never, {never.you: "up"}, 9).position.food) <= len(never.food)
    empty = BATTLESNAKE.new({"map": "empty", "snakes": 1}, 2)
    assert BATTLESNAKE.step(empty, {empty.you: "up"}, 9).position.food == ()


def test_royale_takes_one_line_at_a_time() -> None:
    start = BATTLESNAKE.new({"ruleset": "royale", "snakes": 2, "shrinkEveryNTurns": 3}, 5)
    sizes = []
    for position in wander(start, 5, 12):
        hazards = set(position.hazards)
        safe = [(x, y) for x in range(11) for y in range(11) if (x, y) not in hazards]
        width = max(x for x, _ in safe) - min(x for x, _ in safe) + 1
        height = max(y for _, y in safe) - min(y for _, y in safe) + 1
        assert width * height == len(safe)
        assert len(hazards) == len(position.hazards)
        assert 22 - width - height == position.turn // 3
        sizes.append(len(safe))
    assert len(set(sizes)) >= 4
