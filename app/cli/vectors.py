"""Replays vector files record by record; damaged lines are reported by their numbers."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

from engines.core.vectors import DamagedLineError, Replay, Replayer, VectorFormat

GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that cannot be replayed, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Replayed:
    """A line that was replayed."""

    line: int
    format: str
    replay: Replay


@dataclass(frozen=True, slots=True)
class Missing:
    """A decision line whose agent is not in this version."""

    line: int
    format: str
    agent: str


def check(path: Path, formats: Sequence[VectorFormat]) -> Iterator[Replayed | Damage | Missing]:
    """Replay each record of a file through the format that recognises it.

    Gzip or not, a record a line or one document: seen by content. `-` is standard input. An
    unreadable file is an `OSError`; everything else wrong with a file is `Damage`.
    """
    replayers: dict[str, Replayer] = {}
    number = 0
    with _opened(path) as stream:
        for number, value in _records(stream, one_document=path.name.removesuffix(".gz").endswith(".json")):
            found = _check(number, value, formats, replayers)
            if isinstance(found, Damage):
                for replayer in replayers.values():
                    replayer.skip()
            yield found
    for replayer in replayers.values():
        try:
            replayer.finish()
        except DamagedLineError as damage:
            yield Damage(number, str(damage))


def _check(
    number: int, value: Any, formats: Sequence[VectorFormat], replayers: dict[str, Replayer]
) -> Replayed | Damage | Missing:
    """Replay one record; `replayers` are those begun in this file, by format."""
    try:
        if isinstance(value, DamagedLineError):
            raise value
        if not isinstance(value, dict):
            raise DamagedLineError("not a JSON object")
        found = next((known for known in formats if known.recognises(value)), None)
        if found is None:
            names = ", ".join(known.name for known in formats)
            raise DamagedLineError(f"its fields are of no format of this game ({names})")
        if found.replayer is not None and found.name not in replayers:
            replayers[found.name] = found.replayer()
        replay = replayers[found.name].replay if found.replayer else found.replay
        if replay is None:
            return Missing(number, found.name, found.agent or "unnamed")
        return Replayed(number, found.name, replay(value))
    except DamagedLineError as damage:
        return Damage(number, str(damage))
    except Exception as error:  # noqa: BLE001 - a line must not end the run, nor hide what it did to the rules
        return Damage(number, f"cannot be replayed ({type(error).__name__}: {str(error)[:200]})")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    standard = nullcontext(cast(BufferedReader, sys.stdin.buffer))
    with standard if str(path) == "-" else path.open("rb") as raw:
        zipped = raw.peek(len(GZIP))[: len(GZIP)] == GZIP
        yield cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if zipped else raw


def _records(stream: BinaryIO, one_document: bool) -> Iterator[tuple[int, Any]]:
    """Line numbers and JSON values, or a `DamagedLineError` in place of a value.

    If the first line is not JSON, the whole file may be one document.
    """
    lines = _lines(stream)
    for first in lines:
        value = _decoded(first[1])
        if isinstance(value, DamagedLineError):
            rest = [first, *lines]
            whole = b"".join(line for _, line in rest if isinstance(line, bytes))
            document = _decoded(whole)
            if (
                len(rest) > 1
                and not isinstance(document, DamagedLineError)
                and isinstance(rest[-1][1], bytes)
            ):
                yield first[0], document
            elif one_document:
                cut = rest[-1]
                yield cut if isinstance(cut[1], DamagedLineError) else (first[0], document)
            else:
                for number, line in rest:
                    yield number, _decoded(line)
            return
        yield first[0], value
        for number, line in lines:
            yield number, _decoded(line)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | DamagedLineError]]:
    """Lines that are not blank, by their numbers from 1; a broken archive ends them with its damage."""
    number = 0
    try:
        for line in stream:
            number += 1
            if line.strip():
                yield number, line
    except EOFError:
        yield number + 1, DamagedLineError("the gzip archive is cut off here")
    except (gzip.BadGzipFile, zlib.error) as error:
        yield number + 1, DamagedLineError(f"the gzip archive is damaged here ({error})")


def _refuse(constant: str) -> NoReturn:
    raise DamagedLineError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def _decoded(line: bytes | DamagedLineError) -> Any:
    """The JSON value of a line, or the damage."""
    if isinstance(line, DamagedLineError):
        return line
    try:
        return _DECODER.decode(line.decode())
    except DamagedLineError as damage:
        return damage
    except UnicodeDecodeError as error:
        return DamagedLineError(f"not UTF-8 (byte {error.start + 1})")
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} of it, " if error.lineno > 1 else ""
        return DamagedLineError(f"not JSON ({error.msg}: {where}column {error.colno})")
    except RecursionError:
        return DamagedLineError("nested too deeply")
    except ValueError:
        return DamagedLineError("a number of too many digits")
