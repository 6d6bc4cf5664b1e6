"""`quadriga train`: make a trained table or network again, or measure one. The work is `training`'s."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import guarded
from app.cli.options import grouped
from app.cli.output import Json, Refusal, compact

BROKEN_OFF = 130
CACHE = Path(".cache") / "training"

train = typer.Typer(
    no_args_is_help=True,
    help="""Train, with progress, curve, checkpoints; Ctrl-C keeps a checkpoint, --resume goes on from it.

Example:  quadriga train ludo evaluate --a td:depth=1 --b rule_based --players 2 --games 20000
""",
)
ludo = typer.Typer(no_args_is_help=True, help="Ludo's network and tables, and what they are worth.")
flag = typer.Typer(no_args_is_help=True, help="Flag's values.")
battlesnake = typer.Typer(no_args_is_help=True, help="Weights of Battlesnake's evaluation.")
train.add_typer(ludo, name="ludo")
train.add_typer(flag, name="flag")
train.add_typer(battlesnake, name="battlesnake")

Players = Annotated[int, typer.Option(min=2, max=4, help="Seats that play.")]
Seed = Annotated[int, typer.Option(min=0, help="Same seed, same file.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")]


@dataclass(frozen=True)
class Run:
    """One run of training, and where its product goes."""

    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Games (flag: positions). Without it as for the shipped file; weights 20, screen 400.",
        ),
    ] = None
    seed: Seed = 1
    out: Annotated[Path | None, typer.Option(help="The product; .cache/training/… without it.")] = None
    resume: Resume = False
    as_json: Json = False


@dataclass(frozen=True)
class Tuning:
    """Whose weights are varied, and in what games."""

    agent: Annotated[str, typer.Option(help="Whose weights.")] = "negamax"
    base: Annotated[str, typer.Option(help="Parameters of all, NAME=VALUE,…")] = ""
    only: Annotated[str, typer.Option(help="Those to look for, by their names: A,B,…")] = ""
    options: Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", help="Option of the game.")] = (
        field(default_factory=list)
    )
    iterations: Annotated[int, typer.Option(min=1, help="Thinking effort a move.")] = 2_000
    workers: Annotated[int | None, typer.Option(min=1, help="Games at a time; all cores without it.")] = None

    def settings(self, seed: int) -> dict[str, Any]:
        """As `training` takes them."""
        return {
            "agent": self.agent,
            "base": self.base,
            "only": tuple(name for name in self.only.split(",") if name),
            "options": tuple(self.options),
            "iterations": self.iterations,
            "seed": seed,
        }


@ludo.command()
@guarded
@grouped
def td(
    players: Players = 2,
    units: Annotated[int | None, typer.Option(min=1, max=1024, help="Hidden units.")] = None,
    *,
    run: Run,
) -> None:
    """The network of the agent `td`, by temporal differences in games against itself.

    Example:  quadriga train ludo td --players 4 --resume
    """
    with _reported():
        from training import ludo

        _train("ludo", *ludo.course("td", players, run.seed, run.games, units=units), run)


@ludo.command("q_learning")
@guarded
@grouped
def q_learning(
    players: Players = 2,
    abstraction: Annotated[str, typer.Option(help="potential9, zone12 or combined17.")] = "potential9",
    config: Annotated[str, typer.Option(help="documented, documented_every_seat or tuned.")] = "documented",
    *,
    run: Run,
) -> None:
    """A table of the agent `q_learning`.

    Example:  quadriga train ludo q_learning --abstraction potential9 --config documented_every_seat
    """
    with _reported():
        from training import ludo

        more = {"abstraction": abstraction, "config": config}
        _train("ludo", *ludo.course("q_learning", players, run.seed, run.games, **more), run)


@ludo.command()
@guarded
def evaluate(
    a: Annotated[str, typer.Option(help="The player alone.")] = "td",
    b: Annotated[str, typer.Option(help="The player on all other seats.")] = "rule_based",
    players: Players = 2,
    games: Annotated[int, typer.Option(min=1, help="How many.")] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same games.")] = 1,
    fair: Annotated[
        bool, typer.Option("--fair", help="Also the result without the luck of the dice.")
    ] = False,
    resume: Resume = False,
    as_json: Json = False,
) -> None:
    """One player against another on all other seats.

    Example:  quadriga train ludo evaluate --a td:depth=1 --b rule_based --players 2 --games 20000
    """
    with _reported():
        from training import ludo

        live = not as_json and sys.stdout.isatty()
        shown = _show_match if live else None
        figure = ludo.evaluate(a, b, players, games, seed, fair, resume, shown)
    print(compact(figure) if as_json else ("\n" if live else "") + _match(figure))


@flag.command()
@guarded
@grouped
def equilibrium(*, run: Run) -> None:
    """The values of the agent `equilibrium`.

    Example:  quadriga train flag equilibrium --seed 0
    """
    with _reported():
        from training import flag

        _train("flag", *flag.course("equilibrium", run.seed, run.games), run)


@battlesnake.command()
@guarded
@grouped
def weights(
    trials: Annotated[int, typer.Option(min=1, help="Proposals of --games games each.")] = 40,
    confirm: Annotated[int, typer.Option(min=2, help="Games of the last match.")] = 200,
    *,
    tuning: Tuning,
    run: Run,
) -> None:
    """Look for better weights, and confirm them in fresh games.

    Example:  quadriga train battlesnake weights --agent negamax --trials 40 --games 12 --iterations 1000
    """
    with _reported("the optimiser is", "pip install --require-hashes -r requirements/tuning.txt"):
        from training import battlesnake

        study = CACHE / "battlesnake" / f"{tuning.agent}.study"
        target = run.out or study.with_suffix(".json")
        asked = battlesnake.WeightSettings(
            **tuning.settings(run.seed), trials=trials, games=run.games or 20, confirm=confirm
        )
        found = battlesnake.tune(asked, study, target, run.resume, _note, tuning.workers)
    if run.as_json:
        print(compact({"file": str(target), **found}))
        return
    last = found["confirmation"]
    said = "better" if found["better"] else "not shown to be better"
    print(
        f"{target}: {said}: {last['wins']} won, {last['draws']} drawn, {last['losses']} lost of "
        f"{last['games']} fresh games, {100 * last['low']:.1f}..{100 * last['high']:.1f}%"
    )


@battlesnake.command()
@guarded
@grouped
def screen(
    partner: Annotated[
        str, typer.Option(help="Somebody else who takes a seat; '' for nobody.")
    ] = "flood_paranoid",
    *,
    tuning: Tuning,
    run: Run,
) -> None:
    """How the strength depends on each weight, from games in which all are varied at once.

    Example:  quadriga train battlesnake screen --agent negamax --games 480 --iterations 2000 --seed 1
    """
    with _reported():
        from training import screening, weights

        asked = screening.ScreenSettings(**tuning.settings(run.seed), partner=partner)
        file = CACHE / "battlesnake" / f"{asked.agent}-{weights.mode_of(asked)}.screen.jsonl"
        target = run.out or file.with_suffix(".json")
        found = screening.screen(asked, run.games or 400, file, target, run.resume, _note, tuning.workers)
    if run.as_json:
        print(compact({"file": str(target), **found}))
        return
    print(f"{target}: {found['games']} games; strength by steps from the present value")
    for name, row in found["weights"].items():
        print(
            f"{name:12} {row['present']:9.4g}  slope {row['slope']:+.2f} ± {row['slopeError']:.2f}"
            f"  curve {row['curve']:+.2f} ± {row['curveError']:.2f}  suggested {row['suggested']:.4g}"
        )


def _train(game: str, name: str, course: Any, given: Run) -> None:
    """Run a course of training to its end."""
    from training import run

    folder = CACHE / game / name
    target = given.out or folder / f"{name}.npz"
    progress = run.run(course, folder, target, given.resume, lambda at: _show(name, at, given.as_json))
    drawn = game == "ludo" and run.plot(progress.curve, f"{game}: {name}", folder / "curve.png")
    if given.as_json:
        print(compact({"file": str(target), "seconds": round(progress.seconds, 1), **progress.curve[-1]}))
    else:
        where = f"curve in {folder}/curve.csv" + (" and curve.png" if drawn else "")
        print(f"\n{target} after {progress.seconds:.0f} s; {where}")


@contextmanager
def _reported(missing: str = "training is", remedy: str = "") -> Iterator[None]:
    """Report a missing extra, an error of the training, or how to resume after an interruption."""
    try:
        from training import run

        try:
            yield
        except run.Interrupted as broken:
            print(f"\nkept in {broken}; go on with --resume", file=sys.stderr)
            raise typer.Exit(BROKEN_OFF) from None
        except run.TrainingError as error:
            raise Refusal(str(error)) from None
    except ModuleNotFoundError as error:
        raise Refusal(f"{missing} not installed ({error.name})" + (remedy and f": {remedy}")) from None


def _note(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _match(figure: dict[str, Any]) -> str:
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


def _show_match(figure: dict[str, Any]) -> None:
    print(f"\r{_match(figure)}", end="", flush=True)


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
