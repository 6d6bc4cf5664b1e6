"""Which of an agent's weights matter, all found in one experiment.

At every board each seat plays the agent with weights of its own, drawn at random around the present
ones. Who comes first is then explained by all weights at once: a seat's chance grows with the exponential
of its strength, and the strength is a slope and a curvature in each weight (a conditional logit, as in
the choice between alternatives). So every game says something of every weight, where trials of one
proposal after the other say something of one point only. What it suggests is to be confirmed by a
match against the agent as it stands: the arena's work.

A round is a few boards, and a line of the file once it is played: the file is the truth, and a run
that was broken off goes on from it to the same end.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.archive import write_whole
from arena.commands import terminating
from arena.contestants import read_all, resolve
from arena.errors import ArenaError
from arena.games import load_game
from arena.setup import Setup
from arena.workforce import Workforce, workforce
from engines.core.rng import derive
from training.run import Interrupted, TrainingError
from training.variants import spec
from training.weights import Asked, Weight, mode_of, played, spelt, weights_of

FORMAT = "quadriga-battlesnake-screening"

SPREAD = 0.6
"""One step of a positive weight: the logarithm of about 1.8."""
SHARE_STEP = 0.25
"""One step of a weight between 0 and 1."""
FARTHEST = 2.0
"""Steps from the present value, at most."""
RELIABLE = 1.5
"""Steps to which a suggestion goes: farther out lie too few games."""
SHOWN = 2.0
"""So many standard errors from nothing must a slope be, or the present value is suggested."""
BOARDS = 4
"""Boards of a round; each plays every turn of its seats."""
PARTNER_EVERY = 3
"""Of two seats the partner has one at every third board; at larger boards always one."""
SLOPE_DOUBT, CURVE_DOUBT = 1.0, 0.35
"""What slopes and curvatures are taken to be before any game: 0, give or take so much."""

Floats = NDArray[np.float64]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class ScreenSettings(Asked):
    """What decides the result, beside the weights as they stand and how many games are played. What is
    looked into is drawn around `base`."""

    partner: str = "flood_paranoid"
    """Somebody who plays otherwise and takes a seat; nobody if empty."""
    iterations: int = 2000
    seed: int = 1


@dataclass(frozen=True)
class Factor:
    """A weight, and the steps in which it is varied."""

    weight: Weight

    @property
    def _share(self) -> bool:
        return (self.weight.low, self.weight.high) == (0.0, 1.0)

    def value(self, steps: float) -> float:
        """So many steps from the present value."""
        weight = self.weight
        if self._share:
            value = weight.present + SHARE_STEP * steps
        else:
            value = weight.present * math.exp(math.copysign(SPREAD, weight.present) * steps)
        value = max(weight.low, min(weight.high, value))
        return float(round(value)) if weight.whole else float(f"{value:.4g}")

    def steps(self, value: float) -> float:
        """How far a value is from the present one."""
        if self._share:
            return (value - self.weight.present) / SHARE_STEP
        if self.weight.whole:
            value = max(0.5, value)  # what was rounded to 0
        return math.log(value / self.weight.present) / math.copysign(SPREAD, self.weight.present)


Seat = tuple[float, ...] | None
"""The weights that somebody plays with; None: the partner."""


@dataclass(frozen=True)
class Played:
    """One game."""

    seats: tuple[Seat, ...]
    places: tuple[int, ...]


def screen(
    settings: ScreenSettings,
    games: int,
    file: Path,
    out: Path,
    resume: bool,
    tell: Tell,
    workers: int | None = None,
) -> dict[str, Any]:
    """Play at least so many games, and say what they come to, as it is written to `out`."""
    if games < 1 or settings.iterations < 1:
        raise TrainingError("one game, and one iteration a move, are the least")
    try:
        factors = _factors(settings)
        seats = _seats(settings)
        whole = -(-games // (BOARDS * seats))
        _check(_setup(settings, seats, _drawn(settings, factors, seats, 0), factors, 0))
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("a"):
            pass  # better now than after all games
        rounds = _read(settings, factors, file, resume)
        _play(settings, factors, seats, whole, rounds, file, workers, tell)
        result = {
            "format": FORMAT,
            "version": 1,
            **settings.plain(),
            "mode": mode_of(settings),
            **explained(factors, [game for boards in rounds[:whole] for game in boards]),
        }
        write_whole(out, json.dumps(result, indent=1) + "\n")
    except KeyboardInterrupt:
        raise Interrupted(str(file)) from None
    except (ArenaError, OSError) as error:
        raise TrainingError(str(error)) from None
    return result


def _play(
    settings: ScreenSettings,
    factors: tuple[Factor, ...],
    seats: int,
    whole: int,
    rounds: list[list[Played]],
    file: Path,
    workers: int | None,
    tell: Tell,
) -> None:
    """Play the rounds that are not there yet."""
    if len(rounds) >= whole:
        return
    force = workforce("local", workers, None)
    try:
        with terminating():
            while len(rounds) < whole:
                boards = _round(settings, factors, seats, len(rounds), force)
                _append(file, len(rounds), boards)
                rounds.append(boards)
                tell(f"round {len(rounds)} of {whole}")
    finally:
        force.close(at_once=True)


def explained(factors: tuple[Factor, ...], games: list[Played]) -> dict[str, Any]:
    """What the games say of each weight: slope and curvature of the strength in its steps, with standard
    errors, and the best value within reach of the games; and how strong the partner is, seen from here."""
    count = len(factors)
    x = np.zeros((len(games), len(games[0].seats), 2 * count + 1))
    y = np.zeros(x.shape[:2])
    for at, game in enumerate(games):
        for seat, weights in enumerate(game.seats):
            if weights is None:
                x[at, seat, -1] = 1.0
            else:
                steps = np.array([f.steps(value) for f, value in zip(factors, weights, strict=True)])
                x[at, seat, :-1] = np.concatenate((steps, steps * steps))
        y[at] = np.array(game.places) == 1
        y[at] /= y[at].sum()
    doubt = np.array([SLOPE_DOUBT] * count + [CURVE_DOUBT] * count + [3.0])
    found, error = conditional_logit(x, y, doubt)
    reported = {}
    for at, factor in enumerate(factors):
        slope, curve = float(found[at]), float(found[count + at])
        best = -slope / (2 * curve) if curve < 0 else math.copysign(RELIABLE, slope)
        best = max(-RELIABLE, min(RELIABLE, best)) if abs(slope) > SHOWN * error[at] else 0.0
        reported[factor.weight.name] = {
            "present": factor.weight.present,
            "slope": round(slope, 3),
            "slopeError": round(float(error[at]), 3),
            "curve": round(curve, 3),
            "curveError": round(float(error[count + at]), 3),
            "suggested": factor.value(best),
        }
    result: dict[str, Any] = {"games": len(games), "weights": reported}
    if any(None in game.seats for game in games):
        result["partnerStrength"] = {
            "strength": round(float(found[-1]), 3),
            "error": round(float(error[-1]), 3),
        }
    return result


def conditional_logit(x: Floats, y: Floats, doubt: Floats) -> tuple[Floats, Floats]:
    """The most probable coefficients and their standard errors: `x` by game, seat and property, `y` the
    share of the first place; beforehand each coefficient is 0, give or take its doubt. By Newton's steps."""
    found = np.zeros(x.shape[2])
    before = np.diag(1.0 / doubt**2)
    for _ in range(50):
        strength = x @ found
        chance = np.exp(strength - strength.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        mean = np.einsum("gs,gsk->gk", chance, x)
        known = np.einsum("gs,gsk,gsl->kl", chance, x, x) - mean.T @ mean + before
        step = np.linalg.solve(known, np.einsum("gs,gsk->k", y - chance, x) - before @ found)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    return found, np.sqrt(np.diag(np.linalg.inv(known)))


def _factors(settings: ScreenSettings) -> tuple[Factor, ...]:
    weights = weights_of(settings)
    still = [weight.name for weight in weights if weight.present == 0 and weight.high != 1.0]
    if still and settings.only:
        raise TrainingError(f"{still[0]} is 0: give it a value with --base, to be varied in proportion")
    return tuple(Factor(weight) for weight in weights if weight.name not in still)


def _seats(settings: ScreenSettings) -> int:
    seats = settings.game_options.get("snakes", 2)
    if type(seats) is not int or seats < 2:
        raise TrainingError("snakes must be 2 or more: somebody has to come first")
    return seats


def _drawn(settings: ScreenSettings, factors: tuple[Factor, ...], seats: int, number: int) -> list[Seat]:
    """Who sits at the boards of a round, board by board, with which weights."""
    chance = np.random.default_rng((settings.seed, number))
    drawn: list[Seat] = []
    for board in range(BOARDS):
        guest = bool(settings.partner) and (seats > 2 or (number * BOARDS + board) % PARTNER_EVERY == 0)
        for seat in range(seats):
            steps = np.clip(chance.normal(size=len(factors)), -FARTHEST, FARTHEST)
            values = tuple(f.value(float(step)) for f, step in zip(factors, steps, strict=True))
            drawn.append(None if guest and seat == 0 else values)
    return drawn


def _setup(
    settings: ScreenSettings, seats: int, drawn: list[Seat], factors: tuple[Factor, ...], number: int
) -> Setup:
    """A round as the arena plays it: all boards from one opening."""
    names = [factor.weight.name for factor in factors]
    whole = [factor.weight.name for factor in factors if factor.weight.whole]
    fixed = [part for part in settings.base.split(",") if part and part.partition("=")[0] not in names]
    texts = []
    for at, row in enumerate(drawn):
        own = spelt(dict(zip(names, row, strict=True)), whole) if row is not None else ""
        given = ",".join([*fixed, own])
        texts.append(f"{spec(settings.agent, given)}#{at}" if row is not None else f"{settings.partner}#{at}")
    return Setup(
        game="battlesnake",
        format="free-for-all",
        contestants=read_all(texts, None, settings.iterations),
        groups=tuple(tuple(range(at, at + seats)) for at in range(0, len(drawn), seats)),
        openings=1,
        seed=derive(settings.seed, number),
        options=settings.game_options,
    )


def _check(setup: Setup) -> None:
    """Before anything is played: can the agent and its partner play as they are written?"""
    for contestant in setup.contestants:
        if contestant.remote:
            raise TrainingError("the partner is an agent of the registry, no endpoint")
        resolve(contestant, load_game("battlesnake"))


def _round(
    settings: ScreenSettings, factors: tuple[Factor, ...], seats: int, number: int, force: Workforce
) -> list[Played]:
    """Some boards, each with weights drawn anew."""
    drawn = _drawn(settings, factors, seats, number)
    setup = _setup(settings, seats, drawn, factors, number)
    with played(setup, force) as (_, archive):
        return [
            Played(tuple(drawn[who] for who in record.seats), record.places) for record in archive.records()
        ]


def _read(
    settings: ScreenSettings, factors: tuple[Factor, ...], file: Path, resume: bool
) -> list[list[Played]]:
    """The rounds of a file; begins it where there is none. A last line that was cut off goes."""
    head = {
        "format": FORMAT,
        "settings": settings.plain(),
        "present": {factor.weight.name: factor.weight.present for factor in factors},
    }
    if not resume:
        if file.exists():
            raise TrainingError(f"{file} is there already: --resume goes on with it")
        write_whole(file, json.dumps(head) + "\n")
        return []
    if not file.is_file():
        raise TrainingError(f"there is no file {file}")
    lines = file.read_bytes().splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        write_whole(file, b"".join(lines[:-1]).decode())
        lines.pop()
    try:
        reported, *rounds = map(json.loads, lines)
        if reported != head:
            raise TrainingError(f"{file} belongs to other settings: {json.dumps(reported)[:400]}")
        found = [
            [Played(tuple(map(_seat, seats)), tuple(places)) for seats, places in r["games"]] for r in rounds
        ]
        if [r["round"] for r in rounds] != list(range(len(rounds))):
            raise ValueError
    except (ValueError, TypeError, KeyError):
        raise TrainingError(f"{file} is damaged") from None
    return found


def _seat(reported: Any) -> Seat:
    return None if reported is None else tuple(reported)


def _append(file: Path, number: int, games: list[Played]) -> None:
    reported = [[[None if s is None else list(s) for s in game.seats], list(game.places)] for game in games]
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"round": number, "games": reported}) + "\n")
