"""Set-ups in a line, and games played in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.archive import Archive
from arena.contestants import read_all
from arena.play import Match, play
from arena.records import Record, SeatNotes
from arena.report import results
from arena.results import Results
from arena.run import Outcome, run
from arena.setup import Setup, pairs
from arena.workforce import Inline, Workforce

OURS = "python:tests.arena.agents."


def setup(game: str, *contestants: str, openings: int = 2, iterations: int | None = 1, **more: Any) -> Setup:
    """Everybody against everybody, unless `groups` says otherwise."""
    fields: dict[str, Any] = {
        "game": game,
        "format": "test",
        "contestants": read_all(contestants, None, iterations),
        "groups": pairs(len(contestants)),
        "openings": openings,
        "seed": 1,
    }
    return Setup(**(fields | more))


def games(made: Setup, count: int | None = None) -> list[Record]:
    """The first games of a set-up."""
    match = Match(made)
    return [play(match, made.pairing(number)) for number in range(made.games if count is None else count)]


def gist(record: Record) -> Any:
    """What must repeat: everything but times."""
    notes = [note.model_dump(exclude={"microseconds"}) for note in record.notes]
    return record.model_dump(exclude={"seconds", "notes"}), notes


def tournament(path: Path, made: Setup, force: Workforce | None = None) -> tuple[Results, Outcome]:
    """Play it all into a games file, going on with one that is there."""
    force = Inline() if force is None else force
    archive = Archive.open(path) if path.exists() else Archive.create(path, made)
    try:
        outcome = run(made, archive, force)
        return results(made, outcome, force, path), outcome
    finally:
        archive.close()


def record(
    number: int, seats: tuple[int, ...], places: tuple[int, ...], opening: int = 0, **more: Any
) -> Record:
    """A game that nobody played."""
    fields: dict[str, Any] = {
        "number": number,
        "opening": opening,
        "seats": seats,
        "seat_names": tuple(f"seat {seat}" for seat in range(len(seats))),
        "chance": 0,
        "start": {},
        "plies": (),
        "places": places,
        "ended": "rules",
        "length": 10,
        "notes": (SeatNotes(),) * len(seats),
        "seconds": 0.0,
    }
    return Record(**(fields | more))
