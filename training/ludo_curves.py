"""The learning curves of what ships, drawn from the files that training wrote.

    python -m training.ludo_curves docs/results docs/plots

Same files, same drawings.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engines.ludo.q_learning.table import VIEWS
from engines.ludo.weights import CONFIGS

PREFIX = "ludo-curve-"
TABLES = [f"q_{abstraction}_{config}" for config in CONFIGS for abstraction in VIEWS]


def read(folder: Path, name: str) -> dict[str, list[float]]:
    """The columns of a curve, by their names."""
    with (folder / f"{PREFIX}{name}.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {column: [float(row[column]) for row in rows] for column in rows[0]}


def networks(folder: Path) -> Figure:
    """Wins of each network against random players."""
    figure, (axes,) = _figure(1)
    for players in (2, 3, 4):
        curve = read(folder, f"td{players}")
        axes.plot(curve["episodes"], curve["wins_against_random"], label=f"{players} players")
    _dress(axes, "td against random players (400 games a point)")
    axes.legend(loc="lower right")
    return figure


def tables(folder: Path) -> Figure:
    """Wins of each table against random players: two players on the left, four on the right."""
    figure, both = _figure(2)
    for axes, players in zip(both, (2, 4), strict=True):
        for name in TABLES:
            curve = read(folder, name)
            _, abstraction, config = name.split("_", 2)
            axes.plot(
                [games / max(curve["episodes"]) for games in curve["episodes"]],
                curve[f"wins_of_{players}"],
                {"tuned": "-", "documented": ":", "documented_every_seat": "--"}[config],
                color=f"C{VIEWS.index(abstraction)}",
                label=f"{abstraction}, {config}",
            )
        _dress(axes, f"q_learning, {players} players (1,000 games a point)")
        axes.set_xlabel("part of the games learnt from")
    figure.legend(*both[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _figure(count: int) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(6 * count, 4.5), layout="constrained")
    return figure, [figure.add_subplot(1, count, place + 1) for place in range(count)]


def _dress(axes: Axes, title: str) -> None:
    axes.set(title=title, xlabel="games learnt from", ylabel="% of games won")
    axes.grid(alpha=0.3)


def main(folder: Path, out: Path) -> None:
    for name, draw in (("ludo-td", networks), ("ludo-q_learning", tables)):
        with mpl.rc_context({"svg.hashsalt": "quadriga", "svg.fonttype": "none"}):
            draw(folder).savefig(out / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
