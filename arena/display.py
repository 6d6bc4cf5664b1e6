"""The live display, on a terminal alone: games done, the score so far with its interval, time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from arena.run import Watch
from arena.setup import Setup
from arena.statistics import wilson
from arena.tally import Tally


def score_line(setup: Setup, tally: Tally) -> str:
    """The first contestant's score, and where a sequential test stands."""
    points, games = tally.lead()
    label = setup.contestants[0].label
    if not games:
        return label
    low, high = wilson(points, games)
    line = f"{label} {100 * points / games:.1f}% ({100 * low:.0f}..{100 * high:.0f})"
    test = tally.sprt()
    if test is not None:
        line += f" LLR {test.llr:.2f} ({test.lower:.2f}..{test.upper:.2f})"
    return line


@contextmanager
def display(setup: Setup) -> Iterator[Watch]:
    """A callback for a run's progress; silent without a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda tally, games: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task(escape(setup.contestants[0].label), total=setup.games)

        def watch(tally: Tally, games: int) -> None:
            progress.update(bar, completed=games, description=escape(score_line(setup, tally)))

        yield watch
