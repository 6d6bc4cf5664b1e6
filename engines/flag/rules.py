"""The rules, compiled: paths, meetings, jail, flags, keys and the score, on one flat table.

A table is an `int64[TABLE]` array, a round's trace an `int64[TRACE]` array and its events rows of an
`int64[EVENTS, 3]` array; the constants name their fields (`table[X + piece]`) and the columns of orders.
Kernels change table, trace and log in place: callers hand in scratch. Flat rows rather than records, since a
round takes 0.4 us, tables are copied for each, and the same code runs without the compiler, where reading a
record's field costs ten times as much as reading an array.

Steps are numbered as in docs/games/flag.md.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, inlined, kernel
from engines.flag import position
from engines.flag.position import HOMES, KEYS, MAX_DISTANCE, NEUTRAL_ROW, SIZE, STARTS, Piece, Position

Array = NDArray[np.int64]

# The table.
X: Final = 0  # [6] column of each piece, 0..10
Y: Final = 6  # [6] row, 0..10
ALIVE: Final = 12  # [6] 1, or 0 in jail
PENDING: Final = 18  # [6] 1 for a rescuer that goes home when the next round begins
CARRIER: Final = 24  # [2] by flag: the piece that carries it, or NOBODY
ZONE: Final = 26  # [2] by team: 1 while its no-guard zone is active
WINNER: Final = 28  # the team that has won, or NOBODY
TABLE: Final = 29
NOBODY: Final = -1

# The trace of a round.
FROM_X: Final = 0  # [6] where each piece's path begins
FROM_Y: Final = 6  # [6]
STEP_X: Final = 12  # [6] cells a step, -1..1
STEP_Y: Final = 18  # [6]
STEPS: Final = 24  # [6] steps really made, 0..10
RECORD: Final = 30  # [6] the cell of a piece's collision record (x + 11 y), or NO_RECORD
SEQUENCE: Final = 36  # [6] the pieces with a record, in the order in which these were made
RECORDS: Final = 42  # how many there are
LOGGED: Final = 43  # how many events
TRACE: Final = 44
NO_RECORD: Final = -1

# Orders of all pieces, int64[6, 2]: the columns.
DIRECTION: Final = 0
DISTANCE: Final = 1

# Events: the columns of the log, and the kinds with their arguments.
KIND: Final = 0
FIRST: Final = 1
SECOND: Final = 2
RESCUER_RESET: Final = 0  # piece
JAILED: Final = 1  # piece
FLAG_HOME: Final = 2  # team of the flag
ZONE_RESET: Final = 3  # piece
PICKUP: Final = 4  # piece, team of the flag
SCORE: Final = 5  # team
RESCUE: Final = 6  # piece, bits of the pieces that it frees
EVENTS: Final = 40  # more than a round can have

# The score's terms, in the order of their names.
TERMS: Final = (
    "win",
    "we_carry",
    "they_carry",
    "on_their_flag",
    "on_our_flag",
    "in_their_zone",
    "in_our_zone",
    "on_their_back_row",
    "on_our_back_row",
    "piece_lead",
)
N_TERMS: Final = len(TERMS)
# Their places; each of the enemy's follows the own.
_WIN: Final = 0
_CARRY: Final = 1
_ON_FLAG: Final = 3
_IN_ZONE: Final = 5
_ON_BACK_ROW: Final = 7
_PIECE_LEAD: Final = 9
WIN: Final = 10_000
CARRY: Final = 8_000
ON_FLAG: Final = 3_000
IN_ZONE: Final = 1_000
BACK_ROW: Final = 500
LEAD: Final = 200
CAPTURE: Final = 1_000

DX: Final = (0, 0, -1, 1)
DY: Final = (1, -1, 0, 0)
_START_X: Final = tuple(x for x, _ in STARTS)
_START_Y: Final = tuple(y for _, y in STARTS)
_HOME_X: Final = tuple(x for x, _ in HOMES)
_HOME_Y: Final = tuple(y for _, y in HOMES)
_KEY_X: Final = tuple(x for x, _ in KEYS)
_KEY_Y: Final = tuple(y for _, y in KEYS)


in_zone = compiled(position.in_zone)


@compiled
def at_home(y: int, team: int) -> bool:
    """Is the row in the team's own territory?"""
    return y > NEUTRAL_ROW if team == 0 else y < NEUTRAL_ROW


@kernel("int64(int64[::1], int64, int64, int64)")
def calculate_path(table: Array, piece: int, direction: int, distance: int) -> int:
    """How many steps a piece really makes from its cell: the one place that knows what stops it.

    It stops before the edge, and before its own zone while that is active, unless it carries the
    enemy's flag.
    """
    team = piece // 3
    barred = table[ZONE + team] == 1 and table[CARRIER + 1 - team] != piece
    x = table[X + piece]
    y = table[Y + piece]
    for steps in range(distance):
        x += DX[direction]
        y += DY[direction]
        if x < 0 or x >= SIZE or y < 0 or y >= SIZE or (barred and in_zone(x, y, team)):
            return steps
    return distance


@compiled
def _log(log: Array, trace: Array, kind: int, first: int, second: int) -> None:
    row = trace[LOGGED]
    log[row, KIND] = kind
    log[row, FIRST] = first
    log[row, SECOND] = second
    trace[LOGGED] = row + 1


@compiled
def _send_to_start(table: Array, piece: int) -> None:
    table[X + piece] = _START_X[piece]
    table[Y + piece] = _START_Y[piece]
    table[ALIVE + piece] = 1


@kernel("void(int64[::1], int64[::1], int64[:, ::1])")
def go_home(table: Array, trace: Array, log: Array) -> None:
    """Step 1: pending rescuers stand on their start cells, before anything moves. Begins the log."""
    trace[LOGGED] = 0
    for piece in range(6):
        if table[PENDING + piece] == 1:
            _send_to_start(table, piece)
            table[PENDING + piece] = 0
            _log(log, trace, RESCUER_RESET, piece, 0)


@compiled
def _lay_paths(table: Array, orders: Array, trace: Array) -> None:
    """Step 2: the path of every living piece, all from the positions as they are."""
    for piece in range(6):
        trace[FROM_X + piece] = table[X + piece]
        trace[FROM_Y + piece] = table[Y + piece]
        trace[STEPS + piece] = 0
        trace[RECORD + piece] = NO_RECORD
        if table[ALIVE + piece] == 1 and orders[piece, DISTANCE] > 0:
            direction = orders[piece, DIRECTION]
            trace[STEP_X + piece] = DX[direction]
            trace[STEP_Y + piece] = DY[direction]
            trace[STEPS + piece] = calculate_path(table, piece, direction, orders[piece, DISTANCE])
        else:
            trace[STEP_X + piece] = 0
            trace[STEP_Y + piece] = 0
    trace[RECORDS] = 0


@inlined
def cell_at(trace: Array, piece: int, k: int) -> int:
    """The cell (x + 11 y) of a piece after k steps of its path; the last one once that has ended."""
    steps = min(k, trace[STEPS + piece])
    x = trace[FROM_X + piece] + trace[STEP_X + piece] * steps
    y = trace[FROM_Y + piece] + trace[STEP_Y + piece] * steps
    cell: int = x + SIZE * y
    return cell


@compiled
def _record(trace: Array, piece: int, k: int) -> None:
    """Record a piece at its cell of step k, unless it has a record already."""
    if trace[RECORD + piece] == NO_RECORD:
        trace[RECORD + piece] = cell_at(trace, piece, k)
        trace[SEQUENCE + trace[RECORDS]] = piece
        trace[RECORDS] += 1


@compiled
def meeting_step(trace: Array, i: int, j: int) -> int:
    """The first step at which both pieces are on one cell, or -1."""
    # Where j is seen from i, and how that changes while both, one or none of them still moves.
    x = trace[FROM_X + j] - trace[FROM_X + i]
    y = trace[FROM_Y + j] - trace[FROM_Y + i]
    if x == 0 and y == 0:
        return 0
    i_steps = trace[STEPS + i]
    j_steps = trace[STEPS + j]
    for k in range(max(i_steps, j_steps)):
        if k < j_steps:
            x += trace[STEP_X + j]
            y += trace[STEP_Y + j]
        if k < i_steps:
            x -= trace[STEP_X + i]
            y -= trace[STEP_Y + i]
        if x == 0 and y == 0:
            return k + 1
    return -1


@compiled
def swap_step(trace: Array, i: int, j: int) -> int:
    """The step by which both pieces, still moving, have taken each other's cells, or -1."""
    step_x = trace[STEP_X + i]
    step_y = trace[STEP_Y + i]
    if step_x != -trace[STEP_X + j] or step_y != -trace[STEP_Y + j]:
        return -1
    # Head on, one cell apart along the line of movement before some step that both make.
    x = trace[FROM_X + j] - trace[FROM_X + i]
    y = trace[FROM_Y + j] - trace[FROM_Y + i]
    for k in range(min(trace[STEPS + i], trace[STEPS + j])):
        if x == step_x and y == step_y:
            return k + 1
        x -= 2 * step_x
        y -= 2 * step_y
    return -1


@compiled
def _find_collisions(table: Array, trace: Array) -> None:
    """Step 3: collision records, at most one a piece, in the order of pairs and passes, not of time."""
    for i in range(5):
        if table[ALIVE + i] == 1:
            for j in range(i + 1, 6):
                if table[ALIVE + j] == 1 and (
                    trace[RECORD + i] == NO_RECORD or trace[RECORD + j] == NO_RECORD
                ):
                    k = meeting_step(trace, i, j)
                    if k >= 0:
                        _record(trace, i, k)
                        _record(trace, j, k)
    for i in range(5):
        if table[ALIVE + i] == 1 and trace[STEPS + i] > 0:
            for j in range(i + 1, 6):
                if table[ALIVE + j] == 1 and (
                    trace[RECORD + i] == NO_RECORD or trace[RECORD + j] == NO_RECORD
                ):
                    k = swap_step(trace, i, j)
                    if k > 0:
                        _record(trace, i, k)
                        _record(trace, j, k)


@compiled
def _bring_flag_home(table: Array, flag: int, trace: Array, log: Array) -> None:
    """The flag lies at home again, its zone is active, its living defenders in there are sent out."""
    table[CARRIER + flag] = NOBODY
    table[ZONE + flag] = 1
    _log(log, trace, FLAG_HOME, flag, 0)
    for piece in range(3 * flag, 3 * flag + 3):
        if table[ALIVE + piece] == 1 and in_zone(table[X + piece], table[Y + piece], flag):
            _send_to_start(table, piece)
            _log(log, trace, ZONE_RESET, piece, 0)


@compiled
def _jail(table: Array, trace: Array, log: Array) -> None:
    """Step 5: a record with a partner of the other team at the same cell jails outside one's own land."""
    for n in range(trace[RECORDS]):
        piece = trace[SEQUENCE + n]
        team = piece // 3
        cell = trace[RECORD + piece]
        if at_home(cell // SIZE, team):
            continue
        partner = False
        for other in range(3 - 3 * team, 6 - 3 * team):
            partner = partner or trace[RECORD + other] == cell
        if partner:
            table[ALIVE + piece] = 0
            _log(log, trace, JAILED, piece, 0)
            if table[CARRIER + 1 - team] == piece:
                _bring_flag_home(table, 1 - team, trace, log)


@compiled
def _check_flags(table: Array, trace: Array, log: Array) -> None:
    """Step 6: pick-ups, and carriers that are home win. B comes last, so B wins where both do."""
    for piece in range(6):
        if table[ALIVE + piece] == 0:
            continue
        team = piece // 3
        flag = 1 - team
        x = table[X + piece]
        y = table[Y + piece]
        if table[CARRIER + flag] == NOBODY and x == _HOME_X[flag] and y == _HOME_Y[flag]:
            table[CARRIER + flag] = piece
            _log(log, trace, PICKUP, piece, flag)
        if table[CARRIER + flag] == piece and at_home(y, team):
            table[WINNER] = team
            _log(log, trace, SCORE, team, 0)


@compiled
def _rescue(table: Array, trace: Array, log: Array) -> None:
    """Step 8: a living piece on its team's key frees all the team's prisoners and goes home next round."""
    for team in range(2):
        key_out = False
        for piece in range(3 * team, 3 * team + 3):
            key_out = key_out or table[ALIVE + piece] == 0
        if not key_out:
            continue
        for piece in range(3 * team, 3 * team + 3):
            on_key = table[X + piece] == _KEY_X[team] and table[Y + piece] == _KEY_Y[team]
            if table[ALIVE + piece] == 0 or not on_key:
                continue
            freed = 0
            for prisoner in range(3 * team, 3 * team + 3):
                table[PENDING + prisoner] = 0
                if table[ALIVE + prisoner] == 0:
                    _send_to_start(table, prisoner)
                    freed |= 1 << prisoner
            table[PENDING + piece] = 1
            _log(log, trace, RESCUE, piece, freed)


@kernel("void(int64[::1], int64[:, ::1], int64[::1], int64[:, ::1])")
def exchange(table: Array, orders: Array, trace: Array, log: Array) -> None:
    """Steps 2 to 6: all move, meet, are jailed, take flags. What the agents search with.

    Its events are added to the log: who plays only exchanges sets `trace[LOGGED] = 0` before each.
    """
    _lay_paths(table, orders, trace)
    _find_collisions(table, trace)
    for piece in range(6):
        table[X + piece] += trace[STEP_X + piece] * trace[STEPS + piece]
        table[Y + piece] += trace[STEP_Y + piece] * trace[STEPS + piece]
    _jail(table, trace, log)
    _check_flags(table, trace, log)


@kernel("void(int64[::1], int64[:, ::1], int64[::1], int64[:, ::1])")
def play_round(table: Array, orders: Array, trace: Array, log: Array) -> None:
    """One complete round. The round counter is the caller's."""
    go_home(table, trace, log)
    exchange(table, orders, trace, log)
    _rescue(table, trace, log)
    # The reference checks the flags once more here: nothing new can be found, but a win is logged twice.
    _check_flags(table, trace, log)
    for team in range(2):
        table[ZONE + team] = 1 if table[CARRIER + team] == NOBODY else 0


@kernel("int64(int64[::1], int64, int64[::1])")
def score(table: Array, side: int, terms: Array) -> int:
    """The quick score from one side's view: writes its terms (in the order of TERMS), returns their sum."""
    terms[:] = 0
    if table[WINNER] != NOBODY:
        won = WIN if table[WINNER] == side else -WIN
        terms[_WIN] = won
        return won
    for team in range(2):
        # What this team has, counted for the side or against it.
        enemy = 0 if team == side else 1
        sign = 1 if team == side else -1
        flag = 1 - team
        carried = table[CARRIER + flag] != NOBODY
        zone_counts = table[ZONE + flag] == 1 and table[CARRIER + team] == NOBODY
        if carried:
            terms[_CARRY + enemy] = sign * CARRY
        for piece in range(3 * team, 3 * team + 3):
            if table[ALIVE + piece] == 0:
                continue
            x = table[X + piece]
            y = table[Y + piece]
            if not carried and x == _HOME_X[flag] and y == _HOME_Y[flag]:
                terms[_ON_FLAG + enemy] += sign * ON_FLAG
            if zone_counts and in_zone(x, y, flag):
                terms[_IN_ZONE + enemy] += sign * IN_ZONE
            if y == _HOME_Y[flag]:
                terms[_ON_BACK_ROW + enemy] += sign * BACK_ROW
            terms[_PIECE_LEAD] += sign * LEAD
    total = 0
    for term in terms:
        total += term
    return total


def table_of(position: Position) -> Array:
    """The table of a position."""
    table = np.zeros(TABLE, np.int64)
    for i, piece in enumerate(position.pieces):
        table[X + i], table[Y + i], table[ALIVE + i] = piece.x, piece.y, piece.alive
        table[PENDING + i] = i in position.rescuers
    for team, carrier in enumerate(position.carriers):
        table[CARRIER + team] = NOBODY if carrier is None else carrier
        table[ZONE + team] = position.zone_active(team)
    table[WINNER] = NOBODY if position.winner is None else position.winner
    return table


def position_of(table: Array, rounds: int, side: str | None) -> Position:
    """The position of a table as a round leaves it."""
    values = table.tolist()
    owner = [None if value == NOBODY else value for value in (*values[CARRIER:ZONE], values[WINNER])]
    return Position(
        tuple(Piece(values[X + i], values[Y + i], values[ALIVE + i] == 1) for i in range(6)),
        (owner[0], owner[1]),
        tuple(i for i in range(6) if values[PENDING + i]),
        rounds,
        owner[2],
        side,
    )


def scratch() -> tuple[Array, Array]:
    """A trace and a log for the kernels to write in."""
    return np.zeros(TRACE, np.int64), np.zeros((EVENTS, 3), np.int64)


def reach(table: Array, piece: int) -> tuple[int, ...]:
    """The steps that a piece can make in each direction: with standing, its distinct end cells."""
    return tuple(calculate_path(table, piece, direction, MAX_DISTANCE) for direction in range(4))
