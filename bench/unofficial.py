"""Games under the arena's own referee, where the official program can't be had: the same snakes over HTTP.

Food is the standard map's. Hazards are those of the shipped recorded games, turn by turn; maps that were
not recorded (solo_maze) have none.
"""

from __future__ import annotations

import gzip
import json
import urllib.request
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from arena.referees.battlesnake import BattlesnakeReferee
from bench.official import Mode, Seen
from engines.battlesnake.maps import PLAYED
from engines.battlesnake.position import RULESETS, Cell, Position
from engines.core.rng import derive

_RECORDED = Path(__file__).resolve().parents[1] / "tests" / "vectors" / "battlesnake_games.jsonl.gz"


def play(mode: Mode, urls: Sequence[str], reported: int, seed: int, limit: float = 600) -> Seen:
    """One game to its end, `snake-1` at the first address; a RuntimeError after `limit` seconds."""
    umpire = BattlesnakeReferee()
    position = _opening(umpire, mode, reported, seed)
    names = umpire.seat_names(position, mode.snakes)
    last: list[str | None] = [None] * mode.snakes
    latencies: dict[str, list[int]] = {name: [] for name in names}
    turns = [umpire.game.dump(position)]
    ends, over = monotonic() + limit, False
    while not over:
        if monotonic() > ends:
            raise RuntimeError(f"{mode}, seed {seed}: no end within {limit:g} s")
        chosen = {}
        for seat, view in umpire.turns(position, mode.snakes):
            if latencies[names[seat]]:
                view = replace(view, latency=latencies[names[seat]][-1])
            move, took = _ask(f"{urls[seat].rstrip('/')}/move", umpire.game.dump(view), reported)
            latencies[names[seat]].append(took)
            if umpire.objection(view, move) is None:
                last[seat] = move
            chosen[seat] = umpire.substitute(view, last[seat])
        step = umpire.game.step(position, umpire.moves(position, chosen), derive(seed, position.turn))
        position, over = step.position, step.over
        if mode.map not in PLAYED:
            position = replace(position, hazards=_hazards(mode, position.turn))
        turns.append(umpire.game.dump(position))
    return Seen(tuple(turns), latencies)


def _opening(umpire: BattlesnakeReferee, mode: Mode, reported: int, seed: int) -> Position:
    options = {
        "width": mode.width,
        "height": mode.height,
        "ruleset": mode.ruleset if mode.ruleset in RULESETS else "standard",
        "map": mode.map if mode.map in PLAYED else "standard",
        "hazardDamagePerTurn": mode.damage,
        "shrinkEveryNTurns": mode.shrink,
        "foodSpawnChance": mode.food,
    }
    position = umpire.opening(options, mode.snakes, seed)
    return replace(
        umpire.titled(position, f"{mode}-{seed}"),
        ruleset=mode.ruleset,
        map=mode.map,
        timeout=reported,
        hazards=_hazards(mode, 0),
    )


def _ask(url: str, state: dict[str, Any], reported: int) -> tuple[Any, int]:
    """A snake's answer, None where there is none in time; and the milliseconds that it took."""
    body = json.dumps(state).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    begun = monotonic()
    try:
        with urllib.request.urlopen(request, timeout=reported / 1000) as answer:
            move = json.load(answer).get("move")
    except (OSError, ValueError):
        move = None
    took = round(1000 * (monotonic() - begun))
    return (move, took) if took < reported else (None, max(took, reported))


def _hazards(mode: Mode, turn: int) -> tuple[Cell, ...]:
    """Those of the recorded map on that turn, or on the last that was recorded."""
    layouts = _recorded().get((mode.map, mode.width, mode.height), [()])
    return layouts[min(turn, len(layouts) - 1)]


@cache
def _recorded() -> dict[tuple[str, int, int], list[tuple[Cell, ...]]]:
    """The hazards of each turn, by map and size."""
    found: dict[tuple[str, int, int], list[tuple[Cell, ...]]] = {}
    layouts: list[tuple[Cell, ...]] = []
    for line in map(json.loads, gzip.decompress(_RECORDED.read_bytes()).splitlines()):
        if "recorded" in line:
            layouts = found[
                line["recorded"]["map"], line["recorded"]["width"], line["recorded"]["height"]
            ] = []
        else:
            layouts.append(tuple((cell["x"], cell["y"]) for cell in line["board"]["hazards"]))
    return found
