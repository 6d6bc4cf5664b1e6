"""`quadriga bench`: figures, each beside what it was measured against in the same run."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.games import resolve
from app.cli.output import Json, Refusal, compact, complain
from engines.catalogue import NAMES

EXTRA = ("service", "arena")
ON_DEMAND = ("deadline", "gauntlet", "override")
"""Mostly minutes of games under the official referee: measured only when asked for."""

CHECKOUT = Path(__file__).resolve().parents[2]


def bench(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help=f"One of {', '.join((*NAMES, *EXTRA))}, all of these without it; or {', '.join(ON_DEMAND)}.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, max=600, help="CPU seconds for each side of a figure.")
    ] = 3.0,
    as_json: Json = True,
) -> None:
    """Measure: JSON lines of named figures, each with its reference from the same run.

    A figure without a `ratio` says in its `note` what was not at hand. Needs a checkout (the
    references are the tests') and, for figures worth quoting, an idle machine.

    `deadline`: late answers and the share of the timeout that is spent searching, at 500 to 50 ms,
    with one game and with eight; `gauntlet`: every ruleset, map and size against the clock; `override`:
    what the published override takes of a move.

    Example:  quadriga bench ludo --seconds 5
    """
    wanted = [*NAMES, *EXTRA] if what is None else [what if what in (*EXTRA, *ON_DEMAND) else resolve(what)]
    if not (CHECKOUT / "bench" / "__init__.py").is_file():
        raise Refusal("bench needs a checkout of the project: the installed package has no bench/")
    # the installed program knows app and engines alone
    sys.path.insert(0, str(CHECKOUT))
    for name in wanted:
        figures: Iterable[dict[str, Any]] = import_module(f"bench.{name}").figures(seconds)
        try:
            for figure in figures:
                print(compact({"bench": name, **figure}), flush=True)
        except RuntimeError as error:
            complain(f"{name}: {error}")
            raise typer.Exit(1) from None
