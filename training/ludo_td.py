"""`td`: the value network, by playing itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.core.rng import derive, seeded
from engines.ludo.td.network import ROWS, Weights
from engines.ludo.td.self_play import Moments, train_games
from training.checkpoint import Arrays
from training.ludo_play import Player, against

SEATINGS = {2: (0b1010, 0b1010, 0b1010, 0b1010, 0b1010, 0b1010, 0b1100, 0b0110), 3: (0b1000,), 4: (0,)}
"""Empty seats as bits, each as often as listed: two sit opposite, now and then side by side."""
SLICE = 400
"""Games of one `advance`."""
SAMPLE = 400
"""Games per point of the curve: ±5 percentage points at 50%."""


@dataclass(frozen=True)
class TdSettings:
    """Everything that decides a network."""

    players: int
    games: int
    units: int
    rate: float = 2e-3
    """Of the first steps; it falls to nothing along a half cosine."""
    decay: float = 0.7
    """Lambda."""
    seed: int = 1
    opponents: str = "itself"


UNITS = {2: 64, 3: 128, 4: 96}
GAMES = {2: 150_000, 3: 60_000, 4: 80_000}


class TdCourse:
    """Self-play of one network on all seats, greedy by its own evaluation; only the dice are random."""

    def __init__(self, settings: TdSettings) -> None:
        self.settings = settings
        self.total = settings.games
        self.done = 0
        chance = np.random.default_rng(settings.seed)
        shapes = ((ROWS, settings.units), (settings.units, 4))
        self.weights = Weights(
            chance.normal(0.0, 0.15, shapes[0]).astype(np.float32),
            chance.normal(0.0, 0.1, shapes[1]).astype(np.float32),
        )
        one, two = shapes
        self.moments = Moments(
            np.zeros(one, np.float32),
            np.zeros(one, np.float32),
            np.zeros(two, np.float32),
            np.zeros(two, np.float32),
        )
        self.rng = seeded(settings.seed)
        self.seatings = np.array(SEATINGS[settings.players], np.int64)
        self.steps = 0
        self.throws, self.error = 0, 0.0

    def advance(self, until: int) -> None:
        games = min(SLICE, until - self.done)
        rate = self.settings.rate * 0.5 * (1 + float(np.cos(np.pi * self.done / self.total))) + 1e-6
        self.steps, throws, error = train_games(
            self.weights, self.moments, self.seatings, self.rng, self.settings.decay, rate, games, self.steps
        )
        self.done += games
        self.throws += throws
        self.error += error

    def measure(self) -> Mapping[str, float]:
        rate = against(
            Player("td", weights=self.weights),
            Player("random"),
            int(self.seatings[0]),
            SAMPLE,
            seed=derive(self.settings.seed, 77, self.done),
        )
        error = math.sqrt(self.error / self.throws) if self.throws else math.nan
        self.throws, self.error = 0, 0.0
        return {"wins_against_random": 100 * rate / SAMPLE, "inconsistency": error}

    def arrays(self) -> Arrays:
        names = ("mean_first", "square_first", "mean_second", "square_second")
        return {
            "first": self.weights[0],
            "second": self.weights[1],
            **dict(zip(names, self.moments, strict=True)),
            "rng": self.rng,
            "place": np.array([self.done, self.steps, self.throws]),
            "error": np.array(self.error),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name, array in self.arrays().items():
            if array.ndim and name != "place":
                array[:] = arrays[name]
        self.done, self.steps, self.throws = (int(number) for number in arrays["place"])
        self.error = float(arrays["error"])

    def product(self) -> Arrays:
        return {"first": self.weights[0].astype(np.float16), "second": self.weights[1].astype(np.float16)}
