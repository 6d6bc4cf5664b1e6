"""Frozen players against each other, in compiled whole games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engines.core.rng import State, seeded
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE
from engines.ludo.simulation.match import KINDS, play_match
from engines.ludo.weights import Table

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
    rollouts: int = 0
    throws: int = 0
    """Of `rollout`: games played on for each move, and how far."""


@dataclass
class Tally:
    """What came of games so far."""

    games: int = 0
    won: int = 0
    total: float = 0.0
    squares: float = 0.0
    """Sums of the results and of their squares, the luck of the dice taken off where there was a judge."""


def play(
    one: Player, two: Player, ghosts: int, games: int, tally: Tally, rng: State, imagined: State, judge: Any
) -> None:
    """Add games of `one` alone against `two` on every other seat; the seat moves on with each game.

    `judge` is the network that weighs the luck, or None. Slices of whole rounds of seats with the same
    `rng` are the same games as all at once.
    """
    if one.kind == two.kind == "q_learning" and one.table is not two.table:
        raise ValueError("of two tables both must be the same one")
    table = one.table if one.kind == "q_learning" else two.table
    won, total, squares = play_match(
        games,
        ghosts,
        np.array([KINDS.index(one.kind), KINDS.index(two.kind)]),
        np.array([one.depth, two.depth]),
        np.array([one.rollouts, two.rollouts]),
        np.array([one.throws, two.throws]),
        one.weights,
        two.weights,
        np.array(one.race or two.race or DEFAULT_RACE.tolist()),
        table.view,
        table.from_front,
        table.keys,
        table.rows,
        judge is not None,
        NO_WEIGHTS if judge is None else judge,
        rng,
        imagined,
        CAP,
    )
    tally.games += games
    tally.won += int(won)
    tally.total += float(total)
    tally.squares += float(squares)


def against(one: Player, two: Player, ghosts: int, games: int, seed: int) -> int:
    """Games won by `one`."""
    tally = Tally()
    play(one, two, ghosts, games, tally, seeded(seed), seeded(seed, 1), None)
    return tally.won
