"""The transposition table: what is known of nodes that the search has been at before.

A slot is taken by whatever was stored there last (always replace): the newest result is the deepest in
iterative deepening. Beside it a small table keeps the best pair of exact nodes for the principal variation,
which would else be overwritten in the course of a long search.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import Any, Final, NamedTuple

import numpy as np
from numba import from_dtype, int64

from engines.battlesnake.search.frame import EXACT, LOWER, UPPER
from engines.battlesnake.state import Records
from engines.core.jit import inlined, tuple_type
from engines.core.records import record_type
from engines.core.rng import derive

ENTRY: Final = record_type(
    "Entry",
    key=np.int64,  # Zobrist key of the node, xor the search's salt
    value=np.float64,
    bound=np.int16,  # what the value is: EXACT, LOWER or UPPER
    depth=np.int16,  # how deep the node was searched
    move=np.int16,  # the best move, and the best reply to it
    reply=np.int16,
)
PV_ENTRY: Final = record_type(
    "PvEntry",
    key=np.int64,  # as in ENTRY, xor the depth
    move=np.int32,
    reply=np.int32,
)

_SLOTS: Final = 1 << 17
_PV_SLOTS: Final = 1 << 14
"""Exact nodes are few among all."""
_DEPTH_STRIDE: Final = 0x9E3779B97F4A7
"""Odd, and large: a node has slots far apart for different depths."""


class TranspositionTable(NamedTuple):
    """One worker's tables. Their sizes are powers of two."""

    entries: Records
    """[slots] of ENTRY."""
    pv: Records
    """[pv slots] of PV_ENTRY."""
    salt: int
    """Differs from search to search: what earlier ones have left in the arrays does not match."""


TRANSPOSITION_TABLE = tuple_type(TranspositionTable, from_dtype(ENTRY)[::1], from_dtype(PV_ENTRY)[::1], int64)
"""A `TranspositionTable` in a kernel's signature."""


@inlined
def slot_of(table: TranspositionTable, key: int) -> int:
    """Where a node's entry is, if there is one: then its key is `key ^ salt`."""
    return int(key & (table.entries.shape[0] - 1))


@inlined
def pv_slot_of(table: TranspositionTable, key: int, depth: int) -> int:
    """Where the best pair of an exact node of that depth is: then its key is `key ^ salt ^ depth`."""
    return int((key + depth * _DEPTH_STRIDE) & (table.pv.shape[0] - 1))


@inlined
def cuts_off(entry: Any, depth: int, alpha: float, beta: float) -> bool:
    """Does a node's entry say all that a search of that depth within the window would?

    Only an entry of that very depth does, not a deeper one: so the value of a pair at the root does not
    depend on what the same worker searched before it.
    """
    if entry.depth != depth:
        return False
    return bool(
        entry.bound == EXACT
        or (entry.bound == LOWER and entry.value >= beta)
        or (entry.bound == UPPER and entry.value <= alpha)
    )


@inlined
def store(table: TranspositionTable, frame: Any) -> None:
    """Store a resolved node.

    Wins and losses count plies from the root, not from the node as in chess: healths and bodies, which the
    key has, all but fix the ply. They need not where all the living have eaten since, or hazards took or gave
    health: then the plies of a proven win or loss may be wrong by those between the two lines.
    """
    entry = table.entries[slot_of(table, frame.key)]
    entry.key = frame.key ^ table.salt
    entry.value = frame.value
    entry.bound = frame.bound
    entry.depth = frame.depth
    entry.move = frame.best_move
    entry.reply = frame.best_reply
    if frame.bound == EXACT:
        best = table.pv[pv_slot_of(table, frame.key, frame.depth)]
        best.key = frame.key ^ table.salt ^ frame.depth
        best.move = frame.best_move
        best.reply = frame.best_reply


_UNUSED: Final[deque[TranspositionTable]] = deque(maxlen=16)
"""Of searches that are over: new arrays cost a millisecond."""
_SEARCHES: Final = count(1)


def take_table() -> TranspositionTable:
    """A table in which nothing matches; `give_back` it when the search is over."""
    salt = derive(0xA6E, next(_SEARCHES)) >> 2
    try:
        return _UNUSED.pop()._replace(salt=salt)
    except IndexError:
        return TranspositionTable(np.zeros(_SLOTS, ENTRY), np.zeros(_PV_SLOTS, PV_ENTRY), salt)


def give_back(table: TranspositionTable) -> None:
    """Keep a table's arrays for another search."""
    _UNUSED.append(table)
