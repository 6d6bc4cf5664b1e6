"""Deeper and deeper expectation over the throws to come, in slices that a budget can end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.position import SEATS, SIX, Position, move_of
from engines.ludo.rules import board_of, mask_of
from engines.ludo.search.expectimax import make_scratch, search_move
from engines.ludo.td.network import Weights

FACES = SIX


def iterative_deepening(
    position: Position,
    leaf: int,
    weights: Weights,
    race: NDArray[np.float64],
    names: Sequence[str],
    deepest: int,
    meter: Meter,
    seed: int,
) -> Decision:
    """The best move by the deepest look that was completed for every move.

    The first iteration looks at every move without replies. Each later one plays one face of the
    next throw after one move; six of them for every move make a depth. Terms are the expected terms
    of the leaves; they are valued from the mover's view.
    """
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    board, ghosts = board_of(position.positions), mask_of(position.ghosts)
    squares = position.positions[position.player]
    distinct = [piece for piece in position.movable if squares.index(squares[piece]) == piece]
    scratch = make_scratch(weights[0].shape[1], len(names))
    worth = np.zeros((SEATS, len(names)))

    def value(piece: int, depth: int, face: int) -> list[float]:
        search_move(
            leaf, weights, race, board, ghosts, position.player, piece, position.dice,
            position.round, position.attempts, depth, face, worth, scratch,
        )  # fmt: skip
        row: list[float] = worth[position.player].tolist()
        return row

    found = {piece: value(piece, 0, 1) for piece in distinct}
    iterations, depth = 1, 0
    # A single choice needs no closer look.
    while depth < deepest and len(distinct) > 1:
        deeper: dict[int, list[float]] = {}
        for piece in distinct:
            total = [0.0] * len(names)
            for face in range(1, SIX + 1):
                if not meter.more(iterations):
                    break
                row = value(piece, depth + 1, face)
                total = [one + other / SIX for one, other in zip(total, row, strict=True)]
                iterations += 1
            else:
                deeper[piece] = total
                continue
            break
        if len(deeper) < len(distinct):
            break
        found, depth = deeper, depth + 1
    candidates = [
        Candidate.of(
            move_of(position, piece), dict(zip(names, found[squares.index(squares[piece])], strict=True))
        )
        for piece in position.movable
    ]
    decision = best_of(candidates, seed)
    return Decision(
        decision.move, decision.score, None, candidates, {"iterations": iterations, "depth": depth}
    )
