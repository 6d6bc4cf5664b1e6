"""How training is broken off and gone on with: one kind of file for all of it.

A checkpoint holds the settings that decide the result, and the state on which the rest depends. Who trains
saves between two steps and hears Ctrl-C there alone (`uninterrupted`), so a run that was broken off and one
that went through come to the same bytes. What the state means is its owner's business.
"""

from __future__ import annotations

import json
import signal
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
State = dict[str, Any]
"""Arrays, and values that JSON can say, by their names."""

_ARRAY = "array."


class TrainingError(Exception):
    """Training that can't begin or go on; the text says why."""


class Interrupted(Exception):  # noqa: N818 (the user's wish, no failure)
    """Broken off by the user; the text is the checkpoint's path."""


class Checkpoint:
    """The file of one run. `kind` is what messages call it."""

    def __init__(self, path: Path, settings: Mapping[str, Any], kind: str = "checkpoint") -> None:
        self.path = path
        self._settings = json.dumps(settings, sort_keys=True)
        self._kind = kind

    def begin(self, resume: bool, replace: bool = True) -> State | None:
        """The state to go on from; None where training begins anew.

        With `resume` there must be a file of the same settings. Without it one that is there is replaced
        by the first `save`, or is an error where `replace` is false.
        """
        if resume:
            return self._load()
        if not replace and self.path.exists():
            raise TrainingError(f"{self.path} is there already: --resume goes on with it")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return None

    def save(self, state: Mapping[str, Any]) -> None:
        """Keep a state in the place of the one before."""
        arrays = {_ARRAY + name: v for name, v in state.items() if isinstance(v, np.ndarray)}
        values = {name: v for name, v in state.items() if _ARRAY + name not in arrays}
        texts = {"settings": np.array(self._settings), "values": np.array(json.dumps(values))}
        write_arrays(self.path, {**texts, **arrays})

    def _load(self) -> State:
        if not self.path.is_file():
            raise TrainingError(f"there is no {self._kind} {self.path}: nothing to go on from")
        try:
            with self.path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
                settings, values = str(stored["settings"]), json.loads(str(stored["values"]))
                arrays = {n.removeprefix(_ARRAY): stored[n] for n in stored if n.startswith(_ARRAY)}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise TrainingError(f"{self.path} is damaged") from None
        if settings != self._settings:
            raise TrainingError(f"{self.path} belongs to other settings: {settings[:400]}")
        return {**values, **arrays}


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Whole or not at all; the same arrays make the same bytes."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    part.replace(path)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C is heard when this ends.

    Python hears it as soon as a kernel returns, before what the kernel returned is stored: a step that may
    be broken off there would be half done.
    """
    heard: list[tuple[int, FrameType | None]] = []
    try:
        before = signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    except ValueError:  # not the main thread: only that one is interrupted
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard and callable(before):
        before(*heard[0])
