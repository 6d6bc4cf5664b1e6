"""The results drawn: who beats whom, ratings with error bars, lengths of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from arena.errors import ArenaError
from arena.results import Results

FORMATS = ("svg", "png")


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate with its 95% interval, and what was published, where that is so."""

    label: str
    rate: float
    low: float
    high: float
    published: float | None = None


def save(found: Results, directory: Path, study: Sequence[Rate] = ()) -> list[Path]:
    """Draw what there is to draw, as SVG and PNG; the files made. `study` are a preset's own rows."""
    drawings: dict[str, Callable[[Results], Figure | None]] = {
        "wins": wins,
        "ratings": ratings,
        "lengths": lengths,
        "rates": lambda found: rates(study, f"{found.setup.format}: {found.played} games"),
    }
    made = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, draw in drawings.items():
            figure = draw(found)
            if figure is None:
                continue
            for suffix in FORMATS:
                path = directory / f"{name}.{suffix}"
                metadata = {"Date": None} if suffix == "svg" else None
                # the same results are the same SVG
                with mpl.rc_context({"svg.hashsalt": "quadriga", "svg.fonttype": "none"}):
                    figure.savefig(path, dpi=150, bbox_inches="tight", metadata=metadata)
                made.append(path)
    except OSError as error:
        raise ArenaError(f"{directory}: plots cannot be written: {error.strerror}") from None
    return made


def wins(found: Results) -> Figure | None:
    """A heat map of the row's rate against the column."""
    if not found.pairings:
        return None
    labels = [row.label for row in found.standings]
    place = {label: index for index, label in enumerate(labels)}
    rates = [[float("nan")] * len(labels) for _ in labels]
    for row in found.pairings:
        one, two = place[row.one], place[row.two]
        rates[one][two], rates[two][one] = row.rate, 1 - row.rate
    size = 2.5 + 0.6 * len(labels)
    figure = Figure(figsize=(size + 1, size))
    axes = figure.subplots()
    image = axes.imshow(rates, cmap="RdYlGn", vmin=0, vmax=1)
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right", parse_math=False)
    axes.set_yticks(range(len(labels)), labels, parse_math=False)
    for y, line in enumerate(rates):
        for x, rate in enumerate(line):
            if rate == rate:
                axes.text(x, y, f"{100 * rate:.0f}", ha="center", va="center")
    axes.set_title(f"{found.setup.game}: rate of the row against the column, %")
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def ratings(found: Results) -> Figure | None:
    """Ratings, best on top, with 95% error bars."""
    rows = [row for row in reversed(found.standings) if row.elo is not None]
    if not rows:
        return None
    figure = Figure(figsize=(7, 1.5 + 0.4 * len(rows)))
    axes = figure.subplots()
    axes.errorbar(
        [row.elo for row in rows if row.elo is not None],
        range(len(rows)),
        xerr=[row.elo_error or 0.0 for row in rows],
        fmt="o",
        capsize=4,
    )
    axes.set_yticks(range(len(rows)), [row.label for row in rows], parse_math=False)
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("Elo around the mean of all, with 95% interval")
    axes.set_title(f"{found.setup.game}: ratings from {found.played} games")
    return figure


def lengths(found: Results) -> Figure | None:
    """A histogram of the games' lengths."""
    counts = found.lengths.histogram
    if not counts:
        return None
    figure = Figure(figsize=(7, 4))
    axes = figure.subplots()
    bins = min(60, max(counts) - min(counts) + 1)
    axes.hist(list(counts), bins=bins, weights=list(counts.values()))
    axes.set_xlabel(f"length in {found.lengths.unit}")
    axes.set_ylabel("games")
    axes.set_title(f"{found.setup.game}: lengths of {found.played} games, mean {found.lengths.mean:.1f}")
    return figure


def rates(rows: Sequence[Rate], title: str) -> Figure | None:
    """Rates with their intervals, in the given order from the top; hollow marks are published."""
    if not rows:
        return None
    figure = Figure(figsize=(7, 1.2 + 0.32 * len(rows)))
    axes = figure.subplots()
    places = range(len(rows) - 1, -1, -1)
    axes.axvline(50, color="0.7", zorder=0)
    axes.errorbar(
        [100 * row.rate for row in rows],
        places,
        xerr=[
            [100 * max(0.0, row.rate - row.low) for row in rows],
            [100 * max(0.0, row.high - row.rate) for row in rows],
        ],
        fmt="o",
        capsize=3,
        label="measured, 95%",
    )
    published = [
        (100 * row.published, place)
        for row, place in zip(rows, places, strict=True)
        if row.published is not None
    ]
    if published:
        axes.plot(*zip(*published, strict=True), "s", mfc="none", color="C3", label="published")
        axes.legend(loc="best")
    axes.set_yticks(places, [row.label for row in rows], parse_math=False)
    axes.set_xlim(-2, 102)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.grid(axis="x", alpha=0.4)
    axes.set_xlabel("points won, %")
    axes.set_title(title)
    return figure
