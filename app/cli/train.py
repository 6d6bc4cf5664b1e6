"""`quadriga train`: make a trained table or network again, or measure one. The work is `training`'s."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.games import Name, resolve
from app.cli.output import Json, Refusal, compact

BROKEN_OFF = 130


def train(
    game: Name,
    what: Annotated[
        str,
        typer.Argument(
            help="ludo: td, q_learning, or evaluate; flag: equilibrium; battlesnake: weights or screen.",
            show_default=False,
            metavar="WHAT",
        ),
    ],
    players: Annotated[int, typer.Option(min=2, max=4, help="Seats that play.")] = 2,
    abstraction: Annotated[
        str, typer.Option(help="q_learning: potential9, zone12 or combined17.")
    ] = "potential9",
    config: Annotated[
        str, typer.Option(help="q_learning: documented, documented_every_seat or tuned.")
    ] = "documented",
    games: Annotated[
        int | None, typer.Option(min=1, help="Games (flag: positions); as many as for the shipped file.")
    ] = None,
    units: Annotated[int | None, typer.Option(min=1, max=1024, help="td: hidden units.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same file.")] = 1,
    out: Annotated[Path | None, typer.Option(help="The product; .cache/training/… without it.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    a: Annotated[str, typer.Option(help="evaluate: the player alone.")] = "td",
    b: Annotated[str, typer.Option(help="evaluate: the player on all other seats.")] = "rule_based",
    fair: Annotated[
        bool, typer.Option("--fair", help="evaluate: also the result without the luck of the dice.")
    ] = False,
    agent: Annotated[str, typer.Option(help="weights, screen: whose.")] = "negamax",
    base: Annotated[str, typer.Option(help="weights, screen: parameters of all, NAME=VALUE,…")] = "",
    only: Annotated[str, typer.Option(help="weights, screen: those to look for, by their names: A,B,…")] = "",
    set_: Annotated[
        list[str], typer.Option("--set", metavar="NAME=VALUE", help="weights, screen: option of the game.")
    ] = [],  # noqa: B006 - Typer's way to say "none"
    trials: Annotated[int, typer.Option(min=1, help="weights: proposals of --games games each.")] = 40,
    confirm: Annotated[int, typer.Option(min=2, help="weights: games of the last match.")] = 200,
    iterations: Annotated[int, typer.Option(min=1, help="weights, screen: thinking effort a move.")] = 2_000,
    partner: Annotated[
        str, typer.Option(help="screen: somebody else who takes a seat; '' for nobody.")
    ] = "flood_paranoid",
    workers: Annotated[int | None, typer.Option(min=1, help="weights, screen: games at a time.")] = None,
    as_json: Json = False,
) -> None:
    """Train, with progress, curve, checkpoints; Ctrl-C keeps a checkpoint, --resume goes on from it.

    Example:  quadriga train ludo evaluate --a td:depth=1 --b rule_based --players 2 --games 20000
    """
    found = resolve(game)
    if found == "battlesnake":
        if what not in ("weights", "screen"):
            raise Refusal(f"battlesnake trains weights or a screen, not {what[:40]!r}")
        settings: dict[str, Any] = {
            "agent": agent,
            "base": base,
            "only": tuple(name for name in only.split(",") if name),
            "options": tuple(set_),
            "iterations": iterations,
            "seed": seed,
        }
        if what == "screen":
            _screen({**settings, "partner": partner}, games or 400, out, resume, workers, as_json)
        else:
            more = {"trials": trials, "games": games or 20, "confirm": confirm}
            _tune({**settings, **more}, out, resume, workers, as_json)
        return
    if found not in ("ludo", "flag"):
        raise Refusal(f"nothing of {game} is trained here")
    with _installed():
        from training import flag, ludo, run
    with _told_apart():
        if what == "evaluate" and found == "ludo":
            tell = None if as_json or not sys.stdout.isatty() else _tell_match
            figure = ludo.evaluate(a, b, players, games or 20_000, seed, fair, resume, tell)
            print(compact(figure) if as_json else ("\n" if tell else "") + _told(figure))
            return
        if found == "flag":
            name, course = flag.course(what, seed, games)
        else:
            name, course = ludo.course(
                what, players, seed, games, units=units, abstraction=abstraction, config=config
            )
        folder = Path(".cache") / "training" / found / name
        target = out or folder / f"{name}.npz"
        progress = run.run(course, folder, target, resume, lambda at: _show(name, at, as_json))
    drawn = found == "ludo" and run.plot(progress.curve, f"{found}: {name}", folder / "curve.png")
    if as_json:
        print(compact({"file": str(target), "seconds": round(progress.seconds, 1), **progress.curve[-1]}))
    else:
        where = f"curve in {folder}/curve.csv" + (" and curve.png" if drawn else "")
        print(f"\n{target} after {progress.seconds:.0f} s; {where}")


def _tune(
    settings: dict[str, Any], out: Path | None, resume: bool, workers: int | None, as_json: bool
) -> None:
    try:
        from training import battlesnake
    except ModuleNotFoundError as missing:
        raise Refusal(
            f"the optimiser is not installed ({missing.name}): "
            "pip install --require-hashes -r requirements/tuning.txt"
        ) from None
    name = settings["agent"]
    study = Path(".cache") / "training" / "battlesnake" / f"{name}.study"
    target = out or study.with_suffix(".json")
    with _told_apart():
        found = battlesnake.tune(
            battlesnake.WeightSettings(**settings), study, target, resume, _note, workers
        )
    if as_json:
        print(compact({"file": str(target), **found}))
        return
    last = found["confirmation"]
    said = "better" if found["better"] else "not shown to be better"
    print(
        f"{target}: {said}: {last['wins']} won, {last['draws']} drawn, {last['losses']} lost of "
        f"{last['games']} fresh games, {100 * last['low']:.1f}..{100 * last['high']:.1f}%"
    )


def _screen(
    settings: dict[str, Any], games: int, out: Path | None, resume: bool, workers: int | None, as_json: bool
) -> None:
    with _installed():
        from training import screening, weights
    with _told_apart():
        asked = screening.ScreenSettings(**settings)
        name = f"{asked.agent}-{weights.mode_of(asked)}.screen.jsonl"
        file = Path(".cache") / "training" / "battlesnake" / name
        target = out or file.with_suffix(".json")
        found = screening.screen(asked, games, file, target, resume, _note, workers)
    if as_json:
        print(compact({"file": str(target), **found}))
        return
    print(f"{target}: {found['games']} games; strength by steps from the present value")
    for name, row in found["weights"].items():
        print(
            f"{name:12} {row['present']:9.4g}  slope {row['slope']:+.2f} ± {row['slopeError']:.2f}"
            f"  curve {row['curve']:+.2f} ± {row['curveError']:.2f}  suggested {row['suggested']:.4g}"
        )


@contextmanager
def _installed() -> Iterator[None]:
    """Say what is missing where training cannot be imported."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise Refusal(f"training is not installed ({missing.name})") from None


@contextmanager
def _told_apart() -> Iterator[None]:
    """Say where work that was broken off can go on, and why it could not begin."""
    from training import run

    try:
        yield
    except run.Interrupted as broken:
        print(f"\nkept in {broken}; go on with --resume", file=sys.stderr)
        raise typer.Exit(BROKEN_OFF) from None
    except run.TrainingError as error:
        raise Refusal(str(error)) from None


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _told(figure: dict[str, Any]) -> str:
    return (
        f"{figure['a']} alone against {figure['b']}, {figure['players']} players, {figure['games']} games: "
        f"{figure['percent']}% ({figure['low']} to {figure['high']})"
        + (
            f"; without luck {figure['without_luck']}% "
            f"({figure['without_luck_low']} to {figure['without_luck_high']})"
            if "without_luck" in figure
            else ""
        )
    )


def _tell_match(figure: dict[str, Any]) -> None:
    print(f"\r{_told(figure)}", end="", flush=True)


def _show(name: str, progress: Any, as_json: bool) -> None:
    if as_json or not progress.curve:
        return
    known = "  ".join(f"{key} {value:.4g}" for key, value in progress.curve[-1].items() if key != "episodes")
    end = "" if sys.stdout.isatty() else "\n"
    if end and progress.done != progress.curve[-1]["episodes"]:
        return
    start = "\r" if not end else ""
    text = f"{name}  {progress.done}/{progress.total} games  {progress.seconds:.0f} s  {known}"
    print(f"{start}{text}", end=end, flush=True)
