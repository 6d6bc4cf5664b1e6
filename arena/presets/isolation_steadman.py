"""B. Steadman, "Isolation Heuristic Analysis": five alpha-beta agents, each against the same seven.

A match is two games from one random pair of placements, one with each order; the placements of a
round are the same for all five. The study played 50 matches against each opponent at 150 ms, in
which its searches saw some 10,000 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table

from arena.contestants import read
from arena.presets.preset import Preset
from arena.report import interval, percent
from arena.results import Results, Standing
from arena.setup import Setup, against, openings_for

if TYPE_CHECKING:
    from arena.plots import Rate

TESTED = {
    "AB_Improved": "ab_improved",
    "AB_avoid_corners": "ab_avoid_corners",
    "AB_chase_opponent": "ab_chase_opponent",
    "AB_weighted_chase_opponent": "ab_weighted_chase_opponent",
    "AB_next_moves": "ab_next_moves",
}
"""The study's names of the agents under test, and ours."""

PUBLISHED = {
    "AB_Improved": 65.88,
    "AB_avoid_corners": 66.37,
    "AB_chase_opponent": 60.7,
    "AB_weighted_chase_opponent": 62.9,
    "AB_next_moves": 71.2,
}
"""Per cent of wins over all seven opponents, as published."""

OPPONENTS = {
    "Random": "random",
    "MM_Open": "mm_open",
    "MM_Center": "mm_center",
    "MM_Improved": "mm_improved",
    "AB_Open": "ab_open",
    "AB_Center": "ab_center",
    "AB_Improved": "ab_improved",
}

AS_OPPONENT = " (opponent)"
"""AB_Improved is tested and also stands among the opponents."""


class IsolationSteadman(Preset):
    """The study's tournament."""

    name = "isolation-steadman"
    game = "isolation"
    summary = "Isolation: five heuristics against the study's seven opponents"
    games = 100
    iterations = 10_000

    def setup(self, games: int, seed: int, ms: float | None, iterations: int | None) -> Setup:
        tested = [read(f"{spec}#{label}", ms, iterations) for label, spec in TESTED.items()]
        roster = [
            read(f"{spec}#{label}{AS_OPPONENT if label in TESTED else ''}", ms, iterations)
            for label, spec in OPPONENTS.items()
        ]
        return Setup(
            game=self.game,
            format=self.name,
            contestants=(*tested, *roster),
            groups=against(range(len(tested)), range(len(tested), len(tested) + len(roster))),
            openings=openings_for(games, 2),
            seed=seed,
        )

    def published(self, found: Results) -> dict[str, Any]:
        return {
            label: {
                "published": PUBLISHED[label],
                "measured": None if row.rate is None else 100 * row.rate,
                "low": 100 * row.low,
                "high": 100 * row.high,
            }
            for label, row in _tested(found).items()
        }

    def tables(self, found: Results) -> Iterator[RenderableType]:
        yield _layout(found)
        yield _comparison(found)
        rows = sorted(_tested(found).items(), key=lambda item: -(item[1].rate or 0))
        order = sorted(PUBLISHED, key=lambda label: -PUBLISHED[label])
        yield f"published order: {' > '.join(order)}"
        yield f"measured order:  {' > '.join(label for label, _ in rows)}"

    def rates(self, found: Results) -> Sequence[Rate]:
        from arena.plots import Rate

        rows = sorted(_tested(found).items(), key=lambda item: -(item[1].rate or 0))
        return [
            Rate(label, row.rate, row.low, row.high, PUBLISHED[label] / 100)
            for label, row in rows
            if row.rate is not None
        ]


def _tested(found: Results) -> dict[str, Standing]:
    rows = {row.label: row for row in found.standings}
    return {label: rows[label] for label in TESTED}


def _layout(found: Results) -> Table:
    """The study's table: won and lost against each opponent, the win rate under them."""
    table = Table(title="as published", title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("Match #")
    table.add_column("Opponent")
    for label in TESTED:
        table.add_column(f"{label}\nWon  Lost", justify="right")
    met = {(row.one, row.two): row for row in found.pairings}
    for number, label in enumerate(OPPONENTS, 1):
        opponent = f"{label}{AS_OPPONENT if label in TESTED else ''}"
        cells = [met.get((tested, opponent)) for tested in TESTED]
        table.add_row(
            str(number), label, *("-" if cell is None else f"{cell.wins:4} {cell.losses:5}" for cell in cells)
        )
    table.add_section()
    table.add_row("", "Win Rate:", *(percent(row.rate) for row in _tested(found).values()))
    return table


def _comparison(found: Results) -> Table:
    table = Table(
        title="published and measured", title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    table.add_column("Agent")
    for column in ("published", "measured", "95%", "games"):
        table.add_column(column, justify="right")
    for label, row in _tested(found).items():
        table.add_row(
            label, f"{PUBLISHED[label]:g}%", percent(row.rate), interval(row.low, row.high), str(row.games)
        )
    return table
