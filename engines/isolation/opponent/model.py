"""The opponent model: which of the study's searchers answers as the opponent did, so far in the game?

A Bayesian update of six weights after each answer. `perfect` keeps it as its memory."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.budget import Meter
from engines.core.rng import seeded
from engines.isolation.board import UNPLACED
from engines.isolation.opponent.reply import reply
from engines.isolation.opponent.traps import MINIMAX_DEPTH, OPPONENTS, REPLY_NODES, WEIGHTS
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares, tables_of
from engines.isolation.search.alphabeta import SearchStack

QUESTIONS = 3
"""Replies sampled from each searcher: its tie-breaks are random."""
RANDOM_PRIOR = 0.5
"""Random answers added to those, so that no weight becomes 0: the opponent may be none of the six."""
PRIOR_SHARE = 0.1
"""The share of the prior in the new weights: one unlikely answer does not decide."""
UPDATE_COST = QUESTIONS * sum(
    REPLY_NODES if fixed == 0 else (MINIMAX_DEPTH + 5) ** MINIMAX_DEPTH for _, fixed in OPPONENTS
)
"""Nodes charged for an update: an upper bound, so that the charge does not depend on the samples."""


@dataclass(frozen=True, slots=True)
class OpponentModel:
    """What a decision hands to the next one of the same game: the position that it left, and the weights."""

    left: Position
    weights: tuple[float, ...] = WEIGHTS


def updated(
    memory: OpponentModel, position: Position, meter: Meter, seed: int
) -> tuple[tuple[float, ...], int]:
    """The weights after the opponent's answer, which led to `position`, and the nodes that took.

    Nothing changes after an answer that was the only one, with few nodes left, or from another game.
    """
    before, square = memory.left, position.other_at
    squares = legal_squares(before)
    left = meter.left(0)
    if (
        UNPLACED in before.at
        or before.to_move != 1 - position.to_move
        or before.mover_at == square
        or square not in squares
        or before.other_at != position.mover_at
        or len(squares) == 1
        or (left is not None and left < 10 * UPDATE_COST)
    ):
        return memory.weights, 0
    stack, rng, board = SearchStack(), seeded(seed, 3), tables_of(before)
    node = (*before.blank, before.mover_at, before.other_at)
    likely = []
    for opponent, weight in zip(OPPONENTS, memory.weights, strict=True):
        hits = 0
        for _ in range(QUESTIONS):
            answer, _, _ = reply(stack.state, node, *opponent, REPLY_NODES, board, rng)
            hits += answer == square
        likely.append(weight * (hits + RANDOM_PRIOR / len(squares)) / (QUESTIONS + RANDOM_PRIOR))
    total, prior = sum(likely), sum(WEIGHTS)
    return tuple(
        (1 - PRIOR_SHARE) * share / total + PRIOR_SHARE * weight / prior
        for share, weight in zip(likely, WEIGHTS, strict=True)
    ), UPDATE_COST
