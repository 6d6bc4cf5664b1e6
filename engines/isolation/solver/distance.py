"""How far the end is under best play: the fastest win, the longest defence, exactly.

One search decides: does the attacker win within n plies? Iterative deepening raises n by two; the first
success is the distance. The solver's verdicts ("who wins at all") cut what cannot be won; where the players
can no longer meet, the defender takes its longest path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype
from numba.types import UniTuple, boolean, int64, void

from engines.core.jit import borrowed, inlined, kernel, tuple_type
from engines.core.records import record_type
from engines.isolation.board import Knights
from engines.isolation.position import Position
from engines.isolation.rules import legal_squares, lowest_square, occupy, play
from engines.isolation.solver.dfs import (
    ENTRY,
    LOST,
    NODE,
    PLIES,
    UNKNOWN,
    WON,
    descend,
    order_moves,
    probe,
)
from engines.isolation.solver.proof import TranspositionTable
from engines.isolation.solver.tables import SOLVER_TABLES, SolverTables, solver_tables
from engines.isolation.solver.theorems import (
    EXACT,
    PATH_STEP,
    knight_attacks,
    knight_moves,
    longest_path,
    mirrored,
    separated,
)

NO, YES = 0, 1
"""Answers, to "does the attacker win within so many plies?"."""
TABLE_BITS = 15
NEVER = 127
"""More plies than any game has."""

FRAME: Final = record_type(
    "Frame",
    **NODE,
    hash=np.int64,  # Zobrist hash of the blank cells, without the players
    plies_left=np.int64,  # plies within which the attacker must have won
)
CURSOR: Final = record_type(
    "Cursor",
    ply=np.int64,  # the frame on top of the stack; -1 when the search is over
    entering=np.int64,  # 1 where its node is still to be entered
    answer=np.int64,  # on the node that was left last
    root_attacks=np.int64,  # 1 where the side to move at the root attacks
)
BOUND: Final = record_type(
    "Bound",
    even_key=np.int64,  # int64 keys of the node, as `keys_of` packs them
    odd_key=np.int64,
    beyond=np.int32,  # plies within which the attacker does not win
    within=np.int32,  # plies within which it does
)


class DistanceState(NamedTuple):
    """A search between two slices."""

    frames: Any
    """`FRAME[PLIES]`, by ply."""
    cursor: Any
    """`CURSOR[1]`"""
    bounds: Any
    """`BOUND[2 ** TABLE_BITS]`: the transposition table, by hash; the newest entry stays."""
    entries: Any
    """`ENTRY[cells * cells, ways]`: the solver's verdicts, which are only read."""
    path: Any
    """`PATH_STEP[PLIES]`: scratch of `longest_path`."""


DISTANCE_STATE = tuple_type(
    DistanceState,
    from_dtype(FRAME)[::1],
    from_dtype(CURSOR)[::1],
    from_dtype(BOUND)[::1],
    from_dtype(ENTRY)[:, ::1],
    from_dtype(PATH_STEP)[::1],
)


@inlined
def immediate_answer(frame: np.record, attacks: bool, knights: Knights) -> int:
    """The answer where the end is here or one ply away, or too far."""
    even, odd, mover, other, left = frame.even, frame.odd, frame.mover, frame.other, frame.plies_left
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


@inlined
def path_answer(frame: np.record, attacks: bool, tables: SolverTables, path: Any) -> int:
    """The answer where the players can never meet and the paths are short enough to measure."""
    even, odd, mover, other = frame.even, frame.odd, frame.mover, frame.other
    if not separated(even, odd, mover, other, tables):
        return UNKNOWN
    defender, attacker = (other, mover) if attacks else (mover, other)
    least, most, _, _ = longest_path(even, odd, defender, EXACT, tables.knights, path)
    own_least, own_most, _, _ = longest_path(even, odd, attacker, EXACT, tables.knights, path)
    first = 1 if attacks else 0
    if own_most < least + first or 2 * least + first > frame.plies_left:
        return NO
    if own_least >= most + first and 2 * most + first <= frame.plies_left:
        return YES
    return UNKNOWN


@inlined
def keys_of(frame: np.record, attacks: bool) -> tuple[int, int]:
    """A node as two numbers. The table holds both roles: the bit above the mover tells them apart."""
    return frame.even | frame.mover << 41 | (1 << 48 if attacks else 0), frame.odd | frame.other << 41


@inlined
def enter(
    frame: np.record, attacks: bool, bound: np.record, state: DistanceState, tables: SolverTables
) -> tuple[int, bool]:
    """A node's answer without its children, and whether to store it; UNKNOWN: they are listed."""
    answer = immediate_answer(frame, attacks, tables.knights)
    if answer != UNKNOWN:
        return answer, False
    if (bound.even_key, bound.odd_key) == keys_of(frame, attacks):
        if frame.plies_left <= bound.beyond:
            return NO, False
        if frame.plies_left >= bound.within:
            return YES, False
    even, odd, mover, other = frame.even, frame.odd, frame.mover, frame.other
    verdict, _ = probe(state.entries, mover * tables.cells + other, even, odd)
    if verdict == (LOST if attacks else WON):
        return NO, True
    if attacks and mirrored(even, odd, mover, other, tables):
        return NO, True
    answer = path_answer(frame, attacks, tables, state.path)
    if answer == UNKNOWN:
        theirs = knight_moves(even, odd, other, tables.knights)
        next_theirs = knight_attacks(theirs, 1 - (other & 1), tables) & (odd if other & 1 else even)
        order_moves(frame, theirs, next_theirs, True, tables)
    return answer, True


@inlined
def store(bound: np.record, frame: np.record, attacks: bool, answer: int) -> None:
    """Writes an answer: narrows the bounds of the same node, or replaces those of another."""
    keys = keys_of(frame, attacks)
    beyond, within = 0, NEVER
    if (bound.even_key, bound.odd_key) == keys:
        beyond, within = bound.beyond, bound.within
    if answer == NO:
        beyond = max(beyond, frame.plies_left)
    else:
        within = min(within, frame.plies_left)
    bound.even_key, bound.odd_key = keys
    bound.beyond, bound.within = beyond, within


@kernel(int64(DISTANCE_STATE, SOLVER_TABLES, int64))
def advance(state: DistanceState, tables: SolverTables, quota: int) -> int:
    """Search on for at most `quota` nodes; how many there were. At the answer the cursor's ply is -1."""
    state, tables = borrowed(state), borrowed(tables)
    frames, bounds, cursor = state.frames, state.bounds, state.cursor[0]
    nodes = 0
    ply = cursor.ply
    while ply >= 0:
        frame = frames[ply]
        attacks = (cursor.root_attacks + ply) & 1 == 1
        key = frame.hash ^ tables.mover_keys[frame.mover] ^ tables.other_keys[frame.other]
        bound = bounds[key & (bounds.shape[0] - 1)]
        answer = UNKNOWN
        keep = True
        if cursor.entering == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor.entering = 0
            answer, keep = enter(frame, attacks, bound, state, tables)
        elif cursor.answer == (YES if attacks else NO):
            answer = cursor.answer
        else:
            frame.next += 1
        if answer == UNKNOWN and frame.next == frame.count:
            answer = NO if attacks else YES
        if answer != UNKNOWN:
            if keep:
                store(bound, frame, attacks, answer)
            cursor.answer = answer
            ply -= 1
            continue
        child = frames[ply + 1]
        square = descend(frame, child)
        child.hash = frame.hash ^ tables.cell_keys[square]
        child.plies_left = frame.plies_left - 1
        ply += 1
        cursor.entering = 1
    cursor.ply = ply
    return nodes


@kernel(void(DISTANCE_STATE, SOLVER_TABLES, UniTuple(int64, 4), boolean, int64))
def reset(
    state: DistanceState, tables: SolverTables, node: tuple[int, int, int, int], attacks: bool, within: int
) -> None:
    """Makes `advance` start at a node: does the attacker win within so many plies?"""
    root, cursor = state.frames[0], state.cursor[0]
    even, odd, mover, other = node
    root.even, root.odd, root.mover, root.other = even, odd, mover, other
    root.hash, root.plies_left = 0, within
    while (even | odd) != 0:
        square = lowest_square(even, odd)
        even, odd = occupy(even, odd, square)
        root.hash ^= tables.cell_keys[square]
    cursor.ply, cursor.entering, cursor.answer, cursor.root_attacks = 0, 1, UNKNOWN, attacks


SEARCH_COST = 100
"""Nodes charged per search for its set-up."""
MAX_BLANK = 41
"""Blank cells above which the distance is not sought: it would hardly be found within a move's time."""


class Distances:
    """Distances from a position with both players placed whose moves' values are all known.

    `plies[square]` is how many plies the game lasts from the position on if that move is made and both
    play best, `pvs[square]` the moves of such a game. First come the moves that keep the result: one of
    them where the position is won, all where it is lost; then their variations, and `reported` is set; then
    what is left, and `done`.
    """

    def __init__(self, position: Position, values: Mapping[int, bool], table: TranspositionTable) -> None:
        self.plies: dict[int, int] = {}
        self.pvs: dict[int, tuple[int, ...]] = {}
        self.reported = False
        self.done = False
        self._position = position
        self._values = values
        self._won = any(values.values())
        self._tables = solver_tables(position.height, position.width)
        self._state = DistanceState(
            np.zeros(PLIES, FRAME),
            np.zeros(1, CURSOR),
            np.zeros(1 << TABLE_BITS, BOUND),
            table.entries,
            table.path,
        )
        self._ply, self._answer = self._state.cursor["ply"], self._state.cursor["answer"]
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
                yield from self._search_within(play(self._position, square), not self._values[square], within)
                if self._answer[0] == YES:
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
                yield from self._search_within(
                    play(position, square), not attacking, left - (1 if attacking else 3)
                )
                if (self._answer[0] == YES) == attacking:
                    break
                pv.pop()
            position = play(position, pv[-1])
            attacking = not attacking
        self.pvs[first] = tuple(pv)

    def _search_within(self, position: Position, attacks: bool, within: int) -> Iterator[bool]:
        """Does the side to move (if it attacks, else the other) win within so many plies? In `_answer`."""
        node = (*position.blank, position.mover_at, position.other_at)
        reset(self._state, self._tables, node, attacks, within)
        while True:
            self._left -= advance(self._state, self._tables, self._left)
            if self._ply[0] < 0:
                break
            yield False
        self._left -= SEARCH_COST
        if self._left <= 0:
            yield False
