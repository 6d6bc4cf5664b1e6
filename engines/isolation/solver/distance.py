"""How far the end is under best play: the fastest win, the longest defence, exactly.

One question at a time: does the attacker win within so many plies? The solver's answers ("who wins at
all") cut what cannot be won; where the players can no longer meet, the defender walks its longest path.
Asked with two plies more each time, the first yes is the distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import borrowed, fused, kernel
from engines.isolation.board import Knights, squares_in
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares, occupy, play, tables_of
from engines.isolation.solver.dfs import (
    CHILD,
    COUNT,
    ENTERING,
    EVEN,
    FRAME,
    LOST,
    MOVER,
    NEXT,
    ODD,
    OTHER,
    PLIES,
    PLY,
    UNKNOWN,
    VERDICT,
    WON,
    order_moves,
    probe,
)
from engines.isolation.solver.proof import TranspositionTable
from engines.isolation.solver.tables import CELL_KEY, MOVER_KEY, OTHER_KEY, SIZE, SolverTables, solver_tables
from engines.isolation.solver.theorems import (
    EXACT,
    knight_attacks,
    knight_moves,
    longest_path,
    mirrored,
    separated,
)

HASH, LEFT = FRAME, FRAME + 1
"""A frame's columns after the solver's: the node's hash without the players, and the plies within which the
attacker must have won."""
ATTACKING = 3
"""Beside the solver's `cursor`: 1 where the side to move at the root attacks."""
NO, YES = 0, 1
TABLE_BITS = 15
NEVER = 127
"""More plies than any game has."""


@fused
def immediate_answer(frame: NDArray[np.int64], attacks: bool, knights: Knights) -> int:
    """The answer where the end is here or one ply away, or too far."""
    even, odd, mover, other, left = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER], frame[LEFT]
    own = knight_moves(even, odd, mover, knights)
    if own == 0:
        return NO if attacks else YES
    if not attacks:
        return NO if left < 2 else UNKNOWN
    theirs = knight_moves(even, odd, other, knights)
    takes_last = (mover ^ other) & 1 == 0 and theirs & (theirs - 1) == 0 and own & theirs != 0
    if theirs == 0 or takes_last:
        return YES if left >= 1 else NO
    return NO if left < 3 else UNKNOWN


@fused
def path_answer(
    frame: NDArray[np.int64], attacks: bool, knights: Knights, tables: SolverTables, path: NDArray[np.int64]
) -> int:
    """The answer where the players can never meet and the paths are short enough to measure."""
    even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
    if not separated(even, odd, mover, other, knights, tables):
        return UNKNOWN
    defender, attacker = (other, mover) if attacks else (mover, other)
    least, most, _, _ = longest_path(even, odd, defender, EXACT, knights, path)
    own_least, own_most, _, _ = longest_path(even, odd, attacker, EXACT, knights, path)
    first = 1 if attacks else 0
    if own_most < least + first or 2 * least + first > frame[LEFT]:
        return NO
    if own_least >= most + first and 2 * most + first <= frame[LEFT]:
        return YES
    return UNKNOWN


@kernel(
    "int64(int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1],"
    " int64[::1], int64)"
)
def advance(
    frames: NDArray[np.int64],
    cursor: NDArray[np.int64],
    answers: NDArray[np.int64],
    entries: NDArray[np.int64],
    path: NDArray[np.int64],
    knights: Knights,
    tables: SolverTables,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. At the answer `place[PLY]` is -1."""
    frames, cursor, answers, entries, path, knights, tables = borrowed(
        (frames, cursor, answers, entries, path, knights, tables)
    )
    nodes = 0
    low48 = (1 << 48) - 1
    ply = cursor[PLY]
    while ply >= 0:
        frame = frames[ply]
        attacks = (cursor[ATTACKING] + ply) & 1 == 1
        even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
        key = frame[HASH] ^ tables[MOVER_KEY + mover] ^ tables[OTHER_KEY + other]
        slot = key & (answers.shape[0] - 1)
        first = even | mover << 41
        second = odd | other << 41
        # the table holds both roles: the bit above the mover tells them apart
        owned = first | (1 << 48 if attacks else 0)
        answer = UNKNOWN
        if cursor[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor[ENTERING] = 0
            answer = immediate_answer(frame, attacks, knights)
            if answer != UNKNOWN:
                cursor[VERDICT] = answer
                ply -= 1
                continue
            if answers[slot, 0] == owned and answers[slot, 1] & low48 == second:
                bounds = answers[slot, 1] >> 48
                if frame[LEFT] <= bounds & 127:
                    answer = NO
                elif frame[LEFT] >= bounds >> 7:
                    answer = YES
                if answer != UNKNOWN:
                    cursor[VERDICT] = answer
                    ply -= 1
                    continue
            verdict, _ = probe(entries, mover * tables[SIZE] + other, even, odd)
            if verdict == (LOST if attacks else WON):
                answer = NO
            if answer == UNKNOWN and attacks and mirrored(even, odd, mover, other, tables):
                answer = NO
            if answer == UNKNOWN:
                answer = path_answer(frame, attacks, knights, tables, path)
            if answer == UNKNOWN:
                theirs = knight_moves(even, odd, other, knights)
                onward = knight_attacks(theirs, 1 - (other & 1), tables) & (odd if other & 1 else even)
                order_moves(frame, theirs, onward, True, knights, tables)
        elif cursor[VERDICT] == (YES if attacks else NO):
            answer = cursor[VERDICT]
        else:
            frame[NEXT] += 1
        if answer == UNKNOWN and frame[NEXT] == frame[COUNT]:
            answer = NO if attacks else YES
        if answer != UNKNOWN:
            beyond, within = 0, NEVER
            if answers[slot, 0] == owned and answers[slot, 1] & low48 == second:
                beyond, within = (answers[slot, 1] >> 48) & 127, answers[slot, 1] >> 55
            if answer == NO:
                beyond = max(beyond, frame[LEFT])
            else:
                within = min(within, frame[LEFT])
            answers[slot, 0] = owned
            answers[slot, 1] = second | beyond << 48 | within << 55
            cursor[VERDICT] = answer
            ply -= 1
            continue
        square = frame[CHILD + frame[NEXT]] & 127
        child = frames[ply + 1]
        child[EVEN], child[ODD] = occupy(even, odd, square)
        child[MOVER], child[OTHER] = other, square
        child[HASH] = frame[HASH] ^ tables[CELL_KEY + square]
        child[LEFT] = frame[LEFT] - 1
        ply += 1
        cursor[ENTERING] = 1
    cursor[PLY] = ply
    return nodes


QUESTION_COST = 100
"""Nodes that a question counts beside its own: what asking takes."""
MAX_BLANK = 41
"""Blank cells above which the distance is not sought: it would hardly be found within a move's time."""


class Distances:
    """Distances from a position with both players placed whose moves' values are all known.

    `plies[square]` is how many plies the game lasts from the position on if that move is made and both
    play best, `lines[square]` the moves of such a game. First come the moves that keep the result: one of
    them where the position is won, all where it is lost; then their variations, and `reported` is set; then
    what is left, and `done`.
    """

    def __init__(self, position: Position, values: Mapping[int, bool], entries: TranspositionTable) -> None:
        self.plies: dict[int, int] = {}
        self.pvs: dict[int, tuple[int, ...]] = {}
        self.reported = False
        self.done = False
        self._position = position
        self._values = values
        self._won = any(values.values())
        self._table = entries
        self._answers = np.zeros((1 << TABLE_BITS, 2), np.int64)
        self._knights = tables_of(position).knights
        self._tables = solver_tables(position.height, position.width)
        self._frames = np.zeros((PLIES, LEFT + 1), np.int64)
        self._cursor = np.zeros(4, np.int64)
        self._left = 0
        self._steps = self._search()

    @property
    def best(self) -> int | None:
        """Plies to the end under best play."""
        if self._won:
            return min((plies for square, plies in self.plies.items() if self._values[square]), default=None)
        return max(self.plies.values()) if len(self.plies) == len(self._values) else None

    def run(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        self._left = quota
        self.done = next(self._steps, True)
        return min(quota, max(1, quota - self._left))

    def _search(self) -> Iterator[bool]:
        replies_kept = [square for square, wins in self._values.items() if wins == self._won]
        yield from self._deepen(replies_kept, until_one=self._won)
        for square in self.plies:
            yield from self._best_play(square)
        self.reported = True
        yield from self._deepen(replies_kept)
        yield from self._deepen([square for square in self._values if square not in replies_kept])
        for square in self.plies:
            if square not in self.pvs:
                yield from self._best_play(square)

    def _deepen(self, squares: list[int], until_one: bool = False) -> Iterator[bool]:
        """All of them two plies deeper each time, until each (or one) has its distance."""
        waiting = [square for square in squares if square not in self.plies]
        within = 0 if waiting and self._values[waiting[0]] else 1
        while waiting:
            for square in list(waiting):
                yield from self._ask_within(play(self._position, square), not self._values[square], within)
                if self._cursor[VERDICT] == YES:
                    self.plies[square] = within + 1
                    waiting.remove(square)
                    if until_one:
                        return
            within += 2

    def _best_play(self, first: int) -> Iterator[bool]:
        """The best play after a move whose distance is known."""
        position, pv = play(self._position, first), [first]
        attacking = not self._values[first]
        for left in range(self.plies[first] - 1, 0, -1):
            for square in legal_squares(position):
                pv.append(square)
                # a defender's move is the longest one when the game cannot be over two plies sooner
                yield from self._ask_within(
                    play(position, square), not attacking, left - (1 if attacking else 3)
                )
                if (self._cursor[VERDICT] == YES) == attacking:
                    break
                pv.pop()
            position = play(position, pv[-1])
            attacking = not attacking
        self.pvs[first] = tuple(pv)

    def _ask_within(self, position: Position, attacks: bool, within: int) -> Iterator[bool]:
        """Does the side to move (if it attacks, else the other) win within so many plies? In `cursor`."""
        frame = self._frames[0]
        frame[: OTHER + 1] = *position.blank, position.mover_at, position.other_at
        frame[HASH], frame[LEFT] = 0, within
        for square in squares_in(*position.blank):
            frame[HASH] ^= self._tables[CELL_KEY + square]
        self._cursor[:] = 0, 1, UNKNOWN, attacks
        while True:
            self._left -= advance(
                self._frames,
                self._cursor,
                self._answers,
                self._table.table,
                self._table.path,
                self._knights,
                self._tables,
                self._left,
            )
            if self._cursor[PLY] < 0:
                break
            yield False
        self._left -= QUESTION_COST
        if self._left <= 0:
            yield False
