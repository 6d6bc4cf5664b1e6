"""The wire models of Battlesnake: the official request, as OpenAPI tells it and as the rules' routes check it.

The move routes do not use them to read a request: `engines.battlesnake.reading` is more lenient,
because a referee's clock runs. Fields that are not named here are ignored: the official API grows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from app.games import wire

Text = Annotated[str, Field(max_length=256)]
Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Word = Literal["up", "down", "left", "right"]


class _Growing(wire.Wire):
    model_config = ConfigDict(extra="ignore")


class Point(_Growing):
    """A cell; (0, 0) is the bottom left."""

    x: Annotated[int, Field(ge=-1000, le=1000)]
    y: Annotated[int, Field(ge=-1000, le=1000)]


Points = Annotated[list[Point], Field(max_length=16_384)]


class Snake(_Growing):
    """A snake; `body[0]` is its head, stacked segments stand one by one."""

    id: Text
    name: Text = ""
    health: Number = 100
    body: Annotated[list[Point], Field(min_length=1, max_length=16_384)]
    head: Point | None = None
    latency: Annotated[str | int | float, Field(description="ms of the previous move")] = "0"


class Board(_Growing):
    """The board; `hazards` repeats a cell once for each layer."""

    height: Annotated[int, Field(ge=1, le=64)]
    width: Annotated[int, Field(ge=1, le=64)]
    food: Points = Field(default_factory=list)
    hazards: Points = Field(default_factory=list)
    snakes: Annotated[list[Snake], Field(max_length=64)]


class Royale(_Growing):
    """Settings of the royale map."""

    shrink_every_n_turns: Number = Field(default=25, alias="shrinkEveryNTurns")


class RulesetSettings(_Growing):
    """What a ruleset and its map can be tuned by."""

    food_spawn_chance: Number = 15
    minimum_food: Number = 1
    hazard_damage_per_turn: Number = 14
    royale: Royale = Field(default_factory=Royale)


class Ruleset(_Growing):
    """The rules in force; an unknown name is played as standard."""

    name: Text = "standard"
    settings: RulesetSettings = Field(default_factory=RulesetSettings)


class GameInfo(_Growing):
    """The game and its conditions."""

    id: Text = ""
    ruleset: Ruleset = Field(default_factory=Ruleset)
    map: Text = "standard"
    timeout: Annotated[int, Field(ge=0, le=1_000_000, description="ms for one move")] = 500


class State(wire.State):
    """The official request body; `solo` (ours) tells which rule ends the game."""

    model_config = ConfigDict(extra="ignore")

    game: GameInfo = Field(default_factory=GameInfo)
    turn: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    board: Board
    you: Snake
    solo: bool | None = None


class Options(wire.Wire):
    """What `new` may be told."""

    width: Annotated[int, Field(ge=1, le=25)] = 11
    height: Annotated[int, Field(ge=1, le=25)] = 11
    snakes: Annotated[int, Field(ge=1, le=16)] | Annotated[list[Text], Field(min_length=1, max_length=16)] = 2
    """How many, or their ids."""
    ruleset: Text = "standard"
    map: Text = "standard"
    settings: RulesetSettings | None = None
    timeout: Annotated[int, Field(ge=1, le=1_000_000)] = 500


Moves = dict[Text, Text]
"""A word for each snake, by its id."""


def _snake(identity: str, health: int, *cells: tuple[int, int]) -> dict[str, Any]:
    body = [{"x": x, "y": y} for x, y in cells]
    return {
        "id": identity,
        "name": identity,
        "latency": "0",
        "health": health,
        "body": body,
        "head": body[0],
        "length": len(body),
        "shout": "",
    }


_ONE = _snake("one", 54, (3, 3), (3, 2), (3, 1), (2, 1))
_TWO = _snake("two", 87, (7, 6), (7, 7), (8, 7))

EXAMPLE_STATE: dict[str, Any] = {
    "game": {
        "id": "example",
        "ruleset": {
            "name": "standard",
            "version": "v1.2.3",
            "settings": {"foodSpawnChance": 15, "minimumFood": 1, "hazardDamagePerTurn": 14},
        },
        "map": "standard",
        "timeout": 500,
        "source": "",
    },
    "turn": 14,
    "board": {
        "height": 11,
        "width": 11,
        "food": [{"x": 5, "y": 5}, {"x": 9, "y": 0}],
        "hazards": [],
        "snakes": [_ONE, _TWO],
    },
    "you": _ONE,
}
"""Two snakes on the usual board."""

EXAMPLE_MOVES: dict[str, str] = {"one": "right", "two": "left"}
"""Both towards the middle."""
