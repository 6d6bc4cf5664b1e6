"""One worker of a search: its stack, its tables, and the root pairs that it has to search.

Workers share nothing that changes, so two threads may search with two of them at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.battlesnake.evaluation import LeafWeights
from engines.battlesnake.position import MOVES
from engines.battlesnake.search.context import search_context
from engines.battlesnake.search.frame import INFINITE, SERIAL, UPPER, SearchStack, search_stack
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
        self._states = state_stack(state, plies)
        self._incremental = incremental_context(self.flood_context, state, plies, self.context.zobrist)
        self._stack = search_stack(plies, len(state.snakes))
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

    def list_root(self, state: State) -> SearchStack:
        """A stack of one ply with the root's moves and replies."""
        root = search_stack(1, len(state.snakes))
        open_root(state, root, self.context)
        return root

    def start(self, root: SearchStack, pair: RootPair, replies: Sequence[int], alpha: float) -> None:
        """Set the root to one move against some replies, with the window (alpha, infinity)."""
        stack, move = self._stack, MOVES.index(pair.move)
        stack.frames[0] = root.frames[0]
        stack.default_moves[0] = root.default_moves[0]
        stack.moves[0, 0] = move
        stack.replies[0, : len(replies)] = replies
        frame = stack.frames[0, 0]
        frame.kind, frame.depth = SERIAL, pair.depth
        frame.move_index = frame.reply_index = frame.state_copied = 0
        frame.move_count, frame.reply_count = 1, len(replies)
        frame.alpha, frame.beta = alpha, INFINITE
        frame.best, frame.worst = -INFINITE, INFINITE
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
        self._ply, nodes = search_nodes(
            self._states, self._incremental, self._stack, self.table, self.context, self._ply, quota
        )
        if self._ply < 0:
            self._conclude(self.pair)
        return int(nodes)

    def _conclude(self, pair: RootPair) -> None:
        frame = self._stack.frames[0, 0]
        self.reply_orders[pair.move] = self._stack.replies[0, : frame.reply_count].tolist()
        value, failed_low = float(frame.value), int(frame.bound) == UPPER
        self.results.append(RootValue(pair, value, failed_low, int(frame.best_reply), self.number))
        self.pair = None
