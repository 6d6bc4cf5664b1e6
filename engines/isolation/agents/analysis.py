"""Everything that can be found out about a position within the budget: every move's value, not just the best.

A move's value is proved (with its distance, where that is found too) or estimated. Beside it stands which
moves each published heuristic prefers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.isolation.agents import perfect
from engines.isolation.agents.common import lost, shuffled_squares
from engines.isolation.board import UNPLACED
from engines.isolation.heuristics import NAMES, heuristics
from engines.isolation.position import Position, cell, cells
from engines.isolation.rules import play, winner
from engines.isolation.search.root import RootMove, RootSearch, iterative_deepening
from engines.isolation.solver.distance import Distances
from engines.isolation.solver.proof import colour_rule, theorem

MAX_DISTANCE_BLANK = 45
"""Blank cells up to which the distance is sought: an analysis may take longer than a move."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of the analysis."""

    table: bool = True
    """Read the placements and the first two moves of a 7x7 game from the shipped solution."""
    heuristic_nodes: Annotated[int, Ge(0), Le(100_000)] = 0
    """Nodes of alpha-beta that show where each heuristic goes when it searches; 0: one ply alone."""


class Analyzer(perfect.Solver):
    """An analysis under way: as for a move, but every move counts and no traps are set."""

    def run(self) -> None:
        stage = perfect.FIRST_ESTIMATE
        while not self.proof.resolved and self.meter.more(self.nodes):
            self._estimate(stage)
            self._prove(2 * stage)
            stage *= 2
        if self.proof.resolved and self._distance_feasible(MAX_DISTANCE_BLANK):
            self.distances = Distances(self.position, self.proof.values, self.table)
            while not self.distances.done and self.meter.more(self.nodes):
                left = self.meter.left(self.nodes)
                self.nodes += self.distances.run(perfect.SLICE if left is None else min(perfect.SLICE, left))
        self.best = max(self.squares, key=self._rank)

    def _estimate(self, nodes: int) -> None:
        """The value of every move that is not proved, each as deep as the others and exact (open windows)."""
        until = self.nodes + nodes
        depth = 1
        while self.nodes < until:
            found: dict[int, RootMove] = {}
            for square in self.squares:
                if square in self.proof.values:
                    continue
                search = RootSearch(self.position, perfect.HEURISTIC, self.meter, True, self.nodes, until)
                root = search.search(square, depth, -math.inf)
                self.nodes = search.nodes
                if root is None:
                    return
                found[square] = root
            if depth > self.depth:
                self.found, self.depth = found, depth
            if not found or not any(math.isfinite(root.value) for root in found.values()):
                return
            depth += 1

    def _rank(self, square: int) -> tuple[float, float]:
        """Proved wins first, the fastest before all; proved losses last, the longest before the others."""
        wins = self.proof.values.get(square)
        if wins is None:
            return 0.0, self.found[square].value if square in self.found else -math.inf
        plies = self.distances.plies.get(square) if self.distances is not None else None
        if wins:
            return 1.0, -math.inf if plies is None else -plies
        return -1.0, -math.inf if plies is None else plies


def one_ply(position: Position) -> dict[str, tuple[list[int], float]]:
    """The squares that each heuristic prefers one ply deep, and their value for the mover.

    As the agents count: a won position before all, undefined as 0.
    """
    best: dict[str, tuple[list[int], float]] = {}
    for square in shuffled_squares(position, 0):
        after = play(position, square)
        won = winner(after) is not None
        for name, (_, waiting) in heuristics(after).items():
            value = math.inf if won else (waiting or 0.0)
            squares, top = best.get(name, ([], -math.inf))
            if not squares or value > top:
                best[name] = [square], value
            elif value == top:
                squares.append(square)
    return best


def _preferences(analyzer: Analyzer, searched: dict[str, tuple[int, int]]) -> list[dict[str, Any]]:
    """Where each heuristic goes, and whether that keeps the result (None: not proved)."""
    position, proof = analyzer.position, analyzer.proof

    def keeps(square: int) -> bool | None:
        value = proof.values.get(square)
        return None if value is None or proof.won is None else value == proof.won

    shown = []
    for name, (squares, value) in one_ply(position).items():
        kept = {keeps(square) for square in squares}
        entry: dict[str, Any] = {
            "heuristic": name,
            "moves": cells(position, squares),
            "value": value,
            "keeps": None if None in kept else all(kept),
        }
        if name in searched:
            square, depth = searched[name]
            entry["searched"] = {"move": cell(position, square), "depth": depth, "keeps": keeps(square)}
        shown.append(entry)
    return shown


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The best move that is known, and all that is known of the others."""
    if not shuffled_squares(position, seed):
        return lost(position)
    analyzer = Analyzer(position, perfect.Parameters(table=parameters.table), meter, seed)
    searched: dict[str, tuple[int, int]] = {}
    for name in NAMES if parameters.heuristic_nodes else ():
        until = analyzer.nodes + parameters.heuristic_nodes
        search = RootSearch(position, name, meter, True, analyzer.nodes, until)
        best, found, depth = iterative_deepening(search, analyzer.squares)
        analyzer.nodes = search.nodes
        if found:
            searched[name] = best, depth
    analyzer.run()
    decision = analyzer.decision()
    context = {
        **decision.context,
        "theorem": theorem(position),
        "colour_rule": None if UNPLACED in position.at else colour_rule(position),
        "heuristics": _preferences(analyzer, searched),
    }
    return Decision(
        decision.move,
        decision.score,
        decision.outcome,
        decision.candidates,
        decision.stats,
        context,
        decision.line,
    )


AGENT: Agent[Position] = Agent(
    "analysis",
    "Every move's value, proved or estimated, the distance to the end, and each heuristic's preferred moves.",
    decide,
    "one node",
    Parameters,
    Budgets(ms=Range(1000, 1, 10_000), iterations=Range(1_000_000, 1, 1_000_000_000)),
)
