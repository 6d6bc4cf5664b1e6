"""Search and evolution in turn, a slice at a time: on one core, or side by side on two, to the same end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.evolution.evolution import Evolution, Individual
from engines.battlesnake.search.deepening import Search
from engines.battlesnake.search.result import SearchConfig
from engines.core.budget import Meter
from engines.core.helper_threads import helper_thread

_ADVANCES_PER_SLICE = 2
"""Calls of `Evolution.advance` that take as long as `Search.slice` nodes: half a millisecond. A slice is
either of the two."""
_SHORT_SLICES = 4
"""The first slices are as short as can be, so that a tiny budget still leaves a result of both; the others
are `_LENGTH` times as long: with slices of half a millisecond two threads would lose a third to meeting."""
_LENGTH = 4


class Interleaving:
    """Steps of search and evolution in rounds, until time is up or nothing is left to find.

    A round is a slice of the first search worker, and one of the second worker or of the evolution. The two
    share no state within a round, and results count at its end; so what is found depends on the number of
    slices alone, not on the number of cores.

    `legal` are the moves that both search, `share` is the evolution's part of the slices.
    """

    def __init__(
        self,
        search: Search,
        evolution: Evolution,
        legal: tuple[str, ...],
        search_config: SearchConfig,
        share: float,
    ) -> None:
        self.slices = 0
        """Finished; this and the next three are as of the last complete round."""
        self.nodes = 0
        """Of the search."""
        self.generations = 0
        self.lines: Mapping[str, Individual] = {}
        """By first move the evolution's best line."""
        self.evolution_abandoned = False
        """Did time end while another thread was still in the evolution? Its state must not be read then."""
        self._search = search
        self._evolution = evolution
        self._legal = legal
        self._search_config = search_config
        self._share = share
        self._evolution_slices = self._depth = 0
        self._worker_nodes = [0, 0]
        self._pace = 0.0
        """Seconds that a slice of length 1 takes, by the last round."""

    def run(self, meter: Meter) -> None:
        """Work until time is up or there is nothing left to find."""
        with helper_thread(meter) as helper:
            while self._has_time(meter, 0) and not self._finished:
                began, length, done = meter.now(), self._length, 1
                searching = self._searching
                second = self._second_slice() if searching else None
                thread = helper if meter.helpers > 0 else None
                if not searching:
                    self._evolve()
                elif second is None or thread is None:
                    self._search_first()
                elif not (done := thread.run_both(self._search_first, second, meter)):
                    self._abandon(second)
                    return
                self._pace = (meter.now() - began) / length
                if second is not None and thread is None and self._has_time(meter, 1):
                    second()
                    done = 2
                self.slices += done
                self._end_round()

    def _has_time(self, meter: Meter, uncounted: int) -> bool:
        """Is there time for most of another slice, after those counted and `uncounted` more?"""
        return meter.more(self.slices + uncounted, self._pace * self._length / 2)

    @property
    def _finished(self) -> bool:
        """Is there nothing left that either could find out?"""
        return not self._searching and (self._evolution.finished or self._decided)

    @property
    def _searching(self) -> bool:
        """Does the search have a share of the slices, and something left to do?"""
        return self._share < 1 and not self._search.finished

    @property
    def _decided(self) -> bool:
        """With the search finished: is there nothing left that the evolution could decide?"""
        won = any(min(row) >= WIN_SCORE for row in self._search.result.payoffs)
        return won or (len(self._legal) == 1 and self._evolution.generations > 0)

    @property
    def _length(self) -> int:
        """Of a slice, in units of the search's shortest one."""
        return _LENGTH if self.slices >= _SHORT_SLICES and self._search.uses_bitboards else 1

    def _second_slice(self) -> Callable[[], None] | None:
        """What follows the first worker's slice, or runs beside it: the evolution where it is due, else the
        second worker, if there is one."""
        search_slices = self.slices - self._evolution_slices
        due = self._evolution_slices * (1 - self._share) <= search_slices * self._share
        if due and not self._evolution.finished:
            return self._evolve
        return self._search_second if self._search.workers > 1 else None

    def _search_first(self) -> None:
        self._search_slice(0)

    def _search_second(self) -> None:
        self._search_slice(1)

    def _search_slice(self, worker: int) -> None:
        self._worker_nodes[worker] += self._search.step(worker, self._search.slice * self._length)

    def _evolve(self) -> None:
        self._evolution_slices += 1
        for _ in range(_ADVANCES_PER_SLICE * self._length):
            if not self._evolution.finished:
                self._evolution.advance()

    def _abandon(self, second: Callable[[], None]) -> None:
        """Time is up while another thread is in `second`: what that touches is not read, the round not
        counted."""
        self.evolution_abandoned = second == self._evolve
        if not self.evolution_abandoned:
            self._search.abandon(1)

    def _end_round(self) -> None:
        """Count the results of a round."""
        search = self._search
        search.collect()
        self.nodes = sum(self._worker_nodes)
        self.lines, self.generations = self._evolution.found, self._evolution.generations
        if search.result.depth > self._depth:
            # A new depth: the evolution gets its principal variation as a line to improve on.
            self._depth = search.result.depth
            scores = search.result.scores(self._search_config)
            self._evolution.suggest(
                search.principal_variation(max(scores, key=lambda move: scores[move])).moves
            )
