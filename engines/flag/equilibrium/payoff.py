"""The game of one round in normal form, without its matrix: a payoff for each choice of all six actions."""

from __future__ import annotations

from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from engines.core.jit import borrowed, inlined, kernel
from engines.flag.equilibrium.fast_round import (
    AFTER,
    SURVEY,
    Survey,
    choose_joint_order,
    empty_survey,
    fast_round,
    survey_round,
)
from engines.flag.equilibrium.value import NETWORK, Network, Weights, value_of
from engines.flag.rules import Array

Floats = NDArray[np.float64]


class RoundGame(NamedTuple):
    """The simultaneous game of one round. Payoffs are always to A; the game is zero-sum."""

    survey: Survey
    """What the pieces can do and come to."""
    network: Network
    """The value of what it leads to."""


ROUND_GAME: Final = numba.types.NamedTuple((SURVEY, NETWORK), RoundGame)


def game_of(table: Array, network: Network) -> RoundGame:
    """The game of the round that begins from a table in which rescuers are at home."""
    survey = empty_survey()
    survey_round(table, survey)
    return RoundGame(survey, network)


@inlined
def payoff(survey: Survey, network: Network, chosen: Array, after: Array) -> float:
    """The payoff of one choice of actions; `after` receives the position that it leads to."""
    fast_round(survey, chosen, after)
    return value_of(network, after)


@kernel(numba.types.void(ROUND_GAME, numba.types.int64, numba.types.int64, numba.types.float32[::1]))
def fill_column(game: RoundGame, side: int, order: int, column: Weights) -> None:
    """The payoff of one joint order of a side against every joint order of the other."""
    survey, network = borrowed(game.survey), borrowed(game.network)
    counts = survey.counts
    chosen = np.empty(6, np.int64)
    after = np.empty(AFTER, np.int64)
    choose_joint_order(counts, side, order, chosen)
    rows = borrowed((chosen, after))
    theirs = 3 - 3 * side
    number = 0
    for first in range(counts[theirs]):
        chosen[theirs] = first
        for second in range(counts[theirs + 1]):
            chosen[theirs + 1] = second
            for third in range(counts[theirs + 2]):
                chosen[theirs + 2] = third
                column[number] = payoff(survey, network, rows[0], rows[1])
                number += 1
