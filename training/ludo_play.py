"""Frozen players against each other, in compiled whole games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engines.core.rng import seeded
from engines.ludo.contest import KINDS, contest
from engines.ludo.running import DEFAULT_RACE
from engines.ludo.trained import Table

CAP = 100_000
NO_TABLE = Table(0, False, np.zeros(0, np.int64), np.zeros((0, 4), np.float32))
NO_WEIGHTS = (np.zeros((1, 1), np.float32), np.zeros((1, 4), np.float32))


@dataclass(frozen=True)
class Player:
    """A kind of player; `depth` where it looks ahead, `weights` where it is a network."""

    kind: str
    depth: int = 0
    weights: Any = field(default=NO_WEIGHTS, repr=False)
    race: tuple[float, ...] = ()
    """Of `expectimax`, where it is not the default."""
    table: Table = field(default=NO_TABLE, repr=False)


def against(one: Player, two: Player, ghosts: int, games: int, seed: int) -> int:
    """Games won by `one` alone against `two` on every other seat; the seat moves on with each game.

    Of two tables both must be the same one.
    """
    table = one.table if one.kind == "q_learning" else two.table
    return int(
        contest(
            games,
            ghosts,
            np.array([KINDS.index(one.kind), KINDS.index(two.kind)]),
            np.array([one.depth, two.depth]),
            one.weights,
            two.weights,
            np.array(one.race or two.race or DEFAULT_RACE.tolist()),
            table.view,
            table.from_front,
            table.keys,
            table.rows,
            seeded(seed),
            CAP,
        )
    )
