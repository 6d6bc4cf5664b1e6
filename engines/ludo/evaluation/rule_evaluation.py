"""The documented rule-based evaluation of a move, compiled: rules, bonuses, risk, phase.

A rule holds for every move and sets its base; the phase of the game multiplies it; only moves without
a priority rule (`STRATEGY`) earn bonuses; risk and a broken blockade cost under every rule.
`docs/games/ludo.md` describes the rules and lists the readings of what the document leaves open.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.core.rng import Rng, below
from engines.ludo.boundary import plain_type
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, START
from engines.ludo.rules import (
    CORRIDOR,
    COUNT,
    IS_GLOBE,
    NEXT_STAR,
    NTH,
    RING,
    Board,
    can_move,
    copy_board,
    land,
    met,
    move,
    ring_of,
)

RULES = (
    "WIN_MOVE",
    "CAPTURE_MOVE",
    "FLEE_MOVE",
    "HOME_BASE_PROGRESS",
    "BLOCKADE_CLUSTER",
    "FORM_BLOCKADE_MOVE",
    "GET_OUT_OF_HOME",
    "STRATEGY",
)
"""In the order of the list, which decides where several hold."""
WIN, CAPTURE, FLEE, HOME_BASE, CLUSTER, FORM_BLOCKADE, GET_OUT, STRATEGY = range(len(RULES))
BASES = np.array([1_000_000, 50_000, 50_000, 10_000, 4_000, 3_500, 7_000, 0], np.float64)
"""Points by rule, from the document."""

PHASES = ("opening", "closing", "critical", "midgame")
"""In order of precedence; midgame where none of the others holds."""
OPENING, CLOSING, CRITICAL, MIDGAME = range(len(PHASES))
MULTIPLIERS = np.ones((len(PHASES), len(RULES)))
"""[phase, rule]: factors of the points, from the document."""
MULTIPLIERS[OPENING, GET_OUT] = 5.0
MULTIPLIERS[CLOSING, HOME_BASE] = 5.0
MULTIPLIERS[CLOSING, WIN] = 2.0
MULTIPLIERS[CRITICAL, CAPTURE] = 1.5
MULTIPLIERS[CRITICAL, CLUSTER] = 2.0

BONUSES = ("PROGRESS_SCORE", "STAR_JUMP", "GLOBE_HOP", "BALANCED_FRONT", "SPLIT_BLOCKADE")
BONUS_VALUES = np.array([1_000, 5_500, 500, 350, 250], np.float64)
"""Points by bonus, from the document."""
BREAK_PENALTY = 500.0
"""Points for breaking an own blockade, from the document."""
RISK_FACTOR = 800.0
"""Points for each step by which an enemy is nearer than REACH + 1, from the document."""
REACH = 6
"""Steps within which an enemy is a risk, or near."""
REFUSAL_PENALTY = 4_000_000.0
"""Outweighs the best that any rule pays, so that a refused move comes after all others."""

MOVE = np.dtype(
    [
        # The amounts of the score, in the order in which they are added.
        ("base", np.float64),
        ("multiplier", np.float64),  # what the phase adds to the base
        ("bonus", np.float64, (len(BONUSES),)),
        ("risk", np.float64, (SEATS - 1,)),  # of the seats one, two and three further on
        ("break", np.float64),
        ("override", np.float64),  # what replaces the score of a threatened piece, as a difference
        ("refusal", np.float64),
        # What else is known of the move.
        ("score", np.float64),
        ("land", np.int64),
        ("rule", np.int64),  # an index of RULES
        ("captures", np.int64),
        ("sent_home", np.bool_),
        ("first_end", np.bool_),  # a jump that captures where it leaps off and meets nobody where it ends
        ("threatened", np.bool_),  # the square left
    ]
)
"""One move, evaluated."""
MoveRow = Any
"""A record of MOVE."""
MoveRows = NDArray[np.void]


class Readings(NamedTuple):
    """How the document is read where it leaves something open."""

    by_score: bool
    """The rule of the higher base holds, instead of the first of the list."""
    literal_override: bool
    flee_to_safe: bool
    refuse_self_harm: bool


DEFAULT_READINGS = Readings(False, False, False, False)
READINGS = numba.typeof(DEFAULT_READINGS)
_MOVE_ROWS = numba.from_dtype(MOVE)[::1]


@compiled
def is_safe(square: int) -> bool:
    """Is the square exempt from risk: home, own start, globe, corridor or goal?"""
    return square <= START or square >= CORRIDOR or IS_GLOBE[square]


@compiled
def steps_behind(board: Board, seat: int, square: int, enemy: int, piece: int) -> int:
    """Ring squares from an enemy's piece on to `seat`'s number `square`; -1 where either is off the ring."""
    stands = board[enemy, piece]
    if not (START <= stands < CORRIDOR and START <= square < CORRIDOR):
        return -1
    return (ring_of(seat, square) - ring_of(enemy, stands)) % RING


@compiled
def risk_from(board: Board, seat: int, square: int, enemy: int) -> float:
    """Risk points that one enemy's pieces contribute on a square.

    (7 - steps) * RISK_FACTOR for each 1 to 6 steps behind; 0 on a safe square.
    """
    total = 0.0
    if not is_safe(square):
        for piece in range(PIECES):
            steps = steps_behind(board, seat, square, enemy, piece)
            if 1 <= steps <= REACH:
                total += (REACH + 1 - steps) * RISK_FACTOR
    return total


@compiled
def threatened(board: Board, seat: int, square: int) -> bool:
    """Does any enemy piece stand one to six squares behind an unsafe square?"""
    for further in range(1, SEATS):  # noqa: SIM110 (compiled code has no generators)
        if risk_from(board, seat, square, (seat + further) & 3) > 0.0:
            return True
    return False


@compiled
def near_cluster(board: Board, seat: int, square: int) -> bool:
    """Has one enemy two or more ring pieces within six squares, on either side?"""
    for further in range(1, SEATS):
        enemy = (seat + further) & 3
        near = 0
        for piece in range(PIECES):
            steps = steps_behind(board, seat, square, enemy, piece)
            if 0 <= steps <= REACH or steps >= RING - REACH:
                near += 1
        if near >= 2:
            return True
    return False


@compiled
def phases_held(board: Board, seat: int) -> int:
    """The phases that hold, as bits; 0 is midgame."""
    at_home = 0
    inside = 0
    for piece in range(PIECES):
        at_home += board[seat, piece] == HOME
        inside += board[seat, piece] >= CORRIDOR
    leader = False
    for further in range(1, SEATS):
        done = 0
        for piece in range(PIECES):
            done += board[(seat + further) & 3, piece] == GOAL
        leader = leader or done >= 2
    return int(at_home >= 2) << OPENING | int(inside >= 2) << CLOSING | int(leader) << CRITICAL


@compiled
def phase_of(held: int) -> int:
    """The one phase that counts: opening before closing before critical."""
    if held & (1 << OPENING):
        return OPENING
    if held & (1 << CLOSING):
        return CLOSING
    return CRITICAL if held else MIDGAME


@compiled
def first_rule(by_score: bool, rules: int, get_out: bool) -> int:
    """The rule that holds: the first of the list; by score, leaving home comes before the blockades."""
    for rule in range(CLUSTER):
        if rules >> rule & 1:
            return rule
    if get_out and by_score:
        return GET_OUT
    for rule in range(CLUSTER, GET_OUT):
        if rules >> rule & 1:
            return rule
    return GET_OUT if get_out else STRATEGY


@compiled
def shares_square(board: Board, seat: int, piece: int, square: int) -> bool:
    """Does another piece of the seat stand on a square?"""
    for other in range(PIECES):  # noqa: SIM110 (compiled code has no generators)
        if other != piece and board[seat, other] == square:
            return True
    return False


@compiled
def is_rearmost(board: Board, seat: int, before: int) -> bool:
    """Is no piece of the seat that is neither at home nor in goal behind this square?"""
    for other in range(PIECES):
        square = board[seat, other]
        if square not in (HOME, GOAL) and square < before:
            return False
    return True


@compiled
def evaluate_move(
    board: Board, seat: int, dice: int, piece: int, phase: int, readings: Readings, scratch: Board,
    row: MoveRow,
) -> float:  # fmt: skip
    """The score of a movable piece; its parts in `row`. `scratch` is overwritten."""
    before = board[seat, piece]
    after = land(before, dice)
    copy_board(scratch, board)
    captures, sent_home = move(scratch, seat, piece, dice)
    breaks = before != HOME and after != before and shares_square(board, seat, piece, before)

    danger = 0.0
    for further in range(1, SEATS):
        share = risk_from(board, seat, after, (seat + further) & 3)
        row["risk"][further - 1] = 0.0 - share
        danger += share
    in_danger = threatened(board, seat, before)
    flees = in_danger and danger == 0.0 and (is_safe(after) or not readings.flee_to_safe)

    rules = (
        int(after == GOAL) << WIN
        | int(captures > 0 and not sent_home) << CAPTURE
        | int(flees) << FLEE
        | int(CORRIDOR <= after < GOAL) << HOME_BASE
        | int(not is_safe(after) and near_cluster(board, seat, after)) << CLUSTER
        | int(after not in (HOME, GOAL) and shares_square(board, seat, piece, after)) << FORM_BLOCKADE
    )
    rule = first_rule(readings.by_score, rules, before == HOME)
    row["base"] = BASES[rule]
    row["multiplier"] = BASES[rule] * (MULTIPLIERS[phase, rule] - 1.0)
    jumps = before < CORRIDOR and NEXT_STAR[before + dice] > 0
    rearmost = is_rearmost(board, seat, before)
    for bonus, earned in enumerate((after > before, jumps, IS_GLOBE[after], rearmost, breaks)):
        row["bonus"][bonus] = BONUS_VALUES[bonus] if rule == STRATEGY and earned else 0.0
    row["break"] = 0.0 - BREAK_PENALTY if breaks else 0.0

    row["land"] = after
    row["rule"] = rule
    row["captures"] = captures
    row["sent_home"] = sent_home
    leaps = before != HOME and before < CORRIDOR and after != before + dice
    row["first_end"] = leaps and captures == 1 and not sent_home and met(board, seat, after)[1] == 0
    row["threatened"] = in_danger
    return score_move(row, danger, readings)


@compiled
def score_move(row: MoveRow, danger: float, readings: Readings) -> float:
    """Add the amounts of a move up, and write what the readings put in the place of their sum."""
    score = row["base"] + row["multiplier"]
    for bonus in range(len(BONUSES)):
        score += row["bonus"][bonus]
    for further in range(SEATS - 1):
        score += row["risk"][further]
    score += row["break"]
    row["override"] = 0.0
    row["refusal"] = 0.0
    rule = row["rule"]
    if row["threatened"] and (rule == STRATEGY or (readings.literal_override and rule != FLEE)):
        row["override"] = (0.0 - danger) - score
        score = 0.0 - danger
    if row["sent_home"] and readings.refuse_self_harm:
        row["refusal"] = 0.0 - REFUSAL_PENALTY
        score -= REFUSAL_PENALTY
    row["score"] = score
    return float(score)


@compiled
def rule_piece(
    board: Board, seat: int, dice: int, readings: Readings, scratch: Board, row: MoveRow, rng: Rng
) -> int:
    """The piece of the best score, ties drawn; -1 where none can move."""
    phase = phase_of(phases_held(board, seat))
    best = 0
    top = 0.0
    for piece in range(PIECES):
        if can_move(board[seat, piece], dice):
            score = evaluate_move(board, seat, dice, piece, phase, readings, scratch, row)
            if best == 0 or score > top:
                best = 0
                top = score
            if score == top:
                best |= 1 << piece
    if best == 0:
        return -1
    return int(NTH[best, below(rng, COUNT[best])])


@kernel(types.int64(types.int64[:, ::1], types.int64, types.int64, plain_type(READINGS), _MOVE_ROWS))
def evaluate_all(board: Board, seat: int, dice: int, chosen: tuple[bool, ...], rows: MoveRows) -> int:
    """Fill `rows[piece]` of every movable piece; returns the phases that hold, as bits.

    `chosen` are the Readings as a plain tuple.
    """
    by_score, literal_override, flee_to_safe, refuse_self_harm = chosen
    readings = Readings(by_score, literal_override, flee_to_safe, refuse_self_harm)
    held = phases_held(board, seat)
    scratch = np.empty_like(board)
    for piece in range(PIECES):
        if can_move(board[seat, piece], dice):
            evaluate_move(board, seat, dice, piece, phase_of(held), readings, scratch, rows[piece])
    return held
