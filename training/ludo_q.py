"""`q_learning`: a table over an abstraction, against random players or itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from engines.core.rng import derive, seeded
from engines.ludo.q_learning.abstractions import ABSTRACTIONS
from engines.ludo.q_learning.learning import REWARD_KINDS, Learner, LearningSettings, learn_games
from engines.ludo.q_learning.table import VIEWS
from engines.ludo.weights import read_table
from training.checkpoint import Arrays
from training.ludo_play import Player, against

SLICE = 2000
"""Games of one `advance`."""
SAMPLE = 1000
"""Games per point of the curve: ±3 percentage points at 50%."""


@dataclass(frozen=True)
class QSettings:
    """Everything that decides a table. The defaults are the documented ones.

    What the documents leave open are `ties` and `rewards` (docs/ludo.md compares the readings).
    """

    abstraction: str
    games: int = 30_000
    rate: float = 0.1
    least_rate: float = 0.1
    """The rate of a value is one over its visits, between these two."""
    discount: float = 0.9
    explore: float = 0.1
    explore_decay: float = 0.9995
    explore_floor: float = 0.01
    from_front: bool = False
    """Number the pieces from the front instead of by index."""
    rewards: Literal["potential", "events", "lead"] = "events"
    """The documented amounts for what the tuple promises of the move ("potential") or for all that comes of
    it ("events"), or the change of the lead in squares."""
    ties: Literal["first", "drawn"] = "first"
    """Which of equal values is tried."""
    rotate: bool = False
    """Learn on every seat in turn instead of seat 0."""
    ghosts: int = 0
    """Empty seats, as bits."""
    least_visits: int = 1
    """States visited less often are not shipped."""
    seed: int = 1
    opponents: Literal["random", "itself"] = "random"
    """Who sits on the other seats; "itself": the same table plays and learns on every seat at once."""


def settings(abstraction: str, config: str, seed: int, games: int | None) -> QSettings:
    """The documented settings, the same learning on every seat at once, or our best."""
    if config == "documented":
        return QSettings(abstraction, games or 30_000, seed=seed)
    if config == "documented_every_seat":
        return QSettings(
            abstraction, games or 30_000, rewards="potential", ties="drawn", seed=seed, opponents="itself"
        )
    return QSettings(
        abstraction, games or 400_000, 1.0, 0.0005, 0.5, 0.1, 1.0, 0.1, True, "lead", "drawn", True,
        ghosts=0b1010, least_visits=10, seed=seed,
    )  # fmt: skip


class QCourse:
    """A learner among random players or on every seat; its table is measured frozen, without exploration."""

    def __init__(self, settings: QSettings) -> None:
        self.settings = settings
        self.total = settings.games
        self.done = 0
        size = ABSTRACTIONS[settings.abstraction].size
        self.table = np.zeros((size, 4), np.float32)
        self.visits = np.zeros((size, 4), np.int32)
        self.rng = seeded(settings.seed)

    def advance(self, until: int) -> None:
        games = min(SLICE, until - self.done)
        s = self.settings
        settings = LearningSettings(
            VIEWS.index(s.abstraction), s.from_front, REWARD_KINDS.index(s.rewards), s.ties == "first",
            s.rotate, s.opponents == "itself", s.ghosts, s.rate, s.least_rate, s.discount, s.explore,
            s.explore_decay, s.explore_floor,
        )  # fmt: skip
        learn_games(games, settings, Learner(self.table, self.visits), self.rng, self.done)
        self.done += games

    def measure(self) -> Mapping[str, float]:
        frozen = Player("q_learning", table=read_table(self.product()))
        seed = derive(self.settings.seed, 77, self.done)
        return {
            f"wins_of_{players}": 100 * against(frozen, Player("random"), ghosts, SAMPLE, seed) / SAMPLE
            for players, ghosts in ((2, 0b1010), (4, 0))
        } | {"states": float((self.visits > 0).any(axis=1).sum())}

    def arrays(self) -> Arrays:
        keys = np.flatnonzero((self.visits > 0).any(axis=1))
        return {
            "keys": keys,
            "rows": self.table[keys],
            "visits": self.visits[keys],
            "rng": self.rng,
            "done": np.array(self.done),
        }

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        keys = arrays["keys"]
        self.table[keys] = arrays["rows"]
        self.visits[keys] = arrays["visits"]
        self.rng[:] = arrays["rng"]
        self.done = int(arrays["done"])

    def product(self) -> Arrays:
        keys = np.flatnonzero(self.visits.sum(axis=1) >= self.settings.least_visits)
        s = self.settings
        return {
            "view": np.array([VIEWS.index(s.abstraction), s.from_front]),
            "steps": np.diff(keys, prepend=0).astype(np.int32),
            "values": self.table[keys].astype(np.float16),
        }
