"""The value network of Flag's `equilibrium`, learnt by self-play: fitted value iteration on solved rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.core.rng import seeded
from engines.flag.equilibrium.fast_round import AFTER, VICTOR
from engines.flag.equilibrium.learning import PARTS, fit, harvest, merge
from engines.flag.equilibrium.value import DISCOUNT, HEAD, HIDDEN, ROWS
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
    """Orders from which the best answers are climbed to."""
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
        self._parts = np.zeros((4, 2, PARTS, HIDDEN), np.float32)
        self._parts[:, :, ROWS[2] :] = first.normal(0, 0.3, (4, 2, PARTS - ROWS[2], HIDDEN))
        self._head = np.zeros(HEAD, np.float32)
        self._head[..., :HIDDEN] = first.normal(0, 0.05, (*HEAD[:3], HIDDEN))
        self._parts_force = np.full_like(self._parts, 1e-3)
        self._head_force = np.full_like(self._head, 1e-3)
        self._rows = np.zeros(ROWS, np.float32)
        merge(self._parts, self._rows)
        self._seen = np.zeros((MEMORY, AFTER), np.int64)
        self._worth = np.zeros(MEMORY)
        self._after = np.zeros(AFTER, np.int64)
        self._after[VICTOR] = 0
        self.error = float("nan")

    def advance(self, until: int) -> None:
        """Solve some positions, then learn from the memory."""
        made = self.settings
        count = min(HARVEST, until - self.done)
        seen = np.zeros((count, AFTER), np.int64)
        worth = np.zeros(count)
        harvest(
            self._random,
            self._rows,
            self._head,
            self._after,
            seen,
            worth,
            made.iterations,
            made.rounds,
            made.starts,
            made.discount,
            made.slip,
        )
        places = (self.done + np.arange(count)) % MEMORY
        self._seen[places] = seen
        self._worth[places] = worth
        self.done += count
        filled = min(self.done, MEMORY)
        rate = made.rate * (1 - 0.9 * self.done / self.total)
        self.error = fit(
            self._random,
            self._parts,
            self._parts_force,
            self._head,
            self._head_force,
            self._seen[:filled],
            self._worth[:filled],
            count * REUSE,
            rate,
        )
        merge(self._parts, self._rows)

    def measure(self) -> Mapping[str, float]:
        """The mean squared error of the last fit, and how decided the latest positions are."""
        filled = min(self.done, MEMORY)
        return {
            "error": self.error,
            "decided": float(np.abs(self._worth[:filled]).mean()) if filled else 0.0,
        }

    def arrays(self) -> Arrays:
        return {
            "random": self._random,
            "parts": self._parts,
            "head": self._head,
            "parts_force": self._parts_force,
            "head_force": self._head_force,
            "seen": self._seen,
            "worth": self._worth,
            "after": self._after,
            "done": np.array(self.done),
            "error": np.array(self.error),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        for name in ("random", "parts", "head", "parts_force", "head_force", "seen", "worth", "after"):
            getattr(self, f"_{name}")[...] = arrays[name]
        self.done = int(arrays["done"])
        self.error = float(arrays["error"])
        merge(self._parts, self._rows)

    def product(self) -> Arrays:
        """Half precision is enough, and half the size."""
        return {"rows": self._rows.astype(np.float16), "head": self._head.astype(np.float16)}


def course(what: str, seed: int, positions: int | None = None) -> tuple[str, Course]:
    """A fresh course and its name."""
    if what != "equilibrium":
        raise TrainingError(f"flag trains equilibrium, not {what[:40]!r}")
    return "flag-equilibrium", FlagCourse(FlagSettings(positions or POSITIONS, seed=seed))
