"""Frozen players against each other, in compiled whole games."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engines.core.rng import Rng, seeded
from engines.ludo.evaluation.race_evaluation import DEFAULT_RACE, RaceWeights
from engines.ludo.q_learning.table import NO_TABLE, Table
from engines.ludo.search.rollout import RolloutSettings
from engines.ludo.simulation.match import KINDS, MatchPlayer, play_match
from engines.ludo.td.network import NO_NETWORK


@dataclass(frozen=True)
class Player:
    """A kind of player; `depth` where it looks ahead, `weights` where it is a network."""

    kind: str
    depth: int = 0
    weights: Any = field(default=NO_NETWORK, repr=False)
    race: tuple[float, ...] = ()
    """Of `expectimax`, where it is not the default."""
    table: Table = field(default=NO_TABLE, repr=False)
    rollouts: int = 0
    throws: int = 0
    """Of `rollout`: games played on for each move, and how far."""

    def compiled(self, race: RaceWeights) -> MatchPlayer:
        """The player as the kernels take it."""
        settings = RolloutSettings(self.depth, self.rollouts, self.throws)
        return MatchPlayer(KINDS.index(self.kind), settings, self.weights, race, self.table)


@dataclass
class Tally:
    """What came of games so far."""

    games: int = 0
    won: int = 0
    total: float = 0.0
    squares: float = 0.0
    """Sums of the results and of their squares, less the luck of the dice where an evaluator was given."""


def play(
    one: Player,
    two: Player,
    ghosts: int,
    games: int,
    tally: Tally,
    rng: Rng,
    imagined: Rng,
    evaluator: Any,
) -> None:
    """Add games of `one` alone against `two` on every other seat; the seat moves on with each game.

    `evaluator` is the value network by which the luck of the dice is subtracted (None: not at all);
    `imagined` is the generator of roll-outs. Slices of whole rounds of seats with the same `rng` are the same
    games as all at once.
    """
    race = RaceWeights(*(one.race or two.race or DEFAULT_RACE))
    won, total, squares = play_match(
        games,
        ghosts,
        one.compiled(race),
        two.compiled(race),
        evaluator is not None,
        NO_NETWORK if evaluator is None else evaluator,
        rng,
        imagined,
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
