"""State abstractions for tabular learning: `potential9`, `zone12`, `combined17`.

Each maps a position with its throw to a tuple of small integers, the tuple to an index and back, and
describes the tuple in words. Training calls the observing and indexing kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel
from engines.ludo.evaluation.rule_evaluation import is_safe, threatened
from engines.ludo.position import GOAL, HOME, PIECES, SEATS, Position
from engines.ludo.rules import CORRIDOR, NEXT_STAR, Board, board_of, can_move, copy_board, land, move

Values = NDArray[np.int64]
"""The components of one tuple."""

POTENTIALS = ("NULL", "NEUTRAL", "RISK", "BOOST", "SAFETY", "KILL", "GOAL")
NULL, NEUTRAL, RISK, BOOST, SAFETY, KILL, IN_GOAL = range(len(POTENTIALS))
CONTEXTS = ("TRAILING", "NEUTRAL", "LEADING")
CLOSE = 20
"""A gap of equity up to this many points, either way, is an even race."""

ZONES = [
    (home, path, safe, PIECES - home - path - safe)
    for home in range(PIECES + 1)
    for path in range(PIECES + 1 - home)
    for safe in range(PIECES + 1 - home - path)
]
"""All ways to spread four pieces over HOME, PATH, SAFE and GOAL, in the order of their ranks."""
_RANKS = np.full((PIECES + 1,) * 3, -1, np.int64)
for _rank, _zone in enumerate(ZONES):
    _RANKS[_zone[:3]] = _rank

FLAGS = 2**PIECES
POTENTIAL_TUPLES = len(POTENTIALS) ** PIECES
# The potentials whose pieces `combined17` counts, in the order of its last four components.
COUNTED = (KILL, RISK, SAFETY, BOOST)


@compiled
def secure(square: int) -> bool:
    """A safe square on the board: the own start, a globe, the corridor."""
    return square not in (HOME, GOAL) and is_safe(square)


@compiled
def would_capture(board: Board, seat: int, dice: int, piece: int, scratch: Board) -> bool:
    """Would the move of a movable piece capture, and the piece stay?"""
    copy_board(scratch, board)
    taken, sent_home = move(scratch, seat, piece, dice)
    return taken > 0 and not sent_home


@compiled
def potential(board: Board, seat: int, dice: int, piece: int, scratch: Board) -> int:
    """What the throw lets one piece do: the first that holds of goal, kill, safety, boost, risk, neutral."""
    square = board[seat, piece]
    if not can_move(square, dice):
        return NULL
    target = land(square, dice)
    if target == GOAL:
        return IN_GOAL
    if would_capture(board, seat, dice, piece, scratch):
        return KILL
    if secure(target):
        return SAFETY
    if square != HOME and square < CORRIDOR and NEXT_STAR[square + dice] > 0:
        return BOOST
    return RISK if threatened(board, seat, target) else NEUTRAL


@compiled
def equity_of(board: Board, seat: int) -> int:
    """The weighted progress of one seat: a corridor piece outweighs a finished one, as documented."""
    total = 0
    for piece in range(PIECES):
        square = board[seat, piece]
        if square == GOAL:
            total += 100
        elif square >= CORRIDOR:
            total += 50 + square
        elif secure(square):
            total += 10 + square
        else:
            total += square
    return total


@compiled
def context_of(board: Board, seat: int) -> int:
    """Trailing, even or leading against the best of the others."""
    best = 0
    for further in range(1, SEATS):
        best = max(best, equity_of(board, (seat + further) & 3))
    gap = equity_of(board, seat) - best
    if gap < -CLOSE:
        return 0
    return 2 if gap > CLOSE else 1


@compiled
def count_zones(board: Board, seat: int, out: Values) -> None:
    """Pieces at home, on the path, on safe squares and in goal, into out[0..3]."""
    out[:4] = 0
    for piece in range(PIECES):
        square = board[seat, piece]
        if square == HOME:
            out[0] += 1
        elif square == GOAL:
            out[3] += 1
        elif is_safe(square):
            out[2] += 1
        else:
            out[1] += 1


@kernel("void(int64[:, ::1], int64, int64, int64[::1])")
def observe_potential9(board: Board, seat: int, dice: int, out: Values) -> None:
    """Write the 9-tuple (P1..P4 potentials, C context, T1..T4 threats) into `out` (int64[9])."""
    scratch = np.empty_like(board)
    for piece in range(PIECES):
        out[piece] = potential(board, seat, dice, piece, scratch)
        out[5 + piece] = threatened(board, seat, board[seat, piece])
    out[4] = context_of(board, seat)


@kernel("void(int64[:, ::1], int64, int64, int64[::1])")
def observe_zone12(board: Board, seat: int, dice: int, out: Values) -> None:
    """Write the 12-tuple (HOME, PATH, SAFE, GOAL counts, EV1..EV4 captures, TV1..TV4 threats) into `out`
    (int64[12])."""
    scratch = np.empty_like(board)
    count_zones(board, seat, out)
    for piece in range(PIECES):
        square = board[seat, piece]
        able = square != HOME and can_move(square, dice)
        out[4 + piece] = able and would_capture(board, seat, dice, piece, scratch)
        out[8 + piece] = threatened(board, seat, square)


@kernel("void(int64[:, ::1], int64, int64, int64[::1])")
def observe_combined17(board: Board, seat: int, dice: int, out: Values) -> None:
    """Write the 17-tuple into `out` (int64[17]).

    (HOME, PATH, SAFE, GOAL counts, P1..P4 potentials, T1..T4 threats, C context, and the numbers of P that
    are KILL, RISK, SAFETY, BOOST)
    """
    scratch = np.empty_like(board)
    count_zones(board, seat, out)
    out[13:] = 0
    for piece in range(PIECES):
        value = potential(board, seat, dice, piece, scratch)
        out[4 + piece] = value
        out[8 + piece] = threatened(board, seat, board[seat, piece])
        for place, counted in enumerate(COUNTED):
            out[13 + place] += value == counted
    out[12] = context_of(board, seat)


@compiled
def flags(values: Values, start: int) -> int:
    """Four 0/1 components as a number, the first the most significant."""
    return int(8 * values[start] + 4 * values[start + 1] + 2 * values[start + 2] + values[start + 3])


@compiled
def base7(values: Values, start: int) -> int:
    """Four potentials as a number, the first the most significant."""
    total = 0
    for piece in range(PIECES):
        total = 7 * total + values[start + piece]
    return total


@kernel("int64(int64[::1])")
def index_potential9(values: Values) -> int:
    return int((base7(values, 0) * 3 + values[4]) * FLAGS + flags(values, 5))


@kernel("int64(int64[::1])")
def index_zone12(values: Values) -> int:
    zones = _RANKS[values[0], values[1], values[2]]
    return int((zones * FLAGS + flags(values, 4)) * FLAGS + flags(values, 8))


@kernel("int64(int64[::1])")
def index_combined17(values: Values) -> int:
    zones = _RANKS[values[0], values[1], values[2]]
    return int(((zones * POTENTIAL_TUPLES + base7(values, 4)) * 3 + values[12]) * FLAGS + flags(values, 8))


@dataclass(frozen=True)
class Abstraction:
    """A state abstraction. `observe(board, seat, dice, out)` and `index(values)` are kernels."""

    name: str
    components: tuple[str, ...]
    limits: tuple[int, ...]
    """The greatest value of each component."""
    size: int
    """How many indices there are, 0 to size - 1; each stands for one tuple."""
    observe: Callable[[Board, int, int, Values], None]
    index: Callable[[Values], int]
    split: Callable[[int], tuple[int, ...]]

    def of(self, position: Position) -> tuple[int, ...]:
        """The tuple of the seat to move, with its throw."""
        out = np.zeros(len(self.components), np.int64)
        self.observe(board_of(position.positions), position.player, position.dice, out)
        return tuple(out.tolist())

    def encode(self, values: Sequence[int]) -> int:
        """The index of a tuple; ValueError where it is none of this abstraction's."""
        fits = len(values) == len(self.limits) and all(
            0 <= value <= limit for value, limit in zip(values, self.limits, strict=True)
        )
        index = int(self.index(np.array(values, np.int64))) if fits else -1
        if index < 0 or self.split(index) != tuple(values):
            raise ValueError(f"not a tuple of {self.name}: {list(values)[:32]}")
        return index

    def decode(self, index: int) -> tuple[int, ...]:
        """The tuple of an index; ValueError outside 0 to size - 1."""
        if not 0 <= index < self.size:
            raise ValueError(f"{self.name} has the indices 0 to {self.size - 1}")
        return self.split(index)

    def describe(self, values: Sequence[int], order: Sequence[int] = range(PIECES)) -> tuple[str, ...]:
        """Each component in words, in their order; `order` are the pieces that stand first to fourth."""
        return tuple(
            _description(name, value, order) for name, value in zip(self.components, values, strict=True)
        )


def _split(index: int, *radices: int) -> list[int]:
    digits = []
    for radix in reversed(radices):
        index, digit = divmod(index, radix)
        digits.append(digit)
    return digits[::-1]


def _split_potential9(index: int) -> tuple[int, ...]:
    return tuple(_split(index, 7, 7, 7, 7, 3, 2, 2, 2, 2))


def _split_zone12(index: int) -> tuple[int, ...]:
    zone, *rest = _split(index, len(ZONES), *[2] * 8)
    return (*ZONES[zone], *rest)


def _split_combined17(index: int) -> tuple[int, ...]:
    zone, *rest = _split(index, len(ZONES), 7, 7, 7, 7, 3, 2, 2, 2, 2)
    potentials, context, threats = rest[:4], rest[4], rest[5:]
    return (*ZONES[zone], *potentials, *threats, context, *(potentials.count(value) for value in COUNTED))


_POTENTIAL_TEXTS = (
    "cannot move",
    "makes an ordinary move",
    "would land under threat",
    "would jump from a star",
    "would reach a safe square",
    "would capture",
    "would reach goal",
)
_CONTEXT_TEXTS = ("more than 20 points behind the best", "level with the best", "more than 20 points ahead")
_COUNT_TEXTS = {
    "HOME": "at home",
    "PATH": "on the open path",
    "SAFE": "on safe squares",
    "GOAL": "in goal",
    "KILL": "could capture",
    "RISK": "would land under threat",
    "SAFETY": "could reach a safe square",
    "BOOST": "could jump from a star",
}


def _description(component: str, value: int, order: Sequence[int]) -> str:
    if component == "C":
        return f"C = {CONTEXTS[value]}: {_CONTEXT_TEXTS[value]}"
    if component in _COUNT_TEXTS:
        return (
            f"{component} = {value}: {value} {'piece' if value == 1 else 'pieces'} {_COUNT_TEXTS[component]}"
        )
    kind, piece = component[:-1], order[int(component[-1]) - 1]
    if kind == "P":
        return f"{component} = {POTENTIALS[value]}: piece {piece} {_POTENTIAL_TEXTS[value]}"
    verb = "can capture" if kind == "EV" else "is under threat"
    no = "can't capture" if kind == "EV" else "is not under threat"
    return f"{component} = {value}: piece {piece} {verb if value else no}"


def _of_pieces(kind: str) -> tuple[str, ...]:
    return tuple(f"{kind}{piece}" for piece in range(1, PIECES + 1))


POTENTIAL9 = Abstraction(
    "potential9",
    (*_of_pieces("P"), "C", *_of_pieces("T")),
    (6, 6, 6, 6, 2, 1, 1, 1, 1),
    POTENTIAL_TUPLES * 3 * FLAGS,
    observe_potential9,
    index_potential9,
    _split_potential9,
)
ZONE12 = Abstraction(
    "zone12",
    ("HOME", "PATH", "SAFE", "GOAL", *_of_pieces("EV"), *_of_pieces("TV")),
    (*[PIECES] * 4, *[1] * 8),
    len(ZONES) * FLAGS * FLAGS,
    observe_zone12,
    index_zone12,
    _split_zone12,
)
COMBINED17 = Abstraction(
    "combined17",
    (
        *("HOME", "PATH", "SAFE", "GOAL"),
        *_of_pieces("P"),
        *_of_pieces("T"),
        *("C", "KILL", "RISK", "SAFETY", "BOOST"),
    ),
    (*[PIECES] * 4, *[6] * 4, *[1] * 4, 2, *[PIECES] * 4),
    len(ZONES) * POTENTIAL_TUPLES * 3 * FLAGS,
    observe_combined17,
    index_combined17,
    _split_combined17,
)

ABSTRACTIONS: Mapping[str, Abstraction] = {view.name: view for view in (POTENTIAL9, ZONE12, COMBINED17)}


@kernel("int64(int64[:, ::1], int64)")
def equity(board: Board, seat: int) -> int:
    """`equity_of`, for Python."""
    return equity_of(board, seat)
