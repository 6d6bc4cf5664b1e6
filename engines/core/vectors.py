"""Conformance data: what a format must be able to do, and how two JSON values are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


class DamagedLineError(ValueError):
    """A line that cannot be replayed: a field is missing, or an input field makes no position."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in which the line and the rules disagree."""

    field: str
    expected: Any
    got: Any


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of one line.

    `steps` counts what was replayed: 1 for most formats, the pairs of a whole table for others, 0 for
    a line that only describes those that follow.
    `before` and `moves` are drawn only for lines that differ, so they are callables.
    """

    differences: tuple[Difference, ...]
    before: Callable[[], str]
    moves: Callable[[], str]
    steps: int = 1


class Replayer(Protocol):
    """Replays the lines of one file in their order, where a line refers to those before it."""

    def replay(self, record: Mapping[str, Any]) -> Replay:
        """The outcome of the next line, or a `DamagedLineError` and never anything else."""

    def skip(self) -> None:
        """A line at this place was damaged, whether `replay` said so or it was never handed over."""

    def finish(self) -> None:
        """The file has ended; a `DamagedLineError` where lines are missing."""


@dataclass(frozen=True, slots=True)
class VectorFormat:
    """One format of vector file. `agent` names the agent that decision files need, if any.

    `recognises(record)` looks at one parsed JSON value; `replay(record)` raises
    `DamagedLineError` for a line that cannot be replayed and never anything else. A format whose
    lines refer to those before them has a `replayer` in its place, begun anew for each file. A format
    without either needs an agent that is not there.
    """

    name: str
    recognises: Callable[[Mapping[str, Any]], bool]
    replay: Callable[[Mapping[str, Any]], Replay] | None = None
    agent: str | None = None
    replayer: Callable[[], Replayer] | None = None


def differences(expected: Any, got: Any, field: str = "", tolerance: float = 0.0) -> Iterator[Difference]:
    """Every leaf in which two JSON values differ.

    Types count (True is not 1, "1" is not 1) but an int equals a float of the same value.
    `tolerance` is absolute and for floats only. Keys on one side alone are differences.
    """
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key in [*expected, *(k for k in got if k not in expected)]:
            name = f"{field}.{key}" if field else str(key)
            if key not in got:
                yield Difference(name, expected[key], "(absent)")
            elif key not in expected:
                yield Difference(name, "(absent)", got[key])
            else:
                yield from differences(expected[key], got[key], name, tolerance)
        return
    if isinstance(expected, list | tuple) and isinstance(got, list | tuple):
        if len(expected) != len(got):
            yield Difference(field, expected, got)
            return
        for index, (one, two) in enumerate(zip(expected, got, strict=True)):
            yield from differences(one, two, f"{field}[{index}]", tolerance)
        return
    if not _same(expected, got, tolerance):
        yield Difference(field, expected, got)


def _same(expected: Any, got: Any, tolerance: float) -> bool:
    if isinstance(expected, bool) or isinstance(got, bool):
        return isinstance(expected, bool) and isinstance(got, bool) and expected == got
    if isinstance(expected, int | float) and isinstance(got, int | float):
        if expected == got:
            return True
        try:
            return abs(expected - got) <= tolerance
        except OverflowError:  # an int beyond every float
            return False
    return bool(type(expected) is type(got) and expected == got)
