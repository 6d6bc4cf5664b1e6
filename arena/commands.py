"""What the command line asks for, from a set-up to an exit code (0 good, 1 what was measured failed)."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, cast, get_args

from arena.archive import Archive, games_path, write_whole
from arena.compliance import Check, check, reachable
from arena.contestants import Contestant, read, read_all, scalar
from arena.display import display
from arena.errors import ArenaError
from arena.play import Match
from arena.presets import PRESETS, preset
from arena.presets.preset import Preset
from arena.referees import referee
from arena.report import console, results, tables
from arena.results import Results, read_results
from arena.run import Outcome, run
from arena.setup import Clock, Group, Setup, against, openings_for, pairs
from arena.setup import tables as boards
from arena.show import headline, replay, text
from arena.sprt import Sprt, checked
from arena.workforce import Workforce, usable_cores, workforce

GOOD, FAILED, INTERRUPTED = 0, 1, 130


@dataclass(frozen=True, slots=True)
class Rules:
    """How the games of a tournament are played."""

    seed: int = 0
    ms: float | None = None
    iterations: int | None = None
    options: Sequence[str] = ()
    cap: int | None = None
    tolerance_ms: float = 50.0
    clock: str = "wall"
    cores: int = 1


@dataclass(frozen=True, slots=True)
class Running:
    """How a tournament is run, and what is made of it."""

    executor: str = "local"
    workers: int | None = None
    scheduler: str | None = None
    out: Path | None = None
    resume: bool = False
    force: bool = False
    plots: Path | None = None
    compliance: bool = False
    as_json: bool = False


def head_to_head(
    game: str, one: str, two: str, games: int, sprt: tuple[float, float, float, float] | None, rules: Rules
) -> Setup:
    """Two contestants, every opening from both sides."""
    test = None if sprt is None else checked(*sprt)
    return _setup(game, "match", (one, two), ((0, 1),), games, rules, test)


def round_robin(game: str, contestants: Sequence[str], games: int, rules: Rules) -> Setup:
    """Everybody against everybody."""
    return _setup(game, "round-robin", contestants, pairs(len(contestants)), games, rules)


def gauntlet(game: str, challenger: str, others: Sequence[str], games: int, rules: Rules) -> Setup:
    """One against each of the others."""
    groups = against((0,), range(1, len(others) + 1))
    return _setup(game, "gauntlet", (challenger, *others), groups, games, rules)


def free_for_all(game: str, contestants: Sequence[str], seats: int | None, games: int, rules: Rules) -> Setup:
    """Several at one board; with more contestants than seats every choice of them has its turn."""
    umpire = referee(game)
    count = min(len(contestants), umpire.most) if seats is None else seats
    if not umpire.fewest <= count <= umpire.most:
        raise ArenaError(f"--seats: a board of {game} has {umpire.fewest} to {umpire.most}")
    return _setup(game, "free-for-all", contestants, boards(len(contestants), count), games, rules)


def _setup(
    game: str,
    form: str,
    contestants: Sequence[str],
    groups: tuple[Group, ...],
    games: int,
    rules: Rules,
    sprt: Sprt | None = None,
) -> Setup:
    if not groups:
        raise ArenaError("too few contestants: nobody would meet anybody")
    _in_range(rules)
    return Setup(
        game=game,
        format=form,
        contestants=read_all(contestants, rules.ms, rules.iterations),
        groups=groups,
        openings=openings_for(games, len(groups[0])),
        seed=rules.seed,
        options=_options(rules.options),
        cap=rules.cap,
        tolerance_ms=rules.tolerance_ms,
        clock=_clock(rules),
        cores=rules.cores,
        sprt=sprt,
    )


def _in_range(rules: Rules) -> None:
    for name, value, least in (
        ("--ms", rules.ms, 1),
        ("--iterations", rules.iterations, 1),
        ("--cap", rules.cap, 1),
        ("--cores", rules.cores, 1),
        ("--tolerance-ms", rules.tolerance_ms, 0),
        ("--seed", rules.seed, 0),
    ):
        if value is not None and not least <= value < 2**63:
            raise ArenaError(f"{name}: {least} or more is expected")


def _clock(rules: Rules) -> Clock:
    if rules.clock not in get_args(Clock):
        raise ArenaError(f"--clock {rules.clock[:20]}: one of {', '.join(get_args(Clock))} is expected")
    if rules.clock != "wall" and rules.cores != 1:
        raise ArenaError(
            "--cores: the processor's time is that of one core; several go with the wall's clock"
        )
    return cast(Clock, rules.clock)


def _options(pairs_given: Sequence[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs_given:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise ArenaError(f"--set {pair[:40]!r}: NAME=VALUE is expected")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = scalar(value)
    return options


def from_preset(name: str, games: int | None, rules: Rules) -> tuple[Setup, Preset]:
    """A published study's tournament."""
    study = preset(name)
    _in_range(rules)
    own = rules.ms is None and rules.iterations is None
    setup = study.setup(
        study.games if games is None else games,
        rules.seed,
        study.ms if own else rules.ms,
        study.iterations if own else rules.iterations,
    )
    asked = {"cap": rules.cap, "tolerance_ms": rules.tolerance_ms}
    return setup.model_copy(update={**asked, "clock": _clock(rules), "cores": rules.cores}), study


def play(setup: Setup, running: Running, study: Preset | None = None) -> int:
    """Play a tournament and say what it came to."""
    Match(setup).opening(0)  # whatever is wrong with the set-up is said before a file is touched
    for contestant in setup.contestants:
        if contestant.remote and setup.clock != "wall":
            raise ArenaError(
                f"--clock {setup.clock}: what an endpoint takes is seen on the wall's clock alone"
            )
        trouble = reachable(contestant, setup.game) if contestant.remote else None
        if trouble:
            raise ArenaError(trouble)
    if running.compliance and not _complies(setup):
        return FAILED
    out = running.out or Path(f"arena-{setup.game}-{setup.format}-seed{setup.seed}.json")
    if out.suffix != ".json":
        raise ArenaError(f"--out {out}: a name that ends in .json is expected (the games go beside it)")
    at_once = max(1, usable_cores() // setup.cores) if running.workers is None else running.workers
    force = workforce(running.executor, at_once, running.scheduler)
    outcome: Outcome | None = None
    try:
        archive = _archive(games_path(out), setup, running)
        with terminating(), display(setup) as watch:
            outcome = run(setup, archive, force, watch)
    finally:
        force.close(at_once=outcome is None or outcome.interrupted)
    found = _write(setup, outcome, force, archive, out, study)
    archive.close()
    _print_results(found, running, study)
    if not running.as_json:
        print(f"results: {out}   games: {archive.path}", file=sys.stderr)
    return _verdict(found, outcome)


def _archive(path: Path, setup: Setup, running: Running) -> Archive:
    if not (running.resume and path.exists()):
        return Archive.create(path, setup, replace=running.force and not running.resume)
    archive = Archive.open(path)
    differing = [
        name
        for name in Setup.model_fields
        if name != "openings" and getattr(archive.setup, name) != getattr(setup, name)
    ]
    if differing:
        raise ArenaError(f"{path} holds games of another set-up: {', '.join(differing)} differ")
    if archive.damaged:
        noun = "line is" if archive.damaged == 1 else "lines are"
        print(f"{path}: {archive.damaged} {noun} damaged; these games are played again", file=sys.stderr)
    return archive


@contextlib.contextmanager
def terminating() -> Iterator[None]:
    """A polite kill ends a run as Ctrl-C does."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, interrupt)
    except ValueError:  # not the main thread: signals are somebody else's
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _write(
    setup: Setup, outcome: Outcome, force: Workforce, archive: Archive, out: Path, study: Preset | None
) -> Results:
    found = results(setup, outcome, force, archive.path)
    if study is not None and found.played:
        found = found.model_copy(update={"published": study.published(found)})
    write_whole(out, found.model_dump_json(indent=1) + "\n")
    return found


def _print_results(found: Results, running: Running, study: Preset | None) -> None:
    if running.plots is not None and found.played:
        from arena.plots import save

        save(found, running.plots, () if study is None else study.rates(found))
    if running.as_json:
        print(found.model_dump_json())
        return
    screen = console()
    for part in tables(found):
        screen.print(part)
    if study is not None and found.played:
        for part in study.tables(found):
            screen.print(part)


def _verdict(found: Results, outcome: Outcome) -> int:
    silent = outcome.tally.silent()
    for label in silent:
        _complain(f"{label}: not one of its answers could be used")
    if outcome.trouble:
        _complain(f"{outcome.trouble}; finished games are kept, --resume goes on from them")
        return FAILED
    if outcome.interrupted:
        _complain(f"stopped after {found.played} of {found.planned} games; --resume goes on from them")
        return INTERRUPTED
    if found.sprt is not None and found.sprt.accepted != "H1":
        return FAILED
    return FAILED if silent else GOOD


def _complain(message: str) -> None:
    sys.stdout.flush()
    print(f"quadriga: {message}", file=sys.stderr, flush=True)


def _complies(setup: Setup) -> bool:
    fine = True
    for contestant in setup.contestants:
        for found in check(setup.game, contestant, setup.seed, setup.options):
            if not found.passed:
                fine = False
                _complain(f"{contestant.label}: {found.name}: no: {found.detail}")
    return fine


def comply(game: str, text_: str, rules: Rules, as_json: bool) -> int:
    """Look at one contestant alone."""
    _in_range(rules)
    contestant: Contestant = read(text_, rules.ms, rules.iterations)
    if contestant.remote and (trouble := reachable(contestant, game)):
        raise ArenaError(trouble)
    found: list[Check] = []
    for one in check(game, contestant, rules.seed, _options(rules.options)):
        found.append(one)
        if not as_json:
            print(f"{'ok  ' if one.passed else 'FAIL'} {one.name}{': ' + one.detail if one.detail else ''}")
    if as_json:
        listed = [{"name": one.name, "passed": one.passed, "detail": one.detail} for one in found]
        print(json.dumps({"contestant": contestant.label, "checks": listed}))
    return GOOD if all(one.passed for one in found) else FAILED


def presets() -> None:
    """The studies that can be played again."""
    for study in PRESETS.values():
        print(f"{study.name}  {study.summary}; {study.games} games each")


def schema() -> None:
    """The JSON Schema of a results file."""
    print(json.dumps(Results.model_json_schema(by_alias=True), indent=1))


def view(path: Path, number: int | None) -> int:
    """A Battlesnake game in the official board viewer, until Ctrl-C."""
    import webbrowser

    from arena.viewer import Viewing

    if number is None:
        raise ArenaError("which game? --game NUMBER")
    archive = Archive.open(games_path(path))
    record = archive[number]
    archive.close()
    viewing = Viewing(archive.setup, record)
    print(f"{headline(archive.setup, record)}\n{viewing.url}\nCtrl-C ends", flush=True)
    webbrowser.open(viewing.url)
    with contextlib.suppress(KeyboardInterrupt):
        viewing.server.serve_forever()
    viewing.server.shutdown()
    return GOOD


def show(path: Path, number: int | None, ply: int | None, as_json: bool, plots: Path | None = None) -> int:
    """A results file's tables and plots, or one game of its games file."""
    if number is None:
        if path.name.endswith(".games.jsonl"):
            raise ArenaError(f"which game? --game NUMBER; {_span(Archive.open(path))}")
        found = read_results(path)
        _print_results(found, Running(as_json=as_json, plots=plots), PRESETS.get(found.setup.format))
        return GOOD
    archive = Archive.open(games_path(path))
    record = archive[number]
    archive.close()
    if as_json:
        print(record.model_dump_json())
        return GOOD
    print(headline(archive.setup, record))
    for scene in replay(archive.setup, record):
        if ply is None or scene.ply == ply:
            print()
            print(text(archive.setup, scene))
    return GOOD


def _span(archive: Archive) -> str:
    numbers = archive.numbers()
    return f"it has {len(numbers)}, {numbers[0]} to {numbers[-1]}" if numbers else "it has none yet"
