"""What `quadriga train ludo` trains, and what it measures."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from engines.core.rng import derive, seeded
from engines.ludo.q_learning.table import VIEWS, Table
from engines.ludo.td.network import Weights
from engines.ludo.weights import CONFIGS, networks, read_table, tables
from training.checkpoint import Checkpoint, Interrupted, TrainingError, uninterrupted
from training.ludo_play import Player, Tally, play
from training.ludo_q import QCourse, settings
from training.ludo_td import GAMES, UNITS, TdCourse, TdSettings
from training.run import Course

Z95 = 1.959964
"""A normal variable is within this many deviations 95 times of 100."""
GHOSTS = {2: 0b1010, 3: 0b1000, 4: 0}
ROUND = 12
"""Games after which the lone seat stands where it stood, for two, three and four players."""
CONTESTS = Path(".cache") / "training" / "ludo" / "evaluate"


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
    """A frozen player by its name: `td`, `td:depth=2`, `td:file=…`, `rule_based`, `expectimax:depth=1` …

    `rollout:depth=1,games=36,throws=12` plays on from each good move, by the network against itself.
    """
    kind, _, rest = name.partition(":")
    given = dict(part.partition("=")[::2] for part in rest.split(",") if part)
    try:
        depth = int(given.pop("depth", "1" if kind in ("td", "expectimax", "rollout") else "0"))
        games, throws = (
            (int(given.pop("games", "36")), int(given.pop("throws", "12"))) if kind == "rollout" else (0, 0)
        )
    except ValueError:
        raise TrainingError(f"depth, games and throws must be whole numbers: {name[:60]!r}") from None
    if kind == "rollout":
        if not (1 <= games <= 100_000 and 1 <= throws <= 1_000):
            raise TrainingError("a roll-out plays 1 to 100000 games on, for 1 to 1000 throws")
        made = Player(kind, depth, networks()[players], rollouts=games, throws=throws)
    elif kind == "td":
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


def evaluate(
    one: str, two: str, players: int, games: int, seed: int,
    fair: bool = False, resume: bool = False, tell: Callable[[dict[str, Any]], None] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The first player alone against the second on every other seat; the seat moves on with each game.

    With `fair` also what the result would be without the luck of the dice. Slices are kept as they end;
    the same games come of one run and of several.
    """
    if players not in GHOSTS:
        raise TrainingError("2, 3 or 4 players")
    sides = player(one, players), player(two, players)
    start = derive(seed, players)
    rng, imagined, tally = seeded(start), seeded(start, 1), Tally()
    evaluator = networks()[players] if fair else None
    asked = {"one": one, "two": two, "players": players, "seed": seed, "fair": fair}
    name = re.sub(r"[^a-z0-9_.=,]+", "-", f"{one} {two} {players} {seed}{' fair' if fair else ''}".lower())
    checkpoint = Checkpoint(CONTESTS / f"{name[:200]}.npz", asked)
    kept = checkpoint.begin(resume)
    if kept is not None:
        tally = Tally(**kept["tally"])
        rng[:], imagined[:] = kept["rng"], kept["imagined"]
        if tally.games % ROUND and tally.games < games:
            raise TrainingError(
                f"{checkpoint.path} ended within a round of seats; it can't go on to the same games"
            )
    size = ROUND
    try:
        while tally.games < games:
            with uninterrupted():
                before = time.monotonic()
                play(*sides, GHOSTS[players], min(size, games - tally.games), tally, rng, imagined, evaluator)
                checkpoint.save({"tally": asdict(tally), "rng": rng, "imagined": imagined})
                # As long as slices take no time they grow; what is played does not depend on them.
                size *= 2 if time.monotonic() - before < 1.0 else 1
            if tell:
                tell(_figure(one, two, players, tally, fair))
    except KeyboardInterrupt:
        raise Interrupted(str(checkpoint.path)) from None
    return _figure(one, two, players, tally, fair)


def _figure(one: str, two: str, players: int, tally: Tally, fair: bool) -> dict[str, Any]:
    games, won = tally.games, tally.won
    low, high = wilson(won, games)
    figure = {
        "a": one,
        "b": two,
        "players": players,
        "games": games,
        "won": won,
        "percent": round(100 * won / games, 2),
        "low": round(100 * low, 2),
        "high": round(100 * high, 2),
    }
    if fair and games > 1:
        mean = tally.total / games
        spread = math.sqrt(max(tally.squares / games - mean * mean, 0.0) / (games - 1))
        figure["without_luck"] = round(100 * mean, 2)
        figure["without_luck_low"] = round(100 * (mean - Z95 * spread), 2)
        figure["without_luck_high"] = round(100 * (mean + Z95 * spread), 2)
    return figure


def wilson(won: int, games: int) -> tuple[float, float]:
    """The 95% interval of a rate."""
    z = Z95
    rate = won / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def _stored(path: Path) -> Any:
    try:
        with np.load(path, allow_pickle=False) as stored:
            first, second = (np.ascontiguousarray(stored[name], np.float32) for name in ("first", "second"))
            return Weights(first, second)
    except (OSError, KeyError, ValueError) as error:
        raise TrainingError(f"{path} holds no network: {error}") from None


def _stored_table(path: Path) -> Table:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return read_table(stored)
    except (OSError, KeyError, ValueError) as error:
        raise TrainingError(f"{path} holds no table: {error}") from None
