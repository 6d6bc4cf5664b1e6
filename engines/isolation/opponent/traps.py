"""Trap search for lost positions: UCT over our moves against a model of the study's six searchers.

A move's trap rate is the share of playouts in which the opponent blunders. A playout ends when the solver
proves a blunder, or when the opponent's own search sees the end (it makes no mistake from there). Replies
depend on random tie-breaks, so they are sampled again as visits grow, up to MAX_ANSWERS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.core.budget import Meter
from engines.core.rng import derive, seeded
from engines.isolation.board import UNPLACED, squares_in
from engines.isolation.heuristics import NAMES
from engines.isolation.opponent.reply import SEES_LOSS, SEES_WIN, STOPPED, STUCK, Node, reply
from engines.isolation.position import Position
from engines.isolation.rules import tables_of
from engines.isolation.search.alphabeta import SearchStack
from engines.isolation.solver.dfs import UNKNOWN, WON, solve_within
from engines.isolation.solver.proof import TranspositionTable
from engines.isolation.solver.tables import solver_tables

REPLY_NODES = 10_000
"""Nodes per move of the study's agents."""
EARLY_REPLY_NODES = 1000
"""Nodes a move that they get where it is too early for mistakes."""
EARLY_BLANK = 37
"""With at least this many blank cells the reply search gets EARLY_REPLY_NODES: blunders are rare there."""
PROOF_BLANK = 36
"""The solver checks replies at up to this many blank cells."""
PROOF_NODES = 1500
"""Nodes that the solver gets."""
STEP_COST = 1000
"""Nodes that a step counts beside the searches': what its bookkeeping takes."""
EXPLORATION = 0.4
"""Weight of the upper confidence term."""
MAX_ANSWERS = 6
"""Answers that an opponent is asked for after one move, at most."""
MINIMAX_DEPTH = 3
OPPONENTS = tuple(
    (NAMES.index(name), fixed) for fixed in (0, MINIMAX_DEPTH) for name in ("open_move", "center", "improved")
)
"""The searchers of the study's roster: heuristic, and the depth of a minimax or 0 for alpha-beta."""
WEIGHTS = (2.0, 2.0, 2.0, 1.0, 1.0, 1.0)
"""The prior: how often each is met. Those that look ahead three plies fall into any trap."""


@dataclass(slots=True)
class Edge:
    """One of our moves."""

    after: Node
    visits: int = 0
    """Playouts through it."""
    wins: float = 0.0
    """Sum of playout results, 1 for a blunder."""
    asked: dict[int, int] = field(default_factory=dict)
    """Visits by opponent."""
    answers: dict[int, list[tuple[Node | None, float]]] = field(default_factory=dict)
    """Sampled replies by opponent: the position after it, or None where the playout ends, and the result."""


class TrapSearch:
    """The search tree.

    `trap_rate(square)` is the share of playouts through a move in which the opponent gave the win away.
    """

    def __init__(
        self,
        position: Position,
        seed: int,
        table: TranspositionTable | None = None,
        weights: Sequence[float] = WEIGHTS,
    ) -> None:
        self._weights = weights
        self._root: Node = (*position.blank, position.mover_at, position.other_at)
        self._seed = seed
        self._table = table or TranspositionTable(position.height * position.width)
        self._board = tables_of(position)
        self._knights: list[int] = self._board.knights.tolist()
        self._tables = solver_tables(position.height, position.width)
        self._rng = seeded(seed, 1)
        self._nodes: dict[Node, dict[int, Edge]] = {}
        self._stack = SearchStack()
        self._solver = self._table.new_state()
        self._met = [0] * len(OPPONENTS)

    def trap_rate(self, square: int) -> float:
        """0 to 1; one more visit without a win is counted, against rates from a single visit."""
        edges = self._nodes.get(self._root, {})
        return edges[square].wins / (edges[square].visits + 1) if square in edges else 0.0

    def run(self, meter: Meter, spent: int, until: int) -> int:
        """Play out while the meter allows and fewer than `until` nodes are spent; the nodes spent.

        A playout that is cut off changes no trap rate.
        """
        while self._expand(self._root) and spent < until and meter.more(spent):
            spent = self._playout(meter, spent)
        return spent

    def _playout(self, meter: Meter, spent: int) -> int:
        """One playout from the root against the next opponent."""
        opponent = self._next_opponent()
        node = self._root
        path: list[Edge] = []
        win = 0.0
        while True:
            edges = self._expand(node)
            if not edges:
                break
            edge = _select(edges)
            path.append(edge)
            if not meter.more(spent):
                return spent
            left = meter.left(spent)
            spent += STEP_COST if left is None else min(STEP_COST, left)
            answers, asked = edge.answers.setdefault(opponent, []), edge.asked.get(opponent, 0)
            if asked % 2 == 0 and len(answers) < MAX_ANSWERS:
                answer, spent = self._answer(edge.after, opponent, meter, spent)
                if answer is None:
                    return spent
                answers.append(answer)
                following, win = answer
            else:
                following, win = answers[asked // 2 % len(answers)]
            edge.asked[opponent] = asked + 1
            if following is None:
                break
            node = following
        self._met[opponent] += 1
        for edge in path:
            edge.visits += 1
            edge.wins += win
        return spent

    def _next_opponent(self) -> int:
        """The one that was met least for its weight."""
        return min(range(len(OPPONENTS)), key=lambda number: (self._met[number] + 1) / self._weights[number])

    def _expand(self, node: Node) -> dict[int, Edge]:
        """Our moves, those first after which we reach most cells in two steps; dead ends last."""
        found = self._nodes.get(node)
        if found is None:
            even, odd, _, other = node
            ranked = []
            for square in self._squares(node):
                bit, colour = square >> 1, square & 1
                left = (even, odd ^ 1 << bit) if colour else (even ^ 1 << bit, odd)
                exits = self._knights[square] & left[1 - colour]
                beyond = 0
                while exits:
                    beyond |= self._knights[2 * (exits & -exits).bit_length() - 1 - colour]
                    exits &= exits - 1
                room = (beyond & left[colour]).bit_count()
                ranked.append((-room, derive(self._seed, len(self._nodes), square), square, left))
            found = {square: Edge((*left, other, square)) for _, _, square, left in sorted(ranked)}
            self._nodes[node] = found
        return found

    def _squares(self, node: Node) -> list[int]:
        """The moves of the side to move, rising."""
        even, odd, mover, _ = node
        if mover == UNPLACED:
            return squares_in(even, odd)
        knights = self._knights[mover]
        return squares_in(knights & even, 0) if mover & 1 else squares_in(0, knights & odd)

    def _answer(
        self, node: Node, opponent: int, meter: Meter, spent: int
    ) -> tuple[tuple[Node | None, float] | None, int]:
        """Where the opponent's answer leads, or None and the win where the playout ends; and the nodes."""
        even, odd, _, other = node
        blank = even.bit_count() + odd.bit_count()
        effort = EARLY_REPLY_NODES if blank >= EARLY_BLANK else REPLY_NODES
        left = meter.left(spent)
        granted = effort if left is None else min(effort, left)
        square, sees, used = reply(
            self._stack.state, node, *OPPONENTS[opponent], granted, self._board, self._rng
        )
        spent += used
        if sees == STOPPED and granted < effort:
            return None, spent
        if sees in (STUCK, SEES_LOSS, SEES_WIN):
            return (None, 0.0 if sees == SEES_WIN else 1.0), spent
        square = int(square)  # without the JIT it is numpy's
        if square & 1:
            odd ^= 1 << (square >> 1)
        else:
            even ^= 1 << (square >> 1)
        following = (even, odd, other, square)
        won, proved = self._won(following, meter.left(spent))
        if won is None:
            return None, spent + proved
        return ((None, 1.0) if won else (following, 0.0)), spent + proved

    def _won(self, node: Node, nodes_left: int | None) -> tuple[bool | None, int]:
        """Is it soon proved that our side, to move, has won; and the nodes. None: too few nodes were left."""
        even, odd, mover, other = node
        if UNPLACED in (mover, other) or even.bit_count() + odd.bit_count() > PROOF_BLANK:
            return False, 0
        granted = PROOF_NODES if nodes_left is None else min(PROOF_NODES, nodes_left)
        if granted == 0:
            return None, 0
        verdict, nodes = solve_within(self._solver, self._tables, node, granted)
        if verdict == UNKNOWN and granted < PROOF_NODES:
            return None, nodes
        return verdict == WON, nodes


def _select(edges: dict[int, Edge]) -> Edge:
    """The edge with the highest upper confidence bound; those never visited first."""
    total = 1
    for edge in edges.values():
        if edge.visits == 0:
            return edge
        total += edge.visits
    logarithm = math.log(total)
    return max(
        edges.values(),
        key=lambda edge: edge.wins / edge.visits + EXPLORATION * math.sqrt(logarithm / edge.visits),
    )
