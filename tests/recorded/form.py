"""How questions and answers are written in the recorded files. Knows no engine, only plain JSON values.

Scores and terms are whole multiples of GRAIN and stand as such: exact, and half as long as their decimals.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
GRAIN = 2.0**-20

_STEPS = {"u": (0, 1), "d": (0, -1), "l": (-1, 0), "r": (1, 0), ".": (0, 0)}
_SETTINGS = ("foodSpawnChance", "minimumFood", "hazardDamagePerTurn")


def lines(name: str) -> Iterator[dict[str, Any]]:
    """The records of a file."""
    with gzip.open(HERE / name, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def write(name: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Write a file; the same records give the same bytes."""
    text = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    (HERE / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


# Positions. Those of Battlesnake are short for the official request; the others are the game's own state.


def pack_body(cells: Sequence[Mapping[str, int]], width: int, height: int) -> Any:
    """The head and the steps to the tail; a list of coordinates where segments lie apart."""
    path = ""
    for one, other in pairwise(cells):
        across, along = other["x"] - one["x"], other["y"] - one["y"]
        # On wrapped boards a body goes on at the other edge.
        across = -across // abs(across) if across and abs(across) == width - 1 > 1 else across
        along = -along // abs(along) if along and abs(along) == height - 1 > 1 else along
        step = next((name for name, step in _STEPS.items() if step == (across, along)), None)
        path += step or "?"
    packed = f"{cells[0]['x']},{cells[0]['y']} {path}" if cells else ""
    if "?" in path or unpack_body(packed, width, height) != list(cells):
        return flat(cells)
    return packed


def unpack_body(packed: Any, width: int, height: int) -> list[dict[str, int]]:
    """The cells of a packed body."""
    if not isinstance(packed, str):
        return cells_of(packed)
    start, path = packed.split(" ")
    x, y = map(int, start.split(","))
    cells = [{"x": x, "y": y}]
    for name in path:
        inside = 0 <= x < width and 0 <= y < height
        x, y = x + _STEPS[name][0], y + _STEPS[name][1]
        if inside:
            x, y = x % width, y % height
        cells.append({"x": x, "y": y})
    return cells


def flat(cells: Sequence[Mapping[str, int]]) -> list[int]:
    return [cell[name] for cell in cells for name in "xy"]


def cells_of(numbers: Sequence[int]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def pack_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """What of an official request can matter to an answer."""
    board, game, ruleset = request["board"], request["game"], request["game"]["ruleset"]
    width, height, you = board["width"], board["height"], request["you"]
    snakes = {
        snake["id"]: [snake["health"], pack_body(snake["body"], width, height)] for snake in board["snakes"]
    }
    packed = {
        "size": [width, height],
        "rules": [ruleset["name"], game["map"], request["solo"]],
        "settings": [
            *(ruleset["settings"][name] for name in _SETTINGS),
            ruleset["settings"]["royale"]["shrinkEveryNTurns"],
        ],
        "turn": request["turn"],
        "food": flat(board["food"]),
        "hazards": flat(board["hazards"]),
        "snakes": snakes,
        "you": you["id"],
    }
    if you["id"] not in snakes and "body" in you:
        packed["ghost"] = [you["health"], pack_body(you["body"], width, height)]
    return packed


def unpack_request(packed: Mapping[str, Any], game: str = "recorded") -> dict[str, Any]:
    """The official request of a packed one."""
    width, height = packed["size"]
    name, map_, solo = packed["rules"]
    *settings, shrink = packed["settings"]

    def snake(identity: str, found: Sequence[Any]) -> dict[str, Any]:
        body = unpack_body(found[1], width, height)
        return {"id": identity, "health": found[0], "body": body, "head": body[0], "length": len(body)}

    ghost = packed.get("ghost") or packed["snakes"].get(packed["you"])
    return {
        "game": {
            "id": game,
            "ruleset": {
                "name": name,
                "settings": {
                    **dict(zip(_SETTINGS, settings, strict=True)),
                    "royale": {"shrinkEveryNTurns": shrink},
                },
            },
            "map": map_,
            "timeout": 500,
        },
        "turn": packed["turn"],
        "solo": solo,
        "board": {
            "width": width,
            "height": height,
            "food": cells_of(packed["food"]),
            "hazards": cells_of(packed["hazards"]),
            "snakes": [snake(identity, found) for identity, found in packed["snakes"].items()],
        },
        "you": snake(packed["you"], ghost) if ghost else {"id": packed["you"]},
    }


# Answers


def plain(value: Any) -> Any:
    """Plain JSON: tuples as lists, numpy's numbers as Python's, what is not finite by name."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def grains(value: Any) -> Any:
    """A score or term as a number of grains; its decimals where it is none."""
    value = plain(value)
    if value is None or isinstance(value, str):
        return value
    count = value / GRAIN
    return int(count) if count == int(count) and abs(count) < 2**53 else repr(value)


def full(decision: Any) -> dict[str, Any]:
    """All that an answer says, but for its memory."""
    outcome = decision.outcome
    return {
        "move": plain(decision.move),
        "score": grains(decision.score),
        "outcome": outcome and [outcome.winner, outcome.proven, outcome.plies],
        "line": plain(decision.line),
        "stats": plain(decision.stats),
        "context": plain(decision.context),
        "candidates": [
            {
                "move": plain(candidate.move),
                "score": grains(candidate.score),
                "terms": {name: grains(value) for name, value in candidate.terms.items()},
                "details": plain(candidate.details),
                "notes": plain(candidate.notes),
            }
            for candidate in decision.candidates
        ],
    }


def brief(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The same in short: of terms a digest of those that are not 0, whatever their names and order."""
    candidates = answer["candidates"]
    values = [sorted((value for value in c["terms"].values() if value), key=str) for c in candidates]
    shown = json.dumps([[c["move"] for c in candidates], values], sort_keys=True)
    return {
        **{name: answer[name] for name in ("move", "score", "outcome", "line", "stats")},
        "scores": [candidate["score"] for candidate in candidates],
        "digest": hashlib.sha256(shown.encode()).hexdigest()[:10],
    }
