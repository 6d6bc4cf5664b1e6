"""Battlesnake on the wire.

The move routes hand the raw body to the engine's tolerant parser (`read`), since a referee's clock runs.
The rules over HTTP (`/games/battlesnake/…`) are strict: `State` refuses invalid fields by name, and drops
unknown ones, because the official API grows.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field

from app.decisions.question import Question
from app.errors import FieldError, from_position, invalid
from app.games import wire
from engines.battlesnake.position import Position
from engines.catalogue import ENTRIES
from engines.core.errors import PositionError

Bounded = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
Text = Annotated[str, Field(max_length=256)]


def _latency(value: Any) -> Any:
    """A string by the official API, a number by some hosts."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class _Official(wire.Wire):
    """An object of the official API: unknown fields are dropped."""

    model_config = ConfigDict(extra="ignore")


class Coordinate(_Official):
    """A cell; (0, 0) is bottom left, `up` is y + 1."""

    x: Annotated[int, Field(ge=-1_000, le=1_000)]
    y: Annotated[int, Field(ge=-1_000, le=1_000)]


class Snake(_Official):
    """A snake."""

    id: Text
    body: Annotated[list[Coordinate], Field(min_length=1, max_length=16_384)]
    """From the head; stacked segments are listed one by one."""
    health: Bounded = 100
    name: Text = ""
    latency: Annotated[Text, BeforeValidator(_latency)] = "0"
    """What the referee measured for the last move, in ms."""
    head: Coordinate | None = None
    length: Bounded | None = None
    shout: Text = ""
    squad: Text = ""


class You(_Official):
    """The snake to move, also where it is not on the board any more."""

    id: Text
    body: Annotated[list[Coordinate], Field(max_length=16_384)] | None = None
    health: Bounded = 100
    name: Text = ""
    latency: Annotated[Text, BeforeValidator(_latency)] = "0"
    head: Coordinate | None = None
    length: Bounded | None = None
    shout: Text = ""
    squad: Text = ""


class Board(_Official):
    """The board before the turn."""

    height: Annotated[int, Field(ge=1, le=64)]
    width: Annotated[int, Field(ge=1, le=64)]
    food: Annotated[list[Coordinate], Field(max_length=16_384, default_factory=list)]
    hazards: Annotated[list[Coordinate], Field(max_length=16_384, default_factory=list)]
    """A cell stands here once for each of its layers; cells off the board are without effect."""
    snakes: Annotated[list[Snake], Field(max_length=64)]
    """The living ones."""


class Royale(_Official):
    """Settings of shrinking hazards."""

    shrink_every_n_turns: Bounded = Field(25, alias="shrinkEveryNTurns")


class RulesetSettings(_Official):
    """Settings of ruleset and map."""

    food_spawn_chance: Bounded = 15
    minimum_food: Bounded = 1
    hazard_damage_per_turn: Bounded = 14
    royale: Royale | None = None


class Ruleset(_Official):
    """The rules; an unknown name is played as standard."""

    name: Text = "standard"
    version: Text = ""
    settings: RulesetSettings | None = None


class GameInfo(_Official):
    """The game that the board belongs to."""

    id: Text = ""
    ruleset: Ruleset | None = None
    map: Text = "standard"
    timeout: Annotated[int, Field(ge=0, le=1_000_000)] = 500
    """Milliseconds that an answer may take."""
    source: Text = ""


class State(wire.State):
    """The official request body; `solo` may add which rule ends the game."""

    model_config = ConfigDict(extra="ignore")

    board: Board
    you: You
    game: GameInfo | None = None
    turn: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    solo: bool | None = None
    """True: over when no snake lives; false: when at most one does. Absent: as ruleset and board have it."""


Count = Annotated[int, Field(ge=1, le=16)]
Name = Annotated[str, Field(min_length=1, max_length=64)]


class Options(wire.Wire):
    """The start of a game; everything is optional."""

    width: Annotated[int, Field(ge=1, le=64)] | None = None
    height: Annotated[int, Field(ge=1, le=64)] | None = None
    snakes: Count | Annotated[list[Name], Field(min_length=1, max_length=16)] | None = None
    """How many, or their ids; two without."""
    ruleset: Text | None = None
    """standard, solo, royale, constrictor, wrapped or wrapped_constrictor."""
    map: Text | None = None
    """standard, empty or royale."""
    food_spawn_chance: Annotated[int, Field(ge=0, le=100)] | None = None
    minimum_food: Annotated[int, Field(ge=0, le=4_096)] | None = None
    hazard_damage_per_turn: Bounded | None = None
    shrink_every_n_turns: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        None, alias="shrinkEveryNTurns"
    )


Moves = Annotated[dict[Text, Annotated[str, Field(max_length=32)]], Field(max_length=64)]
"""A move for each living snake, by its id; what is none of the four carries on."""


def decode(raw: bytes) -> dict[str, Any]:
    """The body as Python's lenient parser reads it; invalid values are left to the engine."""
    try:
        data = _decode(raw)
    except (ValueError, RecursionError):
        reason = "this is not JSON, or nested too deep"
        raise invalid([FieldError(field="body", reason=reason)]) from None
    if not isinstance(data, dict):
        raise invalid([FieldError(field="body", reason="a JSON object is expected")])
    return data


def _decode(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        # Integers of thousands of digits are JSON, and no number of ours.
        return json.loads(raw, parse_int=lambda digits: int(digits) if len(digits) < 400 else math.inf)


def read_position(raw: bytes) -> Position:
    """The position of an official request body, or 422 where no board or no own head can be read."""
    try:
        position: Position = ENTRIES["battlesnake"].parse(decode(raw))
    except PositionError as error:
        raise from_position(error, ()) from None
    return position


def read(raw: bytes) -> Question:
    """The question of an official request body with nothing asked for beside it."""
    position = read_position(raw)
    return Question("battlesnake", position, seed=derived_seed(position))


def derived_seed(position: Position) -> int:
    """The same request gets the same answer."""
    text_form = f"{position.game}\0{position.you}\0{position.turn}".encode()
    return int.from_bytes(hashlib.blake2b(text_form, digest_size=8).digest(), "big") >> 11


def _example_snake(identity: str, health: int, body: tuple[tuple[int, int], ...]) -> dict[str, Any]:
    cells = [{"x": x, "y": y} for x, y in body]
    return {
        "id": identity,
        "name": identity,
        "latency": "62",
        "health": health,
        "body": cells,
        "head": cells[0],
        "length": len(cells),
        "shout": "",
        "squad": "",
        "customizations": {"color": "#888888", "head": "default", "tail": "default"},
    }


_ONE = _example_snake("one", 54, ((5, 4), (5, 3), (4, 3), (4, 2), (3, 2)))
_TWO = _example_snake("two", 81, ((7, 6), (7, 7), (6, 7), (5, 7)))

EXAMPLE_STATE: dict[str, Any] = {
    "game": {
        "id": "9f3a2c44-0d5e-4a7b-8c11-5b6f0e2d7a90",
        "ruleset": {
            "name": "standard",
            "version": "cli",
            "settings": {
                "foodSpawnChance": 15,
                "minimumFood": 1,
                "hazardDamagePerTurn": 14,
                "hazardMap": "",
                "hazardMapAuthor": "",
                "royale": {"shrinkEveryNTurns": 25},
                "squad": {
                    "allowBodyCollisions": False,
                    "sharedElimination": False,
                    "sharedHealth": False,
                    "sharedLength": False,
                },
            },
        },
        "map": "standard",
        "timeout": 500,
        "source": "",
    },
    "turn": 41,
    "board": {
        "height": 11,
        "width": 11,
        "food": [{"x": 8, "y": 4}, {"x": 1, "y": 9}],
        "hazards": [],
        "snakes": [_ONE, _TWO],
    },
    "you": _ONE,
}
"""Two snakes on turn 41, as a referee sends them."""

EXAMPLE_MOVES: dict[str, str] = {"one": "right", "two": "down"}
