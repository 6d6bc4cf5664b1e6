"""Iterative deepening: the pairs at the root, dealt out to workers depth by depth, and collected.

The agents and the hybrid search with it; it knows kernels only through `worker` and `variation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engines.battlesnake.evaluation import WIN_SCORE, Weights, leaf_weights
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.frame import DEFAULT_REPLY, INFINITE
from engines.battlesnake.search.result import (
    DEFAULT,
    WORST,
    PrincipalVariation,
    SearchConfig,
    SearchResult,
)
from engines.battlesnake.search.variation import principal_variation, with_leaf
from engines.battlesnake.search.worker import RootPair, RootValue, Worker
from engines.battlesnake.state import pack
from engines.battlesnake.territory.context import (
    FloodContext,
    flood_context,
    uses_bitboards,
    uses_two_bitboards,
)

MAX_DEPTH: Final = 48
_ASPIRATION_MARGIN: Final = 3.0
"""Maximin root: before a depth has a best move, the others are searched with the score of the last depth's
best, less this, as alpha."""
_HEALTH_RESERVE: Final = 60
"""Health above which nobody starves within the search and the flood at its leaf, which together take fewer
plies on all but the largest boards (hazards aside)."""

Columns = list[tuple[str, list[int]]]
"""What a move is searched against at the root: a name and the replies that it stands for."""


class Search:
    """Iterative deepening over your `moves`, up to `max_depth`. You must be on the board, the game not over.

    At the root each pair of a move and a column of replies is a search of its own. In a duel a column is one
    move of the rival (matrix root), or all of them (`maximin`); with more rivals there are two, the default
    reply alone and all replies.

    With the maximin root the last depth's best move is searched first and exactly, the others with its value
    as alpha. If all moves are seen to lose to the right reply, the search starts over with the matrix root:
    which replies they lose to is then all that is left to know.

    Pairs are dealt out to the workers, who share nothing that changes: two may `step` at the same time. A
    worker that is through with a depth goes on to the next. Their results count from `collect` on, which is
    to be called while no worker steps. So what is found depends on how often each has stepped, and not on
    which was faster.
    """

    def __init__(
        self,
        position: Position,
        moves: Sequence[str],
        weights: Weights,
        search_config: SearchConfig,
        max_depth: int = MAX_DEPTH,
        workers: int = 1,
        maximin: bool = False,
    ) -> None:
        me = position.me
        if me is None or position.over:
            raise ValueError("nothing to search")
        self._state = state = pack(position)
        self._me = position.snakes.index(me)
        self._names = tuple(snake.id for snake in position.snakes)
        self._search_config = search_config
        # Of a single move only the line and a score are wanted.
        self._max_depth = max_depth if len(moves) > 1 else min(max_depth, 4)
        self._moves = tuple(moves)
        flood, scales = flood_context(state), leaf_weights(weights, position)
        self._workers = tuple(
            Worker(number, state, flood, self._me, search_config, scales, max_depth)
            for number in range(workers)
        )
        self._replies = self._workers[0].replies
        self._duel = len(position.snakes) == 2
        self._maximin = maximin and self._duel
        self._columns = self._listed_columns()
        self.uses_bitboards = uses_bitboards(flood, starving=not _well_fed(position))
        """Is territory counted on bitboards, at this root and at all leaves to come?"""
        self.slice = _slice(flood, self.uses_bitboards, len(state.occupancy))
        """Nodes after which a clock should be looked at again: about half a millisecond, a few times as much
        while somebody may starve."""
        self._abandoned: set[int] = set()
        self._values: dict[RootPair, RootValue] = {}
        """Collected, of depths that are not complete."""
        self._complete = SearchResult()
        """The deepest complete depth."""
        self._complete_values: dict[tuple[str, int], RootValue] = {}
        """Its values by move and column."""
        self._refuted = SearchResult()
        """The maximin root's result, where it found all moves lost."""
        self._refutations: dict[tuple[str, int], RootValue] = {}
        """What each move lost to then."""

    @property
    def workers(self) -> int:
        """How many there are."""
        return len(self._workers)

    @property
    def finished(self) -> bool:
        """Is the greatest depth complete, or the outcome proven?"""
        complete = self._complete
        if complete.depth >= self._max_depth or not self._moves:
            return True
        worst = [min(row) for row in complete.payoffs]
        return bool(worst) and (
            max(worst) >= WIN_SCORE or max(max(row) for row in complete.payoffs) <= -WIN_SCORE
        )

    @property
    def result(self) -> SearchResult:
        """Of the deepest complete depth; values proven by the next depth may already be in it. Where no
        depth of the matrix root is complete yet, what the maximin root found."""
        if not self._complete.depth:
            return self._refuted
        if not self._values:
            return self._complete
        complete = self._complete
        proven = {
            (found.pair.move, found.pair.column): found.value
            for found in self._values.values()
            if found.pair.depth == complete.depth + 1
            and (found.value <= -WIN_SCORE or (found.value >= WIN_SCORE and not found.upper_bound))
        }
        won = {move for (move, _), value in proven.items() if value >= WIN_SCORE}
        payoffs = tuple(
            tuple(proven.get((move, column), old) for column, old in enumerate(row))
            for move, row in zip(complete.moves, complete.payoffs, strict=True)
        )
        return replace(complete, payoffs=payoffs, upper_bounds=complete.upper_bounds - won)

    def advance(self, nodes: int) -> int:
        """With one worker: search up to so many nodes; how many it took (fewer only when finished)."""
        worker = self._workers[0]
        searched = 0
        while searched < nodes and not self.finished and self._has_pair(worker):
            searched += worker.search(nodes - searched)
            if worker.pair is None:
                self.collect()
        return searched

    def step(self, number: int, nodes: int) -> int:
        """One worker searches up to so many nodes; how many it took."""
        worker = self._workers[number]
        searched = 0
        while searched < nodes and self._has_pair(worker):
            searched += worker.search(nodes - searched)
        return searched

    def collect(self) -> None:
        """Take over the workers' results, complete depths, and balance what is left of the next depth."""
        if not any(worker.results or worker.went_deeper for worker in self._workers):
            return  # most rounds
        for worker in self._workers:
            self._values.update((found.pair, found) for found in worker.results)
            worker.results.clear()
            worker.went_deeper = False
        while self._complete_depth():
            pass
        self._balance()

    def abandon(self, number: int) -> None:
        """A worker is still at it and will not be waited for: its tables are not read any more."""
        self._abandoned.add(number)

    def principal_variation(self, move: str) -> PrincipalVariation:
        """What the search expects after a move, answered by the reply that is worst for it."""
        result = self.result
        if move not in result.moves:
            return PrincipalVariation((move,), {}, {})
        row = result.payoffs[result.moves.index(move)]
        # With more rivals only the default column stands for one known reply.
        column = row.index(min(row)) if self._duel else 0
        found = self._source(result, move, column, row[column])
        if found.worker in self._abandoned:
            return PrincipalVariation((move,), {}, {})
        reply = found.reply if self._duel else self._columns[column][1][0]
        worker = self._workers[found.worker]
        moves, state = principal_variation(self._state, found.pair, reply, worker, result.depth)
        return with_leaf(moves, state, worker, self._names)

    def _source(self, result: SearchResult, move: str, column: int, value: float) -> RootValue:
        """Where a value of the result comes from."""
        if result.maximin and not self._maximin:
            return self._refutations[move, column]
        complete = self._complete_values[move, column]
        deeper = self._values.get(RootPair(result.depth + 1, move, column), complete)
        return deeper if deeper.value == value else complete

    def _complete_depth(self) -> bool:
        """Take over the next depth if all its values are there; may the one after it be complete as well?"""
        if len(self._values) < len(self._moves) * len(self._columns):
            return False  # not yet: most calls
        depth = self._complete.depth + 1
        rows = [
            [RootPair(depth, move, column) for column in range(len(self._columns))] for move in self._moves
        ]
        if not rows or any(pair not in self._values for row in rows for pair in row):
            return False
        if self._maximin and self._research([pair for (pair,) in rows]):
            return False
        found = [[self._values.pop(pair) for pair in row] for row in rows]
        self._complete_values = {
            (value.pair.move, value.pair.column): value for row in found for value in row
        }
        self._complete = SearchResult(
            depth,
            self._moves,
            tuple(name for name, _ in self._columns),
            tuple(tuple(value.value for value in row) for row in found),
            frozenset(row[0].pair.move for row in found if any(value.upper_bound for value in row)),
        )
        if self._maximin and all(self._complete.lost(move) for move in self._moves):
            self._start_over()
            return False
        return True

    def _research(self, pairs: list[RootPair]) -> bool:
        """Maximin root: queue again the moves whose upper bound exceeds the best exact value, if there are
        any; they were searched with a lower alpha than is known by now."""
        exact = [self._values[pair].value for pair in pairs if not self._values[pair].upper_bound]
        if exact:
            best = max(exact)
            again = [p for p in pairs if self._values[p].upper_bound and self._values[p].value > best]
        else:
            # None was searched exactly: the last depth's best move has changed since they were started.
            again = [pair for pair in pairs if self._alpha(pair) == -INFINITE]
        for pair in again:
            del self._values[pair]
            self._owner(pair.move, pair.column).queue.insert(0, pair)
        return bool(again)

    def _start_over(self) -> None:
        """From depth 1 with the matrix root."""
        self._refuted, self._refutations = self._complete, self._complete_values
        self._maximin, self._complete, self._complete_values = False, SearchResult(), {}
        self._columns = self._listed_columns()
        self._values.clear()
        for worker in self._workers:
            worker.stop()

    def _balance(self) -> None:
        """A worker beyond the depth to be completed takes over a pair of it that another has not started."""
        depth = self._complete.depth + 1
        for worker in self._workers:
            in_hand = worker.queue if worker.pair is None else [worker.pair, *worker.queue]
            if any(pair.depth == depth for pair in in_hand):
                continue
            for other in self._workers:
                waiting = [pair for pair in other.queue if pair.depth == depth]
                if waiting and other is not worker:
                    other.queue.remove(waiting[-1])
                    if worker.pair is not None:
                        # It will be searched anew, mostly out of the table.
                        worker.queue.insert(0, worker.pair)
                        worker.pair = None
                    worker.queue.insert(0, waiting[-1])
                    break

    def _listed_columns(self) -> Columns:
        if self._maximin:
            return [(WORST, self._replies)]
        if self._duel:
            return [(MOVES[reply & 3], [reply]) for reply in self._replies]
        columns = [(DEFAULT, [DEFAULT_REPLY])]
        if len(self._replies) > 1:
            columns.append((WORST, self._replies))
        return columns

    def _owner(self, move: str, column: int) -> Worker:
        """Who searches a pair: the same at every depth, whose table knows what was best there."""
        return self._workers[(self._moves.index(move) + column) % len(self._workers)]

    def _has_pair(self, worker: Worker) -> bool:
        """Has a worker a pair to search? It starts the next, of its depth or of the one after."""
        if worker.pair is not None:
            return True
        while not worker.queue:
            if worker.depth >= self._max_depth:
                return False
            self._queue_next_depth(worker)
        pair = worker.queue.pop(0)
        replies = self._columns[pair.column][1]
        if self._maximin:
            replies = worker.reply_orders.get(pair.move, replies)
        worker.start(pair, replies, self._alpha(pair))
        return True

    def _queue_next_depth(self, worker: Worker) -> None:
        """The worker's pairs of its next depth, the moves of the highest scores first."""
        worker.depth += 1
        worker.went_deeper = True
        scores = self._complete.scores(self._search_config)
        worker.queue = [
            RootPair(worker.depth, move, column)
            for move in sorted(self._moves, key=lambda move: -scores.get(move, 0.0))
            for column in range(len(self._columns))
            if self._owner(move, column) is worker
        ]

    def _alpha(self, pair: RootPair) -> float:
        """What a move must exceed to be of interest: with the maximin root the best value of its depth."""
        if not self._maximin:
            return -INFINITE
        same_depth = (found for found in self._values.values() if found.pair.depth == pair.depth)
        exact = [found.value for found in same_depth if not found.upper_bound]
        if exact:
            return max(exact)
        last = self._complete.scores(self._search_config)
        best = max(last, key=lambda move: last[move], default=pair.move)
        return -INFINITE if pair.move == best else last[best] - _ASPIRATION_MARGIN


def _slice(flood: FloodContext, bitboards: bool, cells: int) -> int:
    """Nodes of half a millisecond or so: as many fewer as territory takes longer to count."""
    # Nodes times the cells of the frame: cell by cell, on two bitboards, on other bitboards.
    node_cells = 16_384 if not bitboards else 262_144 if uses_two_bitboards(flood) else 65_536
    return max(32, node_cells // cells)


def _well_fed(position: Position) -> bool:
    """Will nobody starve soon? Else territory may be counted cell by cell, where the board does not fit two
    bitboards, or hazards heal."""
    return min(snake.health for snake in position.snakes) > _HEALTH_RESERVE
