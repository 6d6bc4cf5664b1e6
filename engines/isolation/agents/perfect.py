"""Solves the game: proves what it can and says what it has not proved.

Won: it takes a move that is proved to win, the fastest where there is time to find it. Lost: it sets the trap
that the study's roster most likely falls into. Neither, for lack of nodes: where the colour rule names the
opponent it sets traps as well, else it takes the move that alpha-beta prefers; a move that is proved to
lose only where there is no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.agent import Agent
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision, Outcome
from engines.isolation.agents.common import BUDGETS, lost, shuffled_squares
from engines.isolation.board import UNPLACED
from engines.isolation.openings.book import opening
from engines.isolation.opponent.model import OpponentModel, updated
from engines.isolation.opponent.traps import WEIGHTS, TrapSearch
from engines.isolation.position import Position, cell
from engines.isolation.rules import play
from engines.isolation.search.root import RootMove, RootSearch, iterative_deepening
from engines.isolation.solver.dfs import PLIES
from engines.isolation.solver.distance import MAX_BLANK, Distances
from engines.isolation.solver.proof import MovesProof, TranspositionTable, colour_rule, theorem
from engines.isolation.terms import terms

SLICE = 4096
"""Solver nodes between two questions to the meter: one to two milliseconds."""
FIRST_ESTIMATE = 2000
"""Nodes of the first estimate; each has twice those of the one before."""
EARLY_PROOF_SHARE, EARLY_ESTIMATES = 16, 16_000
"""Proof nodes per estimate node, while an estimate has at most EARLY_ESTIMATES nodes: most proofs are found
by then."""
PROOF_SHARE = 2
"""Proof nodes per estimate node afterwards."""
HEURISTIC = "next_moves"
"""What evaluates a position that is not decided, and what chooses among winning moves."""
TRAP_SHARE = 8
"""Trap-search nodes per estimate node, after EARLY_ESTIMATES, where the colour rule names the opponent:
proving the loss gains nothing."""
COUNT_NODES = 30_000
"""Nodes for proving the value of each reply to a losing move; early in the game that would take too long."""
TRAP_NODES = 12_000_000
"""Nodes after which the search for traps in a lost game ends."""
DISTANCE_NODES = 1_000_000
"""Nodes after which the search for the distance to the end gives up."""
DISTANCE_SHARE = 3
"""How many times the distance's nodes the traps get while both are sought."""
PROVEN = 1000.0
"""The score of a proved win; beyond every value of the heuristic."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of the solving agent."""

    table: bool = True
    """Read the placements and the first two moves of a 7x7 game from the shipped solution."""
    distance: bool = True
    """Use what the proof leaves of the budget to find the fastest win or the longest defence."""


class Solver:
    """One decision under way: proofs and estimates in turns, then distances or traps."""

    def __init__(
        self,
        position: Position,
        parameters: Parameters,
        meter: Meter,
        seed: int,
        model: OpponentModel | None = None,
    ) -> None:
        self.position = position
        self.parameters = parameters
        self.meter = meter
        self.seed = seed
        self.nodes = 0
        self.weights: tuple[float, ...] = WEIGHTS
        if model is not None:
            self.weights, self.nodes = updated(model, position, meter, seed)
        self.squares = shuffled_squares(position, seed)
        self.table = TranspositionTable(position.height * position.width)
        self.proof = MovesProof(position, self.table, all_moves=True)
        self.distances: Distances | None = None
        known = opening(position) if parameters.table else None
        self.from_table = known is not None
        if known is not None:
            self.proof.set_values(known)
        self.best = self.squares[0]
        self.found: dict[int, RootMove] = {}
        self.depth = 0
        self.traps = TrapSearch(position, seed, self.table, self.weights)
        self.replies_kept: dict[int, tuple[int, int]] = {}

    def resolve(self) -> None:
        """Prove and estimate in turns until every move's value is proved or time is up."""
        stage = FIRST_ESTIMATE
        while not self.proof.resolved and self.meter.more(self.nodes):
            if self.proof.won is None:
                self._estimate(stage)
            self._prove((EARLY_PROOF_SHARE if stage <= EARLY_ESTIMATES else PROOF_SHARE) * stage)
            stage *= 2

    def run(self) -> None:
        """Prove who wins, then search distances (won) or traps (lost)."""
        self.resolve()
        if self.proof.resolved and self.parameters.distance and self._distance_feasible():
            self.distances = Distances(self.position, self.proof.values, self.table)
        until = self.nodes + DISTANCE_NODES
        if self.proof.won:
            while self.nodes < until and self._deepen():
                pass
            self.best = max(
                self._winning(), key=lambda square: (-self._plies(square), self._heuristic_value(square))
            )
        elif self.proof.won is False:
            self._count_replies()
            while self.nodes < until and self._deepen():
                self.nodes = self.traps.run(self.meter, self.nodes, self.nodes + DISTANCE_SHARE * SLICE)
            self.nodes = self.traps.run(self.meter, self.nodes, self.nodes + TRAP_NODES)
            self.best = max(self.squares, key=lambda square: (self._trap_rate(square), self._plies(square)))

    def _distance_feasible(self, most: int = MAX_BLANK) -> bool:
        """May the distance to the end be found, with so many blank cells at most?"""
        blank = sum(bitboard.bit_count() for bitboard in self.position.blank)
        return UNPLACED not in self.position.at and blank <= most

    def _deepen(self) -> bool:
        """A slice for the distance; False where it is known, not sought, or time is up."""
        if self.distances is None or self.distances.reported or not self.meter.more(self.nodes):
            return False
        left = self.meter.left(self.nodes)
        self.nodes += self.distances.run(SLICE if left is None else min(SLICE, left))
        return True

    def _winning(self) -> list[int]:
        return [square for square in self.squares if self.proof.values.get(square)]

    def _plies(self, square: int) -> int:
        """The distance by a move, as far as it is known; unknown counts as far away where it wins."""
        known = self.distances.plies if self.distances is not None else {}
        return known.get(square, PLIES if self.proof.won else 0)

    def _prove(self, nodes: int) -> None:
        until = self.nodes + nodes
        while not self.proof.resolved and self.nodes < until and self.meter.more(self.nodes):
            left = self.meter.left(self.nodes)
            quota = min(SLICE, until - self.nodes)
            self.nodes += self.proof.run(quota if left is None else min(quota, left))

    def _estimate(self, nodes: int) -> None:
        """The best of the moves that are not proved lost, by a search of so many nodes."""
        undecided = [square for square in self.squares if square not in self.proof.values]
        if self.best not in undecided:
            self.best = undecided[0]
        if UNPLACED not in self.position.at and colour_rule(self.position) != self.position.to_move:
            share = 1 if nodes <= EARLY_ESTIMATES else TRAP_SHARE
            self.nodes = self.traps.run(self.meter, self.nodes, self.nodes + share * nodes)
            self.best = max(undecided, key=self.traps.trap_rate)
            return
        search = RootSearch(self.position, HEURISTIC, self.meter, True, self.nodes, self.nodes + nodes)
        best, found, depth = iterative_deepening(search, undecided)
        self.nodes = search.nodes
        if found:
            self.best, self.found, self.depth = best, found, depth

    def _heuristic_value(self, square: int) -> float:
        return sum(terms(HEURISTIC, play(self.position, square), self.position.to_move).values())

    def _count_replies(self) -> None:
        """How many replies each move leaves and how many of those keep the win, where that is soon proved."""
        table = TranspositionTable(self.position.height * self.position.width)
        until = self.nodes + COUNT_NODES
        for square in self.squares:
            after = play(self.position, square)
            values = opening(after) if self.parameters.table else None
            if values is None:
                proof = MovesProof(after, table, all_moves=True)
                while not proof.resolved and self.nodes < until and self.meter.more(self.nodes):
                    left = self.meter.left(self.nodes)
                    quota = min(SLICE, until - self.nodes)
                    self.nodes += proof.run(quota if left is None else min(quota, left))
                if not proof.resolved:
                    return
                values = proof.values
            self.replies_kept[square] = (sum(values.values()), len(values))

    def _trap_rate(self, square: int) -> float:
        """Probability that an opponent drawn uniformly from the study's seven blunders: six searchers by
        playouts, the random one by its share of losing replies."""
        replies_kept, replies = self.replies_kept.get(square, (1, 1))
        return (6 * self.traps.trap_rate(square) + 1 - replies_kept / replies) / 7

    def candidate(self, square: int) -> Candidate:
        """What is known of a move."""
        move = cell(self.position, square)
        wins = self.proof.values.get(square)
        if wins is None:
            if square not in self.found:
                trap_rate = self.traps.trap_rate(square)
                if trap_rate == 0:
                    return Candidate(move, None, notes=("not proved, not evaluated",))
                return Candidate.of(move, {"trap": trap_rate}, ("not proved; the score is the trap rate",))
            search = RootSearch(self.position, HEURISTIC, self.meter, prune=True)
            estimated = search.candidate(square, self.found[square])
            return Candidate.of(
                move, estimated.terms, ("not proved; the score is an estimate", *estimated.notes)
            )
        winner = self.position.to_move if wins else 1 - self.position.to_move
        shown = {"proven": PROVEN if wins else -PROVEN}
        notes = [f"{'wins' if wins else 'loses'}: proved"]
        details: dict[str, Any] = {"winner": winner, "proven": True}
        if (reason := theorem(play(self.position, square))) is not None:
            notes.append(reason)
            details["theorem"] = reason
        if self.proof.won is False:
            shown["trap"] = self._trap_rate(square)
        if square in self.replies_kept:
            notes.append("{} of {} replies win".format(*self.replies_kept[square]))
        if self.distances is not None and square in self.distances.plies:
            details["plies"] = self.distances.plies[square]
            notes.append(f"the game ends after {details['plies']} plies")
        if self.distances is not None and square in self.distances.pvs:
            details["line"] = [cell(self.position, step) for step in self.distances.pvs[square]]
        return Candidate.of(move, shown, tuple(notes), details)

    def decision(self) -> Decision:
        """The answer, as far as things are known."""
        candidates = {square: self.candidate(square) for square in self.squares}
        chosen = candidates[self.best]
        mover = self.position.to_move
        outcome = None
        phase, proof = "estimate", None
        if self.proof.won is not None:
            plies = self.distances.best if self.distances is not None else None
            outcome = Outcome(mover if self.proof.won else 1 - mover, plies=plies)
            phase = "won" if self.proof.won else "lost"
            searched = "the shipped solution of this board" if self.from_table else "search"
            proof = theorem(self.position) or searched
        stats: dict[str, Any] = {
            "iterations": self.nodes,
            "nodes": self.nodes,
            "depth": self.depth,
            "decided": len(self.proof.values),
            "proven": self.proof.won is not None,
        }
        if self.nodes == 0 and self.from_table:
            stats["reason"] = "read from the shipped solution of this board"
        if self.proof.won is None:
            stats["reason"] = "stopped before the game was decided: the move is an estimate"
        return Decision(
            chosen.move,
            chosen.score,
            outcome=outcome,
            candidates=tuple(sorted(candidates.values(), key=lambda candidate: candidate.move)),
            stats=stats,
            context={"phase": phase, "proof": proof},
            line=chosen.details.get("line", (chosen.move,)),
            memory=OpponentModel(play(self.position, self.best), self.weights),
        )


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """A winning move where there is one and the budget proves it."""
    if not shuffled_squares(position, seed):
        return lost(position)
    model = memory if isinstance(memory, OpponentModel) else None
    solver = Solver(position, parameters, meter, seed, model)
    solver.run()
    return solver.decision()


AGENT: Agent[Position] = Agent(
    "perfect",
    "Proves who wins where the budget allows; in a lost game plays the move with the highest trap rate; "
    "marks unproved scores.",
    decide,
    "one node",
    Parameters,
    BUDGETS,
)
