"""What `quadriga train ludo` trains, and what it measures."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from engines.core.rng import derive
from engines.ludo.tabular import VIEWS
from engines.ludo.trained import CONFIGS, Table, networks, read_table, tables
from training.ludo_play import Player, against
from training.ludo_q import QCourse, settings
from training.ludo_td import GAMES, UNITS, TdCourse, TdSettings
from training.run import Course, TrainingError

GHOSTS = {2: 0b1010, 3: 0b1000, 4: 0}


def course(what: str, players: int, seed: int, games: int | None, **given: Any) -> tuple[str, Course]:
    """A fresh course and its name."""
    if what == "td":
        units = given.get("units") or UNITS[players]
        return f"td{players}", TdCourse(TdSettings(players, games or GAMES[players], units, seed=seed))
    if what == "q_learning":
        key = (given["abstraction"], given["config"])
        if key[0] not in VIEWS or key[1] not in CONFIGS:
            raise TrainingError(f"there is no abstraction {key[0][:40]!r} with the settings {key[1][:40]!r}")
        return f"q_{key[0]}_{key[1]}", QCourse(settings(*key, seed, games))
    raise TrainingError(f"ludo trains td and q_learning, not {what[:40]!r}")


def player(name: str, players: int) -> Player:
    """A frozen player by its name: `td`, `td:depth=2`, `td:file=…`, `rule_based`, `expectimax:depth=1` …"""
    kind, _, rest = name.partition(":")
    given = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    try:
        depth = int(given.pop("depth", "1" if kind in ("td", "expectimax") else "0"))
    except ValueError:
        raise TrainingError(f"depth must be a number of throws: {name[:60]!r}") from None
    if kind == "td":
        file = given.pop("file", None)
        weights = networks()[players] if file is None else _stored(Path(file))
        made = Player(kind, depth, weights)
    elif kind == "q_learning":
        key = (given.pop("abstraction", "potential9"), given.pop("config", "tuned"))
        if key not in tables():
            raise TrainingError(f"there is no table {key[0][:40]!r}, {key[1][:40]!r}")
        file = given.pop("file", None)
        made = Player(kind, table=tables()[key] if file is None else _stored_table(Path(file)))
    elif kind in ("random", "rule_based", "greedy", "expectimax"):
        made = Player(kind, depth)
    else:
        raise TrainingError(f"there is no frozen player {kind[:40]!r}")
    if given or not 0 <= depth <= 4:
        raise TrainingError(f"what is {name[:60]!r}? depth goes from 0 to 4")
    return made


def evaluate(one: str, two: str, players: int, games: int, seed: int) -> dict[str, Any]:
    """The first player alone against the second on every other seat; the seat moves on with each game."""
    if players not in GHOSTS:
        raise TrainingError("2, 3 or 4 players")
    won = against(player(one, players), player(two, players), GHOSTS[players], games, derive(seed, players))
    low, high = wilson(won, games)
    return {
        "a": one,
        "b": two,
        "players": players,
        "games": games,
        "won": won,
        "percent": round(100 * won / games, 2),
        "low": round(100 * low, 2),
        "high": round(100 * high, 2),
    }


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95% interval of a rate."""
    z = 1.959964
    rate = won / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def _stored(path: Path) -> Any:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return tuple(np.ascontiguousarray(stored[name], np.float32) for name in ("first", "second"))
    except (OSError, KeyError, ValueError) as error:
        raise TrainingError(f"{path} holds no network: {error}") from None


def _stored_table(path: Path) -> Table:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return read_table(stored)
    except (OSError, KeyError, ValueError) as error:
        raise TrainingError(f"{path} holds no table: {error}") from None
