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

from numpy.typing import NDArray

from training.checkpoint import Arrays as Arrays
from training.checkpoint import Checkpoint, uninterrupted, write_arrays
from training.checkpoint import Interrupted as Interrupted
from training.checkpoint import TrainingError as TrainingError

SAVE_SECONDS = 30.0
POINTS = 40
"""Points of a learning curve."""

_COURSE = "course."
"""Before the names of the course's own state in a checkpoint."""


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
    checkpoint = Checkpoint(folder / "checkpoint.npz", asdict(course.settings))
    progress = Progress(0, course.total, 0.0)
    kept = checkpoint.begin(resume)
    if kept is not None:
        course.restore({name: kept[_COURSE + name] for name in course.arrays()})
        progress.seconds, progress.curve = kept["seconds"], kept["curve"]
    last = started = time.monotonic()
    before = progress.seconds
    try:
        while True:
            with uninterrupted():
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
                checkpoint.save(_state(course, progress))
                last = time.monotonic()
    except KeyboardInterrupt:
        checkpoint.save(_state(course, progress))
        raise Interrupted(str(checkpoint.path)) from None
    checkpoint.save(_state(course, progress))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_arrays(out, course.product())
    return progress


def _state(course: Course, progress: Progress) -> dict[str, Any]:
    arrays = {_COURSE + name: array for name, array in course.arrays().items()}
    return {"seconds": progress.seconds, "curve": progress.curve, **arrays}


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


def _write_curve(path: Path, curve: list[dict[str, float]]) -> None:
    lines = [",".join(curve[0])] + [",".join(f"{value:g}" for value in point.values()) for point in curve]
    path.write_text("\n".join(lines) + "\n")
