"""Who wins, exactly: a depth-first search of won and lost for two placed players, in slices.

A node is won for the side to move where some child is lost. Cut short by

- what is stuck at once or one ply later;
- the mirror theorem: where a half turn, flip or diagonal flip of the board swaps the players, maps the
  blank cells onto themselves and fixes none of them, the side to move has lost, because its opponent can
  answer every move with its image;
- separation: where no blank cell can be reached by both, the longer path wins;
- a table of positions already decided. It holds whole positions, so none is mistaken for another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import borrowed, fused, kernel
from engines.core.rng import derive
from engines.isolation.bits import lowest, popcount
from engines.isolation.board import KNIGHTS, MAX_CELLS, Table, cell_of, square_of
from engines.isolation.rules import take

LOST, WON, UNKNOWN = 0, 1, -1
"""Verdicts, for the side to move."""

MIRRORS = 5
CELL_KEY, MOVER_KEY, OTHER_KEY, SWAPPED = 5, 6, 7, 8
"""Rows of the lore: five mirror images of each square, three hash keys of each, then `[SWAPPED + a, b]`:
the mirrors that swap squares a and b, one bit each."""

EVEN, ODD, MOVER, OTHER, HASH, NEXT, COUNT, CHILD = range(8)
"""Columns of a frame: the node, its hash without the players, the child being searched, the children."""

PLY, ENTERING, VERDICT = range(3)
"""Where the search is: the frame (-1 when it is over), whether to enter its node, the last verdict."""

PLIES = MAX_CELLS + 2
FRAME = CHILD + 8
PATHS = 60
"""Steps that the search for a longest path may take before it gives up."""
STORE_FROM = 5
"""Blank cells below which a position is quicker searched than looked up."""


def _mirrors(height: int, width: int) -> list[list[int]]:
    """The images of every square under the half turn, the two flips, and both diagonals of a square board."""
    bottom, right = height - 1, width - 1
    images: list[Callable[[int, int], tuple[int, int]]] = [
        lambda r, c: (bottom - r, right - c),
        lambda r, c: (bottom - r, c),
        lambda r, c: (r, right - c),
    ]
    if height == width:
        images += [lambda r, c: (c, r), lambda r, c: (right - c, bottom - r)]
    return [
        [square_of(width, *image(*cell_of(width, square))) for square in range(height * width)]
        for image in images
    ]


@lru_cache(maxsize=MAX_CELLS)
def lore(height: int, width: int) -> Table:
    """What the solver knows of a board of that size; shared, so nobody writes to it."""
    made = np.full((SWAPPED + MAX_CELLS, MAX_CELLS), -1, np.int64)
    for row in (CELL_KEY, MOVER_KEY, OTHER_KEY):
        made[row] = [derive(row, square) for square in range(MAX_CELLS)]
    made[SWAPPED:] = 0
    for number, images in enumerate(_mirrors(height, width)):
        made[number, : len(images)] = images
        for square, image in enumerate(images):
            if image != square:
                made[SWAPPED + square, image] |= 1 << number
    return made


@fused
def mirrored(even: int, odd: int, mover: int, other: int, known: Table) -> bool:
    """Does the mirror theorem say that the side to move has lost?"""
    swaps = known[SWAPPED + mover, other]
    while swaps != 0:
        mirror = lowest(swaps)
        swaps &= swaps - 1
        holds = True
        for colour in range(2):
            rest = odd if colour == 1 else even
            while rest != 0 and holds:
                square = 2 * lowest(rest) + colour
                rest &= rest - 1
                image = known[mirror, square]
                blank = (odd if image & 1 else even) >> (image >> 1) & 1
                holds = blank == 1 and image != square
        if holds:
            return True
    return False


@fused
def apart(even: int, odd: int, mover: int, other: int, board: Table) -> bool:
    """Is there no blank cell that both could reach, however long they walked?"""
    goal = board[KNIGHTS, other] & (even if other & 1 else odd)
    goal_colour = 1 - (other & 1)
    seen_even, seen_odd = 0, 0
    colour = 1 - (mover & 1)
    fresh = board[KNIGHTS, mover] & (odd if colour == 1 else even)
    while fresh != 0:
        if colour == goal_colour and fresh & goal != 0:
            return False
        if colour == 1:
            seen_odd |= fresh
        else:
            seen_even |= fresh
        spread = 0
        while fresh != 0:
            spread |= board[KNIGHTS, 2 * lowest(fresh) + colour]
            fresh &= fresh - 1
        colour = 1 - colour
        fresh = spread & ((odd & ~seen_odd) if colour == 1 else (even & ~seen_even))
    return True


@fused
def path_bound(even: int, odd: int, at: int) -> int:
    """No path from that square through these cells has more steps: the colours take turns."""
    first, second = popcount(odd), popcount(even)
    if at & 1:
        first, second = second, first
    return min(2 * first, 2 * second + 1)


@fused
def longest_path(even: int, odd: int, at: int, board: Table, walk: NDArray[np.int64]) -> tuple[int, int]:
    """A length that a knight's path from that square surely reaches, and one that it never exceeds.

    They are equal unless the search gave up.
    """
    ceiling = path_bound(even, odd, at)
    best = 0
    depth = 0
    walk[0, 0] = at
    walk[0, 1] = board[KNIGHTS, at] & (even if at & 1 else odd)
    for _ in range(PATHS):
        rest = walk[depth, 1]
        here = walk[depth, 0]
        if rest == 0 or depth + path_bound(even, odd, here) <= best:
            if depth == 0:
                return best, best
            # leave the cell: it is blank again
            if here & 1:
                odd |= 1 << (here >> 1)
            else:
                even |= 1 << (here >> 1)
            depth -= 1
            continue
        square = 2 * lowest(rest) + 1 - (here & 1)
        walk[depth, 1] = rest & (rest - 1)
        even, odd = take(even, odd, square)
        depth += 1
        walk[depth, 0] = square
        walk[depth, 1] = board[KNIGHTS, square] & (even if square & 1 else odd)
        best = max(best, depth)
        if best == ceiling:
            return best, best
    return best, ceiling


@fused
def separated(even: int, odd: int, mover: int, other: int, board: Table, walk: NDArray[np.int64]) -> int:
    """The verdict where the players can never meet and the paths are short enough to measure."""
    least, most = longest_path(even, odd, mover, board, walk)
    other_least, other_most = longest_path(even, odd, other, board, walk)
    if least > other_most:
        return WON
    if most <= other_least:
        return LOST
    return UNKNOWN


@fused
def at_sight(
    even: int, odd: int, mover: int, other: int, board: Table, known: Table, walk: NDArray[np.int64]
) -> int:
    """The verdict where it needs no search."""
    own = board[KNIGHTS, mover] & (even if mover & 1 else odd)
    if own == 0:
        return LOST
    theirs = board[KNIGHTS, other] & (even if other & 1 else odd)
    if theirs == 0:
        return WON
    if (mover ^ other) & 1 == 0 and theirs & (theirs - 1) == 0 and own & theirs != 0:
        return WON  # takes the other's last cell
    if mirrored(even, odd, mover, other, known):
        return LOST
    if apart(even, odd, mover, other, board):
        return separated(even, odd, mover, other, board, walk)
    return UNKNOWN


@fused
def step_on(word: int, colour: int, board: Table) -> int:
    """The cells a knight move away from any cell of a word of that colour."""
    found = 0
    while word != 0:
        found |= board[KNIGHTS, 2 * lowest(word) + colour]
        word &= word - 1
    return found


@fused
def list_moves(frame: NDArray[np.int64], board: Table, known: Table, every: bool) -> int:
    """Lists the moves in the order of `next_moves` afterwards: room for the mover, none for the other.

    This order needs under a twentieth of the nodes of its opposite. Unless `every` move is wanted, those into
    a dead end are left out, for they lose while the other is not stuck; and WON is the answer where a move
    wins by the mirror theorem.
    """
    even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
    colour = 1 - (mover & 1)
    ahead, onward = (odd, even) if colour == 1 else (even, odd)
    rivals = (mover ^ other) & 1 == 0
    theirs = board[KNIGHTS, other] & (ahead if rivals else onward)
    their_next = step_on(theirs, 1 - (other & 1), board)
    their_room = popcount(theirs) + popcount(their_next & onward)
    rest = board[KNIGHTS, mover] & ahead
    count = 0
    while rest != 0:
        bit = rest & -rest
        rest ^= bit
        square = 2 * lowest(bit) + colour
        exits = board[KNIGHTS, square] & onward
        if not every:
            if exits == 0:
                continue
            if known[SWAPPED + square, other] != 0:
                next_even, next_odd = take(even, odd, square)
                if mirrored(next_even, next_odd, other, square, known):
                    return WON
        left = ahead ^ bit
        room = popcount(exits) + popcount(step_on(exits, 1 - colour, board) & left)
        if not rivals:
            room -= popcount(theirs) + popcount(their_next & left)
        elif theirs & bit == 0:
            room -= their_room
        else:
            room -= popcount(theirs) - 1 + popcount(step_on(theirs ^ bit, colour, board) & onward)
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
    return UNKNOWN


@kernel("int64(int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64)")
def advance(
    frames: NDArray[np.int64],
    place: NDArray[np.int64],
    decided: NDArray[np.int64],
    walk: NDArray[np.int64],
    board: Table,
    known: Table,
    quota: int,
) -> int:
    """Search on for at most `quota` nodes; how many there were. At the verdict `place[PLY]` is -1."""
    frames, place, decided, walk, board, known = borrowed((frames, place, decided, walk, board, known))
    nodes = 0
    mask = decided.shape[0] - 1
    ply = place[PLY]
    while ply >= 0:
        frame = frames[ply]
        even, odd, mover, other = frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER]
        slot = (frame[HASH] ^ known[MOVER_KEY, mover] ^ known[OTHER_KEY, other]) & mask
        first, second = even | mover << 41, odd | other << 41
        keep = popcount(even) + popcount(odd) >= STORE_FROM
        verdict = UNKNOWN
        if place[ENTERING] == 1:
            if nodes == quota:
                break
            nodes += 1
            place[ENTERING] = 0
            if keep and decided[slot, 0] == first and decided[slot, 1] & ((1 << 48) - 1) == second:
                place[VERDICT] = (decided[slot, 1] >> 48) - 1
                ply -= 1
                continue
            verdict = at_sight(even, odd, mover, other, board, known, walk)
            if verdict == UNKNOWN:
                verdict = list_moves(frame, board, known, False)
        elif place[VERDICT] == LOST:
            verdict = WON
        else:
            frame[NEXT] += 1
        if verdict == UNKNOWN and frame[NEXT] == frame[COUNT]:
            verdict = LOST
        if verdict != UNKNOWN:
            if keep:
                decided[slot, 0] = first
                decided[slot, 1] = second | (verdict + 1) << 48
            place[VERDICT] = verdict
            ply -= 1
            continue
        square = frame[CHILD + frame[NEXT]] & 127
        child = frames[ply + 1]
        child[EVEN], child[ODD] = take(even, odd, square)
        child[MOVER], child[OTHER] = other, square
        child[HASH] = frame[HASH] ^ known[CELL_KEY, square]
        ply += 1
        place[ENTERING] = 1
    place[PLY] = ply
    return nodes


@kernel("boolean(int64, int64, int64, int64, int64[:, ::1])")
def lost_by_mirror(even: int, odd: int, mover: int, other: int, known: Table) -> bool:
    """`mirrored` for callers in Python."""
    return mirrored(even, odd, mover, other, known)


@kernel("boolean(int64, int64, int64, int64, int64[:, ::1])")
def never_meet(even: int, odd: int, mover: int, other: int, board: Table) -> bool:
    """`apart` for callers in Python."""
    return apart(even, odd, mover, other, board)


@fused
def begin(
    frames: NDArray[np.int64], place: NDArray[np.int64], known: Table, node: tuple[int, int, int, int]
) -> None:
    """Makes `advance` start at a node."""
    even, odd, mover, other = node
    frame = frames[0]
    frame[EVEN], frame[ODD], frame[MOVER], frame[OTHER] = even, odd, mover, other
    hashed = 0
    for colour in range(2):
        rest = odd if colour == 1 else even
        while rest != 0:
            hashed ^= known[CELL_KEY, 2 * lowest(rest) + colour]
            rest &= rest - 1
    frame[HASH] = hashed
    place[PLY], place[ENTERING], place[VERDICT] = 0, 1, UNKNOWN


@kernel("void(int64[:, ::1], int64[::1], int64[:, ::1], int64, int64, int64, int64)")
def start(
    frames: NDArray[np.int64],
    place: NDArray[np.int64],
    known: Table,
    even: int,
    odd: int,
    mover: int,
    other: int,
) -> None:
    """`begin` for callers in Python."""
    begin(frames, place, known, (even, odd, mover, other))


@kernel(
    "UniTuple(int64, 2)(int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1],"
    " int64[:, ::1], int64, int64, int64, int64, int64)"
)
def judge(
    frames: NDArray[np.int64],
    place: NDArray[np.int64],
    decided: NDArray[np.int64],
    walk: NDArray[np.int64],
    board: Table,
    known: Table,
    even: int,
    odd: int,
    mover: int,
    other: int,
    quota: int,
) -> tuple[int, int]:
    """The verdict on a node, UNKNOWN if `quota` nodes do not suffice; and the nodes it took."""
    begin(frames, place, known, (even, odd, mover, other))
    nodes = advance(frames, place, decided, walk, board, known, quota)
    return (place[VERDICT] if place[PLY] < 0 else UNKNOWN), nodes
