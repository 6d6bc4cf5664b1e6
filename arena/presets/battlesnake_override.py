"""The plan "RHEA with Negamax Override": its ten-game results played again, and what made them so.

The study proper is the hybrid against its two parts, and the evolution against itself. The ablation
changes one thing at a time, each cell against the same plain evolution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table

from arena.contestants import read_all
from arena.presets.preset import Preset
from arena.report import interval, percent
from arena.results import PairResult, Results
from arena.setup import Setup, openings_for

if TYPE_CHECKING:  # drawing loads matplotlib
    from arena.plots import Rate

RHEA = "RHEA"
ITSELF = "RHEA (itself)"
HYBRID = "RHEA+Override"
NEGAMAX = "Negamax"

GENERATIONS = 401
"""The first population and the document's 400 evolutions."""
UNTIL_DONE = 100_000_000
"""A budget that no depth-4 search exhausts; agents clamp it to their range."""

STUDY = (
    f"published_rhea@iterations={GENERATIONS}#{RHEA}",
    f"published_rhea@iterations={GENERATIONS}#{ITSELF}",
    f"published_rhea_with_negamax_override@iterations={UNTIL_DONE}#{HYBRID}",
    f"published_negamax@iterations={UNTIL_DONE}#{NEGAMAX}",
)

PUBLISHED: Mapping[tuple[str, str], str | None] = {
    (RHEA, ITSELF): None,
    (HYBRID, RHEA): "3 : 7",
    (HYBRID, NEGAMAX): "0 : 10",
}
"""Games won by each, of ten. The evolution against itself was meant as the baseline; no result is given."""

TURNS_A_GENERATION = 50 * 20
"""Turns that a generation of the published evolution simulates at most: lines end with a death."""

EVOLUTIONS = 40
"""Of the ablation: a tenth of the document's, stated in the table's title, so that many cells fit."""

_REDUCED = f"evolutions={EVOLUTIONS}"
_PLAIN = f"published_rhea:{_REDUCED}@iterations={UNTIL_DONE}"
_OVERRIDE = f"published_rhea_with_negamax_override:{_REDUCED}"

CELLS: Mapping[str, tuple[str, str]] = {
    "hybrid as published": (_OVERRIDE, "the study's own"),
    "override depth 2": (f"{_OVERRIDE},max_depth=2", "forced deaths are seen later"),
    "override depth 6": (f"{_OVERRIDE},max_depth=6", "forced deaths are seen earlier"),
    "draws are losses": (f"{_OVERRIDE},draw=loss", "it backs away from contested cells"),
    "health and length": (f"{_OVERRIDE},leaf=health_length", "how the replacement is chosen"),
    "the original's variant": (f"{_OVERRIDE},leaf=health_length,draw=loss", "both of these"),
    "space in the leaf": (f"{_OVERRIDE},leaf=territory", "the replacement is chosen by space"),
    "space, threshold 0": (f"{_OVERRIDE},leaf=territory,bad_threshold=0", "it acts before a loss is forced"),
    "space, always": (f"{_OVERRIDE},leaf=territory,bad_threshold=20000", "the override plays every move"),
    "threshold -9998": (f"{_OVERRIDE},bad_threshold=-9998", "it acts on deaths within two turns alone"),
    "RHEA, mutation 0.05": (f"published_rhea:{_REDUCED},mutation=0.05", "the evolution below is weak"),
    "RHEA, 10 times the evolutions": ("published_rhea:evolutions=400", "the same"),
    "RHEA, others go straight": (f"published_rhea:{_REDUCED},opponents=straight", "one guess at the others"),
    "negamax": ("published_negamax", "its leaf counts territory"),
    "negamax, life and death alone": ("published_negamax:leaf=simple", "the same without it"),
    "negamax, health and length": ("published_negamax:leaf=health_length", "the same without it"),
    "negamax, draws are nothing": ("published_negamax:draw=zero", "its caution"),
}
"""By cell: the contestant with the change, and the question that it answers."""


class BattlesnakeOverride(Preset):
    """The study: 11x11, standard rules, every opening from both sides."""

    name = "battlesnake-override"
    game = "battlesnake"
    summary = "Battlesnake: RHEA with negamax override against its parts"
    games = 400

    def setup(self, games: int, seed: int, ms: float | None, iterations: int | None) -> Setup:
        return Setup(
            game=self.game,
            format=self.name,
            contestants=read_all(_budgeted(STUDY, ms, iterations), ms, iterations),
            groups=((0, 1), (2, 0), (2, 3)),
            openings=openings_for(games, 2),
            seed=seed,
        )

    def published(self, found: Results) -> dict[str, Any]:
        """By pair: the plan's ten games, and of ours the rate, the override's part, the length."""
        result = {}
        for (one, two), tens in PUBLISHED.items():
            row = _pair(found, one, two)
            if row is not None:
                result[f"{one} : {two}"] = {"published": tens, **_figures(row)}
        return result

    def tables(self, found: Results) -> Iterator[RenderableType]:
        table = _table("published and measured", "published", *_COLUMNS, "of its turns")
        for (one, two), tens in PUBLISHED.items():
            row = _pair(found, one, two)
            if row is not None:
                effort = _figures(row)["overrideEffort"]
                table.add_row(f"{one} : {two}", tens or "-", *_cells(row), percent(effort))
        yield table
        yield (
            "overridden: share of its moves; of its turns: the override's share of the turns simulated"
            f" for a move (a generation counts as {TURNS_A_GENERATION}, though lines end with a death)"
        )

    def rates(self, found: Results) -> Sequence[Rate]:
        pairs = {f"{one} : {two}": _pair(found, one, two) for one, two in PUBLISHED}
        return _rates(pairs, dict(zip(pairs, PUBLISHED.values(), strict=True)))


class BattlesnakeAblation(Preset):
    """One change at a time, each against the plain evolution of the same effort."""

    name = "battlesnake-ablation"
    game = "battlesnake"
    summary = f"Battlesnake: why the override lost, with {EVOLUTIONS} evolutions a move"
    games = 100

    def setup(self, games: int, seed: int, ms: float | None, iterations: int | None) -> Setup:
        specs = [f"{_PLAIN}#{RHEA}"]
        specs += [f"{spec}@iterations={UNTIL_DONE}#{label}" for label, (spec, _) in CELLS.items()]
        return Setup(
            game=self.game,
            format=self.name,
            contestants=read_all(_budgeted(specs, ms, iterations), ms, iterations),
            groups=tuple((cell, 0) for cell in range(1, len(specs))),
            openings=openings_for(games, 2),
            seed=seed,
        )

    def published(self, found: Results) -> dict[str, Any]:
        """Nothing is published; the cells by their names."""
        rows = {cell: _pair(found, cell, RHEA) for cell in CELLS}
        return {
            cell: {"asks": CELLS[cell][1], **_figures(row)} for cell, row in rows.items() if row is not None
        }

    def tables(self, found: Results) -> Iterator[RenderableType]:
        table = _table(f"against {RHEA} of {EVOLUTIONS} evolutions", *_COLUMNS, "what it asks")
        for cell, (_, asks) in CELLS.items():
            row = _pair(found, cell, RHEA)
            if row is not None:
                table.add_row(cell, *_cells(row), asks)
        yield table

    def rates(self, found: Results) -> Sequence[Rate]:
        return _rates({cell: _pair(found, cell, RHEA) for cell in CELLS}, {})


def _rates(rows: Mapping[str, PairResult | None], tens: Mapping[str, str | None]) -> Sequence[Rate]:
    from arena.plots import Rate

    published = {label: int(ten.split()[0]) / 10 for label, ten in tens.items() if ten}
    return [
        Rate(label, row.rate, row.low, row.high, published.get(label)) for label, row in rows.items() if row
    ]


_COLUMNS = ("rate", "95%", "won", "drawn", "lost", "overridden", "turns")


def _budgeted(specs: Any, ms: float | None, iterations: int | None) -> list[str]:
    """The preset's own budgets, or none where the command brings one."""
    if ms is None and iterations is None:
        return list(specs)
    return [f"{spec.partition('@')[0]}#{spec.partition('#')[2]}" for spec in specs]


def _pair(found: Results, one: str, two: str) -> PairResult | None:
    """The two's result from the view of `one`, in whichever order it is stored."""
    for row in found.pairings:
        if (row.one, row.two) == (one, two):
            return row
        if (row.one, row.two) == (two, one):
            return row.model_copy(
                update={
                    "one": one,
                    "two": two,
                    "wins": row.losses,
                    "losses": row.wins,
                    "rate": 1 - row.rate,
                    "low": 1 - row.high,
                    "high": 1 - row.low,
                    "counters": row.counters and row.counters[::-1],
                }
            )
    return None


def _figures(row: PairResult) -> dict[str, float | int | None]:
    counters = row.counters[0] if row.counters else {}
    # Results of older runs have the older name.
    turns = counters.get("override_nodes", counters.get("override_turns"))
    evolved = counters.get("generations", 0.0) * TURNS_A_GENERATION
    return {
        "games": row.games,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "rate": row.rate,
        "low": row.low,
        "high": row.high,
        "overridden": None if turns is None else counters.get("overrides", 0.0),
        "overrideEffort": None if not turns else turns / (turns + evolved),
        "length": row.length,
    }


def _cells(row: PairResult) -> tuple[str, ...]:
    figures = _figures(row)
    overridden = figures["overridden"]
    return (
        percent(row.rate),
        interval(row.low, row.high),
        *(str(count) for count in (row.wins, row.draws, row.losses)),
        "-" if overridden is None else f"{100 * overridden:.2f}%",
        "-" if row.length is None else f"{row.length:.0f}",
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="left" if column == "what it asks" else "right", no_wrap=True)
    return table
