"""A second, faster form of the complete round: every end cell of every piece is surveyed once, then joint
orders are settled by looking up who meets whom. Tests hold it equal to `rules.play_round`.

It knows positions as a round begins, after rescuers have gone home. A piece's `way` is one of its end
cells with its shortest order; standing is way 0. `touch[i, j, p, q]` says what piece i gets from piece j
when they go ways p and q: the cell of their first meeting; if they never meet, the cell that i enters as
they first exchange cells, written -2 - cell; NOTHING if neither. A settled position is `int64[AFTER]`: a
cell or DEAD for each piece, then the carrier of each flag and the winner, as in `rules`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import fused, inline, kernel
from engines.core.rng import State, below
from engines.flag import rules
from engines.flag.position import HOMES, KEYS, MAX_DISTANCE, NEUTRAL_ROW, SIZE, STARTS
from engines.flag.rules import NOBODY, Array, calculate_path, exchange_of_cells, in_zone, meeting

Touch = NDArray[np.int8]

MOST_WAYS: Final = 21

# A way: its order, its end cell, and whether standing there may change more than where pieces are.
DIRECTION: Final = 0
DISTANCE: Final = 1
END: Final = 2
EVENT: Final = 3
WAY: Final = 4

NOTHING: Final = -1
DEAD: Final = -1
CARRIERS: Final = 6
VICTOR: Final = 8
AFTER: Final = 9

_START: Final = tuple(x + SIZE * y for x, y in STARTS)
_HOME: Final = tuple(x + SIZE * y for x, y in HOMES)
_KEY: Final = tuple(x + SIZE * y for x, y in KEYS)


@inline
def _home_row(cell: int, team: int) -> bool:
    """Is the cell in the team's own territory?"""
    return cell >= SIZE * (NEUTRAL_ROW + 1) if team == 0 else cell < SIZE * NEUTRAL_ROW


@kernel("void(int64[::1], int64[:, :, ::1], int64[::1])")
def find_ways(table: Array, ways: Array, counts: Array) -> None:
    """All ways of each piece, in the order of directions, then distances; a dead piece has way 0 alone."""
    for piece in range(6):
        team = piece // 3
        mine = range(3 * team, 3 * team + 3)
        jailed = False
        for other in mine:
            jailed = jailed or table[rules.ALIVE + other] == 0
        count = 0
        for direction in range(4):
            most = 0
            if table[rules.ALIVE + piece] == 1:
                most = calculate_path(table, piece, direction, MAX_DISTANCE)
            for distance in range(0 if direction == 0 else 1, most + 1):
                x = table[rules.X + piece] + rules.DX[direction] * distance
                y = table[rules.Y + piece] + rules.DY[direction] * distance
                cell = x + SIZE * y
                carries = table[rules.CARRIER + 1 - team] == piece
                free = table[rules.CARRIER + 1 - team] == NOBODY
                ways[piece, count, DIRECTION] = direction
                ways[piece, count, DISTANCE] = distance
                ways[piece, count, END] = cell
                ways[piece, count, EVENT] = (
                    (carries and _home_row(cell, team))
                    or (free and cell == _HOME[1 - team])
                    or (jailed and cell == _KEY[team])
                )
                count += 1
        counts[piece] = count


@inline
def _swap_ways(ways: Array, piece: int, one: int, two: int) -> None:
    for field in range(WAY):
        ways[piece, one, field], ways[piece, two, field] = ways[piece, two, field], ways[piece, one, field]


@kernel("void(int64[::1], int64[:, :, ::1], int64[::1], int64)")
def thin_ways(random: State, ways: Array, counts: Array, most: int) -> None:
    """Leave each piece standing, the ways that end in an event, and as many others as `most` allows."""
    for piece in range(6):
        kept = 1
        for way in range(1, counts[piece]):
            if ways[piece, way, EVENT] and kept < most:
                _swap_ways(ways, piece, kept, way)
                kept += 1
        while kept < most and kept < counts[piece]:
            _swap_ways(ways, piece, kept, kept + below(random, counts[piece] - kept))
            kept += 1
        counts[piece] = kept


@inline
def _cell(trace: Array, piece: int, k: int) -> int:
    steps = min(k, trace[rules.STEPS + piece])
    x = trace[rules.FROM_X + piece] + trace[rules.STEP_X + piece] * steps
    y = trace[rules.FROM_Y + piece] + trace[rules.STEP_Y + piece] * steps
    cell: int = x + SIZE * y
    return cell


@inline
def _set_out(trace: Array, piece: int, ways: Array, way: int) -> None:
    direction = ways[piece, way, DIRECTION]
    steps = ways[piece, way, DISTANCE]
    trace[rules.STEPS + piece] = steps
    trace[rules.STEP_X + piece] = rules.DX[direction] if steps > 0 else 0
    trace[rules.STEP_Y + piece] = rules.DY[direction] if steps > 0 else 0


@kernel("void(int64[::1], int64[:, :, ::1], int64[::1], int8[:, :, :, ::1])")
def survey(table: Array, ways: Array, counts: Array, touch: Touch) -> None:
    """Who touches whom, for each two pieces and each two of their ways."""
    trace = np.zeros(rules.TRACE, np.int64)
    for piece in range(6):
        trace[rules.FROM_X + piece] = table[rules.X + piece]
        trace[rules.FROM_Y + piece] = table[rules.Y + piece]
    for i in range(5):
        for j in range(i + 1, 6):
            both = table[rules.ALIVE + i] == 1 and table[rules.ALIVE + j] == 1
            for p in range(counts[i]):
                _set_out(trace, i, ways, p)
                for q in range(counts[j]):
                    touch[i, j, p, q] = NOTHING
                    touch[j, i, q, p] = NOTHING
                    if not both:
                        continue
                    _set_out(trace, j, ways, q)
                    k = meeting(trace, i, j)
                    if k >= 0:
                        touch[i, j, p, q] = _cell(trace, i, k)
                        touch[j, i, q, p] = _cell(trace, i, k)
                        continue
                    k = exchange_of_cells(trace, i, j)
                    if k > 0:
                        touch[i, j, p, q] = -2 - _cell(trace, i, k)
                        touch[j, i, q, p] = -2 - _cell(trace, j, k)


@fused
def _record(touch: Touch, chosen: Array, piece: int) -> int:
    """The cell of a piece's record: its first meeting in order of the others, else its first exchange."""
    exchanged = NOTHING
    for other in range(6):
        if other == piece:
            continue
        cell = touch[piece, other, chosen[piece], chosen[other]]
        if cell >= 0:
            return int(cell)
        if cell != NOTHING and exchanged == NOTHING:
            exchanged = -2 - int(cell)
    return exchanged


@fused
def _jailed(touch: Touch, chosen: Array) -> int:
    """The pieces that are jailed, as bits: outside their land, with a record where an enemy has one too."""
    jailed = 0
    for i in range(3):
        cell = _record(touch, chosen, i)
        if cell == NOTHING:
            continue
        for j in range(3, 6):
            if _record(touch, chosen, j) == cell:
                if not _home_row(cell, 0):
                    jailed |= 1 << i
                if not _home_row(cell, 1):
                    jailed |= 1 << j
    return jailed


@fused
def settle(ways: Array, touch: Touch, carriers: Array, chosen: Array, after: Array) -> None:
    """The position as the next round begins when each piece goes its chosen way.

    `carriers` holds the carrier of each flag, then the living pieces as bits.
    """
    jailed = _jailed(touch, chosen)
    alive = carriers[2] & ~jailed
    for piece in range(6):
        after[piece] = ways[piece, chosen[piece], END] if (alive >> piece) & 1 else DEAD
    after[VICTOR] = NOBODY
    for flag in range(2):
        carrier = carriers[flag]
        if carrier != NOBODY and (jailed >> carrier) & 1:
            carrier = NOBODY
            for piece in range(3 * flag, 3 * flag + 3):
                cell = after[piece]
                if cell != DEAD and in_zone(cell % SIZE, cell // SIZE, flag):
                    after[piece] = _START[piece]
        after[CARRIERS + flag] = carrier
    for piece in range(6):
        flag = 1 - piece // 3
        if after[piece] == _HOME[flag] and after[CARRIERS + flag] == NOBODY:
            after[CARRIERS + flag] = piece
        if after[CARRIERS + flag] == piece and _home_row(after[piece], 1 - flag):
            after[VICTOR] = 1 - flag
    for team in range(2):
        first = 3 * team
        dead = after[first] == DEAD or after[first + 1] == DEAD or after[first + 2] == DEAD
        rescuer = NOBODY
        for piece in range(first, first + 3):
            if dead and after[piece] == _KEY[team]:
                rescuer = piece
        if rescuer != NOBODY:
            for piece in range(first, first + 3):
                if after[piece] == DEAD or piece == rescuer:
                    after[piece] = _START[piece]


@inline
def stand_of(table: Array) -> Array:
    """The carriers of both flags, and the living pieces as bits: what does not depend on the orders."""
    found = np.zeros(3, np.int64)
    found[0] = table[rules.CARRIER]
    found[1] = table[rules.CARRIER + 1]
    for piece in range(6):
        found[2] |= table[rules.ALIVE + piece] << piece
    return found


@kernel("void(int64[::1], int64[:, ::1], int64[::1])")
def settle_once(table: Array, orders: Array, after: Array) -> None:
    """One round by orders, settled: for tests."""
    ways = np.zeros((6, MOST_WAYS, WAY), np.int64)
    counts = np.zeros(6, np.int64)
    touch = np.zeros((6, 6, MOST_WAYS, MOST_WAYS), np.int8)
    find_ways(table, ways, counts)
    survey(table, ways, counts, touch)
    chosen = np.zeros(6, np.int64)
    for piece in range(6):
        if table[rules.ALIVE + piece] == 1:
            steps = calculate_path(table, piece, orders[piece, 0], orders[piece, 1])
            for way in range(counts[piece]):
                if ways[piece, way, DISTANCE] == steps and (
                    steps == 0 or ways[piece, way, DIRECTION] == orders[piece, 0]
                ):
                    chosen[piece] = way
    settle(ways, touch, stand_of(table), chosen, after)


@kernel("void(int64[::1], int64[::1])")
def lay_out(after: Array, table: Array) -> None:
    """The table of a settled position."""
    table[:] = 0
    for piece in range(6):
        cell = after[piece]
        table[rules.X + piece] = max(cell, 0) % SIZE
        table[rules.Y + piece] = max(cell, 0) // SIZE
        table[rules.ALIVE + piece] = 1 if cell != DEAD else 0
    for team in range(2):
        table[rules.CARRIER + team] = after[CARRIERS + team]
        table[rules.ZONE + team] = 1 if after[CARRIERS + team] == NOBODY else 0
    table[rules.WINNER] = after[VICTOR]
