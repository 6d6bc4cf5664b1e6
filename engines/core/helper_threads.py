"""A second thread for a search that has a core for it.

What a search is asked for in slices it may do two at a time, if neither touches what the other reads.
"""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any

from engines.core.budget import Meter

Work = Callable[[], None]

GRACE = 0.003
"""Seconds beyond its time that a search waits for what its helper has begun: several slices."""
_FRUITLESS = 4
"""After so many times in a row that it has saved nothing a helper is given up: others need its core."""
_SHORT = 0.0002
"""Seconds of work that say nothing of that: meeting takes as long."""
_AWAKE = 0.0003
"""Seconds that a thread looks whether the other has come before it sleeps: what waking a core costs."""


class Helper:
    """Another thread, which does one piece of work at a time."""

    def __init__(self) -> None:
        # A piece of work is in a box, for whoever takes it out first.
        self._asked: SimpleQueue[list[Work]] = SimpleQueue()
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._left = False
        self._fruitless = 0
        start_new_thread(self._serve, ())

    def run_both(self, own: Work, other: Work, meter: Meter) -> int:
        """Do `own` here and `other` beside it, or after it if nobody has begun with it by then.

        How many of them are done: 2, or 1 if time was up before anybody began with `other`. 0: time is up and
        `other` is still being done. Then nothing that it touches can be relied on, and the helper is of no
        more use.
        """
        box = [other]
        began = meter.now()
        self._asked.put(box)
        own()
        done = meter.now()
        try:
            work = box.pop()
        except IndexError:
            came = self._wait(meter)
            self._note_gain(meter, done - began, meter.now() - done)
            return 2 if came else 0
        self._note_gain(meter, done - began, done - began)
        if not meter.more(0):
            return 1
        work()
        return 2

    def leave(self) -> None:
        """No more work."""
        self._left = True
        self._asked.put([])

    def _note_gain(self, meter: Meter, own: float, waited: float) -> None:
        """Has the helper saved anything?"""
        if own < _SHORT:
            return
        self._fruitless = 0 if waited < own else self._fruitless + 1
        if self._fruitless >= _FRUITLESS:
            meter.crowded = True
            meter.limit_helpers(0)

    def _wait(self, meter: Meter) -> bool:
        _spin(self._done)
        while True:
            try:
                error = self._done.get(timeout=GRACE)
            except Empty:
                if not meter.more(0):
                    return False
            else:
                if error is not None:
                    raise error
                return True

    def _serve(self) -> None:
        while True:
            box = self._asked.get()
            if self._left:
                return
            try:
                work = box.pop()
            except IndexError:
                continue
            try:
                work()
            except BaseException as error:  # noqa: BLE001  (it belongs to who asked)
                self._done.put(error)
            else:
                self._done.put(None)
            del work
            _spin(self._asked)


def _spin(queue: SimpleQueue[Any]) -> None:
    """Stay awake for a while, or until something has come."""
    until = perf_counter() + _AWAKE
    while queue.empty() and perf_counter() < until:
        sleep(0)


@contextmanager
def helper_thread(meter: Meter) -> Iterator[Helper | None]:
    """A helper for as long as one is inside, where the meter has a core for it."""
    helper = None
    if meter.helpers:
        try:
            helper = Helper()
        except RuntimeError:  # no thread is to be had: one does it too
            meter.limit_helpers(0)
    try:
        yield helper
    finally:
        if helper is not None:
            helper.leave()
