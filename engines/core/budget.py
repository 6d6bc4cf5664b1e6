"""Search budgets in time and iterations, and the meter that enforces them.

With a budget of iterations alone the clock is never read, so the same inputs give the same
answer on any machine. With a budget of time the search asks the meter between slices of work
and keeps its best answer so far at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]
"""Seconds from an arbitrary origin, never going back (`time.perf_counter`)."""


@dataclass(frozen=True, slots=True)
class Budget:
    """`ms` of thinking time and/or a number of `iterations`; whichever ends first. None: no such limit."""

    ms: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if self.ms is None and self.iterations is None:
            raise ValueError("a budget needs milliseconds, iterations or both")
        if self.ms is not None and not 0 <= self.ms < float("inf"):
            raise ValueError("a budget's milliseconds are a finite number, 0 or more")
        if self.iterations is not None and self.iterations < 0:
            raise ValueError("a budget's iterations are 0 or more")


class Meter:
    """Enforces a budget: decides before each slice whether it may start.

    The contract of a search: do `more(done)` before each slice, `done` being the iterations
    completed so far; stop at the first False; be able to answer legally after any number of
    slices, none included.

    Time runs from `started` (by default the moment of making). The owner may pull the deadline
    in while the search runs, from another thread (`shorten`), or end it at once (`stop`).

    `helpers`: idle cores that the search may use beside its own; the owner may lower it at any time
    (`limit_helpers`). `crowded`: set by the search when those cores turned out to be busy.
    """

    __slots__ = ("_clock", "_deadline", "_helpers", "_iterations", "_stopped", "crowded", "started")

    def __init__(
        self, budget: Budget, clock: Clock | None = None, started: float | None = None, helpers: int = 0
    ) -> None:
        if budget.ms is not None and clock is None:
            raise ValueError("a budget of time needs a clock")
        self._clock = clock
        self._iterations = budget.iterations
        self._stopped = False
        self._helpers = helpers if budget.iterations is None and clock is not None else 0
        self.crowded = False
        self.started = 0.0
        self._deadline: float | None = None
        if budget.ms is not None and clock is not None:
            self.started = clock() if started is None else started
            self._deadline = self.started + budget.ms / 1000

    @property
    def deadline(self) -> float | None:
        """Where the clock will stand when time is up; None with a budget of iterations alone."""
        return self._deadline

    def more(self, done: int, ahead: float = 0.0) -> bool:
        """True if a slice expected to take `ahead` seconds may start after `done` iterations."""
        if self._stopped:
            return False
        if self._iterations is not None and done >= self._iterations:
            return False
        if self._deadline is None or self._clock is None:
            return True
        return self._clock() + ahead < self._deadline

    def left(self, done: int) -> int | None:
        """Iterations left after `done`; None where they are not limited."""
        return None if self._iterations is None else max(0, self._iterations - done)

    def now(self) -> float:
        """What the clock says; 0 where time is not limited."""
        return 0.0 if self._clock is None or self._deadline is None else self._clock()

    @property
    def helpers(self) -> int:
        """How many more threads may work for this search now; none where iterations are counted."""
        return self._helpers

    def limit_helpers(self, helpers: int) -> None:
        """Leave it at most so many helpers; never gives more."""
        self._helpers = min(self._helpers, max(0, helpers))

    def shorten(self, deadline: float) -> None:
        """Pull the deadline in; never puts it off. Without one it sets none (iterations stay exact)."""
        if self._deadline is not None:
            self._deadline = min(self._deadline, deadline)

    def stop(self) -> None:
        """End the search at its next question."""
        self._stopped = True
