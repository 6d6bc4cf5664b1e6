"""The comparison of two checkouts: its statistics, its order, and that the work is the same each time."""

from __future__ import annotations

import argparse
import random
from math import comb

import pytest

from bench import ratio, ratio_worker


@pytest.mark.parametrize("pairs", [6, 7, 20, 21, 40])
def test_an_interval_holds_the_median_95_times_of_100_and_no_narrower_one_does(pairs):
    values = list(range(1, pairs + 1))
    random.Random(1).shuffle(values)
    low, high = ratio.interval(values)
    assert low + high == pairs + 1

    def missed(rank: int) -> float:
        """How often fewer than `rank` of the values lie on one side of the median, or on the other."""
        return 2 * sum(comb(pairs, below) for below in range(rank)) / 2**pairs

    assert missed(low) <= 0.05 < missed(low + 1)


def test_twenty_values_have_the_sixth_and_the_fifteenth():
    assert ratio.interval([float(value) for value in range(1, 21)]) == (6.0, 15.0)


@pytest.mark.parametrize("pairs", [1, 2, 5])
def test_with_few_values_the_interval_is_their_range(pairs):
    values = [1.0 + number / 10 for number in range(pairs)]
    assert ratio.interval(values) == (values[0], values[-1])


def rows(workload, *ratios):
    return ratio.row(workload, [(2.0, 2.0 * value) for value in ratios])


def test_a_row_has_the_median_of_the_ratios_of_new_to_old():
    found = ratio.row("ludo/td", [(1.0, 1.1), (2.0, 2.0), (4.0, 3.6)])
    assert (found.median, found.low, found.high, found.base_seconds) == (1.0, 0.9, 1.1, 2.0)
    assert found.ratios == (1.1, 1.0, 0.9)


def test_a_row_passes_by_its_median_and_by_the_upper_end_of_its_interval():
    assert rows("ludo/td", *[1.02] * 20).passed
    assert not rows("ludo/td", *[1.021] * 20).passed
    assert not rows("ludo/td", *[1.0] * 12, *[1.05] * 8).passed
    assert rows("set-up", 1.05, 1.04, 1.06, 1.05).passed
    assert not rows("set-up", 1.06, 1.04, 1.06, 1.06).passed


def test_the_table_says_what_holds_and_what_is_a_range():
    text = ratio.table([rows("ludo/td", *[0.99] * 20), rows("set-up", 1.1, 1.2)])
    assert text.splitlines()[2:] == [
        "| ludo/td | 20 | 0.990 | 0.990 to 0.990 | at most 1.02: holds |",
        "| set-up | 2 | 1.150 | 1.100 to 1.200 (range) | at most 1.05: EXCEEDED |",
    ]


@pytest.mark.parametrize(("pairs", "processes"), [(20, 5), (4, 5), (7, 3)])
def test_every_pair_has_its_process(pairs, processes):
    found = list(ratio.shares(pairs, processes))
    assert len(found) == processes
    assert [number for share in found for number in share] == list(range(pairs))


class FakeCheckout:
    """Takes as long as it is told, and remembers in which order both were asked."""

    def __init__(self, name, seconds, log, answer="same"):
        self.name, self.seconds, self.log, self.answer = name, seconds, log, answer

    def run(self, workload, times):
        self.log.append((self.name, times))
        return self.seconds * times, self.answer

    def start(self, workload):
        return self.seconds

    def renew(self):
        self.log.clear()


def test_pairs_alternate_in_their_order():
    log = []
    options = argparse.Namespace(pairs=4, set_up_pairs=2, processes=1, seconds=0.35)
    sides = FakeCheckout("old", 0.1, log), FakeCheckout("new", 0.2, log)
    (found,) = ratio.compare(*sides, ["ludo/td"], options)
    assert [name for name, _ in log[-8:]] == ["old", "new", "new", "old"] * 2
    assert {times for _, times in log[-8:]} == {4}
    assert found.median == 2.0


def test_other_answers_end_the_comparison():
    log = []
    sides = FakeCheckout("old", 0.1, log), FakeCheckout("new", 0.1, log, "other")
    with pytest.raises(ratio.UnequalError, match="ludo/td"):
        ratio.measured(*sides, "ludo/td", 1, 0)


def test_an_agent_is_asked_under_the_name_that_is_there():
    from engines.catalogue import GAMES

    for decisions in ratio_worker.DECISIONS.values():
        agents = GAMES[decisions.game].agents
        assert any(
            name in agents and ratio_worker.accepts(agents[name].parameters, given)
            for name, given in map(ratio_worker.read, decisions.specs)
        ), decisions.specs


@pytest.mark.machine_code
def test_each_workload_finds_the_same_in_another_run():
    checkout = ratio.Checkout(ratio.HERE, "ours")
    try:
        for workload in ratio.WORKLOADS:
            seconds, answers = checkout.run(workload, 1)
            assert seconds > 0
            assert checkout.run(workload, 1)[1] == answers
    finally:
        checkout.close()


def test_a_group_has_the_geometric_means_of_its_workloads_pairs_and_the_longest_prefix_decides():
    found = ratio.grouped(
        [
            rows("battlesnake/leaves, two snakes", 0.5, 1.0),
            rows("battlesnake/negamax", 1.5, 1.25),
            rows("battlesnake/leaves, large board", 2.0, 1.0),
        ]
    )
    assert [(one.workload, one.ratios, one.base_seconds) for one in found] == [
        ("search nodes", (1.5, 1.25), 2.0),
        ("leaves", (1.0, 1.0), 4.0),
    ]


def test_every_workload_has_a_group():
    assert len(ratio.grouped([rows(name, 1.0) for name in ratio.EVERYTHING])) == len(ratio.GROUPS)
