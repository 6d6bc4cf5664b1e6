"""Results made and shown: the table in the terminal, the same for every format."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from arena.referees import referee
from arena.results import Made, Results, Standing
from arena.run import Outcome
from arena.setup import Setup
from arena.workforce import Workforce

WIDTH = 160
"""Columns where the output is no terminal."""

SHOWN_PAIRINGS = 40
SHOWN_COUNTERS = 8


def results(setup: Setup, outcome: Outcome, force: Workforce, games_file: Path) -> Results:
    """What a run says."""
    tally = outcome.tally
    return Results(
        setup=setup,
        planned=setup.games,
        played=tally.games,
        complete=outcome.complete,
        standings=tally.standings(),
        rating_prior=tally.rating_prior(),
        pairings=tally.pairings(),
        lengths=tally.lengths(referee(setup.game).unit),
        timings=tally.timings(),
        sprt=tally.sprt(),
        made=Made(
            quadriga=version("quadriga"),
            python=platform.python_version(),
            cores=os.cpu_count() or 1,
            executor=force.kind,
            workers=force.workers,
            seconds=round(outcome.seconds, 3),
            games_per_second=None if outcome.pace is None else float(f"{outcome.pace:.4g}"),
        ),
        games_file=games_file.name,
    )


def console() -> Console:
    """Standard output: as wide as the terminal, or wide enough for every column."""
    made = Console(highlight=False)
    return made if made.is_terminal else Console(highlight=False, width=WIDTH)


def tables(found: Results) -> Iterator[RenderableType]:
    """What a person wants to see, in order."""
    yield _headline(found)
    parts = [_standings(found), _seats(found), _pairings(found), _timings(found), _counters(found)]
    for part in parts:
        if part.columns[1:]:
            yield ""
            yield part
    yield ""
    yield from _remarks(found)


def new_table(title: str, *columns: str) -> Table:
    """An empty table; all columns but the first are numbers."""
    table = Table(box=None, pad_edge=False)
    table.add_column(title, style="bold", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def percent(value: float | None) -> str:
    """A rate as it is read."""
    return "-" if value is None else f"{100 * value:.1f}%"


def interval(low: float, high: float) -> str:
    """A 95% interval of a rate."""
    return f"{100 * low:.1f}..{100 * high:.1f}"


def _signed(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:+.{digits}f}"


def _error(value: float | None) -> str:
    return "-" if value is None else f"±{value:.0f}"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _headline(found: Results) -> str:
    setup = found.setup
    budgets = sorted({contestant.budget for contestant in setup.contestants})
    text = f"{setup.game}, {setup.format}: {found.played} of {found.planned} games, seed {setup.seed}"
    if found.complete and found.sprt is None:
        text = f"{setup.game}, {setup.format}: {found.played} games, seed {setup.seed}"
    if len(budgets) == 1:
        text += f", {budgets[0]} a move"
    return text


def _standings(found: Results) -> Table:
    table = new_table(
        "contestant",
        *("games", "won", "drawn", "lost", "points", "rate", "95%", "Elo", "±95%"),
        *("late", "failed", "illegal"),
    )
    for row in found.standings:
        table.add_row(
            escape(row.label),
            *(str(row.games), str(row.wins), str(row.draws), str(row.losses), f"{row.points:g}"),
            *(percent(row.rate), interval(row.low, row.high), _signed(row.elo), _error(row.elo_error)),
            *(_fault(row.late), _fault(row.failed), _fault(row.illegal)),
        )
    return table


def _fault(count: int) -> str:
    return f"[red]{count}[/red]" if count else "0"


def _seats(found: Results) -> Table:
    names = sorted({seat.seat for row in found.standings for seat in row.seats})
    table = new_table("rate by seat", *names)
    for row in found.standings:
        by_name = {seat.seat: seat for seat in row.seats}
        cells = (f"{percent(by_name[n].rate)} of {by_name[n].games}" if n in by_name else "-" for n in names)
        table.add_row(escape(row.label), *cells)
    return table


def _pairings(found: Results) -> Table:
    table = new_table(
        "head to head",
        *("games", "won", "drawn", "lost", "rate", "95%", "pairs 0 ½ 1 1½ 2", "Elo", "±95%", "LOS"),
    )
    for row in found.pairings[:SHOWN_PAIRINGS]:
        table.add_row(
            f"{escape(row.one)} : {escape(row.two)}",
            *(str(row.games), str(row.wins), str(row.draws), str(row.losses), percent(row.rate)),
            interval(row.low, row.high),
            " ".join(map(str, row.pairs)) if row.pairs else "-",
            *(_signed(row.elo), _error(row.elo_error), percent(row.los)),
        )
    if len(found.pairings) > SHOWN_PAIRINGS:
        table.add_row(f"and {len(found.pairings) - SHOWN_PAIRINGS} more in the results file")
    return table


def _timings(found: Results) -> Table:
    table = new_table("time per move, ms", "moves", "mean", "p50", "p99", "max")
    for row in found.timings:
        table.add_row(
            escape(row.label),
            str(row.decisions),
            *(_ms(row.mean), _ms(row.p50), _ms(row.p99), _ms(row.max)),
        )
    return table


def _counters(found: Results) -> Table:
    names = sorted({name for row in found.standings for name in row.counters})[:SHOWN_COUNTERS]
    table = new_table("counters, mean per move", *map(escape, names))
    for row in found.standings:
        table.add_row(escape(row.label), *(_counter(row, name) for name in names))
    return table


def _counter(row: Standing, name: str) -> str:
    return f"{row.counters[name]:.4g}" if name in row.counters else "-"


def _remarks(found: Results) -> Iterator[str]:
    lengths = found.lengths
    if lengths.mean is not None:
        ended = ", ".join(f"{count} by {how}" for how, count in lengths.ended.items())
        yield (
            f"games of {lengths.mean:.1f} {lengths.unit} "
            f"({lengths.shortest} to {lengths.longest}); ended: {ended}"
        )
    if found.rating_prior:
        yield "Elo: somebody won or lost everything, so a draw is added between all who met"
    if any(row.late or row.failed or row.illegal for row in found.standings):
        yield f"after a late, failed or illegal answer: {referee(found.setup.game).convention}"
    if found.sprt is not None:
        test = found.sprt
        said = {"H1": "H1 accepted", "H0": "H0 accepted", None: "no answer yet"}[test.accepted]
        yield (
            f"SPRT elo0 {test.test.elo0:g}, elo1 {test.test.elo1:g}, alpha {test.test.alpha:g}, "
            f"beta {test.test.beta:g}: LLR {test.llr:.2f} ({test.lower:.2f}..{test.upper:.2f}), {said}"
        )
    made = found.made
    if made.games_per_second is not None:
        yield (
            f"{made.games_per_second:g} games a second on {made.workers} "
            f"worker{'s' if made.workers > 1 else ''} ({made.executor})"
        )
