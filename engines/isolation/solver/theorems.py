"""What decides a position without a search: mirrors of the board, who reaches what, how long paths are."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engines.core.bits import lowest, popcount
from engines.core.jit import inlined
from engines.core.records import record_type
from engines.isolation.board import Knights
from engines.isolation.rules import occupy
from engines.isolation.solver.tables import PART_SIZE, PARTS, SolverTables

MAX_PATH_STEPS = 60
"""Steps that the search for a longest path may take before it gives up."""
EXACT = 127
"""More steps than any path has."""

PATH_STEP: Final = record_type(
    "PathStep",
    square=np.int64,  # where the path has come to
    exits=np.int64,  # the moves from there that are not tried yet, a bitboard
)


@inlined
def mirrored(even: int, odd: int, mover: int, other: int, tables: SolverTables) -> bool:
    """Does the mirror theorem say that the side to move has lost?"""
    swaps = tables.swapping[mover, other]
    while swaps != 0:
        mirror = lowest(swaps)
        swaps &= swaps - 1
        holds = True
        for colour in range(2):
            rest = odd if colour == 1 else even
            while rest != 0 and holds:
                square = 2 * lowest(rest) + colour
                rest &= rest - 1
                image = tables.mirrors[mirror, square]
                blank = (odd if image & 1 else even) >> (image >> 1) & 1
                holds = blank == 1 and image != square
        if holds:
            return True
    return False


@inlined
def knight_attacks(bitboard: int, colour: int, tables: SolverTables) -> int:
    """The cells a knight move away from any cell of a bitboard of that colour."""
    attacks = tables.attacks
    at = colour * (PARTS * PART_SIZE)
    found: int = (
        attacks[at + (bitboard & 127)]
        | attacks[at + PART_SIZE + (bitboard >> 7 & 127)]
        | attacks[at + 2 * PART_SIZE + (bitboard >> 14 & 127)]
        | attacks[at + 3 * PART_SIZE + (bitboard >> 21 & 127)]
    )
    if bitboard >> 28 != 0:
        found |= attacks[at + 4 * PART_SIZE + (bitboard >> 28 & 127)]
        found |= attacks[at + 5 * PART_SIZE + (bitboard >> 35)]
    return found


@inlined
def reachable(
    even: int, odd: int, start: int, colour: int, goal_even: int, goal_odd: int, tables: SolverTables
) -> tuple[int, int, bool]:
    """The cells that can be reached from `start`, cells of that colour; and is one of them in the goal?

    Where it is, not all of them were found.
    """
    seen_even, seen_odd = 0, 0
    fresh = start
    while fresh != 0:
        if colour == 1:
            seen_odd |= fresh
            if fresh & goal_odd != 0:
                return seen_even, seen_odd, True
            fresh = knight_attacks(fresh, 1, tables) & even & ~seen_even
        else:
            seen_even |= fresh
            if fresh & goal_even != 0:
                return seen_even, seen_odd, True
            fresh = knight_attacks(fresh, 0, tables) & odd & ~seen_odd
        colour = 1 - colour
    return seen_even, seen_odd, False


@inlined
def knight_moves(even: int, odd: int, at: int, knights: Knights) -> int:
    """The blank cells a knight move away."""
    cells: int = knights[at] & (even if at & 1 else odd)
    return cells


@inlined
def separated(even: int, odd: int, mover: int, other: int, tables: SolverTables) -> bool:
    """Is there no blank cell that both could reach, however long they walk?"""
    goal = knight_moves(even, odd, other, tables.knights)
    goal_even, goal_odd = (goal, 0) if other & 1 else (0, goal)
    _, _, met = reachable(
        even,
        odd,
        knight_moves(even, odd, mover, tables.knights),
        1 - (mover & 1),
        goal_even,
        goal_odd,
        tables,
    )
    return not met


@inlined
def longest_path(
    even: int, odd: int, at: int, wanted: int, knights: Knights, path: Any
) -> tuple[int, int, int, int]:
    """A length that a knight's path from that square reaches, one that none exceeds, and the path's cells.

    The search ends as soon as so many steps as `wanted` are reached, or cannot be; with EXACT the two lengths
    are equal unless the search gave up.
    """
    ahead, behind = popcount(odd), popcount(even)
    if at & 1:
        ahead, behind = behind, ahead
    # no path has more steps: the colours take turns
    ceiling = min(2 * ahead, 2 * behind + 1)
    best, floor = 0, wanted - 1
    if wanted == EXACT:
        floor, wanted = 0, ceiling
    if ceiling < wanted:
        return 0, wanted - 1, 0, 0
    if wanted <= 0:
        return 0, ceiling, 0, 0
    trail_even, trail_odd = 0, 0
    left_even, left_odd = even, odd
    depth = 0
    path[0].square = at
    path[0].exits = knight_moves(even, odd, at, knights)
    for _ in range(MAX_PATH_STEPS):
        rest = path[depth].exits
        here = path[depth].square
        if rest == 0 or depth + min(2 * ahead, 2 * behind + 1) <= floor:
            if depth == 0:
                return best, floor, trail_even, trail_odd
            # leave the cell: it is blank again
            left_even, left_odd = occupy(left_even, left_odd, here)
            ahead, behind = behind + 1, ahead
            depth -= 1
            continue
        square = 2 * lowest(rest) + 1 - (here & 1)
        path[depth].exits = rest & (rest - 1)
        left_even, left_odd = occupy(left_even, left_odd, square)
        ahead, behind = behind, ahead - 1
        depth += 1
        path[depth].square = square
        path[depth].exits = knight_moves(left_even, left_odd, square, knights)
        if depth > floor:
            best, floor = depth, depth
            trail_even, trail_odd = even ^ left_even, odd ^ left_odd
            if best >= wanted:
                break
    return best, ceiling, trail_even, trail_odd


@inlined
def boundary(
    even: int, odd: int, region_even: int, region_odd: int, at: int, tables: SolverTables
) -> tuple[int, int]:
    """The cells that keep the player at that square within its region: taken, and a knight move away."""
    own = 1 << (at >> 1)
    from_even, from_odd = (region_even, region_odd | own) if at & 1 else (region_even | own, region_odd)
    return knight_attacks(from_odd, 1, tables) & ~even, knight_attacks(from_even, 0, tables) & ~odd
