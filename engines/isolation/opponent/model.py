"""Which of the study's searchers is the opponent? Told from its answers so far in the game."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.limit import Meter
from engines.core.rng import seeded
from engines.isolation.board import UNPLACED
from engines.isolation.opponent.reply import reply
from engines.isolation.opponent.traps import EFFORT, MINIMAX_DEPTH, OPPONENTS, WEIGHTS
from engines.isolation.position import Position
from engines.isolation.rules import board_of, legal_squares
from engines.isolation.search.alphabeta import Tree

ASKED = 3
"""How often each searcher is asked what it would have answered: it breaks ties by chance."""
CHANCE = 0.5
"""How many more times it is thought to have answered by chance: the opponent may be somebody else."""
OPEN_MIND = 0.1
"""The share of the weight that goes to all of them, however they answered."""
PRICE = ASKED * sum(EFFORT if fixed == 0 else (MINIMAX_DEPTH + 5) ** MINIMAX_DEPTH for _, fixed in OPPONENTS)
"""More nodes than asking takes; the meter is charged this."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What a decision hands to the next one of the same game: the position that it left, and the weights."""

    left: Position
    weights: tuple[float, ...] = WEIGHTS


def judged(memory: Suspicion, position: Position, meter: Meter, seed: int) -> tuple[tuple[float, ...], int]:
    """The weights after the opponent's answer, which led to `position`, and the nodes that took.

    Nothing is learned from an answer that was the only one, with few nodes left, or from another game.
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
        or (left is not None and left < 10 * PRICE)
    ):
        return memory.weights, 0
    tree, rng, board = Tree(), seeded(seed, 3), board_of(before)
    node = (*before.blank, before.mover_at, before.other_at)
    likely = []
    for opponent, weight in zip(OPPONENTS, memory.weights, strict=True):
        hits = 0
        for _ in range(ASKED):
            answer, _, _ = reply(
                tree.frames, tree.bounds, tree.lines, tree.place, *node, *opponent, EFFORT, board, rng
            )
            hits += answer == square
        likely.append(weight * (hits + CHANCE / len(squares)) / (ASKED + CHANCE))
    total, prior = sum(likely), sum(WEIGHTS)
    return tuple(
        (1 - OPEN_MIND) * share / total + OPEN_MIND * weight / prior
        for share, weight in zip(likely, WEIGHTS, strict=True)
    ), PRICE
