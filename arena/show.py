"""A game of a games file, played again by the rules and drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arena.errors import ArenaError
from arena.records import Record
from arena.referees import referee
from arena.setup import Setup
from engines.core.errors import PositionError
from engines.core.rng import derive


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment: the position before the ply, and what was played in it (nothing at the end)."""

    ply: int
    position: Any
    moves: Any
    events: tuple[Any, ...]


def replay(setup: Setup, record: Record) -> Iterator[Scene]:
    """The game, ply by ply; what the rules refuse of it is an `ArenaError`."""
    game = referee(setup.game).game
    try:
        position = game.parse(record.start)
        for ply, moves in enumerate(record.plies):
            step = game.step(position, moves, derive(record.chance, ply))
            yield Scene(ply, position, moves, step.events)
            position = step.position
    except PositionError as error:
        raise ArenaError(f"game {record.number} cannot be replayed by the rules: {error}") from None
    yield Scene(len(record.plies), position, None, ())


def text(setup: Setup, scene: Scene) -> str:
    """The scene for a terminal."""
    board = referee(setup.game).game.render(scene.position)
    if scene.moves is None:
        return f"after {scene.ply} {referee(setup.game).unit}\n{board}"
    played = json.dumps(scene.moves)
    return f"{scene.ply} played {played}\n{board}"


def headline(setup: Setup, record: Record) -> str:
    """Who sat where, and how it ended."""
    names = [setup.contestants[who].label for who in record.seats]
    seats = ", ".join(f"{name} ({seat})" for name, seat in zip(names, record.seat_names, strict=True))
    best = [name for name, place in zip(names, record.places, strict=True) if place == 1]
    won = f"{best[0]} wins" if len(best) == 1 else f"{' and '.join(best)} share the first place"
    how = {"rules": "", "cap": ", stopped at the cap", "forfeit": ", the other's answer forfeits"}
    line = f"game {record.number}, opening {record.opening}: {seats}; {won}{how.get(record.ended, '')}"
    for fault in record.faults:
        line += f"\n  ply {fault.ply}: {names[fault.seat]}: {fault.kind}: {fault.detail}"
    return line
