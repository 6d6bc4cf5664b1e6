"""The agent that solves the game: it proves what it can and says what it has not proved.

Won: it takes a move that is proved to win. Lost: it sets the move after which the study's roster is most
likely to give the win away. Neither, for lack of nodes: the move that alpha-beta likes best among those
not proved lost.
"""

from __future__ import annotations

from typing import Any

from engines.core.agents import Agent, NoParameters
from engines.core.decision import Candidate, Decision, Outcome
from engines.core.limit import Meter
from engines.isolation.agents.alphabeta import BUDGETS, Root, Searcher, deepen
from engines.isolation.agents.common import lost, options
from engines.isolation.agents.traps import Trap, find_traps
from engines.isolation.board import UNPLACED
from engines.isolation.position import Position, cell
from engines.isolation.proof import Decided, Spread
from engines.isolation.rules import play
from engines.isolation.solver import lore, lost_by_mirror
from engines.isolation.terms import terms

SLICE = 4096
"""Solver nodes between two looks at the meter: one to two milliseconds."""
ESTIMATE = 2000
"""Nodes of the first estimate; each has twice those of the one before, each proof twice the estimate's."""
HEURISTIC = "next_moves"
"""What values a position that is not decided, and what chooses among winning moves."""
PROVEN = 1000.0
"""The score of a proved win; beyond every value of the heuristic."""


class Thought:
    """One decision as it grows."""

    def __init__(self, position: Position, meter: Meter, seed: int) -> None:
        self.position = position
        self.meter = meter
        self.seed = seed
        self.nodes = 0
        self.squares = options(position, seed)
        self.proof = Spread(position, Decided(), thorough=True)
        self.best = self.squares[0]
        self.found: dict[int, Root] = {}
        self.depth = 0
        self.traps: dict[int, Trap] = {}

    def think(self) -> None:
        """Prove and estimate in turns until all is proved or time is up; then look for traps."""
        stage = ESTIMATE
        while not self.proof.settled and self.meter.more(self.nodes):
            if self.proof.won is None:
                self._estimate(stage)
            self._prove(2 * stage)
            stage *= 2
        if self.proof.won:
            self.best = max(
                (square for square in self.squares if self.proof.values.get(square)), key=self._comfort
            )
        elif self.proof.won is False:
            self._set_traps()

    def _prove(self, nodes: int) -> None:
        until = self.nodes + nodes
        while not self.proof.settled and self.nodes < until and self.meter.more(self.nodes):
            left = self.meter.left(self.nodes)
            quota = min(SLICE, until - self.nodes)
            self.nodes += self.proof.work(quota if left is None else min(quota, left))

    def _estimate(self, nodes: int) -> None:
        """The best of the moves that are not proved lost, by a search of so many nodes."""
        standing = [square for square in self.squares if square not in self.proof.values]
        searcher = Searcher(self.position, HEURISTIC, self.meter, True, self.nodes, self.nodes + nodes)
        best, found, depth = deepen(searcher, standing)
        self.nodes = searcher.nodes
        if found:
            self.best, self.found, self.depth = best, found, depth
        elif self.best not in standing:
            self.best = best

    def _comfort(self, square: int) -> float:
        return sum(terms(HEURISTIC, play(self.position, square), self.position.to_move).values())

    def _set_traps(self) -> None:
        """Every move loses: take the one after which a win is most easily given away."""
        self.traps, self.nodes = find_traps(self.position, self.squares, self.meter, self.nodes, self.seed)
        self.best = max(
            self.squares, key=lambda square: self.traps[square].hope if square in self.traps else 0.0
        )

    def candidate(self, square: int) -> Candidate:
        """What is known of a move."""
        place = cell(self.position, square)
        wins = self.proof.values.get(square)
        if wins is None:
            if square not in self.found:
                return Candidate(place, None, notes=("not decided, not valued",))
            searcher = Searcher(self.position, HEURISTIC, self.meter, prune=True)
            valued = searcher.candidate(square, self.found[square])
            return Candidate.of(place, valued.terms, ("not proved: an estimate", *valued.notes))
        winner = self.position.to_move if wins else 1 - self.position.to_move
        shown = {"proven": PROVEN if wins else -PROVEN}
        notes = [f"{'wins' if wins else 'loses'}: proved"]
        after = play(self.position, square)
        if UNPLACED not in after.at and lost_by_mirror(
            *after.blank, after.mover_at, after.other_at, lore(after.height, after.width)
        ):
            notes.append("by the mirror theorem: every reply is answered with its image")
        if square in self.traps:
            trap = self.traps[square]
            shown["trap"] = trap.hope
            notes.append(f"{trap.keeping} of {trap.replies} replies keep the win")
        return Candidate.of(place, shown, tuple(notes), {"winner": winner, "proven": True})

    def decision(self) -> Decision:
        """The answer as it stands."""
        candidates = {square: self.candidate(square) for square in self.squares}
        chosen = candidates[self.best]
        mover = self.position.to_move
        outcome = None
        phase = "estimate"
        if self.proof.won is not None:
            outcome = Outcome(mover if self.proof.won else 1 - mover)
            phase = "won" if self.proof.won else "lost"
        stats: dict[str, Any] = {
            "iterations": self.nodes,
            "nodes": self.nodes,
            "depth": self.depth,
            "decided": len(self.proof.values),
            "proven": self.proof.won is not None,
        }
        if self.proof.won is None:
            stats["reason"] = "stopped before the game was decided: the move is an estimate"
        return Decision(
            chosen.move,
            chosen.score,
            outcome=outcome,
            candidates=tuple(sorted(candidates.values(), key=lambda candidate: candidate.move)),
            stats=stats,
            context={"phase": phase, "heuristic": HEURISTIC},
            line=(chosen.move,),
        )


def decide(position: Position, _: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """A winning move where there is one and the budget proves it."""
    if not options(position, seed):
        return lost(position)
    thought = Thought(position, meter, seed)
    thought.think()
    return thought.decision()


PERFECT: Agent[Position] = Agent(
    "perfect",
    "Solves the game: proves who wins, sets traps where it is lost, and says what it has not proved.",
    decide,
    "one node",
    budgets=BUDGETS,
)
