"""One worker of a search: its stack, its tables, and the root pairs that it has to search.

Workers share nothing that changes, so two threads may search with two of them at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from engines.battlesnake.evaluation import LeafWeights
from engines.battlesnake.position import MOVES
from engines.battlesnake.search.context import search_context
from engines.battlesnake.search.frame import INFINITE, SERIAL, UPPER, search_stack
from engines.battlesnake.search.move_ordering import open_root
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.search.transposition import give_back, take_table
from engines.battlesnake.search.tree import search_nodes
from engines.battlesnake.state import State, state_stack
from engines.battlesnake.territory.body_prefixes import incremental_context
from engines.battlesnake.territory.context import FloodContext, own_scratch


class RootPair(NamedTuple):
    """What a worker searches in one piece: one of your moves against a column of replies."""

    depth: int
    move: str
    column: int
    """Index of the search's columns."""


class RootValue(NamedTuple):
    """What the search of a root pair came to."""

    pair: RootPair
    value: float
    upper_bound: bool
    """Did it fail low? Then the true value is this or less."""
    reply: int
    """The best of the column's replies, as `frame` numbers them."""
    worker: int
    """Who searched it, and has its principal variation."""


_Fields = tuple[Any, ...]
_ROOT_FIELDS: Final = ("depth", "reply_count", "alpha", "bound", "value", "best_reply")


class Worker:
    """Searches one root pair after the other: `start`, then `search` until `pair` is None."""

    def __init__(
        self,
        number: int,
        state: State,
        flood_context: FloodContext,
        me: int,
        config: SearchConfig,
        weights: LeafWeights,
        max_depth: int,
    ) -> None:
        plies = max_depth + 1
        self.number = number
        self.flood_context = own_scratch(flood_context)
        """For states that are not on the stack."""
        self.context = search_context(state, me, config, weights)
        self.table = take_table()
        self.stack = search_stack(plies, len(state.snakes))
        """Ply 0 is the root, as `start` sets it."""
        open_root(state, self.stack, self.context)
        root = self.stack.frames[0, 0]
        root.kind, root.beta, root.move_count = SERIAL, INFINITE, 1
        self._opened = root.copy()
        self._root = {name: self.stack.frames[name][0] for name in _ROOT_FIELDS}
        """Of the root's frame, [1] each: from Python ten times as fast as a record's attribute."""
        self.replies: list[int] = self.stack.replies[0, : root.reply_count].tolist()
        """The root's, in their first order."""
        states = state_stack(state, plies)
        flood = incremental_context(self.flood_context, state, plies, self.context.zobrist)
        stack, table, context = tuple(self.stack), tuple(self.table), tuple(self.context)
        self._arguments: tuple[_Fields, _Fields, _Fields, _Fields, _Fields] = (
            tuple(states),
            tuple(flood),
            stack,
            table,
            context,
        )
        """Of `search_nodes`."""
        scratch = tuple(search_stack(1, len(state.snakes)))
        self.pv_arguments: tuple[_Fields, _Fields, _Fields] = (scratch, table, context)
        """Of `extend_pv`, the last three before the depth."""
        self._ply = -1
        self.depth = 0
        """The depth whose pairs were queued last."""
        self.queue: list[RootPair] = []
        self.pair: RootPair | None = None
        """The one being searched; None between two."""
        self.results: list[RootValue] = []
        """Not collected by the search yet."""
        self.went_deeper = False
        """Has it queued another depth since the last collection?"""
        self.reply_orders: dict[str, list[int]] = {}
        """By move: its replies in the order in which they were last found to refute it."""

    def __del__(self) -> None:
        give_back(self.table)

    def start(self, pair: RootPair, replies: Sequence[int], alpha: float) -> None:
        """Set the root to one move against some replies, with the window (alpha, infinity)."""
        root = self._root
        self.stack.frames[0, 0] = self._opened
        self.stack.moves[0, 0] = MOVES.index(pair.move)
        self.stack.replies[0, : len(replies)] = replies
        root["depth"][0] = pair.depth
        root["reply_count"][0] = len(replies)
        root["alpha"][0] = alpha
        self.pair = pair
        self._ply = 0

    def stop(self) -> None:
        """Forget the pair being searched, and the queue."""
        self.depth, self.pair, self._ply = 0, None, -1
        self.queue.clear()

    def search(self, quota: int) -> int:
        """Search the present pair for up to `quota` nodes; how many it took (none where there is no pair)."""
        if self.pair is None:
            return 0
        self._ply, nodes = search_nodes(*self._arguments, self._ply, quota)
        if self._ply < 0:
            self._conclude(self.pair)
        return int(nodes)

    def _conclude(self, pair: RootPair) -> None:
        root = self._root
        self.reply_orders[pair.move] = self.stack.replies[0, : root["reply_count"][0]].tolist()
        failed_low = root["bound"].item() == UPPER
        reply = root["best_reply"].item()
        self.results.append(RootValue(pair, root["value"].item(), failed_low, reply, self.number))
        self.pair = None
