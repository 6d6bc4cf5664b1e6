"""The root of a search, move by move, to a fixed depth or deepening: value and variation of each move."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision, Outcome
from engines.isolation.heuristics import NAMES
from engines.isolation.position import Position, cell
from engines.isolation.rules import play, tables_of
from engines.isolation.search.alphabeta import SearchStack, advance, reset
from engines.isolation.terms import terms

SLICE = 16384
"""Nodes between two questions to the meter: about a millisecond."""
MINIMAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a finished search of one move of ours found: its value for us and how it got it."""

    value: float
    exact: bool
    pv: tuple[int, ...]


class RootSearch:
    """One decision: searches the moves of a position one by one and counts the nodes.

    `nodes` goes on from `spent`; at `limit` the search ends as if the meter had ended it.
    """

    def __init__(
        self,
        position: Position,
        heuristic: str,
        meter: Meter,
        prune: bool,
        spent: int = 0,
        limit: int | None = None,
    ) -> None:
        self.position = position
        self.heuristic = heuristic
        self.meter = meter
        self.prune = prune
        self.nodes = spent
        self._limit = limit
        self._stack = SearchStack()
        self._board = tables_of(position)

    def search(self, square: int, depth: int, alpha: float) -> RootMove | None:
        """The value of a move, `depth` plies deep; None when time is up.

        With pruning, a value of `alpha` or less is an upper bound.
        """
        after = play(self.position, square)
        beta = -alpha if self.prune else math.inf
        reset(self._stack.state, *after.blank, after.mover_at, after.other_at, beta)
        heuristic = NAMES.index(self.heuristic)
        while not self._stack.done:
            quota = self._quota()
            if quota == 0:
                return None
            self.nodes += advance(self._stack.state, depth - 1, heuristic, self.prune, self._board, quota)
        found = -self._stack.best
        exact = not self.prune or found > alpha or alpha == -math.inf
        return RootMove(found, exact, (square, *self._stack.pv))

    def _quota(self) -> int:
        """How many nodes the next slice may have."""
        if not self.meter.more(self.nodes):
            return 0
        left = self.meter.left(self.nodes)
        quota = SLICE if left is None else min(SLICE, left)
        return quota if self._limit is None else min(quota, max(0, self._limit - self.nodes))

    def candidate(self, square: int, found: RootMove | None) -> Candidate:
        """What the search knows of a move: the terms of the leaf that its value came from."""
        if found is None:
            return Candidate(cell(self.position, square), None, notes=("not searched",))
        leaf = self.position
        for step in found.pv:
            leaf = play(leaf, step)
        notes = () if found.exact else ("upper bound (cut off)",)
        return Candidate.of(
            cell(self.position, square), terms(self.heuristic, leaf, self.position.to_move), notes
        )

    def decision(
        self, chosen: int, found: Mapping[int, RootMove], squares: list[int], depth: int
    ) -> Decision:
        """The decision for the square `chosen`, with what was found of `squares` at the given depth."""
        position = self.position
        candidates = {square: self.candidate(square, found.get(square)) for square in squares}
        candidate = candidates[chosen]
        stats: dict[str, Any] = {"iterations": self.nodes, "nodes": self.nodes, "depth": depth}
        if not found:
            stats["reason"] = "stopped before depth 1 was finished: a random move is played"
        pv = found[chosen].pv if chosen in found else ()
        return Decision(
            candidate.move,
            candidate.score,
            outcome=self._outcome(found[chosen].value, depth) if chosen in found else None,
            candidates=tuple(sorted(candidates.values(), key=lambda one: one.move)),
            stats=stats,
            context={"heuristic": self.heuristic},
            line=tuple(cell(position, square) for square in pv),
        )

    def _outcome(self, value: float, depth: int) -> Outcome | None:
        """A win or loss that the search has proved of its best move; deepening finds the nearest one, `depth`
        plies away."""
        if math.isfinite(value):
            return None
        mover = self.position.to_move
        return Outcome(mover if value > 0 else 1 - mover, plies=depth if self.prune else None)


def fixed_depth(root_search: RootSearch, squares: list[int]) -> tuple[int, dict[int, RootMove]]:
    """The best three plies deep of the given moves that were finished, and what was found of each."""
    found: dict[int, RootMove] = {}
    for square in squares:
        result = root_search.search(square, MINIMAX_DEPTH, -math.inf)
        if result is None:
            break
        found[square] = result
    return max(found, key=lambda square: found[square].value, default=squares[0]), found


def iterative_deepening(root_search: RootSearch, squares: list[int]) -> tuple[int, dict[int, RootMove], int]:
    """The best of the given moves, what was found of each, and the depth: the deepest that was finished.

    It ends when the game is decided. After a proven win the later moves are not searched: nothing was found
    of them. A loss keeps the move of the depth before, which holds out longest as far as was searched.
    """
    best, found, depth = squares[0], dict[int, RootMove](), 0
    while depth == 0 or math.isfinite(max(root.value for root in found.values())):
        deeper: dict[int, RootMove] = {}
        top, top_value = squares[0], -math.inf
        for square in squares:
            result = root_search.search(square, depth + 1, top_value)
            if result is None:
                return best, found, depth
            deeper[square] = result
            if result.value > top_value:
                top, top_value = square, result.value
            if top_value == math.inf:
                break
        found, depth = deeper, depth + 1
        if top_value > -math.inf:
            best = top
    return best, found, depth
