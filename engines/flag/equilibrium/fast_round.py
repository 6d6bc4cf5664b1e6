"""A second, faster form of the complete round: pairwise collisions are precomputed.

They are computed for all action pairs (`survey_round`); a round is then at most 30 look-ups. Tests hold it
equal to `rules.play_round`. It knows positions as a round begins, after rescuers have gone home.

An *action* of a piece is one of its end cells with the shortest order that leads there; action 0 is standing.
`chosen` is int64[6], the action of each piece. A joint order of a side (the actions of its three pieces) is
numbered (a0 * n1 + a1) * n2 + a2, where n is how many actions each has.

A position in between rounds is `after`, int64[AFTER]: the cell (x + 11 y, or DEAD) of each of the six pieces,
from CARRIER the carrier of each flag, at WINNER the winner (both NOBODY where there is none). It stays a row
of numbers because training stacks a hundred thousand of them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, inlined, kernel
from engines.flag import rules
from engines.flag.position import HOMES, KEYS, MAX_DISTANCE, NEUTRAL_ROW, SIZE, STARTS
from engines.flag.rules import (
    DIRECTION,
    DISTANCE,
    NOBODY,
    Array,
    calculate_path,
    in_zone,
    meeting_step,
    swap_step,
)

Collisions = NDArray[np.int8]

MAX_ACTIONS: Final = 21
"""A piece on the open board has 20 end cells beside its own."""
NO_COLLISION: Final = -1
DEAD: Final = -1
CARRIER: Final = 6
WINNER: Final = 8
AFTER: Final = 9

_START: Final = tuple(x + SIZE * y for x, y in STARTS)
_HOME: Final = tuple(x + SIZE * y for x, y in HOMES)
_KEY: Final = tuple(x + SIZE * y for x, y in KEYS)


class Survey(NamedTuple):
    """Precomputed actions and pairwise collisions of a round, before anybody has chosen."""

    orders: Array
    """int64[6, MAX_ACTIONS, 2]: direction, and steps really made."""
    end: Array
    """int64[6, MAX_ACTIONS]: cell."""
    counts: Array
    """int64[6]: how many actions each piece has; 1 for a dead one."""
    collisions: Collisions
    """int8[6, 6, MAX_ACTIONS, MAX_ACTIONS], by piece i, piece j, action of i, action of j: the cell of their
    first meeting; if they never meet, the cell that i enters as they first exchange cells, written -2 - cell;
    NO_COLLISION if neither."""
    carriers: Array
    """int64[2]: the carrier of each flag, or NOBODY."""
    alive: Array
    """int64[1]: the living pieces as bits."""


_I8: Final = numba.types.int64
SURVEY: Final = numba.types.NamedTuple(
    (_I8[:, :, ::1], _I8[:, ::1], _I8[::1], numba.types.int8[:, :, :, ::1], _I8[::1], _I8[::1]),
    Survey,
)


@kernel(SURVEY())
def empty_survey() -> Survey:
    """Room for a survey."""
    return Survey(
        np.zeros((6, MAX_ACTIONS, 2), np.int64),
        np.zeros((6, MAX_ACTIONS), np.int64),
        np.zeros(6, np.int64),
        np.zeros((6, 6, MAX_ACTIONS, MAX_ACTIONS), np.int8),
        np.zeros(2, np.int64),
        np.zeros(1, np.int64),
    )


@compiled
def _own_land(cell: int, team: int) -> bool:
    """Is the cell in the team's own territory?"""
    return cell >= SIZE * (NEUTRAL_ROW + 1) if team == 0 else cell < SIZE * NEUTRAL_ROW


@compiled
def _list_actions(table: Array, survey: Survey) -> None:
    """All actions of each piece, in the order of directions, then distances; a dead piece only stands."""
    for piece in range(6):
        count = 0
        for direction in range(4):
            most = 0
            if table[rules.ALIVE + piece] == 1:
                most = calculate_path(table, piece, direction, MAX_DISTANCE)
            for distance in range(0 if direction == 0 else 1, most + 1):
                x = table[rules.X + piece] + rules.DX[direction] * distance
                y = table[rules.Y + piece] + rules.DY[direction] * distance
                survey.orders[piece, count, DIRECTION] = direction
                survey.orders[piece, count, DISTANCE] = distance
                survey.end[piece, count] = x + SIZE * y
                count += 1
        survey.counts[piece] = count


@compiled
def _set_out(trace: Array, piece: int, survey: Survey, action: int) -> None:
    """Put an action's path into the trace."""
    direction = survey.orders[piece, action, DIRECTION]
    steps = survey.orders[piece, action, DISTANCE]
    trace[rules.STEPS + piece] = steps
    trace[rules.STEP_X + piece] = rules.DX[direction] if steps > 0 else 0
    trace[rules.STEP_Y + piece] = rules.DY[direction] if steps > 0 else 0


@compiled
def _find_collisions(table: Array, survey: Survey) -> None:
    """What each two pieces come to, for each two of their actions."""
    collisions = survey.collisions
    trace = np.zeros(rules.TRACE, np.int64)
    for piece in range(6):
        trace[rules.FROM_X + piece] = table[rules.X + piece]
        trace[rules.FROM_Y + piece] = table[rules.Y + piece]
    for i in range(5):
        for j in range(i + 1, 6):
            both = table[rules.ALIVE + i] == 1 and table[rules.ALIVE + j] == 1
            for p in range(survey.counts[i]):
                _set_out(trace, i, survey, p)
                for q in range(survey.counts[j]):
                    collisions[i, j, p, q] = NO_COLLISION
                    collisions[j, i, q, p] = NO_COLLISION
                    if not both:
                        continue
                    _set_out(trace, j, survey, q)
                    k = meeting_step(trace, i, j)
                    if k >= 0:
                        collisions[i, j, p, q] = rules.cell_at(trace, i, k)
                        collisions[j, i, q, p] = rules.cell_at(trace, i, k)
                        continue
                    k = swap_step(trace, i, j)
                    if k > 0:
                        collisions[i, j, p, q] = -2 - rules.cell_at(trace, i, k)
                        collisions[j, i, q, p] = -2 - rules.cell_at(trace, j, k)


@kernel(numba.types.void(_I8[::1], SURVEY))
def survey_round(table: Array, survey: Survey) -> None:
    """Survey the round that begins from a table (rescuers at home)."""
    _list_actions(table, survey)
    _find_collisions(table, survey)
    survey.carriers[0] = table[rules.CARRIER]
    survey.carriers[1] = table[rules.CARRIER + 1]
    survey.alive[0] = 0
    for piece in range(6):
        survey.alive[0] |= table[rules.ALIVE + piece] << piece


@inlined
def _record(collisions: Collisions, chosen: Array, piece: int) -> int:
    """The cell of a piece's record: its first meeting in order of the others, else its first exchange."""
    exchanged = NO_COLLISION
    for other in range(6):
        if other == piece:
            continue
        cell = collisions[piece, other, chosen[piece], chosen[other]]
        if cell >= 0:
            return int(cell)
        if cell != NO_COLLISION and exchanged == NO_COLLISION:
            exchanged = -2 - int(cell)
    return exchanged


@inlined
def _jailed(collisions: Collisions, chosen: Array) -> int:
    """The pieces that are jailed, as bits: outside their land, with a record where an enemy has one too."""
    jailed = 0
    for i in range(3):
        cell = _record(collisions, chosen, i)
        if cell == NO_COLLISION:
            continue
        for j in range(3, 6):
            if _record(collisions, chosen, j) == cell:
                if not _own_land(cell, 0):
                    jailed |= 1 << i
                if not _own_land(cell, 1):
                    jailed |= 1 << j
    return jailed


@inlined
def _rescue(after: Array, team: int) -> None:
    """A piece on its team's key frees the prisoners; all of them, and the last such piece, go to their start.

    The rescuer goes home when the next round begins, which is the moment that `after` shows.
    """
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


@inlined
def fast_round(survey: Survey, chosen: Array, after: Array) -> None:
    """The position as the next round begins when each piece takes its chosen action."""
    jailed = _jailed(survey.collisions, chosen)
    alive = survey.alive[0] & ~jailed
    for piece in range(6):
        after[piece] = survey.end[piece, chosen[piece]] if (alive >> piece) & 1 else DEAD
    after[WINNER] = NOBODY
    for flag in range(2):
        carrier = survey.carriers[flag]
        if carrier != NOBODY and (jailed >> carrier) & 1:
            carrier = NOBODY
            for piece in range(3 * flag, 3 * flag + 3):
                cell = after[piece]
                if cell != DEAD and in_zone(cell % SIZE, cell // SIZE, flag):
                    after[piece] = _START[piece]
        after[CARRIER + flag] = carrier
    for piece in range(6):
        flag = 1 - piece // 3
        if after[piece] == _HOME[flag] and after[CARRIER + flag] == NOBODY:
            after[CARRIER + flag] = piece
        if after[CARRIER + flag] == piece and _own_land(after[piece], 1 - flag):
            after[WINNER] = 1 - flag
    _rescue(after, 0)
    _rescue(after, 1)


@compiled
def action_of(survey: Survey, piece: int, direction: int, steps: int) -> int:
    """The action by which a piece makes so many steps in a direction."""
    for action in range(survey.counts[piece]):
        if survey.orders[piece, action, DISTANCE] == steps and (
            steps == 0 or survey.orders[piece, action, DIRECTION] == direction
        ):
            return action
    return 0


@compiled
def choose_orders(table: Array, orders: Array, survey: Survey, side: int, chosen: Array) -> None:
    """The actions that a side's orders (int64[6, 2]) come to, into `chosen`."""
    for piece in range(3 * side, 3 * side + 3):
        steps = 0
        if table[rules.ALIVE + piece] == 1:
            steps = calculate_path(table, piece, orders[piece, DIRECTION], orders[piece, DISTANCE])
        chosen[piece] = action_of(survey, piece, orders[piece, DIRECTION], steps)


@compiled
def choose_joint_order(counts: Array, side: int, order: int, chosen: Array) -> None:
    """The actions of a joint order by its number, into `chosen`."""
    first = 3 * side
    chosen[first + 2] = order % counts[first + 2]
    chosen[first + 1] = order // counts[first + 2] % counts[first + 1]
    chosen[first] = order // (counts[first + 2] * counts[first + 1])


@kernel("void(int64[::1], int64[:, ::1], int64[::1])")
def fast_round_by_orders(table: Array, orders: Array, after: Array) -> None:
    """One round by orders: what tests hold against the rules."""
    survey = empty_survey()
    survey_round(table, survey)
    chosen = np.zeros(6, np.int64)
    choose_orders(table, orders, survey, 0, chosen)
    choose_orders(table, orders, survey, 1, chosen)
    fast_round(survey, chosen, after)


@kernel("void(int64[::1], int64[::1])")
def unpack(after: Array, table: Array) -> None:
    """The table of a position in between rounds."""
    table[:] = 0
    for piece in range(6):
        cell = after[piece]
        table[rules.X + piece] = max(cell, 0) % SIZE
        table[rules.Y + piece] = max(cell, 0) // SIZE
        table[rules.ALIVE + piece] = 1 if cell != DEAD else 0
    for flag in range(2):
        table[rules.CARRIER + flag] = after[CARRIER + flag]
        table[rules.ZONE + flag] = 1 if after[CARRIER + flag] == NOBODY else 0
    table[rules.WINNER] = after[WINNER]
