"""The value network of Flag's `equilibrium`, learnt by self-play: fitted value iteration on solved rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.core.rng import seeded
from engines.flag.equilibrium.fast_round import AFTER, WINNER
from engines.flag.equilibrium.learning import FACTORED, Learner, Valuation, coalesce, fit, harvest
from engines.flag.equilibrium.local_search import Effort
from engines.flag.equilibrium.value import DISCOUNT, EMBEDDING, HEAD, HIDDEN, Network
from training.checkpoint import Arrays, TrainingError
from training.run import Course

POSITIONS = 400_000
HARVEST = 500
"""Positions between two fits."""
MEMORY = 100_000
"""The latest positions, which are learnt from."""
REUSE = 12
"""How often a position is learnt from, on average."""


@dataclass(frozen=True)
class FlagSettings:
    """Everything that decides the result."""

    positions: int = POSITIONS
    iterations: int = 12
    rounds: int = 40
    starts: int = 1
    """Orders from which a local search for the best response starts."""
    discount: float = DISCOUNT
    slip: float = 0.2
    """How often a side plays a naive order."""
    rate: float = 0.003
    seed: int = 0


class FlagCourse:
    """An episode is a position that was solved."""

    def __init__(self, settings: FlagSettings) -> None:
        self.settings = settings
        self.total = settings.positions
        self.done = 0
        self._random = seeded(settings.seed, 1)
        first = np.random.Generator(np.random.PCG64(settings.seed))
        virtual = FACTORED - EMBEDDING[2]
        factored, head = np.zeros((4, 2, FACTORED, HIDDEN), np.float32), np.zeros(HEAD, np.float32)
        factored[:, :, EMBEDDING[2] :] = first.normal(0, 0.3, (4, 2, virtual, HIDDEN))
        head[..., :HIDDEN] = first.normal(0, 0.05, (*HEAD[:3], HIDDEN))
        self._learner = Learner(factored, np.full_like(factored, 1e-3), head, np.full_like(head, 1e-3))
        self._network = Network(np.zeros(EMBEDDING, np.float32), head)
        coalesce(factored, self._network.embedding)
        self._seen = np.zeros((MEMORY, AFTER), np.int64)
        self._values = np.zeros(MEMORY)
        self._after = np.zeros(AFTER, np.int64)
        self._after[WINNER] = 0
        self.error = float("nan")

    def advance(self, until: int) -> None:
        """Solve some positions, then learn from the memory."""
        made = self.settings
        count = min(HARVEST, until - self.done)
        seen = np.zeros((count, AFTER), np.int64)
        values = np.zeros(count)
        effort = Effort(made.iterations, made.rounds, made.starts)
        valuation = Valuation(effort, made.discount, made.slip)
        harvest(self._random, self._network, self._after, seen, values, valuation)
        places = (self.done + np.arange(count)) % MEMORY
        self._seen[places] = seen
        self._values[places] = values
        self.done += count
        filled = min(self.done, MEMORY)
        rate = made.rate * (1 - 0.9 * self.done / self.total)
        seen, values = self._seen[:filled], self._values[:filled]
        self.error = fit(self._random, self._learner, seen, values, count * REUSE, rate)
        coalesce(self._learner.factored, self._network.embedding)

    def measure(self) -> Mapping[str, float]:
        """The mean squared error of the last fit, and how decided the latest positions are."""
        filled = min(self.done, MEMORY)
        return {
            "error": self.error,
            "decided": float(np.abs(self._values[:filled]).mean()) if filled else 0.0,
        }

    def arrays(self) -> Arrays:
        return self._state() | {"done": np.array(self.done), "error": np.array(self.error)}

    def _state(self) -> Arrays:
        """What a checkpoint holds, by its names there."""
        return {
            "random": self._random,
            "parts": self._learner.factored,
            "head": self._learner.head,
            "parts_force": self._learner.factored_square,
            "head_force": self._learner.head_square,
            "seen": self._seen,
            "worth": self._values,
            "after": self._after,
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name, kept in self._state().items():
            kept[...] = arrays[name]
        self.done = int(arrays["done"])
        self.error = float(arrays["error"])
        coalesce(self._learner.factored, self._network.embedding)

    def product(self) -> Arrays:
        """Half precision is enough, and half the size."""
        return {
            name: weights.astype(np.float16)
            for name, weights in zip(("rows", "head"), self._network, strict=True)
        }


def course(what: str, seed: int, positions: int | None = None) -> tuple[str, Course]:
    """A fresh course and its name."""
    if what != "equilibrium":
        raise TrainingError(f"flag trains equilibrium, not {what[:40]!r}")
    return "flag-equilibrium", FlagCourse(FlagSettings(positions or POSITIONS, seed=seed))
