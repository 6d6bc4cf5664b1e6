"""A live request as a position: refused only where the board's size or your head is unreadable.

A referee's clock runs, so whatever else is invalid is corrected as well as possible, with an entry in
`Position.warnings`. Nothing in here loops or allocates beyond the bounds in `position`. No Numba.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from engines.battlesnake.position import (
    FULL_HEALTH,
    MAX_ITEMS,
    MAX_NUMBER,
    MAX_OUTSIDE,
    MAX_SEGMENTS,
    MAX_SIDE,
    MAX_SNAKES,
    RULESETS,
    Cell,
    Position,
    Settings,
    Snake,
)
from engines.core.errors import PositionError

MAPS = frozenset(
    (
        *("standard", "empty", "royale", "arcade_maze", "healing_pools", "snail_mode", "sinkholes"),
        *("solo_maze", "hz_inner_wall", "hz_rings", "hz_columns", "hz_rivers_bridges"),
        *("hz_rivers_bridges_lg", "hz_rivers_bridges_xl", "hz_islands_bridges", "hz_islands_bridges_lg"),
        *("hz_castle_wall", "hz_castle_wall_lg", "hz_castle_wall_xl", "hz_spiral", "hz_scatter"),
        *("hz_grow_box", "hz_expand_box", "hz_expand_scatter", "hz_hazard_pits"),
    )
)
"""The official maps; any other gets a warning, and is played with its hazards as they are."""

_MAX_TEXT = 256
"""Characters that are kept of ids."""


def parse(state: Mapping[str, Any], side: str | None = None) -> Position:
    """The position of an official request body (`side` has no meaning here).

    Raises `PositionError` where width and height are not 1 to 64, or where your head is neither in `you` nor
    on the board.
    """
    return _Parser().position(state)


class _Parser:
    """One request being read, with the warnings so far."""

    def __init__(self) -> None:
        self._warnings: dict[str, None] = {}
        self._segments = 0

    def position(self, state: Mapping[str, Any]) -> Position:
        board = state.get("board")
        if not isinstance(board, Mapping):
            raise PositionError(("board",), "must be an object with width and height")
        width, height = self._side(board, "width"), self._side(board, "height")
        self._size = (width, height)
        game = self._part(state, "game")
        ruleset = self._part(game, "ruleset")
        settings = self._settings(self._part(ruleset, "settings"))
        name = self._string(ruleset, "name", "standard", 64)
        if name not in RULESETS:
            self._warn("unknown ruleset, played as standard")
        map_name = self._string(game, "map", "standard", 64)
        if map_name not in MAPS:
            self._warn("unknown map")
        you, eliminated_you, snakes = self._snakes(state, board)
        solo = state.get("solo")
        position = Position(
            width=width,
            height=height,
            snakes=snakes,
            food=self._cells(board.get("food"), "food"),
            hazards=self._cells(board.get("hazards"), "hazards"),
            ruleset=name,
            settings=settings,
            map=map_name,
            turn=self._number(state, "turn", 0, 0, 1_000_000_000),
            # A game in which one snake is asked to move alone was begun alone.
            solo=solo
            if isinstance(solo, bool)
            else name == "solo" or len(snakes) + (eliminated_you is not None) <= 1,
            timeout=self._number(game, "timeout", 500, 1, MAX_NUMBER),
            game=self._string(game, "id", ""),
            you=you,
            eliminated_you=eliminated_you,
            latency=self._latency(self._part(state, "you")),
        )
        self._check_plausible(position)
        return _with_warnings(position, tuple(self._warnings))

    def _warn(self, what: str) -> None:
        self._warnings[what] = None

    def _side(self, board: Mapping[str, Any], key: str) -> int:
        value = _integer(board.get(key))
        if value is None or not 1 <= value <= MAX_SIDE:
            raise PositionError(("board", key), f"must be an integer from 1 to {MAX_SIDE}")
        return value

    def _part(self, whole: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        part = whole.get(key)
        if isinstance(part, Mapping):
            return part
        self._warn(f"no valid {key}")
        return {}

    def _number(self, whole: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
        if key not in whole:
            # Some hosts write snake_case.
            key = re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), key)
            if key not in whole:
                return default
        value = _integer(whole[key])
        if value is None or not low <= value <= high:
            self._warn(f"invalid {key}")
            return default
        return value

    def _string(self, whole: Mapping[str, Any], key: str, default: str, limit: int = _MAX_TEXT) -> str:
        """A bounded string; `default` where there is none."""
        if key in whole and not isinstance(whole[key], str):
            self._warn(f"invalid {key}")
        return _text(whole.get(key), default, limit)

    def _latency(self, you: Mapping[str, Any]) -> int:
        """Milliseconds, sent as a string by the referee and as a number by some hosts; 0 where unreadable."""
        raw = you.get("latency", 0)
        if isinstance(raw, str):
            raw = raw.strip()
            # Empty: nothing was measured.
            raw = int(raw) if raw.isascii() and raw.isdigit() and len(raw) <= 9 else None if raw else 0
        value = int(raw) if isinstance(raw, float) and abs(raw) <= MAX_NUMBER else _integer(raw)
        if value is None or value < 0:
            self._warn("invalid latency")
            return 0
        return min(MAX_NUMBER, value)

    def _settings(self, raw: Mapping[str, Any]) -> Settings:
        default = Settings()
        royale = raw.get("royale")
        if not isinstance(royale, Mapping):
            royale = {}
        return Settings(
            self._number(raw, "foodSpawnChance", default.food_spawn_chance, -MAX_NUMBER, MAX_NUMBER),
            self._number(raw, "minimumFood", default.minimum_food, -MAX_NUMBER, MAX_NUMBER),
            self._number(raw, "hazardDamagePerTurn", default.hazard_damage, -MAX_NUMBER, MAX_NUMBER),
            self._number(royale, "shrinkEveryNTurns", default.shrink_every, -MAX_NUMBER, MAX_NUMBER),
        )

    def _cell(self, raw: Any) -> Cell | None:
        """A cell at most `MAX_OUTSIDE` off the board, pulled in if it is farther."""
        if not isinstance(raw, Mapping):
            return None
        x, y = _integer(raw.get("x")), _integer(raw.get("y"))
        if x is None or y is None:
            return None
        near = (
            max(-MAX_OUTSIDE, min(self._size[0] - 1 + MAX_OUTSIDE, x)),
            max(-MAX_OUTSIDE, min(self._size[1] - 1 + MAX_OUTSIDE, y)),
        )
        if near != (x, y):
            self._warn("a cell far off the board")
        return near

    def _cells(self, raw: Any, what: str) -> tuple[Cell, ...]:
        if not isinstance(raw, list):
            if raw is not None:
                self._warn(f"no valid {what}")
            return ()
        if len(raw) > MAX_ITEMS:
            self._warn(f"too much {what}, the rest ignored")
        cells = [self._cell(item) for item in raw[:MAX_ITEMS]]
        if None in cells:
            self._warn(f"invalid {what}")
        return tuple(cell for cell in cells if cell is not None)

    def _snakes(
        self, state: Mapping[str, Any], board: Mapping[str, Any]
    ) -> tuple[str, Snake | None, tuple[Snake, ...]]:
        """Your id, your snake if it is not on the board, and the snakes of the board."""
        raw_you = state.get("you")
        you: Mapping[str, Any] = raw_you if isinstance(raw_you, Mapping) else {}
        my_id = _identity(you.get("id"))
        listed = board.get("snakes")
        entries = (
            [entry for entry in listed if isinstance(entry, Mapping)] if isinstance(listed, list) else []
        )
        if not isinstance(listed, list):
            self._warn("no list of snakes")
        elif len(entries) < len(listed):
            self._warn("an invalid snake")
        mine = next((e for e in entries if my_id and _identity(e.get("id")) == my_id), None)
        my_head = self._head(you)
        if mine is None and not my_id and my_head is not None:
            mine = next((e for e in entries if self._head(e) == my_head), None)
        if mine is not None:
            # Yours is read first, so that no bound can cut it off.
            me = self._snake(mine, my_id or _identity(mine.get("id"))) or self._snake(you, my_id)
        else:
            me = self._snake(you, my_id)
        if me is None:
            raise PositionError(("you",), "must have a head (body or head, x and y integers)")
        if mine is None and isinstance(listed, list):
            self._warn("you are not on the board")
            return me.id, me, self._others(entries, None, me)
        if mine is None:
            return me.id, None, (me,)
        if my_head not in (None, me.head):
            self._warn("you and board disagree on your head")
        return me.id, None, self._others(entries, mine, me)

    def _others(
        self, entries: list[Mapping[str, Any]], mine: Mapping[str, Any] | None, me: Snake
    ) -> tuple[Snake, ...]:
        """The snakes of the board in its order, `me` in the place of `mine`, each id once."""
        room = MAX_SNAKES - (mine is not None)
        snakes: list[Snake] = []
        ids = {me.id}
        for entry in entries:
            if entry is mine:
                snakes.append(me)
                continue
            if room == 0:
                self._warn("too many snakes, the rest ignored")
                continue
            snake = self._snake(entry, _identity(entry.get("id")))
            if snake is None:
                self._warn("an invalid snake")
                continue
            room -= 1
            if snake.id in ids:
                self._warn("duplicate snake id")
                snake = Snake(_unused(snake.id, ids), snake.health, snake.body, snake.name)
            ids.add(snake.id)
            snakes.append(snake)
        return tuple(snakes)

    def _head(self, raw: Mapping[str, Any]) -> Cell | None:
        """Where the body begins, else what `head` says."""
        body = raw.get("body")
        head = self._cell(body[0]) if isinstance(body, list) and body else None
        return self._cell(raw.get("head")) if head is None else head

    def _snake(self, raw: Mapping[str, Any], identity: str) -> Snake | None:
        """A snake whose head can be read, else None."""
        head = self._head(raw)
        if head is None:
            return None
        body = raw.get("body")
        listed = body if isinstance(body, list) else []
        if not listed or self._cell(listed[0]) is None:
            self._warn("a body without a head")
        room = max(0, MAX_SEGMENTS - self._segments - 1)
        cells: list[Cell | None] = [head, *map(self._cell, listed[1 : room + 1])]
        if len(listed) - 1 > room:
            self._warn("too many segments, the rest ignored")
        if None in cells:
            self._warn("an invalid segment")
        read = tuple(cell for cell in cells if cell is not None)
        self._segments += len(read)
        if len(read) < 2:
            self._warn("a body without a neck")
        health = self._number(raw, "health", FULL_HEALTH, -MAX_NUMBER, MAX_NUMBER)
        return Snake(identity, health, read, _text(raw.get("name"), "", 64))

    def _check_plausible(self, position: Position) -> None:
        """Warn of what cannot happen in a game."""
        if not all(position.contains(cell) for cell in position.hazards):
            self._warn("hazards off the board")
        if not all(position.contains(cell) for cell in position.food):
            self._warn("food off the board")
        owners: Counter[Cell] = Counter()
        for snake in position.snakes:
            owners.update(set(snake.body))
            if not 1 <= snake.health <= FULL_HEALTH:
                self._warn("invalid health")
            if not all(position.contains(cell) for cell in snake.body):
                self._warn("a body off the board")
            if any(not _adjacent(position, one, two) for one, two in pairwise(snake.body)):
                self._warn("a disconnected body")
            if _crosses_itself(snake.body):
                self._warn("a self-intersecting body")
        if any(count > 1 for count in owners.values()):
            self._warn("overlapping snakes")


def _adjacent(position: Position, one: Cell, two: Cell) -> bool:
    """One cell, or neighbours (over the edge too, where the board is wrapped)."""
    across, along = abs(one[0] - two[0]), abs(one[1] - two[1])
    if position.wrapped:
        across, along = min(across, position.width - across), min(along, position.height - along)
    return across + along <= 1


def _crosses_itself(body: tuple[Cell, ...]) -> bool:
    """Is a cell entered twice? (Segments stacked on the tail are not.)"""
    end = len(body)
    while end > 1 and body[end - 1] == body[end - 2]:
        end -= 1
    return len(set(body[:end])) < end


def _with_warnings(position: Position, warnings: tuple[str, ...]) -> Position:
    object.__setattr__(position, "warnings", warnings)
    return position


def _integer(raw: Any) -> int | None:
    """An integer, or a float without a fraction; not a bool, not a numeral in quotes."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw
    if isinstance(raw, float) and raw.is_integer():
        return int(raw)
    return None


def _text(raw: Any, default: str, limit: int = _MAX_TEXT) -> str:
    """A bounded string that can be written as UTF-8."""
    if not isinstance(raw, str):
        return default
    return raw[:limit].encode("utf-8", "replace").decode()


def _identity(raw: Any) -> str:
    if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) <= 2**63:
        return str(raw)
    return _text(raw, "")


def _unused(identity: str, ids: set[str]) -> str:
    number = 2
    while f"{identity}#{number}" in ids:
        number += 1
    return f"{identity}#{number}"
