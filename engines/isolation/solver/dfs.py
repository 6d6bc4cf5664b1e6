"""Who wins, exactly: a depth-first search of won and lost for two placed players, in slices.

A node is won for the side to move where some child is lost. Cut short by

- what is stuck at once or one ply later;
- the mirror theorem, in the first plies: where a half turn, flip or diagonal flip of the board swaps the
  players, maps the blank cells onto themselves and fixes none of them, the side to move has lost, because
  its opponent can answer every move with its image;
- separation: where no blank cell can be reached by both, the longer path wins;
- what was decided before, with its *grounds*: the cells that the winner's play steps on (its `trail`) and
  the cells that it relies on being taken (its `walls`: they bound where the loser can go). The verdict holds
  for the same two squares wherever the trail is blank and no wall is: most of the board does not matter.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import borrowed, fused, kernel
from engines.isolation.bits import lowest, popcount
from engines.isolation.board import MAX_CELLS, Knights
from engines.isolation.rules import occupy
from engines.isolation.solver.tables import SIZE, SolverTables
from engines.isolation.solver.theorems import (
    EXACT,
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

EVEN, ODD, MOVER, OTHER, NEXT, COUNT, TRAIL_EVEN, TRAIL_ODD, WALLS_EVEN, WALLS_ODD, CHILD = range(11)
"""Columns of a frame: the node, the child being searched, how many there are, the grounds, the children."""

PLY, ENTERING, VERDICT, CERTIFICATE = range(4)
"""Where the search is: the frame (-1 when it is over), whether to enter its node, the last verdict, and the
four words of its grounds."""
PLACE = CERTIFICATE + 4

PLIES = MAX_CELLS + 2
FRAME = CHILD + 8
MIRRORED = 2
"""The last ply whose nodes the mirror theorem is tried on: later it hardly ever holds."""
ENTRY = 4
"""A verdict in the table: its trail, then its walls, with the verdict above the last of them."""
ALL = (1 << 41) - 1


@fused
def separation_verdict(
    frame: NDArray[np.int64],
    own: int,
    theirs: int,
    knights: Knights,
    tables: SolverTables,
    path: NDArray[np.int64],
) -> int:
    """The verdict where the players can never meet and the paths are short enough to measure; its grounds."""
    even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
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
        frame[TRAIL_EVEN], frame[TRAIL_ODD] = trail_even, trail_odd
        frame[WALLS_EVEN], frame[WALLS_ODD] = boundary(even, odd, their_even, their_odd, other, tables)
        return WON
    if most <= other_least:
        frame[TRAIL_EVEN], frame[TRAIL_ODD] = way_even, way_odd
        frame[WALLS_EVEN], frame[WALLS_ODD] = boundary(even, odd, region_even, region_odd, mover, tables)
        return LOST
    return UNKNOWN


@fused
def order_moves(
    frame: NDArray[np.int64],
    theirs: int,
    next_theirs: int,
    with_dead_ends: bool,
    knights: Knights,
    tables: SolverTables,
) -> None:
    """Lists the moves in the order of `next_moves` afterwards: room for the mover, none for the other.

    This order needs under a twentieth of the nodes of its opposite. Where both stand on one colour, and the
    mover takes what the other wants, it also counts what the other reaches in three steps. `next_theirs` is
    where the other's moves lead on to. Moves into a dead end are left out unless `with_dead_ends`: they lose
    while the other is not stuck.
    """
    even, odd, mover = frame[EVEN], frame[ODD], frame[MOVER]
    colour = 1 - (mover & 1)
    ahead, onward = (odd, even) if colour == 1 else (even, odd)
    same_colour = (mover ^ frame[OTHER]) & 1 == 0
    rest = knights[mover] & ahead
    count = 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        square = 2 * lowest(bit) + colour
        exits = knights[square] & onward
        if exits == 0 and not with_dead_ends:
            continue
        left = ahead ^ bit
        room = popcount(exits) + popcount(knight_attacks(exits, 1 - colour, tables) & left)
        if not same_colour:
            room -= popcount(theirs) + popcount(next_theirs & left)
        else:
            still = theirs & ~bit
            beyond = next_theirs if still == theirs else knight_attacks(still, colour, tables) & onward
            third = knight_attacks(beyond, 1 - colour, tables) & left & ~still
            room -= popcount(still) + popcount(beyond) + popcount(third)
        # the most room first: a rank that sorts upwards, above the square
        entry = (128 - room) * 128 + square
        slot = count
        while slot > 0 and frame[CHILD + slot - 1] > entry:
            frame[CHILD + slot] = frame[CHILD + slot - 1]
            slot -= 1
        frame[CHILD + slot] = entry
        count += 1
    frame[COUNT] = count
    frame[NEXT] = 0


@fused
def probe(table: NDArray[np.int64], row: int, even: int, odd: int) -> tuple[int, int]:
    """A verdict of a row of the table that holds for these blank cells, and where it stands, or UNKNOWN."""
    for at in range(0, table.shape[1], ENTRY):
        walls = table[row, at + 3]
        if (
            table[row, at] & ~even | table[row, at + 1] & ~odd | table[row, at + 2] & even | walls & odd
        ) == 0:
            # an entry that was never written ends the search: nothing stands behind it
            return (walls >> 48) - 1, at
    return UNKNOWN, 0


@fused
def certify_position(frame: NDArray[np.int64]) -> None:
    """The grounds of a verdict that holds for this very position."""
    frame[TRAIL_EVEN], frame[TRAIL_ODD] = frame[EVEN], frame[ODD]
    frame[WALLS_EVEN], frame[WALLS_ODD] = ALL & ~frame[EVEN], ALL & ~frame[ODD]


@fused
def immediate_verdict(frame: NDArray[np.int64], own: int, theirs: int, knights: Knights) -> int:
    """The verdict where a side is stuck, here or after one ply; and its grounds."""
    mover, other = frame[MOVER], frame[OTHER]
    trail, walls, loser = 0, 0, mover
    verdict = UNKNOWN
    if own == 0:
        verdict = LOST
        walls = knights[mover]
    elif theirs == 0:
        verdict = WON
        trail, walls, loser = own & -own, knights[other], other
    elif (mover ^ other) & 1 == 0 and theirs & (theirs - 1) == 0 and own & theirs != 0:
        verdict = WON  # takes the other's last cell
        trail, walls, loser = theirs, knights[other] ^ theirs, other
    if verdict != UNKNOWN:
        frame[TRAIL_EVEN], frame[TRAIL_ODD] = (trail, 0) if mover & 1 else (0, trail)
        frame[WALLS_EVEN], frame[WALLS_ODD] = (walls, 0) if loser & 1 else (0, walls)
    return verdict


@fused
def certify_loss(frame: NDArray[np.int64], own: int, theirs: int, knights: Knights) -> None:
    """Adds the grounds why the moves that are not listed lose, and why there are no others."""
    mover, other = frame[MOVER], frame[OTHER]
    listed = 0
    for number in range(frame[COUNT]):
        listed |= 1 << ((frame[CHILD + number] & 127) >> 1)
    walls = knights[mover] & ~own
    rest = own & ~listed
    beyond = 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        beyond |= knights[2 * lowest(bit) + 1 - (mover & 1)]
        # the other needs a move as well
        replies = theirs & ~bit if (mover ^ other) & 1 == 0 else theirs
        if other & 1:
            if frame[TRAIL_EVEN] & replies == 0:
                frame[TRAIL_EVEN] |= replies & -replies
        elif frame[TRAIL_ODD] & replies == 0:
            frame[TRAIL_ODD] |= replies & -replies
    if mover & 1:
        frame[WALLS_EVEN] |= walls
        frame[WALLS_ODD] |= beyond
    else:
        frame[WALLS_ODD] |= walls
        frame[WALLS_EVEN] |= beyond


@kernel(
    "int64(int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[::1],"
    " int64)"
)
def advance(
    frames: NDArray[np.int64],
    cursor: NDArray[np.int64],
    entries: NDArray[np.int64],
    next_way: NDArray[np.int64],
    path: NDArray[np.int64],
    knights: Knights,
    tables: SolverTables,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. At the verdict `place[PLY]` is -1."""
    frames, cursor, entries, next_way, path, knights, tables = borrowed(
        (frames, cursor, entries, next_way, path, knights, tables)
    )
    nodes = 0
    ply = cursor[PLY]
    while ply >= 0:
        frame = frames[ply]
        even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
        row = mover * tables[SIZE] + other
        own, theirs = knight_moves(even, odd, mover, knights), knight_moves(even, odd, other, knights)
        verdict = UNKNOWN
        keep = True
        if cursor[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            cursor[ENTERING] = 0
            verdict = immediate_verdict(frame, own, theirs, knights)
            if verdict != UNKNOWN:
                keep = False
            else:
                verdict, at = probe(entries, row, even, odd)
                if verdict != UNKNOWN:
                    keep = False
                    for part in range(ENTRY):
                        frame[TRAIL_EVEN + part] = entries[row, at + part]
                    frame[WALLS_ODD] &= ALL
                elif ply <= MIRRORED and mirrored(even, odd, mover, other, tables):
                    verdict = LOST
                    certify_position(frame)
                else:
                    next_own = knight_attacks(own, 1 - (mover & 1), tables) & (odd if mover & 1 else even)
                    next_theirs = knight_attacks(theirs, 1 - (other & 1), tables) & (
                        odd if other & 1 else even
                    )
                    if (mover ^ other) & 1 == 0:
                        met = own & theirs | next_own & next_theirs
                    else:
                        met = own & next_theirs | next_own & theirs
                    if met == 0:
                        verdict = separation_verdict(frame, own, theirs, knights, tables, path)
                    if verdict == UNKNOWN:
                        order_moves(frame, theirs, next_theirs, False, knights, tables)
                        for part in range(ENTRY):
                            frame[TRAIL_EVEN + part] = 0
        else:
            square = frame[CHILD + frame[NEXT]] & 127
            bit = 1 << (square >> 1)
            # what the mover takes is no wall that the position needs
            if square & 1:
                cursor[CERTIFICATE + 3] &= ~bit
            else:
                cursor[CERTIFICATE + 2] &= ~bit
            if cursor[VERDICT] == LOST:
                verdict = WON
                for part in range(ENTRY):
                    frame[TRAIL_EVEN + part] = cursor[CERTIFICATE + part]
                if square & 1:
                    frame[TRAIL_ODD] |= bit
                else:
                    frame[TRAIL_EVEN] |= bit
            else:
                for part in range(ENTRY):
                    frame[TRAIL_EVEN + part] |= cursor[CERTIFICATE + part]
                frame[NEXT] += 1
        if verdict == UNKNOWN and frame[NEXT] == frame[COUNT]:
            verdict = LOST
            certify_loss(frame, own, theirs, knights)
        if verdict != UNKNOWN:
            for part in range(ENTRY):
                cursor[CERTIFICATE + part] = frame[TRAIL_EVEN + part]
            if keep:
                at = next_way[row]
                for part in range(ENTRY):
                    entries[row, at + part] = frame[TRAIL_EVEN + part]
                entries[row, at + 3] |= (verdict + 1) << 48
                at += ENTRY
                next_way[row] = at if at < entries.shape[1] else 0
            cursor[VERDICT] = verdict
            ply -= 1
            continue
        square = frame[CHILD + frame[NEXT]] & 127
        child = frames[ply + 1]
        child[EVEN], child[ODD] = occupy(even, odd, square)
        child[MOVER], child[OTHER] = other, square
        ply += 1
        cursor[ENTERING] = 1
    cursor[PLY] = ply
    return nodes


@kernel("boolean(int64, int64, int64, int64, int64[::1])")
def is_mirror_lost(even: int, odd: int, mover: int, other: int, tables: SolverTables) -> bool:
    """`mirrored` for callers in Python."""
    return mirrored(even, odd, mover, other, tables)


@kernel("boolean(int64, int64, int64, int64, int64[::1], int64[::1])")
def is_separated(even: int, odd: int, mover: int, other: int, knights: Knights, tables: SolverTables) -> bool:
    """`separated` for callers in Python."""
    return separated(even, odd, mover, other, knights, tables)


@fused
def reset_to(frames: NDArray[np.int64], cursor: NDArray[np.int64], node: tuple[int, int, int, int]) -> None:
    """Makes `advance` start at a node."""
    even, odd, mover, other = node
    frame = frames[0]
    frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER] = even, odd, mover, other
    cursor[PLY], cursor[ENTERING], cursor[VERDICT] = 0, 1, UNKNOWN


@kernel("void(int64[:, ::1], int64[::1], int64, int64, int64, int64)")
def start(
    frames: NDArray[np.int64], cursor: NDArray[np.int64], even: int, odd: int, mover: int, other: int
) -> None:
    """`reset_to` for callers in Python."""
    reset_to(frames, cursor, (even, odd, mover, other))


@kernel(
    "UniTuple(int64, 2)(int64[:, ::1], int64[::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[::1],"
    " int64[::1], int64, int64, int64, int64, int64)"
)
def solve_within(
    frames: NDArray[np.int64],
    cursor: NDArray[np.int64],
    entries: NDArray[np.int64],
    next_way: NDArray[np.int64],
    path: NDArray[np.int64],
    knights: Knights,
    tables: SolverTables,
    even: int,
    odd: int,
    mover: int,
    other: int,
    quota: int,
) -> tuple[int, int]:
    """The verdict on a node, UNKNOWN if `quota` nodes do not suffice; and the nodes it took."""
    reset_to(frames, cursor, (even, odd, mover, other))
    nodes = advance(frames, cursor, entries, next_way, path, knights, tables, quota)
    return (cursor[VERDICT] if cursor[PLY] < 0 else UNKNOWN), nodes
