"""Flag's roster: every agent against every other, A and B apart.

Nothing is published to hold it against. Sides matter (same-team meetings shield A's pieces and never B's),
so each two are shown twice: the row's agent as A, and as B. Two agents that stand at the start position
stand there for ever; a game of 100 rounds is a draw, and draws are counted in a column of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.table import Table

from arena.contestants import read_all
from arena.presets.preset import Preset
from arena.referees.flag import FlagReferee
from arena.report import interval, new_table, percent
from arena.results import PairResult, Results, SeatResult
from arena.setup import Setup, openings_for, pairs

ROSTER = {"equilibrium": 40, "heuristic": 6, "nash_sampling": 300, "greedy": 3, "random": 1}
"""The agents and the iterations of their whole work; equilibrium's are about what 150 ms give."""


class FlagRoster(Preset):
    """From two random rounds, every opening with the sides swapped."""

    name = "flag-roster"
    game = "flag"
    summary = "Flag: everybody against everybody, from two random rounds"
    games = 100
    opening_rounds: ClassVar[int] = 2

    def setup(self, games: int, seed: int, ms: float | None, iterations: int | None) -> Setup:
        own = ms is None and iterations is None
        specs = [f"{name}@iterations={count}#{name}" if own else name for name, count in ROSTER.items()]
        return Setup(
            game=self.game,
            format=self.name,
            contestants=read_all(specs, ms, iterations),
            groups=pairs(len(specs)),
            openings=openings_for(games, 2),
            seed=seed,
            options={"opening_rounds": self.opening_rounds},
        )

    def published(self, found: Results) -> dict[str, Any]:
        """Nothing is published; each two by name, the first as A and as B."""
        return {
            f"{row.one} : {row.two}": {
                "games": row.games,
                "rate": row.rate,
                "low": row.low,
                "high": row.high,
                "capped": row.draws,
                "rounds": row.length,
                **{f"as{seat.seat}": {"games": seat.games, "rate": seat.rate} for seat in row.seats},
            }
            for row in found.pairings
        }

    def tables(self, found: Results) -> Iterator[RenderableType]:
        yield _crosstable(found)
        # Flag has no draws of its own: a draw is a game that was ended by the cap.
        capped = f"draws (at {found.setup.cap or FlagReferee.cap} rounds)"
        table = new_table("each two", "rate", "95%", "as A", "as B", capped, "rounds")
        for row in found.pairings:
            sides = {seat.seat: percent(seat.rate) for seat in row.seats}
            table.add_row(
                f"{row.one} : {row.two}",
                *(percent(row.rate), interval(row.low, row.high), sides.get("A", "-"), sides.get("B", "-")),
                *(str(row.draws), "-" if row.length is None else f"{row.length:.1f}"),
            )
        yield table


class FlagRosterFromStart(FlagRoster):
    """From the start position, where the sides are not equal and some agents never stir."""

    name = "flag-roster-start"
    summary = "Flag: everybody against everybody, from the start position"
    opening_rounds = 0


def _crosstable(found: Results) -> Table:
    """Who wins how much with A's pieces (rows) against whom with B's (columns)."""
    labels = [contestant.label for contestant in found.setup.contestants]
    table = new_table("A, against B:", *labels)
    rates: dict[tuple[str, str], float] = {}
    for row in found.pairings:
        for seat in row.seats:
            if seat.rate is not None:
                rates[_cell(row, seat)] = seat.rate if seat.seat == "A" else 1 - seat.rate
    for label in labels:
        table.add_row(label, *(percent(rates.get((label, other))) for other in labels))
    return table


def _cell(row: PairResult, seat: SeatResult) -> tuple[str, str]:
    """Who had A's pieces and who B's when `one` sat there."""
    return (row.one, row.two) if seat.seat == "A" else (row.two, row.one)
