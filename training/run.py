"""A course of training that can be watched, broken off and gone on with.

The result depends on the course's settings and seed alone: checkpoints are written by the clock,
but hold all that the rest of the course depends on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

SAVE_SECONDS = 30.0
POINTS = 40
"""Points of a learning curve."""

Arrays = dict[str, NDArray[Any]]


class TrainingError(Exception):
    """Training that can't begin or go on; the text says why."""


class Interrupted(Exception):  # noqa: N818 (the user's wish, no failure)
    """Broken off by the user; a checkpoint is there."""


class Course(Protocol):
    """Something that learns, episode by episode."""

    settings: Any
    """A frozen dataclass; everything that decides the result."""
    total: int
    done: int

    def advance(self, until: int) -> None:
        """Learn on, to `until` episodes at most and for a second or so; `done` moves on."""

    def measure(self) -> Mapping[str, float]:
        """How good it is by now; changes nothing."""

    def arrays(self) -> Arrays:
        """All state."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go back to a state of `arrays`."""

    def product(self) -> Arrays:
        """What ships."""


@dataclass
class Progress:
    """Where a course stands."""

    done: int
    total: int
    seconds: float
    """Of learning, earlier runs included."""
    curve: list[dict[str, float]] = field(default_factory=list)


Tell = Callable[[Progress], None]


def run(course: Course, folder: Path, out: Path, resume: bool, tell: Tell) -> Progress:
    """Take a course to its end: checkpoints and curve in `folder`, the product in `out`."""
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = folder / "checkpoint.npz"
    progress = Progress(0, course.total, 0.0)
    if resume:
        _load(checkpoint, course, progress)
    last = started = time.monotonic()
    before = progress.seconds
    try:
        while True:
            progress.done = course.done
            progress.seconds = before + time.monotonic() - started
            if not progress.curve or course.done >= _point(course, len(progress.curve)):
                progress.curve.append({"episodes": course.done, **course.measure()})
                _write_curve(folder / "curve.csv", progress.curve)
            tell(progress)
            if course.done >= course.total:
                break
            course.advance(_point(course, len(progress.curve)))
            if time.monotonic() - last > SAVE_SECONDS:
                progress.seconds = before + time.monotonic() - started
                _save(checkpoint, course, progress)
                last = time.monotonic()
    except KeyboardInterrupt:
        # A kernel ends before the interrupt is seen, so the course stands between two slices.
        progress.done = course.done
        _save(checkpoint, course, progress)
        raise Interrupted(str(checkpoint)) from None
    _save(checkpoint, course, progress)
    out.parent.mkdir(parents=True, exist_ok=True)
    _write(out, course.product())
    return progress


def plot(curve: list[dict[str, float]], title: str, path: Path) -> bool:
    """Draw a learning curve; False where matplotlib (the arena's extra) is not installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    for name in curve[0]:
        if name.startswith("wins"):
            axes.plot([p["episodes"] for p in curve], [p[name] for p in curve], label=name.replace("_", " "))
    axes.set(title=title, xlabel="episodes", ylabel="% of games won")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=120)
    return True


def _point(course: Course, number: int) -> int:
    return min(course.total, course.total * number // POINTS) if number <= POINTS else course.total


def _save(path: Path, course: Course, progress: Progress) -> None:
    table = np.array([list(point.values()) for point in progress.curve], np.float64)
    names = np.array(list(progress.curve[0]) if progress.curve else [])
    _write(
        path,
        {
            **{f"state_{name}": array for name, array in course.arrays().items()},
            "settings": np.array(repr(asdict(course.settings))),
            "seconds": np.array(progress.seconds),
            "curve": table,
            "names": names,
        },
    )


def _load(path: Path, course: Course, progress: Progress) -> None:
    if not path.is_file():
        raise TrainingError(f"there is no checkpoint {path}")
    with np.load(path, allow_pickle=False) as stored:
        if str(stored["settings"]) != repr(asdict(course.settings)):
            raise TrainingError(f"{path} belongs to other settings: {stored['settings']}")
        course.restore({name[6:]: stored[name] for name in stored if name.startswith("state_")})
        progress.seconds = float(stored["seconds"])
        names = [str(name) for name in stored["names"]]
        progress.curve = [dict(zip(names, point, strict=True)) for point in stored["curve"].tolist()]


def _write(path: Path, arrays: Arrays) -> None:
    """Whole or not at all; the same arrays make the same bytes."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as stream:
        np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    part.replace(path)


def _write_curve(path: Path, curve: list[dict[str, float]]) -> None:
    lines = [",".join(curve[0])] + [",".join(f"{value:g}" for value in point.values()) for point in curve]
    path.write_text("\n".join(lines) + "\n")
