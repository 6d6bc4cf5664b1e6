"""Which of a snake's four moves are sure to be deadly, whatever the others do. No Numba."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engines.battlesnake.position import FULL_HEALTH, MOVES, OFFSETS, Cell, Position, Snake


@dataclass(frozen=True, slots=True)
class MoveSafety:
    """What is certain of one move.

    `collision` is the wall or body that the head runs into, `attrition` death by hunger or hazard
    (or of a body part off the board). Each is the rules' name of the cause, "" where there is none.
    """

    move: str
    destination: Cell
    collision: str
    attrition: str

    @property
    def cause(self) -> str:
        """Why the move is deadly; "" where it is not."""
        return self.collision or self.attrition


@dataclass(frozen=True, slots=True)
class Obstacles:
    """The board's contents by cell.

    `bodies` are the cells that are still occupied after the moves: all of a body but its last segment. Not
    those of a snake that starves or leaves the board by every move: it is eliminated before collisions with
    its body count.
    """

    bodies: frozenset[Cell]
    food: frozenset[Cell]
    hazards: Mapping[Cell, int]


def find_obstacles(position: Position) -> Obstacles:
    food, hazards = frozenset(position.food), Counter(position.hazards)
    staying = [snake for snake in position.snakes if _stays(position, snake, food, hazards)]
    return Obstacles(
        frozenset(cell for snake in staying for cell in snake.body[:-1]),
        food,
        hazards,
    )


def _stays(position: Position, snake: Snake, food: frozenset[Cell], hazards: Mapping[Cell, int]) -> bool:
    """Has a snake a move that it survives, as far as walls, hunger and hazards go?"""
    destinations = (position.destination(snake.head, step) for step in OFFSETS)
    return any(
        position.contains(cell) and (cell in food or not _attrition(position, snake, hazards.get(cell, 0)))
        for cell in destinations
    )


def move_safety(position: Position, snake: Snake, obstacles: Obstacles) -> tuple[MoveSafety, ...]:
    """The four moves of a snake, in the order of `MOVES`."""
    own = frozenset(snake.body[:-1])
    stranded = not all(position.contains(cell) for cell in own)
    result = []
    for move, step in zip(MOVES, OFFSETS, strict=True):
        destination = position.destination(snake.head, step)
        collision = ""
        if not position.contains(destination):
            collision = "wall-collision"
        elif destination in own:
            collision = "snake-self-collision"
        elif destination in obstacles.bodies:
            collision = "snake-collision"
        attrition = (
            ""
            if destination in obstacles.food
            else _attrition(position, snake, obstacles.hazards.get(destination, 0))
        )
        if stranded and not attrition:
            attrition = "wall-collision"
        result.append(MoveSafety(move, destination, collision, attrition))
    return tuple(result)


def _attrition(position: Position, snake: Snake, layers: int) -> str:
    """The cause by which hunger or hazard kills on a cell without food, "" if neither does."""
    health = snake.health - 1
    # Each layer takes or gives at least 1, so that after so many health is 0 or 100; or the damage is 0.
    for _ in range(min(layers, FULL_HEALTH + 2)):
        health = max(0, min(FULL_HEALTH, health - position.settings.hazard_damage))
        if health == 0:
            return "hazard"
    return "out-of-health" if health <= 0 else ""


def straight_ahead(snake: Snake) -> str:
    """The move of a snake that sent none of the four, by the official rules: from neck to head.

    Where these are not neighbours (over an edge), the axis on which one of them stands at 0 decides.
    """
    if len(snake.body) < 2:
        return "up"
    (x, y), (neck_x, neck_y) = snake.body[:2]
    if abs(x - neck_x) == 1:
        return "right" if x > neck_x else "left"
    if abs(y - neck_y) == 1:
        return "up" if y > neck_y else "down"
    if x == 0 < neck_x:
        return "right"
    if neck_x == 0 < x:
        return "left"
    if y == 0 < neck_y:
        return "up"
    return "down" if neck_y == 0 < y else "up"


def legal_moves(options: tuple[MoveSafety, ...]) -> tuple[str, ...]:
    """The moves that are not sure to be deadly; if there are none, those into another's body, since its owner
    may be eliminated first; else those that run into nothing; else all.

    The rules allow all four; Battlesnake's players call these safe.
    """
    return (
        tuple(option.move for option in options if not option.cause)
        or tuple(
            option.move for option in options if option.cause == "snake-collision" and not option.attrition
        )
        or tuple(option.move for option in options if not option.collision)
        or MOVES
    )
