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
from engines.isolation.board import Table, squares_in
from engines.isolation.position import Position
from engines.isolation.rules import board_of, legal_squares, play, take
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
    list_moves,
    recall,
)
from engines.isolation.solver.proof import Decided
from engines.isolation.solver.tables import CELL_KEY, MOVER_KEY, OTHER_KEY, SIZE, Lore, lore
from engines.isolation.solver.theorems import EXACT, apart, leaps, longest_path, mirrored, near

HASH, LEFT = FRAME, FRAME + 1
"""A frame's columns after the solver's: the node's hash without the players, and the plies within which the
attacker must have won."""
ATTACKS = 3
"""Beside the solver's `place`: 1 where the side to move at the root attacks."""
NO, YES = 0, 1
TABLE_BITS = 15
ENDLESS = 127
"""More plies than any game has."""


@fused
def at_once(frame: NDArray[np.int64], attacks: bool, board: Table) -> int:
    """The answer where the end is here or one ply away, or too far."""
    even, odd, mover, other, left = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER], frame[LEFT]
    own = near(even, odd, mover, board)
    if own == 0:
        return NO if attacks else YES
    if not attacks:
        return NO if left < 2 else UNKNOWN
    theirs = near(even, odd, other, board)
    takes_last = (mover ^ other) & 1 == 0 and theirs & (theirs - 1) == 0 and own & theirs != 0
    if theirs == 0 or takes_last:
        return YES if left >= 1 else NO
    return NO if left < 3 else UNKNOWN


@fused
def walked(
    frame: NDArray[np.int64], attacks: bool, board: Table, known: Lore, walk: NDArray[np.int64]
) -> int:
    """The answer where the players can never meet and the paths are short enough to measure."""
    even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
    if not apart(even, odd, mover, other, board, known):
        return UNKNOWN
    defender, attacker = (other, mover) if attacks else (mover, other)
    least, most, _, _ = longest_path(even, odd, defender, EXACT, board, walk)
    own_least, own_most, _, _ = longest_path(even, odd, attacker, EXACT, board, walk)
    first = 1 if attacks else 0
    if own_most < least + first or 2 * least + first > frame[LEFT]:
        return NO
    if own_least >= most + first and 2 * most + first <= frame[LEFT]:
        return YES
    return UNKNOWN


@kernel(
    "int64(int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1],"
    " int64[::1], int64)"
)
def advance(
    frames: NDArray[np.int64],
    place: NDArray[np.int64],
    judged: NDArray[np.int64],
    decided: NDArray[np.int64],
    walk: NDArray[np.int64],
    board: Table,
    known: Lore,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. At the answer `place[PLY]` is -1."""
    frames, place, judged, decided, walk, board, known = borrowed(
        (frames, place, judged, decided, walk, board, known)
    )
    nodes = 0
    low48 = (1 << 48) - 1
    ply = place[PLY]
    while ply >= 0:
        frame = frames[ply]
        attacks = (place[ATTACKS] + ply) & 1 == 1
        even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
        name = frame[HASH] ^ known[MOVER_KEY + mover] ^ known[OTHER_KEY + other]
        slot = name & (judged.shape[0] - 1)
        first = even | mover << 41
        second = odd | other << 41
        # the table holds both roles: the bit above the mover tells them apart
        owned = first | (1 << 48 if attacks else 0)
        answer = UNKNOWN
        if place[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            place[ENTERING] = 0
            answer = at_once(frame, attacks, board)
            if answer != UNKNOWN:
                place[VERDICT] = answer
                ply -= 1
                continue
            if judged[slot, 0] == owned and judged[slot, 1] & low48 == second:
                bounds = judged[slot, 1] >> 48
                if frame[LEFT] <= bounds & 127:
                    answer = NO
                elif frame[LEFT] >= bounds >> 7:
                    answer = YES
                if answer != UNKNOWN:
                    place[VERDICT] = answer
                    ply -= 1
                    continue
            verdict, _ = recall(decided, mover * known[SIZE] + other, even, odd)
            if verdict == (LOST if attacks else WON):
                answer = NO
            if answer == UNKNOWN and attacks and mirrored(even, odd, mover, other, known):
                answer = NO
            if answer == UNKNOWN:
                answer = walked(frame, attacks, board, known, walk)
            if answer == UNKNOWN:
                theirs = near(even, odd, other, board)
                onward = leaps(theirs, 1 - (other & 1), known) & (odd if other & 1 else even)
                list_moves(frame, theirs, onward, True, board, known)
        elif place[VERDICT] == (YES if attacks else NO):
            answer = place[VERDICT]
        else:
            frame[NEXT] += 1
        if answer == UNKNOWN and frame[NEXT] == frame[COUNT]:
            answer = NO if attacks else YES
        if answer != UNKNOWN:
            beyond, within = 0, ENDLESS
            if judged[slot, 0] == owned and judged[slot, 1] & low48 == second:
                beyond, within = (judged[slot, 1] >> 48) & 127, judged[slot, 1] >> 55
            if answer == NO:
                beyond = max(beyond, frame[LEFT])
            else:
                within = min(within, frame[LEFT])
            judged[slot, 0] = owned
            judged[slot, 1] = second | beyond << 48 | within << 55
            place[VERDICT] = answer
            ply -= 1
            continue
        square = frame[CHILD + frame[NEXT]] & 127
        child = frames[ply + 1]
        child[EVEN], child[ODD] = take(even, odd, square)
        child[MOVER], child[OTHER] = other, square
        child[HASH] = frame[HASH] ^ known[CELL_KEY + square]
        child[LEFT] = frame[LEFT] - 1
        ply += 1
        place[ENTERING] = 1
    place[PLY] = ply
    return nodes


ASKING = 100
"""Nodes that a question counts beside its own: what asking takes."""
HOPEFUL = 41
"""Blank cells above which the distance is not sought: it would hardly be found within a move's time."""


class Distances:
    """Distances from a position with both players placed whose moves' values are all known.

    `plies[square]` is how many plies the game lasts from the position on if that move is made and both
    play best, `lines[square]` the moves of such a game. First come the moves that keep the result: one of
    them where the position is won, all where it is lost; then their lines, and `told` is set; then what is
    left, and `done`.
    """

    def __init__(self, position: Position, values: Mapping[int, bool], decided: Decided) -> None:
        self.plies: dict[int, int] = {}
        self.lines: dict[int, tuple[int, ...]] = {}
        self.told = False
        self.done = False
        self._position = position
        self._values = values
        self._won = any(values.values())
        self._decided = decided
        self._judged = np.zeros((1 << TABLE_BITS, 2), np.int64)
        self._board = board_of(position)
        self._known = lore(position.height, position.width)
        self._frames = np.zeros((PLIES, LEFT + 1), np.int64)
        self._place = np.zeros(4, np.int64)
        self._left = 0
        self._steps = self._search()

    @property
    def best(self) -> int | None:
        """Plies to the end under best play."""
        if self._won:
            return min((plies for square, plies in self.plies.items() if self._values[square]), default=None)
        return max(self.plies.values()) if len(self.plies) == len(self._values) else None

    def work(self, quota: int) -> int:
        """Go on for at most `quota` nodes (1 or more); how many were used."""
        self._left = quota
        self.done = next(self._steps, True)
        return min(quota, max(1, quota - self._left))

    def _search(self) -> Iterator[bool]:
        keeping = [square for square, wins in self._values.items() if wins == self._won]
        yield from self._measure(keeping, until_one=self._won)
        for square in self.plies:
            yield from self._follow(square)
        self.told = True
        yield from self._measure(keeping)
        yield from self._measure([square for square in self._values if square not in keeping])
        for square in self.plies:
            if square not in self.lines:
                yield from self._follow(square)

    def _measure(self, squares: list[int], until_one: bool = False) -> Iterator[bool]:
        """All of them two plies deeper each time, until each (or one) has its distance."""
        waiting = [square for square in squares if square not in self.plies]
        within = 0 if waiting and self._values[waiting[0]] else 1
        while waiting:
            for square in list(waiting):
                yield from self._ask(play(self._position, square), not self._values[square], within)
                if self._place[VERDICT] == YES:
                    self.plies[square] = within + 1
                    waiting.remove(square)
                    if until_one:
                        return
            within += 2

    def _follow(self, first: int) -> Iterator[bool]:
        """The best play after a move whose distance is known."""
        position, line = play(self._position, first), [first]
        attacking = not self._values[first]
        for left in range(self.plies[first] - 1, 0, -1):
            for square in legal_squares(position):
                line.append(square)
                # a defender's move is the longest one when the game cannot be over two plies sooner
                yield from self._ask(play(position, square), not attacking, left - (1 if attacking else 3))
                if (self._place[VERDICT] == YES) == attacking:
                    break
                line.pop()
            position = play(position, line[-1])
            attacking = not attacking
        self.lines[first] = tuple(line)

    def _ask(self, position: Position, attacks: bool, within: int) -> Iterator[bool]:
        """Does the side to move (if it attacks, else the other) win within so many plies? In `place`."""
        frame = self._frames[0]
        frame[: OTHER + 1] = *position.blank, position.mover_at, position.other_at
        frame[HASH], frame[LEFT] = 0, within
        for square in squares_in(*position.blank):
            frame[HASH] ^= self._known[CELL_KEY + square]
        self._place[:] = 0, 1, UNKNOWN, attacks
        while True:
            self._left -= advance(
                self._frames,
                self._place,
                self._judged,
                self._decided.table,
                self._decided.walk,
                self._board,
                self._known,
                self._left,
            )
            if self._place[PLY] < 0:
                break
            yield False
        self._left -= ASKING
        if self._left <= 0:
            yield False
