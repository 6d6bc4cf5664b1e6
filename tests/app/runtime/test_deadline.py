"""Deadline arithmetic, without a clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.runtime.deadline import (
    DEFAULT_TIMEOUT_MS,
    JITTER_MS,
    MAX_MARGIN_SHARE,
    MAX_TIMEOUT_MS,
    Margin,
    fair_share,
    first_margin,
    referee_timeout,
)

times = st.floats(0.0, 1e4)


@pytest.mark.parametrize("nonsense", [None, 0, -5, float("nan"), float("inf"), float("-inf")])
def test_a_timeout_that_makes_no_sense_is_the_official_default(nonsense):
    assert referee_timeout(nonsense) == DEFAULT_TIMEOUT_MS


def test_a_told_time_is_bounded():
    assert referee_timeout(50) == 50
    assert referee_timeout(10**9) == MAX_TIMEOUT_MS


@given(now=times, left=st.floats(-10, 10), waiting=st.integers(0, 500), workers=st.integers(1, 64))
def test_a_fair_share_lies_between_now_and_the_last_moment(now, left, waiting, workers):
    end = fair_share(now, now + left, waiting, workers)
    assert now <= end <= max(now, now + left)


def test_shares_shrink_as_others_wait():
    shares = [fair_share(0.0, 1.0, waiting, 2) for waiting in range(9)]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert shares[2] == 0.5


def test_everybody_who_waits_gets_a_turn_before_the_last_moment():
    """Eight at once on two threads: each starts when its predecessor ends, none after its last moment."""
    workers, latest = 2, 0.4
    free = [0.0, 0.0]
    for arrived_as in range(8):
        thread = min(range(workers), key=lambda i: free[i])
        waiting = max(0, 8 - arrived_as - workers)
        started = free[thread]
        assert started < latest
        free[thread] = fair_share(started, latest, waiting, workers)
    assert max(free) <= latest


def test_the_first_margin_takes_a_part_of_the_told_time_but_never_most_of_it():
    for told in (50.0, 100.0, 250.0, 500.0, 5000.0):
        margin = Margin().ms(told)
        assert margin == min(first_margin(told), told * MAX_MARGIN_SHARE)
        assert told - margin >= told * (1 - MAX_MARGIN_SHARE)


def test_the_margin_is_learnt_from_what_the_referee_measured():
    margin = Margin()
    margin.learn(latency_ms=430.0, own_ms=400.0, timeout_ms=500.0)
    assert margin.ms(500.0) == 30.0 + JITTER_MS
    margin.learn(latency_ms=405.0, own_ms=400.0, timeout_ms=500.0)
    assert margin.ms(500.0) == pytest.approx(27.0 + JITTER_MS), "a spike is forgotten slowly"
    margin.learn(latency_ms=460.0, own_ms=400.0, timeout_ms=500.0)
    assert margin.ms(500.0) == 60.0 + JITTER_MS, "a new spike counts at once"


def test_a_late_answer_widens_the_margin_whatever_we_thought_it_took():
    margin = Margin()
    before = margin.ms(500.0)
    margin.learn(latency_ms=503.0, own_ms=None, timeout_ms=500.0)
    after = margin.ms(500.0)
    assert after > before + 50
    margin.learn(latency_ms=500.0, own_ms=430.0, timeout_ms=500.0)
    assert margin.ms(500.0) > after


@pytest.mark.parametrize("nothing", [0.0, -1.0, float("nan"), float("inf")])
def test_a_latency_that_says_nothing_teaches_nothing(nothing):
    margin = Margin()
    margin.learn(nothing, 10.0, 500.0)
    assert margin.overhead_ms is None


@given(
    reports=st.lists(st.tuples(st.floats(0, 2000), st.one_of(st.none(), st.floats(0, 1000))), max_size=30),
    told=st.floats(1, 10_000),
)
def test_there_is_always_time_to_search(reports, told):
    margin = Margin()
    for latency, own in reports:
        margin.learn(latency, own, told)
    assert 0 < margin.ms(told) <= told * MAX_MARGIN_SHARE
