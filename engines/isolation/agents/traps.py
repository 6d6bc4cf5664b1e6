"""Where every move loses: after which one is the win most easily given away?

The opponent is thought to be one of the study's seven, each as likely as another: one that moves at random,
three that look three plies deep and three that deepen for the study's own effort. A tree of our moves, with
what each of the six searchers would answer, is grown where it pays (UCT). A line ends where the solver proves
that the answer gave the game away, or where the opponent sees the end: it makes no mistake from there on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from engines.core.limit import Meter
from engines.core.rng import derive, seeded
from engines.isolation.board import KNIGHTS, UNPLACED
from engines.isolation.heuristics import NAMES
from engines.isolation.opponent import SEES_LOSS, SEES_WIN, STOPPED, STUCK, reply
from engines.isolation.position import Position
from engines.isolation.proof import Decided, Line
from engines.isolation.rules import board_of, legal_squares, play
from engines.isolation.search import Tree

EFFORT = 10_000
"""Nodes a move that the study's agents had."""
ROLLOUT_EFFORT = 1000
"""Nodes a move for the same agents in a rollout, which is to be short."""
ROLLOUT_MOVES = 6
"""Moves of ours in a rollout: a line must not outlast a look at the clock by much."""
PROVABLE = 34
"""Blank cells up to which an answer is put to the solver."""
PROOF_NODES = 1500
"""Nodes that it gets: at most about as much time as the answer took."""
ENDLESS = 1 << 40
LINE = 500
"""Nodes that a line counts as at least: what its bookkeeping takes beside the searches."""
CURIOSITY = 0.5
"""Weight of the upper confidence term."""
MINIMAX_DEPTH = 3
OPPONENTS = tuple(
    (NAMES.index(name), fixed) for fixed in (0, MINIMAX_DEPTH) for name in ("open_move", "center", "improved")
)
"""The searchers of the study's roster: heuristic, and the depth of a minimax or 0 for alpha-beta."""


@dataclass(slots=True)
class Branch:
    """One of our moves: how often it was tried, how often the game was given away, and the answers."""

    after: Position
    tries: int = 0
    gains: float = 0.0
    answers: dict[int, tuple[Position | None, float]] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        return self.gains / self.tries if self.tries else 0.0


class Traps:
    """The growing tree. `hope(square)` is the share of lines through a move that got the game as a gift."""

    def __init__(self, position: Position, seed: int, decided: Decided | None = None) -> None:
        self._root = position
        self._seed = seed
        self._decided = decided or Decided()
        self._board = board_of(position)
        self._rng = seeded(seed, 1)
        self._nodes: dict[Position, dict[int, Branch]] = {}
        self._scratch = Tree()
        self._lines = 0
        self._rolls = 0

    def hope(self, square: int) -> float:
        """0 to 1; a move that was hardly tried is counted as one that failed once more."""
        branches = self._nodes.get(self._root, {})
        return branches[square].gains / (branches[square].tries + 1) if square in branches else 0.0

    def grow(self, left: int | None) -> int:
        """Play one line against the next opponent; the nodes that it took, at most `left`.

        A line for which `left` is not enough leaves the tree as it was.
        """
        purse = ENDLESS if left is None else left
        spent, path, gain = self._walk(purse)
        if gain is None:
            return purse
        self._lines += 1
        for branch in path:
            branch.tries += 1
            branch.gains += gain
        return min(purse, max(LINE, spent))

    def _walk(self, purse: int) -> tuple[int, list[Branch], float | None]:
        """One line from the root: what it took, our moves in it, and what it gained; None: out of nodes."""
        opponent = self._lines % len(OPPONENTS)
        position = self._root
        path: list[Branch] = []
        spent = 0
        while True:
            fresh = position not in self._nodes
            branches = self._branches(position)
            if not branches:
                return spent, path, 0.0
            if fresh and path:
                gain, used = self._rollout(position, opponent, purse - spent)
                return spent + used, path, gain
            branch = _choose(branches)
            path.append(branch)
            if opponent not in branch.answers:
                answer, used = self._answer(branch.after, opponent, EFFORT, purse - spent)
                spent += used
                if answer is None:
                    return spent, path, None
                branch.answers[opponent] = answer
            following, gain = branch.answers[opponent]
            if following is None:
                return spent, path, gain
            position = following

    def _branches(self, position: Position) -> dict[int, Branch]:
        if position not in self._nodes:
            self._nodes[position] = {
                square: Branch(play(position, square)) for square in legal_squares(position)
            }
        return self._nodes[position]

    def _answer(
        self, position: Position, opponent: int, effort: int, purse: int
    ) -> tuple[tuple[Position | None, float] | None, int]:
        """Where the opponent's answer leads, or None and the gain where the line ends; and the nodes."""
        tree = (self._scratch.frames, self._scratch.bounds, self._scratch.lines, self._scratch.place)
        node = (*position.blank, position.mover_at, position.other_at)
        granted = min(effort, purse)
        square, sees, used = reply(*tree, *node, *OPPONENTS[opponent], granted, self._board, self._rng)
        if sees == STOPPED and granted < effort:
            return None, int(used)
        if sees in (STUCK, SEES_LOSS, SEES_WIN):
            return (None, 0.0 if sees == SEES_WIN else 1.0), int(used)
        following = play(position, int(square))
        won, proved = self._won(following, purse - int(used))
        if won is None:
            return None, purse
        return ((None, 1.0) if won else (following, 0.0)), int(used) + proved

    def _won(self, position: Position, purse: int) -> tuple[bool | None, int]:
        """Is it soon proved that our side, to move, has won; and the nodes. None: the purse was too small."""
        if UNPLACED in position.at or sum(word.bit_count() for word in position.blank) > PROVABLE:
            return False, 0
        granted = min(PROOF_NODES, purse)
        if granted == 0:
            return None, 0
        line = Line(position, self._decided)
        used = line.work(granted)
        if line.won is None and granted < PROOF_NODES:
            return None, used
        return line.won is True, used

    def _rollout(self, position: Position, opponent: int, purse: int) -> tuple[float | None, int]:
        """Some moves of ours by chance, against a hasty opponent: does it give the game away by then?"""
        spent = 0
        for _ in range(ROLLOUT_MOVES):
            squares = self._roomy(position)
            if not squares:
                break
            self._rolls += 1
            square = squares[derive(self._seed, self._rolls) % len(squares)]
            answer, used = self._answer(play(position, square), opponent, ROLLOUT_EFFORT, purse - spent)
            spent += used
            if answer is None:
                return None, purse
            following, gain = answer
            if following is None:
                return gain, spent
            position = following
        return 0.0, spent

    def _roomy(self, position: Position) -> list[int]:
        """The moves that are no dead ends, or all where there are only such."""
        squares = legal_squares(position)
        even, odd = position.blank
        roomy = [
            square for square in squares if self._board[KNIGHTS, square] & (even if square & 1 else odd) != 0
        ]
        return roomy or squares


def _choose(branches: dict[int, Branch]) -> Branch:
    """The branch with the highest upper confidence bound; those never tried first."""
    total = sum(branch.tries for branch in branches.values())
    logarithm = math.log(total + 1)
    return max(
        branches.values(),
        key=lambda branch: (
            branch.mean + CURIOSITY * math.sqrt(logarithm / branch.tries) if branch.tries else math.inf
        ),
    )


def grow(traps: Traps, meter: Meter, spent: int, until: int) -> int:
    """Grow the tree while the meter allows and fewer than `until` nodes are spent; the nodes spent."""
    while spent < until and meter.more(spent):
        spent += traps.grow(meter.left(spent))
    return spent
