"""Proofs of who wins, from any position, worked on a few nodes at a time.

Where both players are placed the compiled solver does the work (`NodeProof`). Above it, and at the
root, where every move's value is wanted, the children take turns (`MovesProof`): each gets a few nodes, then
twice as many, so that one hard child does not keep the others from being decided.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from engines.isolation.board import UNPLACED, cell_of, square_of, squares_in
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares, play
from engines.isolation.solver.dfs import (
    CURSOR,
    ENTRY,
    FRAME,
    PLIES,
    WON,
    SolverState,
    advance,
    is_mirror_lost,
    is_separated,
    reset,
)
from engines.isolation.solver.tables import solver_tables
from engines.isolation.solver.theorems import PATH_STEP

FIRST_QUOTA = 4096
"""Nodes that a child gets in the first round."""
WAYS = 8
"""Verdicts that are kept for each pair of squares, the newest: 0.6 MB on 7x7. More would save few nodes."""


class TranspositionTable:
    """The verdicts found on a board of so many cells; shared by the proofs of that board."""

    def __init__(self, cells: int, ways: int = WAYS) -> None:
        self.entries = np.zeros((cells * cells, ways), ENTRY)
        self.next_way = np.zeros(cells * cells, np.int64)
        self.path = np.zeros(PLIES, PATH_STEP)

    def new_state(self) -> SolverState:
        """A search of its own that shares the table."""
        frames, cursor = np.zeros(PLIES, FRAME), np.zeros(1, CURSOR)
        return SolverState(frames, cursor, self.entries, self.next_way, self.path)


class NodeProof:
    """The proof for a position with both players placed. `won` is None until it is known."""

    def __init__(self, position: Position, table: TranspositionTable) -> None:
        self.won: bool | None = None
        self._state = table.new_state()
        self._tables = solver_tables(position.height, position.width)
        self._ply, self._verdict = self._state.cursor["ply"], self._state.cursor["verdict"]
        reset(self._state, (*position.blank, position.mover_at, position.other_at))

    def run(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        nodes = advance(self._state, self._tables, quota)
        if self._ply[0] < 0:
            self.won = bool(self._verdict[0] == WON)
        return int(nodes)


class MovesProof:
    """The proof for a position by its moves. With `all_moves` every move's value is found, not just one win.

    `values[square]` is whether the move wins, for the moves that are decided.
    """

    def __init__(self, position: Position, table: TranspositionTable, all_moves: bool = False) -> None:
        self.won: bool | None = None
        self.values: dict[int, bool] = {}
        self._position = position
        self._table = table
        self._thorough = all_moves
        self._open: deque[tuple[int, NodeProof | MovesProof | None]] = deque(
            (square, None) for square in _in_order(position)
        )
        self._round_quota = FIRST_QUOTA
        self._turn_quota = FIRST_QUOTA
        self._turn = 0
        self._resolve()

    @property
    def resolved(self) -> bool:
        """Is `won` known and, with `all_moves`, every move's value?"""
        return self.won is not None and not (self._thorough and self._open)

    def set_values(self, values: Mapping[int, bool]) -> None:
        """Take every move's value as given."""
        self.values = dict(values)
        self._open.clear()
        self._resolve()

    def _resolve(self) -> None:
        if any(self.values.values()):
            self.won = True
        elif not self._open:
            self.won = False

    def _next_turn(self) -> None:
        """The next child's turn; after a round each gets twice as many nodes."""
        self._turn += 1
        if self._turn >= len(self._open):
            self._turn = 0
            self._round_quota *= 2
        self._turn_quota = self._round_quota

    def run(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        nodes = 0
        while nodes < quota and not self.resolved:
            square, child = self._open[0]
            if child is None:
                child = prove(play(self._position, square), self._table)
                self._open[0] = (square, child)
            used = child.run(min(quota - nodes, self._turn_quota))
            nodes += used
            self._turn_quota -= used
            if child.won is not None:
                self._open.popleft()
                self.values[square] = not child.won
                self._resolve()
                self._turn -= 1
                self._next_turn()
            elif self._turn_quota == 0:
                self._open.rotate(-1)
                self._next_turn()
        return nodes


def prove(position: Position, table: TranspositionTable) -> NodeProof | MovesProof:
    """The proof, not begun, of who wins from a position."""
    return MovesProof(position, table) if UNPLACED in position.at else NodeProof(position, table)


def _in_order(position: Position) -> list[int]:
    """The moves, the likely wins first: the half-turn image, then by the colour rule."""
    squares = legal_squares(position)
    other = position.other_at
    if position.mover_at != UNPLACED or other == UNPLACED:
        return squares
    row, column = cell_of(position.width, other)
    image = square_of(position.width, position.height - 1 - row, position.width - 1 - column)
    return sorted(squares, key=lambda square: (square != image, (square ^ other) & 1 == 0))


def solve(position: Position, table: TranspositionTable | None = None) -> MovesProof:
    """Every move's value, however long it takes."""
    proof = MovesProof(
        position, table or TranspositionTable(position.height * position.width), all_moves=True
    )
    while not proof.resolved:
        proof.run(1 << 16)
    return proof


def colour_rule(position: Position) -> int:
    """Whom the colour rule names: the side to move where both stand on one colour (both are placed)."""
    same = (position.at[0] ^ position.at[1]) & 1 == 0
    return position.to_move if same else 1 - position.to_move


def theorem(position: Position) -> str | None:
    """What decides this position without a search, as a sentence."""
    if not legal_squares(position):
        return "stuck: the side to move cannot move"
    node = (*position.blank, position.mover_at, position.other_at)
    if UNPLACED in position.at:
        return _by_placement(position)
    tables = solver_tables(position.height, position.width)
    if is_mirror_lost(*node, tables):
        return "the mirror theorem: every move is answered with its image"
    if is_separated(*node, tables):
        return "separation: no blank cell is reached by both, so the longer path wins"
    return None


def _by_placement(position: Position) -> str | None:
    """The mirror theorem before any placement: the half turn keeps the blank cells and fixes none."""
    if position.at != (UNPLACED, UNPLACED):
        return None
    blank = set(squares_in(*position.blank))
    half_turn = solver_tables(position.height, position.width).mirrors[0]
    if all(int(half_turn[square]) in blank and int(half_turn[square]) != square for square in blank):
        return "the mirror theorem: every placement is answered with its half-turn image"
    return None
