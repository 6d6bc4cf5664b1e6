"""The games file: a line that says what is played, then a line for each finished game.

It is the truth of a tournament: results are made from it, `--resume` goes on from it, whatever else
is lost. Games stand in the order in which they ended; each carries its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from arena.errors import ArenaError
from arena.records import Record
from arena.setup import Setup

MARK = "quadrigaArena"
VERSION = 1


class Archive:
    """A games file open for reading and, once `append` was called, for writing."""

    def __init__(self, path: Path, setup: Setup, places: dict[int, int], damaged: int, end: int) -> None:
        self.path = path
        self.setup = setup
        self.damaged = damaged
        """Lines that could not be read; their games are played again on `--resume`."""
        self._places = places
        self._end = end
        self._reading: IO[bytes] | None = None
        self._writing: IO[bytes] | None = None

    @classmethod
    def create(cls, path: Path, setup: Setup, replace: bool = False) -> Archive:
        """A new file; one that is there is only replaced where that is wanted."""
        head = json.dumps({MARK: VERSION, "setup": json.loads(setup.model_dump_json())}).encode() + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb" if replace else "xb") as file:
                file.write(head)
        except FileExistsError:
            raise ArenaError(
                f"{path} is there already: --resume goes on with it, --force replaces it, "
                "--out NAME.json writes elsewhere"
            ) from None
        except OSError as error:
            raise ArenaError(f"{path} cannot be written: {error.strerror}") from None
        return cls(path, setup, {}, 0, len(head))

    @classmethod
    def open(cls, path: Path) -> Archive:
        """A file that is there: every whole game in it counts once, damaged lines are counted apart."""
        try:
            file = path.open("rb")
        except OSError as error:
            raise ArenaError(f"{path} cannot be read: {error.strerror}") from None
        with file:
            head = file.readline()
            setup = _setup(head, path)
            places: dict[int, int] = {}
            damaged = 0
            place = end = len(head)
            for line in file:
                record = _record(line, setup)
                if record is None:
                    damaged += 1
                else:
                    places.setdefault(record.number, place)
                    end = place + len(line)
                place += len(line)
        return cls(path, setup, places, damaged, end)

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def __len__(self) -> int:
        return len(self._places)

    def numbers(self) -> list[int]:
        """The games that are there, rising."""
        return sorted(self._places)

    def line(self, number: int) -> str:
        """The game of that number as it was written."""
        if number not in self._places:
            there = f"it has {len(self)}" + (f", from {min(self._places)} on" if self._places else "")
            raise ArenaError(f"{self.path} has no game {number}: {there}")
        if self._reading is None:
            self._reading = self.path.open("rb")
        self._reading.seek(self._places[number])
        return self._reading.readline().decode()

    def __getitem__(self, number: int) -> Record:
        return Record.model_validate_json(self.line(number))

    def records(self) -> Iterator[Record]:
        """All games, by number."""
        for number in self.numbers():
            yield self[number]

    def append(self, lines: Iterable[str]) -> list[Record]:
        """Add finished games; they are in the file when this returns. Those there already are left out."""
        if self._writing is None:
            self._writing = self.path.open("r+b")
            self._writing.truncate(self._end)  # a line that was cut off goes
            self._writing.seek(self._end)
        new = []
        for line in lines:
            record = Record.model_validate_json(line)
            if record.number in self._places:
                continue
            raw = line.encode() + b"\n"
            self._writing.write(raw)
            self._places[record.number] = self._end
            self._end += len(raw)
            new.append(record)
        self._writing.flush()
        return new

    def close(self) -> None:
        for file in (self._reading, self._writing):
            if file is not None:
                file.close()
        self._reading = self._writing = None


def _setup(head: bytes, path: Path) -> Setup:
    try:
        value: Any = json.loads(head)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or MARK not in value:
        raise ArenaError(f"{path} is no games file of the arena (its first line says what was played)")
    if value[MARK] != VERSION:
        raise ArenaError(f"{path} is a games file of version {value[MARK]}; this program reads {VERSION}")
    try:
        return Setup.model_validate(value.get("setup"))
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise ArenaError(f"{path}: its first line is damaged ({field or 'setup'})") from None


def _record(line: bytes, setup: Setup) -> Record | None:
    """The game of a line; None where it is cut off, unreadable, or not of this tournament."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = Record.model_validate_json(line)
    except ValidationError:
        return None
    if record.number < 0:
        return None
    pairing = setup.pairing(record.number)
    return record if (record.opening, record.seats) == (pairing.opening, pairing.seats) else None


def games_path(path: Path) -> Path:
    """The games file that belongs to a results file; a games file is its own."""
    return path if path.name.endswith(".games.jsonl") else path.with_suffix(".games.jsonl")


def write_whole(path: Path, text: str) -> None:
    """Write a file that is either the old one or the new one, never a half."""
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise ArenaError(f"{path} cannot be written: {error.strerror}") from None
