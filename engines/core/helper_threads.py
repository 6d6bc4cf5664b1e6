"""One extra thread for a search that was granted an idle core.

A search may hand it one of two independent slices: neither may write what the other reads. Called by
searches; knows no game.
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
"""Seconds: interval at which a search waiting for its helper checks the deadline; several slices long."""
_FRUITLESS = 4
"""Consecutive hand-overs without a gain after which the helper is given up: its core is busy with others."""
_SHORT = 0.0002
"""Slices shorter than this (seconds) are not counted: the hand-over itself takes as long."""
_AWAKE = 0.0003
"""Seconds to busy-wait before sleeping: about the cost of waking a core."""


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
        """Run `own` on this thread and `other` on the helper (or here, if the helper has not started it).

        Returns 2: both done; 1: time was up before `other` was started; 0: time was up while the helper still
        runs `other`, whose data must not be read, and the helper must not be used again.
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
        """Count hand-overs without a gain in a row.

        At `_FRUITLESS` mark the meter crowded and take its helpers.
        """
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
    """Busy-wait until the queue has an item, `_AWAKE` seconds at most."""
    until = perf_counter() + _AWAKE
    while queue.empty() and perf_counter() < until:
        sleep(0)


@contextmanager
def helper_thread(meter: Meter) -> Iterator[Helper | None]:
    """Context: a helper thread, or None if the meter grants no helper or no thread can be started."""
    helper = None
    if meter.helpers:
        try:
            helper = Helper()
        except RuntimeError:  # no thread can be started: the search runs on its own
            meter.limit_helpers(0)
    try:
        yield helper
    finally:
        if helper is not None:
            helper.leave()
