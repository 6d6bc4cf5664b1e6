"""A second thread for a search that has a core for it.

What a search is asked for in slices it may do two at a time, if neither touches what the other reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Any

from engines.core.limit import Meter

Work = Callable[[], None]

GRACE = 0.003
"""Seconds beyond its time that a search waits for what its helper has begun: several slices."""
_VAIN = 2
"""After so many times in a row that it has saved nothing a helper is given up: others need its core."""
_LOOKS = 200
"""So many times a thread looks whether the other has come before it sleeps: a fraction of a millisecond,
which is what waking a sleeping core costs."""


class Helper:
    """Another thread, which does one piece of work at a time."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[Work | None] = SimpleQueue()
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        self._vain = 0
        Thread(target=self._serve, name="helper", daemon=True).start()

    def beside(self, own: Work, other: Work, meter: Meter) -> bool:
        """Do `own` here and `other` beside it, or after it if nobody has begun with it by then.

        False: time is up and `other` is still being done. Then nothing that it touches can be relied on, and
        the helper is of no more use.
        """
        began = meter.now()
        self._asked.put(other)
        own()
        done = meter.now()
        try:
            work = self._asked.get_nowait()
        except Empty:
            came = self._wait(meter)
            self._judge(meter, meter.now() - done < done - began)
            return came
        if work is not None:
            work()
        self._judge(meter, False)
        return True

    def leave(self) -> None:
        """No more work."""
        self._asked.put(None)

    def _judge(self, meter: Meter, saved: bool) -> None:
        self._vain = 0 if saved else self._vain + 1
        if self._vain >= _VAIN:
            meter.crowded = True
            meter.spare(0)

    def _wait(self, meter: Meter) -> bool:
        _look(self._done)
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
        while (work := self._asked.get()) is not None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  (it belongs to who asked)
                self._done.put(error)
            else:
                self._done.put(None)
            _look(self._asked)


def _look(queue: SimpleQueue[Any]) -> None:
    """Stay awake for a while, or until something has come."""
    for _ in range(_LOOKS):
        if not queue.empty():
            return
        sleep(0)


@contextmanager
def helped(meter: Meter) -> Iterator[Helper | None]:
    """A helper for as long as one is inside, where the meter has a core for it."""
    helper = Helper() if meter.helpers else None
    try:
        yield helper
    finally:
        if helper is not None:
            helper.leave()
