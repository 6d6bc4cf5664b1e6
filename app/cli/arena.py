"""`quadriga arena`: matches, tournaments, presets. The work is done by the package `arena`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import guarded
from app.cli.games import Name, resolve
from app.cli.options import grouped
from app.cli.output import Json, Refusal

arena = typer.Typer(
    no_args_is_help=True,
    help="""Play agents against each other: who is stronger, by how much, how surely.

A contestant is an agent (`greedy`, `ab:heuristic=center@iterations=500`) or an endpoint
(`http://host:8000/snakes/greedy@ms=500`); `#name` names it in the tables.

Example:  quadriga arena match isolation ab_improved mm_open --games 100 --iterations 1000
""",
)

Contestant = Annotated[str, typer.Argument(help="An agent or an endpoint.", show_default=False)]
Contestants = Annotated[list[str], typer.Argument(help="Agents or endpoints.", show_default=False)]


@dataclass(frozen=True)
class Rules:
    """How the games are played."""

    seed: Annotated[int, typer.Option(help="Seed of openings, chance and decisions.")] = 0
    ms: Annotated[float | None, typer.Option(help="Thinking time a move, of all without their own.")] = None
    iterations: Annotated[
        int | None, typer.Option(help="Thinking effort a move: the same games on any machine.")
    ] = None
    options: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="Option of the game or its openings.")
    ] = field(default_factory=list)
    cap: Annotated[int | None, typer.Option(help="Longest game; nobody has won then.")] = None
    tolerance_ms: Annotated[float, typer.Option(help="How long after its time an answer still counts.")] = 50
    clock: Annotated[
        str, typer.Option(help="Thinking time is the wall's, or the processor's (fair on a busy machine).")
    ] = "wall"
    cores: Annotated[
        int,
        typer.Option(help="Cores for one search, where it knows how to use them; so fewer games at a time."),
    ] = 1

    def make(self) -> Any:
        """As the arena takes them."""
        from arena.commands import Rules

        return Rules(**vars(self))


@dataclass(frozen=True)
class Running:
    """How a tournament is run, and what is made of it."""

    executor: Annotated[str, typer.Option(help="local (processes), inline (this one) or dask.")] = "local"
    workers: Annotated[int | None, typer.Option(help="Games at a time; all cores without it.")] = None
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler.")] = None
    out: Annotated[Path | None, typer.Option(help="Results file; the games go beside it.")] = None
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the games that are there.")] = False
    force: Annotated[bool, typer.Option("--force", help="Replace the games that are there.")] = False
    plots: Annotated[Path | None, typer.Option(help="Draw the results into this directory.")] = None
    compliance: Annotated[
        bool, typer.Option("--compliance", help="First look whether each contestant keeps to its protocol.")
    ] = False
    as_json: Json = False

    def make(self) -> Any:
        """As the arena takes it."""
        from arena.commands import Running

        return Running(**vars(self))


@dataclass(frozen=True)
class Sprt:
    """A sequential test."""

    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop as soon as a sequential test tells these apart."),
    ] = None
    alpha: Annotated[float, typer.Option(help="Of --sprt: chance to accept ELO1 wrongly.")] = 0.05
    beta: Annotated[float, typer.Option(help="Of --sprt: chance to accept ELO0 wrongly.")] = 0.05


def _measured(command: Callable[..., int]) -> Callable[..., None]:
    """The command with its groups of options; what it returns is the exit code."""

    @functools.wraps(command)
    def run(*args: Any, **given: Any) -> None:
        _require_arena()
        from arena.errors import ArenaError

        try:
            code = command(*args, **given)
        except ArenaError as error:
            raise Refusal(str(error)) from None
        if code:
            raise typer.Exit(code)

    return guarded(grouped(run))


def _require_arena() -> None:
    missing = [name for name in ("choix", "httpx") if find_spec(name) is None]
    if missing:
        raise Refusal(
            f"the arena's extra is not installed ({', '.join(missing)}): "
            "pip install --require-hashes -r requirements/arena.txt"
        )


@arena.command()
@_measured
def match(
    game: Name,
    one: Contestant,
    two: Contestant,
    games: Annotated[int, typer.Option(help="Games in all; with --sprt the most there may be.")] = 100,
    *,
    sequential: Sprt,
    rules: Rules,
    running: Running,
) -> int:
    """Two contestants, every opening from both sides.

    With --sprt the exit code is 0 where ELO1 is accepted, else 1.

    Example:  quadriga arena match ludo greedy random --games 1000 --seed 1 --iterations 1
    """
    from arena import commands

    test = None if sequential.sprt is None else (*sequential.sprt, sequential.alpha, sequential.beta)
    return commands.play(
        commands.head_to_head(resolve(game), one, two, games, test, rules.make()), running.make()
    )


@arena.command("round-robin")
@_measured
def round_robin(
    game: Name,
    contestants: Contestants,
    games: Annotated[int, typer.Option(help="Games of each two.")] = 100,
    *,
    rules: Rules,
    running: Running,
) -> int:
    """Everybody against everybody, every opening from both sides.

    Example:  quadriga arena round-robin isolation random greedy ab_open --iterations 1000
    """
    from arena import commands

    return commands.play(
        commands.round_robin(resolve(game), contestants, games, rules.make()), running.make()
    )


@arena.command()
@_measured
def gauntlet(
    game: Name,
    challenger: Contestant,
    others: Contestants,
    games: Annotated[int, typer.Option(help="Games against each of the others.")] = 100,
    *,
    rules: Rules,
    running: Running,
) -> int:
    """One contestant against each of a roster, which does not play among itself.

    Example:  quadriga arena gauntlet isolation ab_next_moves mm_open mm_center ab_open --iterations 1000
    """
    from arena import commands

    return commands.play(
        commands.gauntlet(resolve(game), challenger, others, games, rules.make()), running.make()
    )


@arena.command("free-for-all")
@_measured
def free_for_all(
    game: Name,
    contestants: Contestants,
    games: Annotated[int, typer.Option(help="Games of each table of contestants.")] = 120,
    seats: Annotated[int | None, typer.Option(help="Contestants at one board; as many as fit.")] = None,
    *,
    rules: Rules,
    running: Running,
) -> int:
    """Several contestants at one board (Battlesnake up to 8, Ludo up to 4), seats in turn.

    Example:  quadriga arena free-for-all ludo greedy random random random --games 400 --iterations 1
    """
    from arena import commands

    return commands.play(
        commands.free_for_all(resolve(game), contestants, seats, games, rules.make()), running.make()
    )


@arena.command()
@_measured
def preset(
    name: Annotated[str | None, typer.Argument(help="Which; a list of them without it.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each two; the study's own without it.")] = None,
    *,
    rules: Rules,
    running: Running,
) -> int:
    """Play a published table again, in its layout, its figures beside ours.

    Example:  quadriga arena preset isolation-steadman --games 20
    """
    from arena import commands

    if name is None:
        commands.presets()
        return 0
    setup, study = commands.from_preset(name, games, rules.make())
    return commands.play(setup, running.make(), study)


@arena.command()
@_measured
def check(
    game: Name,
    contestant: Contestant,
    as_json: Json = False,
    *,
    rules: Rules,
) -> int:
    """Does a contestant keep to its protocol: legal answers, in time, the same again?

    Example:  quadriga arena check battlesnake http://localhost:8000/snakes/greedy
    """
    from arena import commands

    return commands.comply(resolve(game), contestant, rules.make(), as_json)


@arena.command()
@_measured
def schema(as_json: Json = True) -> int:
    """The JSON Schema of a results file.

    Example:  quadriga arena schema > results.schema.json
    """
    from arena import commands

    commands.schema()
    return 0


@arena.command()
@_measured
def show(
    file: Annotated[Path, typer.Argument(help="A results file, or its games file.", show_default=False)],
    game: Annotated[int | None, typer.Option(help="Number of the game to replay.")] = None,
    ply: Annotated[int | None, typer.Option(help="Only the board before this ply.")] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help="Battlesnake: open the game in the official board viewer.")
    ] = False,
    plots: Annotated[Path | None, typer.Option(help="Draw the results into this directory.")] = None,
    as_json: Json = False,
) -> int:
    """The tables of a tournament, or one of its games move by move.

    Example:  quadriga arena show results.json --game 17
    """
    from arena import commands

    return commands.view(file, game) if browser else commands.show(file, game, ply, as_json, plots)
