"""The pool: searches end in time, shares shrink, and a search that does not come back is left behind.

No test waits for a clock: time is a number that the test sets, and threads meet at events.
"""

import asyncio
import threading

import pytest

from app.runtime.pool import SearchPool
from engines.core.budget import Budget
from engines.core.decision import Decision

pytestmark = pytest.mark.anyio

# Never waited for: it only keeps a broken test from hanging.
PATIENCE = 30


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def make_pool(clock, workers=1, waiting=8, helpers=0):
    return SearchPool(workers, waiting, clock, helpers)


def far(clock):
    return clock.now + PATIENCE


async def until(condition):
    for _ in range(10_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it never came to pass")


async def test_a_search_that_ends_in_time_is_the_answer(clock):
    pool = make_pool(clock)
    result = await pool.run(lambda meter: Decision("up"), Budget(ms=100), clock.now + 0.1, far(clock))
    assert (result.reason, result.decision.move) == ("done", "up")
    assert result.granted_ms == pytest.approx(100)
    assert pool.in_hand == 0
    pool.close()


async def test_a_search_that_is_not_back_when_the_answer_is_due_is_left_behind_and_stopped(clock):
    pool = make_pool(clock)
    running, stopped = threading.Event(), threading.Event()

    def search(meter):
        running.set()
        while meter.more(0):
            running.wait(0.001)
        stopped.set()
        return Decision("up")

    await_it = asyncio.ensure_future(pool.run(search, Budget(ms=1e6), far(clock), clock.now + 0.05))
    result = await await_it
    assert (result.reason, result.decision) == ("late", None)
    assert await asyncio.to_thread(stopped.wait, PATIENCE)
    await until(lambda: pool.in_hand == 0)
    pool.close()


async def test_a_search_that_fails_is_told_and_the_pool_lives_on(clock):
    pool = make_pool(clock)

    def broken(meter):
        raise ZeroDivisionError("a bug")

    result = await pool.run(broken, Budget(ms=10), clock.now + 0.01, far(clock))
    assert (result.reason, result.decision) == ("error", None)
    assert isinstance(result.error, ZeroDivisionError)
    again = await pool.run(lambda meter: Decision("up"), Budget(ms=10), clock.now + 0.01, far(clock))
    assert again.reason == "done"
    pool.close()


async def test_more_than_the_pool_takes_in_hand_is_turned_away_at_once(clock):
    pool = make_pool(clock, waiting=2)
    gate = threading.Event()

    def search(meter):
        gate.wait(PATIENCE)
        return Decision("up")

    first = [asyncio.ensure_future(pool.run(search, Budget(ms=10), far(clock), far(clock))) for _ in range(2)]
    await until(lambda: pool.in_hand == 2)
    result = await pool.run(search, Budget(ms=10), far(clock), far(clock))
    assert (result.reason, result.decision) == ("overload", None)
    gate.set()
    assert [outcome.reason for outcome in await asyncio.gather(*first)] == ["done", "done"]
    pool.close()


async def test_who_runs_is_called_in_when_others_wait(clock):
    """One thread, a second of time: alone the search may use it all; with one waiting, half of it."""
    pool = make_pool(clock)
    gate, meters = threading.Event(), []

    def search(meter):
        meters.append(meter)
        gate.wait(PATIENCE)
        return Decision("up")

    first = asyncio.ensure_future(pool.run(search, Budget(ms=1000), clock.now + 1.0, far(clock)))
    await until(lambda: meters)
    assert meters[0].deadline == pytest.approx(clock.now + 1.0)
    second = asyncio.ensure_future(pool.run(search, Budget(ms=1000), clock.now + 1.0, far(clock)))
    await until(lambda: pool.in_hand == 2)
    assert meters[0].deadline == pytest.approx(clock.now + 0.5)
    third = asyncio.ensure_future(pool.run(search, Budget(ms=1000), clock.now + 1.0, far(clock)))
    await until(lambda: pool.in_hand == 3)
    assert meters[0].deadline == pytest.approx(clock.now + 1 / 3)
    gate.set()
    outcomes = await asyncio.gather(first, second, third)
    assert all(outcome.reason == "done" for outcome in outcomes)
    pool.close()


async def test_who_starts_late_gets_what_is_left(clock):
    pool = make_pool(clock)
    gate, meters = threading.Event(), []

    def hold(meter):
        gate.wait(PATIENCE)
        return Decision("up")

    def note(meter):
        meters.append((meter.deadline, clock.now))
        return Decision("up")

    first = asyncio.ensure_future(pool.run(hold, Budget(ms=1000), clock.now + 1.0, far(clock)))
    second = asyncio.ensure_future(pool.run(note, Budget(ms=1000), clock.now + 1.0, far(clock)))
    await until(lambda: pool.in_hand == 2)
    clock.now += 0.7
    gate.set()
    await asyncio.gather(first, second)
    deadline, now = meters[0]
    assert deadline - now == pytest.approx(0.3)
    pool.close()


async def test_the_most_urgent_goes_first(clock):
    pool = make_pool(clock)
    gate, order = threading.Event(), []

    def hold(meter):
        gate.wait(PATIENCE)
        return Decision("up")

    def note(name):
        def search(meter):
            order.append(name)
            return Decision("up")

        return search

    first = asyncio.ensure_future(pool.run(hold, Budget(ms=10_000), clock.now + 10, far(clock)))
    await until(lambda: pool._running)
    patient = asyncio.ensure_future(pool.run(note("patient"), Budget(ms=9000), clock.now + 9, far(clock)))
    await until(lambda: pool.in_hand == 2)
    urgent = asyncio.ensure_future(pool.run(note("urgent"), Budget(ms=100), clock.now + 0.1, far(clock)))
    await until(lambda: pool.in_hand == 3)
    gate.set()
    await asyncio.gather(first, patient, urgent)
    assert order == ["urgent", "patient"]
    pool.close()


async def test_who_has_long_gives_way_to_who_has_not(clock):
    """A search of ten seconds runs; one of a tenth comes: it gets half of its own time at least."""
    pool = make_pool(clock)
    gate, meters = threading.Event(), []

    def hold(meter):
        meters.append(meter)
        gate.wait(PATIENCE)
        return Decision("up")

    first = asyncio.ensure_future(pool.run(hold, Budget(ms=10_000), clock.now + 10, far(clock)))
    await until(lambda: meters)
    urgent = asyncio.ensure_future(pool.run(hold, Budget(ms=100), clock.now + 0.1, far(clock)))
    await until(lambda: pool.in_hand == 2)
    assert meters[0].deadline == pytest.approx(clock.now + 0.05)
    gate.set()
    await asyncio.gather(first, urgent)
    pool.close()


async def test_who_is_no_longer_waited_for_is_not_begun(clock):
    pool = make_pool(clock)
    gate, begun = threading.Event(), []

    def hold(meter):
        gate.wait(PATIENCE)
        return Decision("up")

    first = asyncio.ensure_future(pool.run(hold, Budget(ms=100), far(clock), far(clock)))
    await until(lambda: pool._running)
    late = await pool.run(lambda meter: begun.append(1), Budget(ms=100), clock.now, clock.now)
    assert late.reason == "late"
    gate.set()
    await first
    await until(lambda: pool.in_hand == 0)
    assert not begun
    pool.close()


async def test_iterations_alone_are_never_shortened(clock):
    """An exact budget stays exact under load: the same answer on any machine."""
    pool = make_pool(clock)
    seen = []

    def search(meter):
        done = 0
        while meter.more(done):
            done += 1
        seen.append(done)
        return Decision("up")

    budget = Budget(iterations=50)
    await asyncio.gather(*(pool.run(search, budget, far(clock), far(clock)) for _ in range(6)))
    assert seen == [50] * 6
    pool.close()


async def test_iterations_that_never_end_are_cut_short_and_what_they_found_is_kept(clock):
    pool = make_pool(clock)
    running = threading.Event()

    def search(meter):
        running.set()
        done = 0
        while meter.more(done):
            done += 1
        return Decision("up", stats={"iterations": done})

    result = await pool.run(search, Budget(iterations=10**15), clock.now + 0.05, far(clock))
    assert running.is_set()
    assert (result.reason, result.granted_ms) == ("done", pytest.approx(50))
    assert 0 < result.decision.stats["iterations"] < 10**15
    pool.close()


async def test_who_asks_for_iterations_leaves_a_core_to_those_with_a_clock(clock):
    pool = make_pool(clock, workers=2)
    begun, go_on = [], threading.Event()

    def exact(meter):
        begun.append("exact")
        go_on.wait(PATIENCE)
        return Decision("exact")

    tasks = [
        asyncio.ensure_future(pool.run(exact, Budget(iterations=9), far(clock), far(clock))) for _ in range(3)
    ]
    await until(lambda: begun)
    timed = await pool.run(lambda meter: Decision("up"), Budget(ms=100), clock.now + 0.1, far(clock))
    assert timed.decision.move == "up"
    assert begun == ["exact"]
    go_on.set()
    assert [outcome.decision.move for outcome in await asyncio.gather(*tasks)] == ["exact"] * 3
    pool.close()


async def test_on_one_core_a_clock_goes_before_iterations(clock):
    pool = make_pool(clock)
    begun = threading.Event()

    def exact(meter):
        begun.set()
        while meter.more(0):
            pass
        return Decision("exact")

    task = asyncio.ensure_future(pool.run(exact, Budget(iterations=9), far(clock), far(clock)))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    timed = await pool.run(lambda meter: Decision("up"), Budget(ms=100), clock.now + 0.1, far(clock))
    assert timed.decision.move == "up"
    cut = await task
    assert (cut.decision.move, cut.granted_ms) == ("exact", 0.0)
    pool.close()


async def test_closing_stops_what_runs(clock):
    pool = make_pool(clock)
    running, stopped = threading.Event(), threading.Event()

    def search(meter):
        running.set()
        while meter.more(0):
            stopped.wait(0.001)
        stopped.set()
        return Decision("up")

    task = asyncio.ensure_future(pool.run(search, Budget(ms=1e6), far(clock), far(clock)))
    assert await asyncio.to_thread(running.wait, PATIENCE)
    pool.close()
    assert await asyncio.to_thread(stopped.wait, PATIENCE)
    await task


async def test_idle_cores_help_until_somebody_comes_for_them(clock):
    pool = make_pool(clock, workers=2, helpers=3)
    seen, go_on = [], threading.Event()

    def search(meter):
        seen.append(meter)
        go_on.wait(PATIENCE)
        return Decision("up")

    def ask(budget):
        return asyncio.ensure_future(pool.run(search, budget, far(clock), far(clock)))

    first = ask(Budget(ms=1e6))
    await until(lambda: len(seen) == 1)
    assert seen[0].helpers == 1
    second = ask(Budget(ms=1e6))
    await until(lambda: len(seen) == 2)
    assert [meter.helpers for meter in seen] == [0, 0]
    go_on.set()
    await asyncio.gather(first, second)
    exact = ask(Budget(ms=1e6, iterations=5))
    await exact
    assert seen[2].helpers == 0
    pool.close()
    alone = make_pool(clock, workers=2)
    await alone.run(search, Budget(ms=1e6), far(clock), far(clock))
    assert seen[3].helpers == 0
    alone.close()


async def test_no_core_is_offered_for_a_while_after_all_were_wanted(clock):
    pool = make_pool(clock, workers=2, helpers=1)
    seen, go_on = [], threading.Event()

    def search(meter):
        seen.append(meter.helpers)
        go_on.wait(PATIENCE)
        return Decision("up")

    def ask():
        return asyncio.ensure_future(pool.run(search, Budget(ms=1e6), far(clock), far(clock)))

    both = ask(), ask()
    await until(lambda: len(seen) == 2)
    go_on.set()
    await asyncio.gather(*both)
    for wait, offered in ((1.0, 0), (1.5, 1)):
        clock.now += wait
        await ask()
        assert seen[-1] == offered
    pool.close()


async def test_idle_cores_go_to_those_who_run_in_equal_parts(clock):
    pool = make_pool(clock, workers=8, helpers=3)
    seen, go_on = [], threading.Event()

    def search(meter):
        seen.append(meter)
        go_on.wait(PATIENCE)
        return Decision("up")

    jobs = []
    for count, helpers in ((1, [3]), (2, [3, 3]), (3, [1, 1, 1]), (4, [1, 1, 1, 1]), (5, [0, 0, 0, 0, 0])):
        jobs.append(asyncio.ensure_future(pool.run(search, Budget(ms=1e6), far(clock), far(clock))))
        await until(lambda: len(seen) == count)  # noqa: B023
        assert [meter.helpers for meter in seen] == helpers
    go_on.set()
    await asyncio.gather(*jobs)
    pool.close()


async def test_cores_that_other_programs_use_are_not_offered_for_a_while(clock):
    pool = make_pool(clock, workers=2, helpers=3)
    seen = []

    def search(meter):
        seen.append(meter.helpers)
        meter.crowded = len(seen) == 1
        return Decision("up")

    for wait in (0.0, 1.0, 1.5):
        clock.now += wait
        await pool.run(search, Budget(ms=1e6), far(clock), far(clock))
    assert seen == [1, 0, 1]
    pool.close()
