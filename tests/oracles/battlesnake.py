"""Battlesnake in plain Python, from the text of the rules: the tests' second opinion.

Shares nothing with the engine: dictionaries in, dictionaries out, in the forms of the vector files.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

DIRECTIONS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def step(
    before: dict[str, Any], moves: dict[str, str], ruleset: str, damage: int, solo: bool
) -> tuple[dict[str, Any], bool, bool]:
    """The board after a turn, whether the game is over then, and whether nothing happened."""
    board = deepcopy(before)
    snakes = board["snakes"]
    for snake in snakes:
        snake["eliminatedCause"] = ""
        snake["eliminatedBy"] = ""
    if over(snakes, solo):
        return board, True, True
    wrapped = ruleset in ("wrapped", "wrapped_constrictor")
    for snake in snakes:
        move_snake(snake, moves[snake["id"]], board if wrapped else None)
    for snake in snakes:
        snake["health"] -= 1
    for snake in snakes:
        burn(snake, board, damage)
    feed(board)
    eliminate_the_lost(board)
    eliminate_the_collided(board)
    if ruleset in ("constrictor", "wrapped_constrictor"):
        board["food"] = []
        for snake in snakes:
            snake["health"] = 100
            if len(snake["body"]) < 2 or snake["body"][-1] != snake["body"][-2]:
                snake["body"].append(dict(snake["body"][-1]))
    return board, over(snakes, solo), False


def alive(snakes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [snake for snake in snakes if not snake["eliminatedCause"]]


def over(snakes: list[dict[str, Any]], solo: bool) -> bool:
    return len(alive(snakes)) <= (0 if solo else 1)


def move_snake(snake: dict[str, Any], word: str, wrapping: dict[str, Any] | None) -> None:
    dx, dy = DIRECTIONS[word if word in DIRECTIONS else straight_on(snake["body"])]
    head = {"x": snake["body"][0]["x"] + dx, "y": snake["body"][0]["y"] + dy}
    if wrapping:
        for axis, size in (("x", wrapping["width"]), ("y", wrapping["height"])):
            if head[axis] < 0:
                head[axis] = size - 1
            elif head[axis] >= size:
                head[axis] = 0
    snake["body"] = [head, *snake["body"][:-1]]


def straight_on(body: list[dict[str, int]]) -> str:
    if len(body) > 1:
        head, neck = body[0], body[1]
        for axis, plus, minus in (("x", "right", "left"), ("y", "up", "down")):
            if head[axis] - neck[axis] == 1:
                return plus
            if head[axis] - neck[axis] == -1:
                return minus
        for axis, plus, minus in (("x", "right", "left"), ("y", "up", "down")):
            if head[axis] == 0 and neck[axis] > 0:
                return plus
            if neck[axis] == 0 and head[axis] > 0:
                return minus
    return "up"


def burn(snake: dict[str, Any], board: dict[str, Any], damage: int) -> None:
    head = snake["body"][0]
    for hazard in board["hazards"]:
        if hazard == head and head not in board["food"]:
            snake["health"] = min(100, max(0, snake["health"] - damage))
            if snake["health"] <= 0:
                snake["eliminatedCause"] = "hazard"


def feed(board: dict[str, Any]) -> None:
    left = []
    for food in board["food"]:
        eaters = [snake for snake in alive(board["snakes"]) if snake["body"][0] == food]
        for snake in eaters:
            snake["body"].append(dict(snake["body"][-1]))
            snake["health"] = 100
        if not eaters:
            left.append(food)
    board["food"] = left


def eliminate_the_lost(board: dict[str, Any]) -> None:
    for snake in alive(board["snakes"]):
        if snake["health"] <= 0:
            snake["eliminatedCause"] = "out-of-health"
        elif any(
            not (0 <= cell["x"] < board["width"] and 0 <= cell["y"] < board["height"])
            for cell in snake["body"]
        ):
            snake["eliminatedCause"] = "wall-collision"


def eliminate_the_collided(board: dict[str, Any]) -> None:
    remaining = alive(board["snakes"])
    verdicts = [(snake, verdict(snake, remaining)) for snake in remaining]
    for snake, (cause, by) in verdicts:
        snake["eliminatedCause"] = cause
        snake["eliminatedBy"] = by


def verdict(snake: dict[str, Any], remaining: list[dict[str, Any]]) -> tuple[str, str]:
    head = snake["body"][0]
    if head in snake["body"][1:]:
        return "snake-self-collision", snake["id"]
    by_length = sorted(remaining, key=lambda other: -len(other["body"]))  # stable: the earlier of equals
    others = [other for other in by_length if other is not snake]
    for other in others:
        if head in other["body"][1:]:
            return "snake-collision", other["id"]
    for other in others:
        if head == other["body"][0] and len(other["body"]) >= len(snake["body"]):
            return "head-collision", other["id"]
    return "", ""
