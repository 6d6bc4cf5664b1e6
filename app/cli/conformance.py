"""`quadriga conformance`: vector files replayed through the rules that the agents search with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.games import Name, load, resolve
from app.cli.output import Json, compact, complain, printable
from app.cli.vectors import Damage, Missing, Replayed, check

# The most damaged lines that are printed for one file.
DAMAGE_SHOWN = 50
VALUE_SHOWN = 300


@dataclass
class Report:
    """The result of one file."""

    file: str
    steps: int = 0
    divergences: int = 0
    damaged: list[Damage] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    """Agents that this version lacks, by the format that needs them."""
    unreadable: str | None = None

    @property
    def usable(self) -> bool:
        return self.steps > 0 and not (self.damaged or self.missing or self.unreadable)


def conformance(
    game: Name,
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="JSON lines or one JSON document, gzipped or not; - is standard input."
        ),
    ],
    limit: Annotated[
        int, typer.Option("--limit", min=0, metavar="N", help="How many divergences to show in full.")
    ] = 5,
    as_json: Json = False,
) -> None:
    """Replay vector files through a game's rules and compare every field of each line.

    Ends with `N steps, D divergences`. The format of each line is recognised by its content;
    decision files are compared with the agent, heuristic or solver that they describe.

    Exit code: 0 no divergence; 1 divergences; 2 a damaged line, an empty or unreadable file, an
    agent that is not there.

    Example:  quadriga conformance ludo tests/vectors/ludo.jsonl.gz
    """
    formats = load(resolve(game)).formats
    reports: list[Report] = []
    shown: list[dict[str, Any]] = []
    with _progress() as advance:
        for path in files:
            report = Report(str(path))
            reports.append(report)
            try:
                for result in check(path, formats):
                    advance(report)
                    _take(report, result, shown, limit, as_json)
            except OSError as error:
                report.unreadable = error.strerror or type(error).__name__
            if not as_json:
                _close(report, several=len(files) > 1)
    steps = sum(report.steps for report in reports)
    divergences = sum(report.divergences for report in reports)
    code = 2 if not all(report.usable for report in reports) else 1 if divergences else 0
    if as_json:
        print(compact(_document(resolve(game), reports, shown, code)))
    else:
        print(f"{steps} steps, {divergences} divergences")
    raise typer.Exit(code)


def _take(
    report: Report,
    result: Replayed | Damage | Missing,
    shown: list[dict[str, Any]],
    limit: int,
    as_json: bool,
) -> None:
    """Count one result; show it, if there is something to show and room for it."""
    match result:
        case Replayed(line, kind, replay):
            report.steps += replay.steps
            if replay.differences:
                # a line of one step diverges once, in however many fields; a table by its entries
                report.divergences += min(max(replay.steps, 1), len(replay.differences))
                if len(shown) < limit:
                    found = {
                        "file": report.file,
                        "line": line,
                        "format": kind,
                        "before": _drawn(replay.before),
                        "moves": _drawn(replay.moves),
                        "differences": [
                            {"field": one.field, "expected": one.expected, "got": one.got}
                            for one in replay.differences
                        ],
                    }
                    shown.append(found)
                    if not as_json:
                        _show(found)
        case Damage(line, reason):
            report.damaged.append(result)
            if not as_json and len(report.damaged) <= DAMAGE_SHOWN:
                complain(f"{report.file}, line {line}: damaged: {reason}")
        case Missing(line, kind, agent):
            if kind not in report.missing and not as_json:
                complain(
                    f"{report.file}, line {line}: {kind} needs the agent {agent!r}, which is not there yet"
                )
            report.missing[kind] = agent


def _drawn(draw: Callable[[], str]) -> str:
    try:
        return draw()
    except Exception as error:  # noqa: BLE001 - what the rules disagree about may not be drawable either
        return f"(cannot be drawn: {type(error).__name__})"


def _show(found: dict[str, Any]) -> None:
    print(f"{found['file']}, line {found['line']} ({found['format']}) diverges")
    for part in ("before", "moves"):
        print(f"  {part}")
        for line in printable(found[part]).splitlines():
            print(f"    {line}")
    for one in found["differences"]:
        print(f"  {printable(one['field'])}")
        for part in ("expected", "got"):
            text = compact(one[part])
            print(f"    {part:<9}{text if len(text) <= VALUE_SHOWN else text[:VALUE_SHOWN] + ' …'}")
    print()


def _close(report: Report, several: bool) -> None:
    """Print the summary of a file."""
    if len(report.damaged) > DAMAGE_SHOWN:
        complain(f"{report.file}: {len(report.damaged) - DAMAGE_SHOWN} more damaged lines")
    if report.unreadable:
        complain(f"{report.file}: cannot be read ({report.unreadable})")
    elif not (report.steps or report.damaged or report.missing):
        complain(f"{report.file}: empty, nothing to replay")
    if several:
        print(f"{report.file}: {report.steps} replayed, {report.divergences} diverge")


def _document(game: str, reports: list[Report], shown: list[dict[str, Any]], code: int) -> dict[str, Any]:
    return {
        "game": game,
        "steps": sum(report.steps for report in reports),
        "divergences": sum(report.divergences for report in reports),
        "exit": code,
        "files": [
            {
                "file": report.file,
                "steps": report.steps,
                "divergences": report.divergences,
                "damaged": [{"line": damage.line, "reason": damage.reason} for damage in report.damaged],
                "missingAgents": report.missing,
                "unreadable": report.unreadable,
            }
            for report in reports
        ],
        "shown": shown,
    }


@contextmanager
def _progress() -> Iterator[Callable[[Report], None]]:
    """A line of progress on stderr, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda report: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=True,
    ) as progress:
        task = progress.add_task("loading")
        calls = 0

        def advance(report: Report) -> None:
            nonlocal calls
            calls += 1
            if calls % 64 == 1:
                progress.update(task, description=f"{report.file}: {report.steps} steps")

        yield advance
