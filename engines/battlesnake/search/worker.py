"""A place in the tree, with the arrays that it takes to go on from there."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from engines.battlesnake.evaluation import TERMS
from engines.battlesnake.position import MOVES
from engines.battlesnake.search.frame import (
    ALPHA,
    ANSWERS,
    AT_MOST,
    AT_REPLY,
    AT_WORD,
    BEST,
    BETA,
    BEYOND,
    BOUNDS,
    COPIED,
    FLAG,
    KIND,
    LEAST,
    LEFT,
    MINE,
    PLAN,
    REPLY,
    SERIAL,
    THEIRS,
    TRIED,
    VALUE,
)
from engines.battlesnake.search.matrix_game import ROOM as TABLEAU
from engines.battlesnake.search.zobrist import key_numbers
from engines.battlesnake.state import Ints, State, state_stack
from engines.battlesnake.territory.body_prefixes import kept
from engines.battlesnake.territory.context import FloodContext, territory_table
from engines.core.rng import derive

Pair = tuple[int, str, int]
"""A depth, a word of yours, and the number of a reply."""


class RootValue(NamedTuple):
    """What a walker has found of a pair."""

    pair: Pair
    value: float
    at_most: bool
    """Is it a bound from above?"""
    reply: int
    """The worst of the pair's replies."""
    worker: int


_SLOTS: Final = 1 << 17
"""Nodes that a table has room for."""
_EXACT_SLOTS: Final = 1 << 14
"""Room for nodes that were valued exactly, few among all: lines are followed by them."""


class _Table:
    """The arrays of a table of nodes. They serve one search after the other, each with a mark of its own on
    its keys, so that what earlier ones have left is as good as nothing: new arrays cost a millisecond.
    """

    def __init__(self) -> None:
        self.keys = np.zeros(_SLOTS, np.int64)
        self.entries = np.zeros(_SLOTS, np.int64)
        self.values = np.zeros(_SLOTS, np.float64)
        self.exact = np.zeros((_EXACT_SLOTS, 2), np.int64)
        self.searches = 0


_SPARE: Final[deque[_Table]] = deque(maxlen=16)
"""Of searches that are over."""


def _spare() -> _Table:
    try:
        return _SPARE.pop()
    except IndexError:
        return _Table()


class Worker:
    """A place in the tree, the room to work there, and a table of its own of what was best at nodes seen."""

    def __init__(self, number: int, state: State, context: FloodContext, levels: int) -> None:
        cells, snakes = len(state.occupancy), len(state.snakes)
        self.number = number
        self.stack = state_stack(state, levels)
        self.flood_context = context._replace(
            body_masks=np.zeros_like(context.body_masks),
            notes=np.zeros_like(context.notes),
            marks=np.zeros_like(context.marks),
            trails=np.zeros_like(context.trails),
        )
        self._table = _spare()
        self._table.searches += 1
        self.nodes = (
            np.append(key_numbers(cells, snakes), derive(0xA6E, self._table.searches) >> 2),
            self._table.keys,
            self._table.entries,
            self._table.values,
            self._table.exact,
        )
        self.kept = kept(self.flood_context, state, levels, self.nodes[0])
        """The chart to walk with; what is left of its trails is good for no other world."""
        self.controls = np.zeros((levels, PLAN + snakes), np.int64)
        self.bounds = np.zeros((levels, BOUNDS), np.float64)
        self.room = (
            np.zeros((levels, 4, 4), np.float64),
            np.zeros(TABLEAU, np.float64),
            np.zeros((2, TABLEAU[0]), np.int64),
        )
        self.history = np.zeros((2, cells, 4), np.int64)
        self.played = np.zeros(snakes, np.int64)
        self.leaf = territory_table(state)
        self.terms = np.zeros(len(TERMS), np.float64)
        self.level = -1
        self.depth = 0
        """Of the pairs in hand."""
        self.todo: list[Pair] = []
        self.pair: Pair | None = None
        """What is being valued; none between two pairs."""
        self.valued: list[RootValue] = []
        """What has been found and is not counted yet."""
        self.orders: dict[str, list[int]] = {}
        """By word: the replies as they were last found to be worst."""
        self.listed = False
        """Has it gone on to another depth since it was last counted?"""

    def __del__(self) -> None:
        _SPARE.append(self._table)

    def begin(self, row: Ints, move: str, depth: int, answers: Sequence[int], floor: float) -> None:
        """Set out from the root, a node of one word, which is not looked into further once it is known to be
        worth no more than `floor`."""
        control, bounds = self.controls[0], self.bounds[0]
        control[:] = row
        control[KIND], control[LEFT] = SERIAL, depth
        control[AT_WORD] = control[AT_REPLY] = control[COPIED] = 0
        control[MINE], control[THEIRS] = 1, len(answers)
        control[TRIED] = MOVES.index(move)
        control[ANSWERS : ANSWERS + len(answers)] = answers
        bounds[ALPHA], bounds[BETA] = floor, BEYOND
        bounds[BEST], bounds[LEAST] = -BEYOND, BEYOND
        self.level = 0

    def concluded(self) -> RootValue:
        """What has come of the pair in hand; its replies are kept as they stand now, the worst ones first."""
        assert self.pair is not None
        control = self.controls[0]
        self.orders[self.pair[1]] = control[ANSWERS : ANSWERS + control[THEIRS]].tolist()
        value, at_most = float(self.bounds[0, VALUE]), int(control[FLAG]) == AT_MOST
        return RootValue(self.pair, value, at_most, int(control[REPLY]), self.number)
