"""A Battlesnake position as a value, and its official JSON form. Knows no rules and no Numba.

(0, 0) is the bottom left cell and `up` is y + 1. A body lists its cells from the head, stacked
segments one by one, so its length is its number of entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Cell = tuple[int, int]

MOVES = ("up", "down", "left", "right")
OFFSETS: tuple[Cell, ...] = ((0, 1), (0, -1), (-1, 0), (1, 0))
"""By index of the move: what it adds to the head."""

RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")
FULL_HEALTH = 100
START_LENGTH = 3

MAX_SIDE = 64
MAX_SNAKES = 64
MAX_SEGMENTS = 16_384
"""Of all bodies together; four times what fits on the largest board."""
MAX_ITEMS = 16_384
"""Entries of the list of food, and of that of hazards."""
MAX_OUTSIDE = 32
"""How far off the board a cell may lie."""
MAX_NUMBER = 1_000_000
"""Bound of health, damage, times and the like, either way."""


@dataclass(frozen=True, slots=True)
class Snake:
    """A snake; `body[0]` is its head."""

    id: str
    health: int
    body: tuple[Cell, ...]
    name: str = ""

    @property
    def head(self) -> Cell:
        return self.body[0]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a ruleset and its map."""

    food_spawn_chance: int = 15
    minimum_food: int = 1
    hazard_damage: int = 14
    shrink_every: int = 25


@dataclass(frozen=True, slots=True)
class Position:
    """The board before a turn, seen by the snake `you`.

    `snakes` are the living ones. Where `you` is not among them, `eliminated_you` is what the request says
    of it. `solo`: the game ends when no snake lives, instead of at most one. `latency` is what the referee
    measured for `you` last turn, in ms. `warnings` are short sentences on what was invalid in the request and
    was corrected; they are no part of the value.
    """

    width: int
    height: int
    snakes: tuple[Snake, ...]
    food: tuple[Cell, ...] = ()
    hazards: tuple[Cell, ...] = ()
    ruleset: str = "standard"
    settings: Settings = Settings()
    map: str = "standard"
    turn: int = 0
    solo: bool = False
    timeout: int = 500
    game: str = ""
    you: str = ""
    eliminated_you: Snake | None = None
    latency: int = 0
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def wrapped(self) -> bool:
        return self.ruleset in ("wrapped", "wrapped_constrictor")

    @property
    def constrictor(self) -> bool:
        return self.ruleset in ("constrictor", "wrapped_constrictor")

    @property
    def me(self) -> Snake | None:
        """Your snake, if it lives."""
        return next((snake for snake in self.snakes if snake.id == self.you), None)

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return len(self.snakes) <= (0 if self.solo else 1)

    def contains(self, cell: Cell) -> bool:
        """Is the cell on the board?"""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def destination(self, cell: Cell, step: Cell) -> Cell:
        """The cell one step on; it may be off the board, unless the board is wrapped."""
        x, y = cell[0] + step[0], cell[1] + step[1]
        if self.wrapped:
            return _wrap(x, self.width), _wrap(y, self.height)
        return x, y


def _wrap(value: int, size: int) -> int:
    if value < 0:
        return size - 1
    return 0 if value >= size else value


def dump(position: Position) -> dict[str, Any]:
    """The official request body, plus `solo`, which the official one does not tell."""
    you = position.me or position.eliminated_you
    settings = position.settings
    return {
        "game": {
            "id": position.game,
            "ruleset": {
                "name": position.ruleset,
                "version": "",
                "settings": {
                    "foodSpawnChance": settings.food_spawn_chance,
                    "minimumFood": settings.minimum_food,
                    "hazardDamagePerTurn": settings.hazard_damage,
                    "hazardMap": "",
                    "hazardMapAuthor": "",
                    "royale": {"shrinkEveryNTurns": settings.shrink_every},
                    "squad": {
                        "allowBodyCollisions": False,
                        "sharedElimination": False,
                        "sharedHealth": False,
                        "sharedLength": False,
                    },
                },
            },
            "map": position.map,
            "timeout": position.timeout,
            "source": "",
        },
        "turn": position.turn,
        "solo": position.solo,
        "board": {
            "height": position.height,
            "width": position.width,
            "food": points(position.food),
            "hazards": points(position.hazards),
            "snakes": [_dump_snake(snake, position) for snake in position.snakes],
        },
        "you": _dump_snake(you, position) if you else {"id": position.you},
    }


def points(cells: tuple[Cell, ...]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in cells]


def _dump_snake(snake: Snake, position: Position) -> dict[str, Any]:
    return {
        "id": snake.id,
        "name": snake.name,
        "latency": str(position.latency if snake.id == position.you else 0),
        "health": snake.health,
        "body": points(snake.body),
        "head": {"x": snake.head[0], "y": snake.head[1]},
        "length": len(snake.body),
        "shout": "",
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }
