"""The `Game` of Battlesnake: what the service, the command line, the arena and the tests use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engines.battlesnake import maps, turn
from engines.battlesnake.agents import AGENTS
from engines.battlesnake.conformance import FORMATS
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MAX_NUMBER, MAX_SIDE, RULESETS, Position, Settings, dump
from engines.battlesnake.render import render
from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.core.rng import seeded

_MAX_START = 16


class Battlesnake(Game[Position]):
    """One to many snakes on one board, all moving at once."""

    name = "battlesnake"
    agents = AGENTS
    formats = FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        """The board before the first turn, seen by the first snake.

        `options`, all to be left out: `width`, `height` (11), `snakes` (2; a number or a list of
        ids), `ruleset` ("standard"), `map` ("standard", "empty" or "royale"), `foodSpawnChance`,
        `minimumFood`, `hazardDamagePerTurn`, `shrinkEveryNTurns`.
        """
        width = _whole(options, "width", 11, 1, MAX_SIDE)
        height = _whole(options, "height", 11, 1, MAX_SIDE)
        ruleset = _choice(options, "ruleset", "standard", RULESETS)
        default_map = "royale" if ruleset == "royale" else "standard"
        names = _names(_value_of(options, "snakes", 2))
        rng = seeded(seed)
        cells = maps.start_cells(width, height, len(names), rng)
        if cells is None:
            raise PositionError(("snakes",), f"no room for {len(names)} on a {width}x{height} board")
        default = Settings()
        position = Position(
            width=width,
            height=height,
            snakes=tuple(map(maps.newborn, names, cells)),
            ruleset=ruleset,
            settings=Settings(
                _whole(options, "foodSpawnChance", default.food_spawn_chance, 0, 100),
                _whole(options, "minimumFood", default.minimum_food, 0, MAX_SIDE * MAX_SIDE),
                _whole(options, "hazardDamagePerTurn", default.hazard_damage, -MAX_NUMBER, MAX_NUMBER),
                _whole(options, "shrinkEveryNTurns", default.shrink_every, 1, MAX_NUMBER),
            ),
            map=_choice(options, "map", default_map, maps.PLAYED),
            solo=ruleset == "solo" or len(names) == 1,
            game=f"new-{seed}",
            you=names[0],
        )
        if position.map == "empty":
            return position
        return replace(position, food=maps.first_food(position, rng))

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return dump(position)

    def legal(self, position: Position) -> dict[str, list[str]]:
        """For each living snake the moves that are not sure to be deadly.

        Where all are, those into another's body, which may be gone by then; else those that run into nothing
        (and starve, or die by hazard); else all four. The rules take any move at any time.
        """
        obstacles = find_obstacles(position)
        return {
            snake.id: list(legal_moves(move_safety(position, snake, obstacles))) for snake in position.snakes
        }

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        """Play `{id: move}`, one for each living snake (any other text goes straight on), then the map.

        Events, in the order of happening: `["ate", id]`, `["eliminated", id, cause, by]`,
        `["food", x, y]`, `["hazard", x, y]`. Chance is drawn from seed and turn. A game that was
        over stays as it is.
        """
        moves = _moves(position, moves)
        result = turn.play(position, moves)
        if not result.played:
            return Step(position, (), True, _winner(position))
        fates = result.fates
        events: list[list[Any]] = []
        events += [["ate", fate.snake.id] for fate in fates if fate.snake.head in position.food]
        events += [["eliminated", fate.snake.id, fate.cause, fate.by] for fate in fates if fate.cause]
        mine = next((fate for fate in fates if fate.snake.id == position.you), None)
        before_map = replace(
            position,
            turn=position.turn + 1,
            snakes=tuple(fate.snake for fate in fates if not fate.cause),
            food=result.food,
            eliminated_you=mine.snake if mine and mine.cause else position.eliminated_you,
            warnings=(),
        )
        food = maps.new_food(before_map, seeded(seed, before_map.turn, 0))
        hazards = maps.shrunk(before_map, before_map.turn, seeded(seed, before_map.turn, 1))
        events += [["food", x, y] for x, y in food]
        old_hazards = set(position.hazards)
        events += [["hazard", x, y] for x, y in hazards if (x, y) not in old_hazards]
        after = replace(before_map, food=before_map.food + food, hazards=hazards)
        return Step(after, tuple(events), result.over, _winner(after) if result.over else None)

    def fallback(self, position: Position) -> Move:
        return fallback(position)

    def render(self, position: Position) -> str:
        return render(position)


def _winner(position: Position) -> str | None:
    return position.snakes[0].id if len(position.snakes) == 1 else None


def _moves(position: Position, moves: Any) -> dict[str, str]:
    if not isinstance(moves, Mapping):
        raise PositionError((), "must be an object with a move for each snake")
    living = {snake.id for snake in position.snakes}
    if not living.issuperset(moves):
        raise PositionError((), "has a move for a snake that is not on the board")
    for identity in living:
        if not isinstance(moves.get(identity), str):
            raise PositionError((identity,), "must be a move: every living snake moves")
    return dict(moves)


def _value_of(options: Mapping[str, Any], key: str, default: Any) -> Any:
    value = options.get(key)
    return default if value is None else value


def _whole(options: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = _value_of(options, key, default)
    if type(value) is not int or not low <= value <= high:
        raise PositionError((key,), f"must be an integer from {low} to {high}")
    return value


def _choice(options: Mapping[str, Any], key: str, default: str, known: tuple[str, ...]) -> str:
    value = _value_of(options, key, default)
    if value not in known:
        raise PositionError((key,), f"must be one of {', '.join(known)}")
    return str(value)


def _names(snakes: Any) -> list[str]:
    if type(snakes) is int and 1 <= snakes <= _MAX_START:
        return [f"snake-{number}" for number in range(1, snakes + 1)]
    if not isinstance(snakes, list) or not 1 <= len(snakes) <= _MAX_START:
        raise PositionError(("snakes",), f"must be a number or a list of 1 to {_MAX_START}")
    for index, name in enumerate(snakes):
        if not isinstance(name, str) or not 1 <= len(name) <= 64 or not _is_text(name):
            raise PositionError(("snakes", index), "must be a text of 1 to 64 characters")
        if name in snakes[:index]:
            raise PositionError(("snakes", index), "must differ from the ids before it")
    return list(snakes)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


BATTLESNAKE = Battlesnake()
