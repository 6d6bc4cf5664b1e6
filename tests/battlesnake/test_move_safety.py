"""Which moves are sure to be deadly, against the rules themselves; the fallback."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from engines.battlesnake.fallback import fallback
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.turn import play
from engines.core.budget import Budget, Meter
from tests.battlesnake.boards import boards, cell, request


@pytest.mark.parametrize("odd", [False, True])
def test_a_deadly_move_kills_whatever_the_others_do(odd: bool) -> None:
    """Save where another body is entered: its owner may be removed first, and then the way is free."""
    deadly = 0
    for position in boards(60, odd):
        me = position.me
        assert me is not None
        others = [snake.id for snake in position.snakes if snake is not me]
        for option in move_safety(position, me, find_obstacles(position)):
            if not option.cause or option.cause == "snake-collision":
                continue
            deadly += 1
            for replies in product(MOVES, repeat=len(others)):
                fates = play(position, {me.id: option.move, **dict(zip(others, replies, strict=True))}).fates
                assert fates[position.snakes.index(me)].cause
    assert deadly > 50


def test_a_move_that_is_not_deadly_can_be_survived() -> None:
    """Alone on the board, an open move is a safe one."""
    survived = 0
    for position in boards(150):
        me = position.me
        if me is None or len(position.snakes) > 1:
            continue
        for option in move_safety(position, me, find_obstacles(position)):
            if not option.cause:
                survived += 1
                assert not play(position, {me.id: option.move}).fates[0].cause
    assert survived > 20


def test_legal_moves_give_way_step_by_step() -> None:
    corner = parse(request([(0, 0), (1, 0), (1, 1), (0, 1)]))
    assert BATTLESNAKE.legal(corner) == {"s0": ["up"]}  # the tail will have moved
    stacked = parse(request([(0, 0), (1, 0), (1, 1), (0, 1), (0, 1)]))
    assert BATTLESNAKE.legal(stacked) == {"s0": list(MOVES)}  # nothing is left
    hungry = parse(request([(3, 3), (3, 2), (3, 1)], health=1))
    assert BATTLESNAKE.legal(hungry) == {"s0": ["up", "left", "right"]}  # dead anyway, but into nothing
    fed = parse(request([(3, 3), (3, 2), (3, 1)], health=1, food=[cell(2, 3)]))
    assert BATTLESNAKE.legal(fed) == {"s0": ["left"]}
    burnt = parse(request([(3, 3), (3, 2), (3, 1)], health=30, hazards=[cell(2, 3), cell(3, 4)] * 3))
    assert BATTLESNAKE.legal(burnt) == {"s0": ["right"]}
    wrapped = parse(request([(0, 3), (1, 3), (2, 3)], ruleset="wrapped"))
    assert BATTLESNAKE.legal(wrapped) == {"s0": ["up", "down", "left"]}
    # Nothing is open; but the rival may run into the wall, and its body is no wall then.
    cornered = parse(
        request(
            [(0, 0), (0, 1), (0, 2), (0, 2)],
            [(1, 0), (1, 1), (1, 2), (1, 2)],
            size=(3, 5),
            ruleset="constrictor",
        )
    )
    assert BATTLESNAKE.legal(cornered)["s0"] == ["right"]


def starving() -> Position:
    """The way left leads into the rival, who starves this turn whatever it says."""
    found = parse(request([(2, 2), (2, 1), (2, 0), (2, 0)], [(1, 2), (1, 1), (1, 0)], size=(3, 3)))
    me, rival = found.snakes
    return replace(found, snakes=(me, replace(rival, health=1)))


@pytest.mark.parametrize("name", list(BATTLESNAKE.agents))
def test_the_body_of_who_is_sure_to_starve_is_no_wall(name: str) -> None:
    position = starving()
    assert BATTLESNAKE.legal(position)["s0"] == ["left"]
    agent = BATTLESNAKE.agents[name]
    assert agent.decide(position, agent.parameters(), Meter(Budget(iterations=20)), 1, None).move == "left"


def test_the_fallback_is_legal_and_shuns_a_stronger_head() -> None:
    for position in boards(100) + boards(60, odd=True):
        me = position.me
        assert me is not None
        assert fallback(position) in legal_moves(move_safety(position, me, find_obstacles(position)))
    contested = parse(request([(2, 3), (2, 2), (2, 1)], [(4, 3), (4, 2), (4, 1), (4, 0)]))
    assert fallback(contested) != "right"
