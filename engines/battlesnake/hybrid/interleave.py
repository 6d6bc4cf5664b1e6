"""The hybrid's two searches at work: side by side on two cores, or in turn on one, to the same end."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.battlesnake.evaluation import WIN_SCORE
from engines.battlesnake.evolution.evolution import Evolution, Line
from engines.battlesnake.search.deepening import Search
from engines.battlesnake.search.result import SearchConfig
from engines.core.helping import helped
from engines.core.limit import Meter

_PARTS = 2
"""So many slices of the evolution take as long as one of the search."""
_SHORT = 4
"""So many slices are as short as can be, so that who has next to no time has something to say; the others
are `_LONGER` times as long: of half a millisecond two threads would lose a third with meeting."""
_LONGER = 4


class Work:
    """The search's walkers and the evolution on their way, a slice at a time: side by side on two
    cores, or in turn on one. A round is a slice of the first walker and one of the second or of the
    evolution, neither of which sees what the other does; what comes of it counts at the round's end. So what
    is found depends on the number of slices alone.
    """

    def __init__(
        self,
        search: Search,
        evolved: Evolution,
        legal: tuple[str, ...],
        search_config: SearchConfig,
        share: float,
    ) -> None:
        self.slices = 0
        """Done, and counted; so are the next three."""
        self.turns = 0
        """Played by the search."""
        self.generations = 0
        self.lines: Mapping[str, Line] = {}
        """What the evolution has found."""
        self.broken = False
        """Was time up while the evolution was still at work beside? Then it is on its way."""
        self._search = search
        self._evolved = evolved
        self._legal = legal
        self._search_config = search_config
        self._share = share
        self._bred = self._depth = 0
        self._turns = [0, 0]
        self._pace = 0.0
        """Seconds that the shortest slice would take, by the last one."""

    def run(self, meter: Meter) -> None:
        """Work until time is up or there is nothing left to find."""
        with helped(meter) as helper:
            while self._more(meter, 0) and not self._through():
                began, length, done = meter.now(), self._length, 1
                searching = self._searching
                second = self._second() if searching else None
                beside = helper if meter.helpers > 0 else None
                if not searching:
                    self._breed()
                elif second is None or beside is None:
                    self._first()
                elif not (done := beside.beside(self._first, second, meter)):
                    self._break(second)
                    return
                self._pace = (meter.now() - began) / length
                if second is not None and beside is None and self._more(meter, 1):
                    second()
                    done = 2
                self.slices += done
                self._settle()

    def _more(self, meter: Meter, besides: int) -> bool:
        """Is there time for most of another slice, after those counted and `besides`? No, once it was no."""
        return meter.more(self.slices + besides, self._pace * self._length / 2)

    def _through(self) -> bool:
        """Is there nothing left that either could find out?"""
        return not self._searching and (self._evolved.finished or self._settled())

    @property
    def _searching(self) -> bool:
        """Has the search something left to do, and a part of the work?"""
        return self._share < 1 and not self._search.finished

    def _settled(self) -> bool:
        """The search is through: is there nothing left that the evolution could decide?"""
        won = any(min(row) >= WIN_SCORE for row in self._search.found.payoffs)
        return won or (len(self._legal) == 1 and self._evolved.generations > 0)

    def _first(self) -> None:
        self._walk(0)

    def _second(self) -> Callable[[], None] | None:
        """What is done beside the first walker: the evolution's part of the work, or the second walker's."""
        due = self._bred * (1 - self._share) <= (self.slices - self._bred) * self._share
        if due and not self._evolved.finished:
            return self._breed
        return self._beside if self._search.workers > 1 else None

    def _beside(self) -> None:
        self._walk(1)

    @property
    def _length(self) -> int:
        return _LONGER if self.slices >= _SHORT and self._search.uses_bitboards else 1

    def _walk(self, which: int) -> None:
        self._turns[which] += self._search.step(which, self._search.slice * self._length)

    def _breed(self) -> None:
        self._bred += 1
        for _ in range(_PARTS * self._length):
            if not self._evolved.finished:
                self._evolved.advance()

    def _break(self, second: Callable[[], None]) -> None:
        """Time is up, and what is done beside is not: it is left to itself, and the round does not count."""
        self.broken = second == self._breed
        if not self.broken:
            self._search.abandon(1)

    def _settle(self) -> None:
        """Count what a round has brought."""
        search = self._search
        search.settle()
        self.turns = sum(self._turns)
        self.lines, self.generations = self._evolved.found, self._evolved.generations
        if search.found.depth > self._depth:
            # What the search expects to be played is worth being looked at to its end.
            self._depth = search.found.depth
            scores = search.found.scores(self._search_config)
            self._evolved.suggest(search.line(max(scores, key=lambda move: scores[move])).moves)
