"""The one pool in which every search of the service runs, off the event loop.

As many threads as cores (kernels release the GIL). More requests than cores shrink budgets: a
search gets a fair share of its own remaining time, and one that is running is called in earlier
when others arrive. When a search is not back at its last moment the caller is told so and plays
its last resort; the search is stopped and its result dropped.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from app.runtime.deadline import fair_share
from engines.core.decision import Decision
from engines.core.limit import Budget, Clock, Meter

Search = Callable[[Meter], Decision]


@dataclass(slots=True, eq=False)
class _Job:
    search: Search
    budget: Budget
    latest: float
    meter: Meter | None = None
    began: float | None = None
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended. `decision` is None where there is none in time; `reason` then says why."""

    decision: Decision | None
    reason: Literal["done", "late", "overload", "error"]
    granted_ms: float | None = None
    error: BaseException | None = None


class SearchPool:
    """`workers` threads; at most `max_waiting` searches in hand."""

    def __init__(self, workers: int, max_waiting: int, clock: Clock) -> None:
        self.workers = workers
        self._max_waiting = max_waiting
        self._clock = clock
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="search")
        self._jobs: set[_Job] = set()
        self._lock = threading.Lock()

    @property
    def in_hand(self) -> int:
        """Searches that run or wait."""
        return len(self._jobs)

    async def run(self, search: Search, budget: Budget, latest: float, due: float) -> Outcome:
        """Run one search.

        `latest`: where the clock may stand when the search ends; `due`: where it stands when the
        caller must have an answer, found or not.
        """
        if len(self._jobs) >= self._max_waiting:
            return Outcome(None, "overload")
        job = _Job(search, budget, latest)
        with self._lock:
            self._jobs.add(job)
            self._call_in()
        future = asyncio.get_running_loop().run_in_executor(self._executor, self._work, job)
        try:
            await asyncio.wait((future,), timeout=max(0.0, due - self._clock()))
        finally:
            if not future.done():
                self._abandon(job)
        if not future.done():
            # Its exception, if any comes, has nobody to go to.
            future.add_done_callback(lambda late: late.cancelled() or late.exception())
            return Outcome(None, "late", _granted(job))
        if (error := future.exception()) is not None:
            return Outcome(None, "error", _granted(job), error)
        decision = future.result()
        return Outcome(decision, "late" if decision is None else "done", _granted(job))

    def close(self) -> None:
        """Stop every search and wait for none."""
        with self._lock:
            for job in self._jobs:
                job.abandoned = True
                if job.meter is not None:
                    job.meter.stop()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _work(self, job: _Job) -> Decision | None:
        try:
            with self._lock:
                now = self._clock()
                if job.abandoned:
                    return None
                job.meter = Meter(self._grant(job, now), self._clock, now)
                job.began = now
            return job.search(job.meter)
        finally:
            with self._lock:
                self._jobs.discard(job)

    def _grant(self, job: _Job, now: float) -> Budget:
        """The budget that is left for a job that starts now. Iterations alone stay as they are: exact."""
        if job.budget.ms is None:
            return job.budget
        end = fair_share(now, job.latest, self._waiting(), self.workers)
        return Budget(min(job.budget.ms, max(0.0, end - now) * 1000), job.budget.iterations)

    def _call_in(self) -> None:
        """Somebody came: pull in the ends of those who run, if somebody has to wait for them."""
        waiting = len(self._jobs) - self.workers
        if waiting <= 0:
            return
        for job in self._jobs:
            if job.meter is not None and job.began is not None:
                job.meter.shorten(fair_share(job.began, job.latest, waiting, self.workers))

    def _waiting(self) -> int:
        return max(0, len(self._jobs) - self.workers)

    def _abandon(self, job: _Job) -> None:
        with self._lock:
            job.abandoned = True
            if job.meter is not None:
                job.meter.stop()


def _granted(job: _Job) -> float | None:
    if job.meter is None or job.meter.deadline is None:
        return None
    return (job.meter.deadline - job.meter.started) * 1000
