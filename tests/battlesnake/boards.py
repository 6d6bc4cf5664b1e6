"""Boards for the tests: drawn at random (plain or odd), or written by hand."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import strategies as st

from engines.battlesnake.parse import parse
from engines.battlesnake.position import RULESETS, Position

MOVES = ("up", "down", "left", "right", "up", "down", "left", "right", "", "north")


def cell(x: int, y: int) -> dict[str, int]:
    return {"x": x, "y": y}


def walk(rng: Random, width: int, height: int) -> list[dict[str, int]]:
    """A walk on the board, maybe across itself, maybe doubled at its end."""
    x, y = rng.randrange(width), rng.randrange(height)
    body = [cell(x, y)]
    for _ in range(rng.randint(0, 9)):
        dx, dy = rng.choice([(0, 1), (0, -1), (1, 0), (-1, 0)])
        x, y = min(width - 1, max(0, x + dx)), min(height - 1, max(0, y + dy))
        body.append(cell(x, y))
    return body + [body[-1]] * rng.randint(0, 2)


def turn(rng: Random, odd: bool = False) -> dict[str, Any]:
    """The input fields of a vector line on a crowded board; an `odd` one holds what no game shows."""
    width, height = rng.randint(1, 8), rng.randint(1, 8)
    near = rng.choice([0, 0, 1, 3]) if odd else 1

    def anywhere() -> dict[str, int]:
        return cell(rng.randint(-near, width - 1 + near), rng.randint(-near, height - 1 + near))

    snakes = [
        {
            "id": f"s{index}",
            "health": rng.choice([rng.randint(-30, 150), 60])
            if odd
            else rng.choice([1, 2, rng.randint(1, 100)]),
            "body": [anywhere() for _ in range(rng.randint(1, 8))] if odd else walk(rng, width, height),
        }
        for index in range(rng.randint(0 if odd else 1, 6))
    ]
    return {
        "ruleset": {
            "name": rng.choice([*RULESETS, "house rules"]),
            "settings": {"hazardDamagePerTurn": rng.choice([14, 0, 1, 50, 100, -5, -30])},
        },
        "solo": rng.random() < 0.3,
        "turn": rng.randint(0, 500),
        "before": {
            "height": height,
            "width": width,
            "food": [anywhere() for _ in range(rng.randint(0, 6))],
            "hazards": [anywhere() for _ in range(rng.randint(0, 12))],
            "snakes": snakes,
        },
        "moves": {snake["id"]: rng.choice(MOVES) for snake in snakes},
    }


def turns() -> st.SearchStrategy[dict[str, Any]]:
    """`turn` by hypothesis, which finds small ones."""
    return st.randoms(use_true_random=False).map(turn)


def board_request(line: dict[str, Any]) -> dict[str, Any]:
    """The line's board as a request, seen by its first snake."""
    return {
        "game": {"ruleset": line["ruleset"]},
        "board": line["before"],
        "you": line["before"]["snakes"][0],
        "solo": solo_rule(line),
    }


def solo_rule(line: dict[str, Any]) -> bool:
    return line["solo"] or line["ruleset"]["name"] == "solo"


def boards(count: int, odd: bool = False) -> list[Position]:
    """Positions of at most three snakes, so that every joint move can be played."""
    rng = Random(11)
    found = []
    while len(found) < count:
        line = turn(rng, odd)
        if 1 <= len(line["before"]["snakes"]) <= 3:
            found.append(parse({**board_request(line), "solo": True}))
    return found


POCKET = [(2, 3), (2, 2), (1, 2), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
"""A body with its head before a dead end of one cell on the left; right is open."""


def request(
    body: list[tuple[int, int]],
    *others: list[tuple[int, int]],
    size: tuple[int, int] = (7, 7),
    health: int = 90,
    ruleset: str = "standard",
    **board: Any,
) -> dict[str, Any]:
    """An official request body: your snake and others, by their cells."""
    snakes = [
        {"id": f"s{index}", "health": health, "body": [cell(*each) for each in cells]}
        for index, cells in enumerate((body, *others))
    ]
    return {
        "game": {"id": "g", "ruleset": {"name": ruleset, "settings": {}}, "map": "standard", "timeout": 500},
        "turn": 20,
        "board": {
            "width": size[0],
            "height": size[1],
            "food": [],
            "hazards": [],
            "snakes": snakes,
            **board,
        },
        "you": deepcopy(snakes[0]),
    }
