"""Proofs of who wins, from any position, worked on a few nodes at a time.

Where both players stand on the board the compiled solver does the work (`Line`); above it, and at the root,
where every move's value is wanted, the children take turns (`Spread`): each gets a few nodes, then twice as
many, so that one hard child does not keep the others from being decided.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from engines.isolation.board import UNPLACED, cell_of, square_of, squares_in
from engines.isolation.position import Position
from engines.isolation.rules import board_of, legal_squares, play
from engines.isolation.solver.dfs import (
    FRAME,
    PLACE,
    PLIES,
    PLY,
    VERDICT,
    WON,
    WORDS,
    advance,
    lost_by_mirror,
    never_meet,
    start,
)
from engines.isolation.solver.tables import lore

PATIENCE = 4096
"""Nodes that a child gets in the first round."""
WAYS = 8
"""Verdicts that are kept for each pair of squares, the newest: 0.6 MB on 7x7. More would save few nodes."""


class Decided:
    """What the solver has decided on a board of so many cells; shared by the proofs of that board."""

    def __init__(self, cells: int, ways: int = WAYS) -> None:
        self.table = np.zeros((cells * cells, ways * WORDS), np.int64)
        self.turns = np.zeros(cells * cells, np.int64)
        self.walk = np.zeros((PLIES, 2), np.int64)


class Line:
    """The proof for a position with both players placed. `won` is None until it is known."""

    def __init__(self, position: Position, decided: Decided) -> None:
        self.won: bool | None = None
        self._decided = decided
        self._board = board_of(position)
        self._known = lore(position.height, position.width)
        self._frames = np.zeros((PLIES, FRAME), np.int64)
        self._place = np.zeros(PLACE, np.int64)
        start(self._frames, self._place, *position.blank, position.mover_at, position.other_at)

    def work(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        decided = self._decided
        nodes = advance(
            self._frames,
            self._place,
            decided.table,
            decided.turns,
            decided.walk,
            self._board,
            self._known,
            quota,
        )
        if self._place[PLY] < 0:
            self.won = bool(self._place[VERDICT] == WON)
        return int(nodes)


class Spread:
    """The proof for a position by its moves. With `thorough` every move's value is found, not just one win.

    `values[square]` is whether the move wins, for the moves that are decided.
    """

    def __init__(self, position: Position, decided: Decided, thorough: bool = False) -> None:
        self.won: bool | None = None
        self.values: dict[int, bool] = {}
        self._position = position
        self._decided = decided
        self._thorough = thorough
        self._open: deque[tuple[int, Line | Spread | None]] = deque(
            (square, None) for square in _in_order(position)
        )
        self._patience = PATIENCE
        self._granted = PATIENCE
        self._turn = 0
        self._settle()

    @property
    def settled(self) -> bool:
        """Is all known that was asked for?"""
        return self.won is not None and not (self._thorough and self._open)

    def learn(self, values: Mapping[int, bool]) -> None:
        """Take every move's value as given."""
        self.values = dict(values)
        self._open.clear()
        self._settle()

    def _settle(self) -> None:
        if any(self.values.values()):
            self.won = True
        elif not self._open:
            self.won = False

    def _pass_on(self) -> None:
        """The next child's turn; after a round each gets twice as many nodes."""
        self._turn += 1
        if self._turn >= len(self._open):
            self._turn = 0
            self._patience *= 2
        self._granted = self._patience

    def work(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        nodes = 0
        while nodes < quota and not self.settled:
            square, child = self._open[0]
            if child is None:
                child = prove(play(self._position, square), self._decided)
                self._open[0] = (square, child)
            used = child.work(min(quota - nodes, self._granted))
            nodes += used
            self._granted -= used
            if child.won is not None:
                self._open.popleft()
                self.values[square] = not child.won
                self._settle()
                self._turn -= 1
                self._pass_on()
            elif self._granted == 0:
                self._open.rotate(-1)
                self._pass_on()
        return nodes


def prove(position: Position, decided: Decided) -> Line | Spread:
    """The proof, not begun, of who wins from a position."""
    return Spread(position, decided) if UNPLACED in position.at else Line(position, decided)


def _in_order(position: Position) -> list[int]:
    """The moves, the likely wins first: the half-turn image, then by the colour rule."""
    squares = legal_squares(position)
    other = position.other_at
    if position.mover_at != UNPLACED or other == UNPLACED:
        return squares
    row, column = cell_of(position.width, other)
    image = square_of(position.width, position.height - 1 - row, position.width - 1 - column)
    return sorted(squares, key=lambda square: (square != image, (square ^ other) & 1 == 0))


def solve(position: Position, decided: Decided | None = None) -> Spread:
    """Every move's value, however long it takes."""
    proof = Spread(position, decided or Decided(position.height * position.width), thorough=True)
    while not proof.settled:
        proof.work(1 << 16)
    return proof


def colour_rule(position: Position) -> int:
    """Whom the colour rule names: the side to move where both stand on one colour (both are placed)."""
    same = (position.at[0] ^ position.at[1]) & 1 == 0
    return position.to_move if same else 1 - position.to_move


def theorem(position: Position) -> str | None:
    """What decides this position without a search, in words."""
    if not legal_squares(position):
        return "stuck: the side to move cannot move"
    node = (*position.blank, position.mover_at, position.other_at)
    if UNPLACED in position.at:
        return _by_placement(position)
    known = lore(position.height, position.width)
    if lost_by_mirror(*node, known):
        return "the mirror theorem: every move is answered with its image"
    if never_meet(*node, board_of(position), known):
        return "separation: no blank cell is reached by both, so the longer path wins"
    return None


def _by_placement(position: Position) -> str | None:
    """The mirror theorem where nobody stands: the half turn keeps the blank cells and fixes none."""
    if position.at != (UNPLACED, UNPLACED):
        return None
    blank = set(squares_in(*position.blank))
    image = lore(position.height, position.width)
    if all(int(image[square]) in blank and int(image[square]) != square for square in blank):
        return "the mirror theorem: every placement is answered with its half-turn image"
    return None
