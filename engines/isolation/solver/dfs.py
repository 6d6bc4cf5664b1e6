"""Who wins, exactly: a depth-first search of won and lost for two placed players, in slices.

A node is won for the side to move where some child is lost. Cut short by

- what is stuck at once or one ply later;
- the mirror theorem, in the first plies: where a half turn, flip or diagonal flip of the board swaps the
  players, maps the blank cells onto themselves and fixes none of them, the side to move has lost, because
  its opponent can answer every move with its image;
- separation: where no blank cell can be reached by both, the longer path wins;
- the transposition table, which keeps verdicts with their *certificates*: the cells that the winner's play
  steps on (its `trail`) and the cells that it relies on being taken (its `walls`: they bound where the loser
  can go). The verdict holds for the same two squares wherever the trail is blank and no wall is: most of the
  board does not matter.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype
from numba.types import UniTuple, boolean, int64, void
from numpy.typing import NDArray

from engines.core.bits import lowest, popcount
from engines.core.jit import borrowed, inlined, kernel, tuple_type
from engines.core.records import record_type
from engines.isolation.board import MAX_CELLS
from engines.isolation.rules import occupy
from engines.isolation.solver.tables import SOLVER_TABLES, SolverTables
from engines.isolation.solver.theorems import (
    EXACT,
    PATH_STEP,
    boundary,
    knight_attacks,
    knight_moves,
    longest_path,
    mirrored,
    reachable,
    separated,
)

LOST, WON, UNKNOWN = 0, 1, -1
"""Verdicts, for the side to move."""

PLIES = MAX_CELLS + 2
"""Frames of a stack: a game has at most MAX_CELLS plies."""
MIRRORED = 2
"""The last ply whose nodes the mirror theorem is tried on: later it hardly ever holds."""
ALL = (1 << 41) - 1
"""A bitboard's bits."""
VERDICT_BIT = 48
"""From this bit on an entry's last bitboard holds the verdict + 1: four numbers are half a cache line."""

CERTIFICATE: Final = {
    "trail_even": np.int64,  # cells that the winner's play steps on, bitboards
    "trail_odd": np.int64,
    "walls_even": np.int64,  # cells that it relies on being taken
    "walls_odd": np.int64,
}
NODE: Final = {
    "even": np.int64,  # blank cells, a bitboard for each colour
    "odd": np.int64,
    "mover": np.int64,  # squares
    "other": np.int64,
    "next": np.int64,  # the child being searched, and how many there are
    "count": np.int64,
    "children": (np.int64, (8,)),  # moves in the order of search: a rank, and in the low 7 bits the square
}
FRAME: Final = record_type(
    "Frame",
    **NODE,
    **CERTIFICATE,
)
CURSOR: Final = record_type(
    "Cursor",
    ply=np.int64,  # the frame on top of the stack; -1 when the search is over
    entering=np.int64,  # 1 where its node is still to be entered
    verdict=np.int64,  # on the node that was left last, with its certificate
    **CERTIFICATE,
)
ENTRY: Final = record_type(
    "Entry",
    trail_even=np.int64,
    trail_odd=np.int64,
    walls_even=np.int64,
    walls_odd_and_verdict=np.int64,  # 0 where nothing was written yet
)


class SolverState(NamedTuple):
    """A search between two slices, with the transposition table that it shares."""

    frames: Any
    """`FRAME[PLIES]`, by ply."""
    cursor: Any
    """`CURSOR[1]`"""
    entries: Any
    """`ENTRY[cells * cells, ways]`: verdicts by the squares of the side to move and of the other."""
    next_way: NDArray[np.int64]
    """`int64[cells * cells]`: which entry of a row is overwritten next, the oldest."""
    path: Any
    """`PATH_STEP[PLIES]`: scratch of `longest_path`."""


SOLVER_STATE = tuple_type(
    SolverState,
    from_dtype(FRAME)[::1],
    from_dtype(CURSOR)[::1],
    from_dtype(ENTRY)[:, ::1],
    int64[::1],
    from_dtype(PATH_STEP)[::1],
)


@inlined
def separation_verdict(frame: np.record, own: int, theirs: int, tables: SolverTables, path: Any) -> int:
    """The verdict where the players can never meet and the paths are short enough to measure, certified."""
    even, odd, mover, other = frame.even, frame.odd, frame.mover, frame.other
    knights = tables.knights
    goal_even, goal_odd = (theirs, 0) if other & 1 else (0, theirs)
    region_even, region_odd, met = reachable(even, odd, own, 1 - (mover & 1), goal_even, goal_odd, tables)
    if met:
        return UNKNOWN
    their_even, their_odd, _ = reachable(even, odd, theirs, 1 - (other & 1), 0, 0, tables)
    # the smaller region is measured, the other asked whether it has as long a path
    if popcount(region_even) + popcount(region_odd) <= popcount(their_even) + popcount(their_odd):
        least, most, trail_even, trail_odd = longest_path(
            region_even, region_odd, mover, EXACT, knights, path
        )
        other_least, other_most, way_even, way_odd = longest_path(
            their_even, their_odd, other, most, knights, path
        )
    else:
        other_least, other_most, way_even, way_odd = longest_path(
            their_even, their_odd, other, EXACT, knights, path
        )
        least, most, trail_even, trail_odd = longest_path(
            region_even, region_odd, mover, other_most + 1, knights, path
        )
    if least > other_most:
        frame.trail_even, frame.trail_odd = trail_even, trail_odd
        frame.walls_even, frame.walls_odd = boundary(even, odd, their_even, their_odd, other, tables)
        return WON
    if most <= other_least:
        frame.trail_even, frame.trail_odd = way_even, way_odd
        frame.walls_even, frame.walls_odd = boundary(even, odd, region_even, region_odd, mover, tables)
        return LOST
    return UNKNOWN


@inlined
def order_moves(
    frame: np.record, theirs: int, next_theirs: int, with_dead_ends: bool, tables: SolverTables
) -> None:
    """Lists the moves in the order of `next_moves` afterwards: room for the mover, none for the other.

    This order needs under a twentieth of the nodes of its opposite. Where both stand on one colour, and the
    mover takes what the other wants, it also counts what the other reaches in three steps. `next_theirs` is
    where the other's moves lead on to. Moves into a dead end are left out unless `with_dead_ends`: they lose
    while the other is not stuck.
    """
    even, odd, mover = frame.even, frame.odd, frame.mover
    colour = 1 - (mover & 1)
    ahead, continuation = (odd, even) if colour == 1 else (even, odd)
    same_colour = (mover ^ frame.other) & 1 == 0
    rest = tables.knights[mover] & ahead
    children = frame.children
    count = 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        square = 2 * lowest(bit) + colour
        exits = tables.knights[square] & continuation
        if exits == 0 and not with_dead_ends:
            continue
        left = ahead ^ bit
        room = popcount(exits) + popcount(knight_attacks(exits, 1 - colour, tables) & left)
        if not same_colour:
            room -= popcount(theirs) + popcount(next_theirs & left)
        else:
            still = theirs & ~bit
            beyond = next_theirs if still == theirs else knight_attacks(still, colour, tables) & continuation
            third = knight_attacks(beyond, 1 - colour, tables) & left & ~still
            room -= popcount(still) + popcount(beyond) + popcount(third)
        # the most room first: a rank that sorts upwards, above the square
        child = (128 - room) * 128 + square
        slot = count
        while slot > 0 and children[slot - 1] > child:
            children[slot] = children[slot - 1]
            slot -= 1
        children[slot] = child
        count += 1
    frame.count = count
    frame.next = 0


@inlined
def probe(entries: Any, row: int, even: int, odd: int) -> tuple[int, int]:
    """A verdict of a row of the table that holds for these blank cells, and its way, or UNKNOWN."""
    for way in range(entries.shape[1]):
        entry = entries[row, way]
        walls = entry.walls_odd_and_verdict
        if (entry.trail_even & ~even | entry.trail_odd & ~odd | entry.walls_even & even | walls & odd) == 0:
            # an entry that was never written ends the search: nothing stands behind it
            return (walls >> VERDICT_BIT) - 1, way
    return UNKNOWN, 0


@inlined
def store(state: SolverState, row: int, frame: np.record, verdict: int) -> None:
    """Writes a frame's verdict over the oldest entry of its row."""
    way = state.next_way[row]
    entry = state.entries[row, way]
    entry.trail_even, entry.trail_odd = frame.trail_even, frame.trail_odd
    entry.walls_even = frame.walls_even
    entry.walls_odd_and_verdict = frame.walls_odd | (verdict + 1) << VERDICT_BIT
    way += 1
    state.next_way[row] = way if way < state.entries.shape[1] else 0


@inlined
def certify(winner: np.record, trail: tuple[int, int], walls: tuple[int, int]) -> None:
    """Writes a certificate."""
    winner.trail_even, winner.trail_odd = trail
    winner.walls_even, winner.walls_odd = walls


@inlined
def immediate_verdict(frame: np.record, own: int, theirs: int, tables: SolverTables) -> int:
    """The verdict where a side is stuck, here or after one ply, certified."""
    mover, other = frame.mover, frame.other
    trail, walls, loser = 0, 0, mover
    verdict = UNKNOWN
    if own == 0:
        verdict = LOST
        walls = tables.knights[mover]
    elif theirs == 0:
        verdict = WON
        trail, walls, loser = own & -own, tables.knights[other], other
    elif (mover ^ other) & 1 == 0 and theirs & (theirs - 1) == 0 and own & theirs != 0:
        verdict = WON  # takes the other's last cell
        trail, walls, loser = theirs, tables.knights[other] ^ theirs, other
    if verdict != UNKNOWN:
        frame.trail_even, frame.trail_odd = (trail, 0) if mover & 1 else (0, trail)
        frame.walls_even, frame.walls_odd = (walls, 0) if loser & 1 else (0, walls)
    return verdict


@inlined
def certify_loss(frame: np.record, own: int, theirs: int, tables: SolverTables) -> None:
    """Adds to the certificate why the moves that are not listed lose, and why there are no others."""
    mover, other = frame.mover, frame.other
    listed = 0
    for number in range(frame.count):
        listed |= 1 << ((frame.children[number] & 127) >> 1)
    walls = tables.knights[mover] & ~own
    rest = own & ~listed
    beyond = 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        beyond |= tables.knights[2 * lowest(bit) + 1 - (mover & 1)]
        # the other needs a move as well
        replies = theirs & ~bit if (mover ^ other) & 1 == 0 else theirs
        if other & 1:
            if frame.trail_even & replies == 0:
                frame.trail_even |= replies & -replies
        elif frame.trail_odd & replies == 0:
            frame.trail_odd |= replies & -replies
    if mover & 1:
        frame.walls_even |= walls
        frame.walls_odd |= beyond
    else:
        frame.walls_odd |= walls
        frame.walls_even |= beyond


@inlined
def enter(
    frame: np.record, ply: int, own: int, theirs: int, state: SolverState, tables: SolverTables
) -> tuple[int, bool]:
    """A node's verdict without its children, certified, and whether to store it; UNKNOWN: they are listed."""
    even, odd, mover, other = frame.even, frame.odd, frame.mover, frame.other
    verdict = immediate_verdict(frame, own, theirs, tables)
    if verdict != UNKNOWN:
        return verdict, False
    row = mover * tables.cells + other
    verdict, way = probe(state.entries, row, even, odd)
    if verdict != UNKNOWN:
        entry = state.entries[row, way]
        certify(
            frame,
            (entry.trail_even, entry.trail_odd),
            (entry.walls_even, entry.walls_odd_and_verdict & ALL),
        )
        return verdict, False
    if ply <= MIRRORED and mirrored(even, odd, mover, other, tables):
        # the theorem speaks of this very position: all of it matters
        certify(frame, (even, odd), (ALL & ~even, ALL & ~odd))
        return LOST, True
    next_own = knight_attacks(own, 1 - (mover & 1), tables) & (odd if mover & 1 else even)
    next_theirs = knight_attacks(theirs, 1 - (other & 1), tables) & (odd if other & 1 else even)
    if (mover ^ other) & 1 == 0:
        met = own & theirs | next_own & next_theirs
    else:
        met = own & next_theirs | next_own & theirs
    if met == 0:
        verdict = separation_verdict(frame, own, theirs, tables, state.path)
    if verdict == UNKNOWN:
        order_moves(frame, theirs, next_theirs, False, tables)
        certify(frame, (0, 0), (0, 0))
    return verdict, True


@inlined
def back_up(frame: np.record, child: np.record) -> int:
    """The verdict after that of the child which was searched: WON where it lost, else UNKNOWN.

    `child` is the cursor, which holds its verdict and certificate.
    """
    square = frame.children[frame.next] & 127
    bit = 1 << (square >> 1)
    # what the mover takes is no wall that the position needs
    if square & 1:
        child.walls_odd &= ~bit
    else:
        child.walls_even &= ~bit
    if child.verdict == LOST:
        certify(frame, (child.trail_even, child.trail_odd), (child.walls_even, child.walls_odd))
        if square & 1:
            frame.trail_odd |= bit
        else:
            frame.trail_even |= bit
        return WON
    frame.trail_even |= child.trail_even
    frame.trail_odd |= child.trail_odd
    frame.walls_even |= child.walls_even
    frame.walls_odd |= child.walls_odd
    frame.next += 1
    return UNKNOWN


@inlined
def descend(frame: np.record, child: np.record) -> int:
    """Makes the move that is next; the child gets the node behind it. The square."""
    square: int = frame.children[frame.next] & 127
    child.even, child.odd = occupy(frame.even, frame.odd, square)
    child.mover, child.other = frame.other, square
    return square


@kernel(int64(SOLVER_STATE, SOLVER_TABLES, int64))
def advance(state: SolverState, tables: SolverTables, quota: int) -> int:
    """Search on for at most `quota` nodes; how many there were. At the verdict the cursor's ply is -1."""
    state, tables = borrowed(state), borrowed(tables)
    frames, cursor = state.frames, state.cursor[0]
    nodes = 0
    ply = cursor.ply
    while ply >= 0:
        frame = frames[ply]
        own = knight_moves(frame.even, frame.odd, frame.mover, tables.knights)
        theirs = knight_moves(frame.even, frame.odd, frame.other, tables.knights)
        keep = True
        if cursor.entering == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor.entering = 0
            verdict, keep = enter(frame, ply, own, theirs, state, tables)
        else:
            verdict = back_up(frame, cursor)
        if verdict == UNKNOWN and frame.next == frame.count:
            verdict = LOST
            certify_loss(frame, own, theirs, tables)
        if verdict != UNKNOWN:
            certify(cursor, (frame.trail_even, frame.trail_odd), (frame.walls_even, frame.walls_odd))
            if keep:
                store(state, frame.mover * tables.cells + frame.other, frame, verdict)
            cursor.verdict = verdict
            ply -= 1
            continue
        descend(frame, frames[ply + 1])
        ply += 1
        cursor.entering = 1
    cursor.ply = ply
    return nodes


@kernel(boolean(int64, int64, int64, int64, SOLVER_TABLES))
def is_mirror_lost(even: int, odd: int, mover: int, other: int, tables: SolverTables) -> bool:
    """`mirrored` for callers in Python."""
    return mirrored(even, odd, mover, other, tables)


@kernel(boolean(int64, int64, int64, int64, SOLVER_TABLES))
def is_separated(even: int, odd: int, mover: int, other: int, tables: SolverTables) -> bool:
    """`separated` for callers in Python."""
    return separated(even, odd, mover, other, tables)


@kernel(void(SOLVER_STATE, UniTuple(int64, 4)))
def reset(state: SolverState, node: tuple[int, int, int, int]) -> None:
    """Makes `advance` start at a node: even, odd, mover, other."""
    root, cursor = state.frames[0], state.cursor[0]
    root.even, root.odd, root.mover, root.other = node
    cursor.ply, cursor.entering, cursor.verdict = 0, 1, UNKNOWN


@kernel(UniTuple(int64, 2)(SOLVER_STATE, SOLVER_TABLES, UniTuple(int64, 4), int64))
def solve_within(
    state: SolverState, tables: SolverTables, node: tuple[int, int, int, int], quota: int
) -> tuple[int, int]:
    """The verdict on a node, UNKNOWN if `quota` nodes do not suffice; and the nodes it took."""
    reset(state, node)
    nodes = advance(state, tables, quota)
    return (state.cursor[0].verdict if state.cursor[0].ply < 0 else UNKNOWN), nodes
