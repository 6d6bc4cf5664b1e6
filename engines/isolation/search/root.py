"""The root of a fixed-depth search: move by move, with the values, variations and nodes of each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.core.decision import Candidate, Decision, Outcome
from engines.core.limit import Meter
from engines.isolation.heuristics import NAMES
from engines.isolation.position import Position, cell
from engines.isolation.rules import board_of, play
from engines.isolation.search.alphabeta import Tree, advance
from engines.isolation.terms import terms

SLICE = 16384
"""Nodes between two looks at the meter: about a millisecond."""
MINIMAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Root:
    """What a finished search of one move of ours found: its value for us and how it got it."""

    value: float
    exact: bool
    line: tuple[int, ...]


class Searcher:
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
        self._tree = Tree()
        self._board = board_of(position)

    def look(self, square: int, depth: int, floor: float) -> Root | None:
        """The value of a move, `depth` plies deep; None when time is up.

        With pruning, a value of `floor` or less is an upper bound.
        """
        after = play(self.position, square)
        self._tree.root(*after.blank, after.mover_at, after.other_at, -floor if self.prune else math.inf)
        tree = (self._tree.frames, self._tree.bounds, self._tree.lines, self._tree.place)
        which = NAMES.index(self.heuristic)
        while not self._tree.done:
            quota = self._quota()
            if quota == 0:
                return None
            self.nodes += advance(*tree, depth - 1, which, self.prune, self._board, quota)
        found = -self._tree.best
        exact = not self.prune or found > floor or floor == -math.inf
        return Root(found, exact, (square, *self._tree.line))

    def _quota(self) -> int:
        """How many nodes the next slice may have."""
        if not self.meter.more(self.nodes):
            return 0
        left = self.meter.left(self.nodes)
        quota = SLICE if left is None else min(SLICE, left)
        return quota if self._limit is None else min(quota, max(0, self._limit - self.nodes))

    def candidate(self, square: int, found: Root | None) -> Candidate:
        """What the search knows of a move: the terms of the leaf that its value came from."""
        if found is None:
            return Candidate(cell(self.position, square), None, notes=("not looked at",))
        leaf = self.position
        for step in found.line:
            leaf = play(leaf, step)
        notes = () if found.exact else ("at most this: another move was already known to be as good",)
        return Candidate.of(
            cell(self.position, square), terms(self.heuristic, leaf, self.position.to_move), notes
        )

    def answer(self, best: int, found: Mapping[int, Root], squares: list[int], depth: int) -> Decision:
        """The decision for `best`, from the moves looked at to the given depth."""
        position = self.position
        candidates = {square: self.candidate(square, found.get(square)) for square in squares}
        chosen = candidates[best]
        stats: dict[str, Any] = {"iterations": self.nodes, "nodes": self.nodes, "depth": depth}
        if not found:
            stats["reason"] = "stopped before any depth was searched: the move is the seed's"
        line = found[best].line if best in found else ()
        return Decision(
            chosen.move,
            chosen.score,
            outcome=self._outcome(found[best].value, depth) if best in found else None,
            candidates=tuple(sorted(candidates.values(), key=lambda candidate: candidate.move)),
            stats=stats,
            context={"heuristic": self.heuristic},
            line=tuple(cell(position, square) for square in line),
        )

    def _outcome(self, value: float, depth: int) -> Outcome | None:
        """A win or loss that the search has proved; deepening finds the nearest one, `depth` plies away."""
        if math.isfinite(value):
            return None
        mover = self.position.to_move
        return Outcome(mover if value > 0 else 1 - mover, plies=depth if self.prune else None)


def fixed_depth(searcher: Searcher, squares: list[int]) -> tuple[int, dict[int, Root]]:
    """The best three plies deep of the given moves that were finished, and what was found of each."""
    found: dict[int, Root] = {}
    for square in squares:
        result = searcher.look(square, MINIMAX_DEPTH, -math.inf)
        if result is None:
            break
        found[square] = result
    return max(found, key=lambda square: found[square].value, default=squares[0]), found


def deepen(searcher: Searcher, squares: list[int]) -> tuple[int, dict[int, Root], int]:
    """The best of the given moves, what was found of each, and the depth: the deepest that was finished.

    It ends when the game is decided. A loss keeps the move of the depth before, which holds out longest
    as far as was searched.
    """
    best, found, depth = squares[0], dict[int, Root](), 0
    while depth == 0 or math.isfinite(max(root.value for root in found.values())):
        deeper: dict[int, Root] = {}
        top, top_value = squares[0], -math.inf
        for square in squares:
            result = searcher.look(square, depth + 1, top_value)
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
