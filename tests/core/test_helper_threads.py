"""Two pieces of work side by side: both are done, or it is said which one isn't. Threads meet at events."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest

from engines.core.budget import Budget, Meter
from engines.core.helper_threads import _FRUITLESS, Helper, helper_thread

PATIENCE = 30
"""Never waited for: it only keeps a broken test from hanging."""


class Clock:
    """Stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 1.0

    def __call__(self) -> float:
        return self.now


def meter(helpers: int, clock: Clock | None = None) -> Meter:
    return Meter(Budget(ms=100.0), clock or Clock(), None, helpers)


def test_who_has_no_core_to_spare_gets_no_helper() -> None:
    with helper_thread(meter(0)) as helper:
        assert helper is None
    with helper_thread(Meter(Budget(ms=100.0, iterations=7), Clock(), None, 1)) as helper:
        assert helper is None, "iterations are to be the same on any number of cores"


def test_both_are_done_at_the_same_time() -> None:
    mine, yours = Event(), Event()

    def own() -> None:
        mine.set()
        assert yours.wait(PATIENCE)

    def other() -> None:
        yours.set()
        assert mine.wait(PATIENCE)

    limit = meter(1)
    with helper_thread(limit) as helper:
        assert helper is not None
        for _ in range(3):
            mine.clear()
            yours.clear()
            assert helper.run_both(own, other, limit) == 2


@contextmanager
def occupied(helper: Helper | None) -> Iterator[Helper]:
    """A helper that has its hands full."""
    busy, leave = Event(), Event()

    def keep() -> None:
        busy.set()
        leave.wait(PATIENCE)

    assert helper is not None
    helper._asked.put([keep])
    assert busy.wait(PATIENCE)
    yield helper
    leave.set()


def test_what_nobody_has_begun_is_done_here() -> None:
    limit, done = meter(1), []
    with helper_thread(limit) as free, occupied(free) as helper:
        assert helper.run_both(lambda: done.append("own"), lambda: done.append("other"), limit) == 2
        assert done == ["own", "other"]
        limit.stop()
        assert helper.run_both(lambda: done.append("own"), lambda: done.append("other"), limit) == 1
        assert done == ["own", "other", "own"], "nobody begins with anything when time is up"


def test_time_that_is_up_is_not_waited_beyond() -> None:
    clock, leave, begun = Clock(), Event(), Event()
    limit = meter(1, clock)

    def own() -> None:
        assert begun.wait(PATIENCE)
        clock.now += 1.0

    def other() -> None:
        begun.set()
        leave.wait(PATIENCE)

    with helper_thread(limit) as helper:
        assert helper is not None
        assert helper.run_both(own, other, limit) == 0
    leave.set()


def test_a_failure_beside_is_a_failure_here() -> None:
    limit, begun = meter(1), Event()

    def other() -> None:
        begun.set()
        raise ZeroDivisionError("a bug")

    with helper_thread(limit) as helper:
        assert helper is not None
        with pytest.raises(ZeroDivisionError):
            helper.run_both(lambda: bool(begun.wait(PATIENCE)) and None, other, limit)


def test_a_helper_that_saves_nothing_is_given_up() -> None:
    clock = Clock()
    limit = meter(1, clock)

    def slow() -> None:
        clock.now += 0.001

    def quick() -> None:
        clock.now += 0.0001

    with helper_thread(limit) as free, occupied(free) as helper:
        for own in (*[slow] * (_FRUITLESS - 1), quick):
            assert helper.run_both(own, quick, limit) == 2
            assert (limit.helpers, limit.crowded) == (1, False)
        assert helper.run_both(slow, quick, limit) == 2
        assert (limit.helpers, limit.crowded) == (0, True)


def test_who_gets_no_thread_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("engines.core.helper_threads.start_new_thread", refuse)
    limit = meter(1)
    with helper_thread(limit) as helper:
        assert helper is None
    assert limit.helpers == 0


def test_helpers_are_taken_away_and_never_given() -> None:
    limit = meter(2)
    limit.limit_helpers(1)
    assert limit.helpers == 1
    limit.limit_helpers(3)
    assert limit.helpers == 1
    limit.limit_helpers(-1)
    assert limit.helpers == 0
