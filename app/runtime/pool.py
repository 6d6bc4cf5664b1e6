"""The one pool in which all agent calls run, off the event loop. A running or waiting call is a search here.

One thread per core (kernels release the GIL). Earliest deadline first, but where there are several cores,
iterations-only searches leave one to those with a time limit. With more searches than cores, budgets shrink:
each gets a fair share of its remaining time, and running searches are shortened when others are queued. Idle
cores are lent to running searches as helpers and recalled when searches are queued. A search not back at
`due` is abandoned: it is stopped, its result dropped, and the caller plays the fallback move.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from app.runtime.deadline import fair_share
from engines.core.budget import Budget, Clock, Meter
from engines.core.decision import Decision

Call = Callable[[Meter], Decision]
"""`AgentCall.run`."""

CROWDED_SECONDS = 2.0
"""Seconds without helpers for new searches after all cores were in use, or after a search found them busy
with other programs: an extra thread then delays answers."""


@dataclass(slots=True, eq=False)
class _Job:
    call: Call
    budget: Budget
    latest: float
    """Clock seconds when the search should end."""
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Decision]
    meter: Meter | None = None
    began: float = 0.0
    """Clock seconds."""
    granted: float | None = None
    """Seconds granted to an iterations-only search that was cut short; None: not cut."""
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """How a search ended. `decision` is None where there is none in time; `reason` then says why.

    `granted_ms`: the time it was given; None for an iterations-only search that was not cut short.
    """

    decision: Decision | None
    reason: Literal["done", "late", "overload", "error"]
    granted_ms: float | None = None
    error: BaseException | None = None


class SearchPool:
    """`workers` threads; at most `max_waiting` searches in hand; up to `helpers` idle cores for a search."""

    def __init__(self, workers: int, max_waiting: int, clock: Clock, helpers: int = 0) -> None:
        self.workers = workers
        self._max_waiting = max_waiting
        self._helpers = helpers
        self._clock = clock
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="search")
        self._lock = threading.Lock()
        self._order = itertools.count()
        # By `latest`, then in the order in which they came.
        self._waiting: list[tuple[float, int, _Job]] = []
        self._running: set[_Job] = set()
        self._crowded_until = 0.0

    @property
    def in_hand(self) -> int:
        """Searches that run or wait."""
        return len(self._waiting) + len(self._running)

    async def run(self, call: Call, budget: Budget, latest: float, due: float) -> SearchResult:
        """Run one search.

        Both are clock times: at `latest` the search should end; at `due` the caller must have an answer, with
        a decision or without. An iterations-only search reads no clock: it is stopped at `latest` and answers
        with its best so far.
        """
        if self.in_hand >= self._max_waiting:
            return SearchResult(None, "overload")
        loop = asyncio.get_running_loop()
        job = _Job(call, budget, latest, loop, loop.create_future())
        with self._lock:
            heapq.heappush(self._waiting, (latest, next(self._order), job))
            self._shorten_running()
            self._share_idle_cores()
            if not self._idle():
                self._crowded_until = self._clock() + CROWDED_SECONDS
        self._executor.submit(self._work)
        try:
            if _iterations_only(job):
                await asyncio.wait((job.future,), timeout=max(0.0, latest - self._clock()))
                self._cut_short(job)
            await asyncio.wait((job.future,), timeout=max(0.0, due - self._clock()))
        finally:
            if not job.future.done():
                self._abandon(job)
        granted = _granted(job)
        if job.future.cancelled():
            return SearchResult(None, "late", granted)
        if (error := job.future.exception()) is not None:
            return SearchResult(None, "error", granted, error)
        return SearchResult(job.future.result(), "done", granted)

    def close(self) -> None:
        """Stop every search and wait for none."""
        with self._lock:
            self._waiting.clear()
            for job in self._running:
                if job.meter is not None:
                    job.meter.stop()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _work(self) -> None:
        """Take the most urgent job and do it."""
        with self._lock:
            job = self._next()
            if job is None:
                return
            self._running.add(job)
            job.began = self._clock()
            idle = min(self._helpers, self._idle()) if job.began >= self._crowded_until else 0
            job.meter = meter = Meter(self._grant(job), self._clock, job.began, idle)
            self._share_idle_cores()
        decision: Decision | None = None
        error: BaseException | None = None
        try:
            decision = job.call(meter)
        except BaseException as raised:  # noqa: BLE001  (handed to the caller)
            error = raised
        with self._lock:
            self._running.discard(job)
            if self._waiting:
                self._executor.submit(self._work)  # a job that `_next` passed over
            if meter.crowded:
                self._crowded_until = self._clock() + CROWDED_SECONDS
            if not job.abandoned:
                job.loop.call_soon_threadsafe(_finish, job.future, decision, error)

    def _next(self) -> _Job | None:
        """The most urgent job that may start; iterations-only ones leave a core to the others."""
        full = sum(map(_iterations_only, self._running)) >= max(1, self.workers - 1)
        kept, found = [], None
        while self._waiting and found is None:
            entry = heapq.heappop(self._waiting)
            if full and _iterations_only(entry[2]):
                kept.append(entry)
            elif not entry[2].abandoned:
                found = entry[2]
        for entry in kept:
            heapq.heappush(self._waiting, entry)
        return found

    def _grant(self, job: _Job) -> Budget:
        """The budget of a job that starts now: its fair share of the time; iterations alone stay exact."""
        if job.budget.ms is None:
            return job.budget
        end = fair_share(job.began, job.latest, len(self._waiting), self.workers)
        return Budget(min(job.budget.ms, max(0.0, end - job.began) * 1000), job.budget.iterations)

    def _shorten_running(self) -> None:
        """A search was queued: shorten the running ones if it has to wait."""
        free = self.workers - len(self._running)
        waiting = sorted(self._waiting)[max(0, free) :]
        if not waiting:
            return
        if all(map(_iterations_only, self._running)) and not all(
            _iterations_only(job) for _, _, job in waiting
        ):
            # There is one core alone: searches with a time limit go first, the others can be asked again.
            for job in self._running:
                self._end(job, self._clock())
        for job in self._running:
            self._shorten(job, fair_share(job.began, job.latest, len(waiting), self.workers))
        # Those that end first end early enough to leave the most urgent waiting ones half of their time.
        now = self._clock()
        first_back = sorted(self._running, key=_deadline)
        for job, (latest, _, _) in zip(first_back, waiting, strict=False):
            self._shorten(job, fair_share(now, latest, self.workers, self.workers))

    def _idle(self) -> int:
        """Cores that no running or waiting search needs."""
        return max(0, self.workers - len(self._running) - len(self._waiting))

    def _share_idle_cores(self) -> None:
        """Cap each running search's helpers at an equal share of the idle cores."""
        for job in self._running:
            if job.meter is not None:
                job.meter.limit_helpers(self._idle() // len(self._running))

    @staticmethod
    def _shorten(job: _Job, end: float) -> None:
        if job.meter is not None:
            job.meter.shorten(end)

    def _cut_short(self, job: _Job) -> None:
        with self._lock:
            if job in self._running:
                self._end(job, job.latest)

    @staticmethod
    def _end(job: _Job, end: float) -> None:
        """Stop the search; it answers with its best so far. `granted` counts to `end`."""
        if job.meter is not None:
            job.granted = max(0.0, end - job.began)
            job.meter.stop()

    def _abandon(self, job: _Job) -> None:
        with self._lock:
            job.abandoned = True
            job.future.cancel()
            if job.meter is not None:
                job.meter.stop()


def _finish(future: asyncio.Future[Decision], decision: Decision | None, error: BaseException | None) -> None:
    """On the loop: hand the result over, unless nobody waits for it any more."""
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    elif decision is not None:
        future.set_result(decision)


def _iterations_only(job: _Job) -> bool:
    """Has the job no time limit?"""
    return job.budget.ms is None


def _deadline(job: _Job) -> float:
    deadline = job.meter.deadline if job.meter is not None else None
    return float("inf") if deadline is None else deadline


def _granted(job: _Job) -> float | None:
    if job.meter is not None and job.meter.deadline is not None:
        return (job.meter.deadline - job.meter.started) * 1000
    return None if job.granted is None else job.granted * 1000
