"""Expectimax deeper and deeper, in slices that a budget can end; what `td` and `expectimax` share."""

from __future__ import annotations

from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.position import SIX, Position, move_of
from engines.ludo.rules import Turn, board_of, mask_of
from engines.ludo.search.expectimax import LEAF_TERMS, Leaf, SearchScratch, make_scratch, search_slice


def iterative_deepening(position: Position, leaf: Leaf, max_depth: int, meter: Meter, seed: int) -> Decision:
    """The best move by the greatest depth that was completed for every move.

    The first iteration evaluates every move without looking ahead. Each later one searches one face of
    the next throw after one move; six of them for every move make a depth. Terms are the expected
    terms of the leaves, from the mover's view; ties are drawn by the seed.
    """
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    board = board_of(position.positions)
    turn = Turn(mask_of(position.ghosts), position.player, position.round, position.attempts)
    squares = position.positions[position.player]
    distinct = [piece for piece in position.movable if squares.index(squares[piece]) == piece]
    names = LEAF_TERMS[leaf.kind]
    scratch = SearchScratch(*make_scratch(leaf.weights.first.shape[1], len(names)))

    state, end, room = tuple(turn), leaf.plain(), scratch.plain()

    def terms_of(piece: int, depth: int, face: int) -> list[float]:
        search_slice(end, board, state, piece, position.dice, depth, face, room)
        row: list[float] = scratch.result[position.player].tolist()
        return row

    found = {piece: terms_of(piece, 0, 1) for piece in distinct}
    iterations, depth = 1, 0
    # A single choice needs no search.
    while depth < max_depth and len(distinct) > 1:
        deeper: dict[int, list[float]] = {}
        for piece in distinct:
            total = [0.0] * len(names)
            for face in range(1, SIX + 1):
                if not meter.more(iterations):
                    break
                row = terms_of(piece, depth + 1, face)
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
