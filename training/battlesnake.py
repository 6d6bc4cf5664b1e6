"""The weights of Battlesnake's agents, found by self-play through the arena.

An optimiser (optuna's TPE) proposes values for an agent's weights: every parameter that is a number
with a fraction and bounds. Each proposal plays the agent as it stands, from openings of its own. The
best few play again, and the best of these once more on fresh openings: only that last match says
whether anything was won, since the first ones were won by luck too.

The study file is the truth: each finished match is in it, and the optimiser's chance is drawn from
the seed and the trial's number, so a run that was broken off goes on to the same end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import optuna
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState

from arena.archive import write_whole
from arena.commands import terminating
from arena.contestants import read_all
from arena.errors import ArenaError
from arena.setup import Setup, openings_for
from arena.statistics import wilson
from arena.workforce import Workforce, workforce
from engines.core.rng import derive
from training.run import Interrupted, TrainingError
from training.variants import spec
from training.weights import Asked, mode_of, played, spelt, weights_of

FORMAT = "quadriga-battlesnake-weights"

TIMES = 6.0
"""A positive weight is looked for between its present value over this and times this."""
FINALISTS = 3
_PROPOSE, _FINAL, _CONFIRM = 1, 2, 3
"""First steps of the seeds' paths: which openings are played, and the optimiser's chance."""


@dataclass(frozen=True)
class WeightSettings(Asked):
    """Everything that decides the result."""

    trials: int = 40
    games: int = 20
    """Of each trial, an even number."""
    confirm: int = 200
    """Of the last match."""
    iterations: int = 2000
    """Thinking effort a move."""
    seed: int = 1


@dataclass(frozen=True)
class Score:
    """Games of a proposal against the agent as it stands."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def rate(self) -> float:
        return self.points / self.games

    def __add__(self, other: Score) -> Score:
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def reported(self) -> dict[str, float]:
        low, high = wilson(self.points, self.games)
        rest = {"rate": self.rate, "low": low, "high": high}
        return {
            "games": self.games,
            **asdict(self),
            **{name: round(value, 4) for name, value in rest.items()},
        }


Tell = Callable[[str], None]


def space(settings: WeightSettings) -> dict[str, tuple[float, FloatDistribution]]:
    """Each weight's present value, and where it is looked for."""
    found = weights_of(settings)
    whole = [weight.name for weight in found if weight.whole]
    if whole:
        raise TrainingError(f"{whole[0]} has no fraction: a screen looks into it, the optimiser doesn't")
    return {
        weight.name: (weight.present, _around(weight.present, weight.low, weight.high)) for weight in found
    }


def _around(value: float, low: float, high: float) -> FloatDistribution:
    """All of 0 to 1; else a few times as much or as little."""
    if (low, high) == (0.0, 1.0):
        return FloatDistribution(low, high)
    if value > 0:
        return FloatDistribution(max(low, value / TIMES), min(high, value * TIMES), log=True)
    if value < 0:
        return FloatDistribution(max(low, value * TIMES), min(high, value / TIMES))
    return FloatDistribution(max(low, -1.0), min(high, 1.0))


def tune(
    settings: WeightSettings,
    study_file: Path,
    out: Path,
    resume: bool,
    tell: Tell,
    workers: int | None = None,
) -> dict[str, Any]:
    """Look for better weights; what was found, as it is written to `out`."""
    if settings.trials < 1 or settings.iterations < 1:
        raise TrainingError("one trial, and one iteration a move, are the least")
    try:
        for games in (settings.games, settings.confirm):
            openings_for(games, 2)
        weights = space(settings)
    except (ArenaError, KeyError) as error:
        raise TrainingError(str(error)) from None
    search = _Search(settings, weights, _study(settings, study_file, resume), tell)
    force = workforce("local", workers, None)
    try:
        try:
            with terminating():
                result = search.result(force)
        finally:
            force.close(at_once=True)
    except KeyboardInterrupt:
        raise Interrupted(str(study_file)) from None
    except ArenaError as error:
        raise TrainingError(str(error)) from None
    write_whole(out, json.dumps(result, indent=1) + "\n")
    return result


def _study(settings: WeightSettings, path: Path, resume: bool) -> optuna.Study:
    if path.exists() and not resume:
        raise TrainingError(f"{path} is there already: --resume goes on with it")
    if resume and not path.exists():
        raise TrainingError(f"there is no study {path}")
    path.parent.mkdir(parents=True, exist_ok=True)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        storage=JournalStorage(JournalFileBackend(str(path))),
        study_name=settings.agent,
        direction="maximize",
        load_if_exists=True,
    )
    reported = {name: value for name, value in settings.plain().items() if name not in ("trials", "confirm")}
    if study.user_attrs.setdefault("settings", reported) != reported:
        raise TrainingError(f"{path} belongs to other settings: {study.user_attrs['settings']}")
    study.set_user_attr("settings", reported)
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        study.tell(trial.number, state=TrialState.FAIL)  # broken off in its match
    return study


class _Search:
    """A study on its way."""

    def __init__(
        self,
        settings: WeightSettings,
        weights: Mapping[str, tuple[float, FloatDistribution]],
        study: optuna.Study,
        tell: Tell,
    ) -> None:
        self.settings = settings
        self.study = study
        self.tell = tell
        self._present = {name: value for name, (value, _) in weights.items()}
        self._where: dict[str, BaseDistribution] = {
            name: distribution for name, (_, distribution) in weights.items()
        }

    def result(self, force: Workforce) -> dict[str, Any]:
        """Play what is not played yet, and sum it up."""
        settings = self.settings
        while len(self._done()) < settings.trials:
            self._trial(force)
        best = sorted(self._done(), key=lambda trial: -(trial.value or 0.0))[:FINALISTS]
        finals = {}
        for trial in best:
            again = self._match(f"final {trial.number}", trial.params, 2 * settings.games, _FINAL, 0, force)
            finals[trial.number] = again + Score(*trial.user_attrs["score"])
        winner = max(best, key=lambda trial: finals[trial.number].rate)
        chosen = {name: float(f"{value:.4g}") for name, value in winner.params.items()}
        last = self._match(f"confirmation {winner.number}", chosen, settings.confirm, _CONFIRM, 0, force)
        done = self._done()
        return {
            "format": FORMAT,
            "version": 1,
            **settings.plain(),
            "mode": mode_of(settings),
            "trials": len(done),
            "games": {
                "optimiser": settings.games * len(done),
                "finals": 2 * settings.games * len(finals),
                "confirmation": last.games,
            },
            "gamesOfATrial": settings.games,
            "present": self._present,
            "weights": chosen,
            "confirmation": last.reported(),
            "better": wilson(last.points, last.games)[0] > 0.5,
        }

    def _done(self) -> list[FrozenTrial]:
        return self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))[: self.settings.trials]

    def _trial(self, force: Workforce) -> None:
        settings = self.settings
        number = len(self._done())
        chance = derive(settings.seed, _PROPOSE, number)
        self.study.sampler = optuna.samplers.TPESampler(seed=chance % 2**32, n_startup_trials=8)
        trial = self.study.ask(self._where)
        score = self._play(trial.params, settings.games, chance, force)
        trial.set_user_attr("score", [score.wins, score.draws, score.losses])
        self.study.tell(trial, score.rate)
        best = self.study.best_trial
        self.tell(
            f"trial {number + 1} of {settings.trials}: {_moves(trial.params)}: "
            f"{score.points:g} of {score.games}; best {best.value:.3f}"
        )

    def _match(
        self, name: str, weights: Mapping[str, float], games: int, what: int, number: int, force: Workforce
    ) -> Score:
        """A match outside the trials, once."""
        known = self.study.user_attrs.get(name)
        if known is None or sum(known) != games:
            score = self._play(weights, games, derive(self.settings.seed, what, number), force)
            known = [score.wins, score.draws, score.losses]
            self.study.set_user_attr(name, known)
        score = Score(*known)
        self.tell(f"{name}: {_moves(weights)}: {score.points:g} of {score.games}")
        return score

    def _play(self, weights: Mapping[str, float], games: int, seed: int, force: Workforce) -> Score:
        settings = self.settings
        given = ",".join(part for part in (settings.base, spelt(weights)) if part)
        setup = Setup(
            game="battlesnake",
            format="match",
            contestants=read_all(
                (
                    f"{spec(settings.agent, given)}#proposed",
                    f"{spec(settings.agent, settings.base)}#present",
                ),
                None,
                settings.iterations,
            ),
            groups=((0, 1),),
            openings=openings_for(games, 2),
            seed=seed,
            options=settings.game_options,
        )
        with played(setup, force) as (tally, _):
            row = tally.pairings()[0]
        return Score(row.wins, row.draws, row.losses)


def _moves(weights: Mapping[str, float]) -> str:
    return "  ".join(f"{name} {value:.3g}" for name, value in weights.items())
