"""Counting: draws are halves, pairs are pairs, and the order in which games end changes nothing."""

import pytest

from arena.records import SeatNotes
from arena.tally import Tally
from tests.arena.build import record, setup


def counted(made, *records):
    tally = Tally(made)
    for one in records:
        tally.add(one)
    return tally


@pytest.fixture
def duel():
    return setup("isolation", "random#a", "random#b", openings=4)


def test_draws_are_half_wins(duel):
    tally = counted(duel, record(0, (0, 1), (1, 2)), record(1, (1, 0), (1, 1)), record(2, (0, 1), (2, 1), 1))
    a = next(row for row in tally.standings() if row.label == "a")
    assert (a.games, a.wins, a.draws, a.losses, a.points, a.rate) == (3, 1, 1, 1, 1.5, 0.5)
    assert {seat.seat: (seat.wins, seat.draws, seat.losses) for seat in a.seats} == {
        "seat 0": (1, 0, 1),
        "seat 1": (0, 1, 0),
    }


def test_pairs_are_counted_from_the_first_contestants_view(duel):
    games = [
        *(record(0, (0, 1), (1, 2), 0), record(1, (1, 0), (2, 1), 0)),  # a wins both
        *(record(2, (0, 1), (1, 2), 1), record(3, (1, 0), (1, 2), 1)),  # each wins its first seat
        *(record(4, (0, 1), (2, 1), 2), record(5, (1, 0), (1, 1), 2)),  # half a point for a
    ]
    tally = counted(duel, *games)
    assert tally.pair_counts() == (0, 1, 1, 0, 1)
    assert tally.pairings()[0].pairs == (0, 1, 1, 0, 1)
    assert counted(duel, *games[:5]).pair_counts() == (0, 0, 1, 0, 1)  # half a pair is none
    assert (tally.pairings()[0].wins, tally.pairings()[0].draws, tally.pairings()[0].losses) == (3, 1, 2)


def test_a_shared_first_place_is_shared():
    four = setup("ludo", *(f"random#{name}" for name in "abcd"), groups=((0, 1, 2, 3),), openings=1)
    tally = counted(four, record(0, (2, 0, 3, 1), (1, 3, 1, 3)), record(1, (0, 1, 2, 3), (1, 2, 2, 2)))
    rows = {row.label: row for row in tally.standings()}
    assert {name: rows[name].points for name in "abcd"} == {"a": 1, "b": 0, "c": 0.5, "d": 0.5}
    assert (rows["c"].wins, rows["c"].draws, rows["c"].losses) == (0, 1, 1)
    met = {(row.one, row.two): (row.wins, row.draws, row.losses) for row in tally.pairings()}
    assert met["a", "b"] == (1, 1, 0)
    assert met["b", "c"] == (0, 1, 1)
    assert all(row.pairs is None for row in tally.pairings())


def test_what_two_told_and_how_long_they_played_is_of_their_own_games():
    three = setup("isolation", "random#a", "random#b", "random#c", openings=1)
    one, two = (
        SeatNotes(microseconds=(9, 9), numbers={"depth": (n, 2)}, flags={"override": 1}) for n in (4, 8)
    )
    tally = counted(
        three,
        record(0, (0, 1), (1, 2), notes=(one, two), length=7),
        record(1, (1, 0), (1, 2), notes=(two, one), length=9),
        record(2, (0, 2), (1, 2), notes=(two, one), length=30),
    )
    rows = {(row.one, row.two): row for row in tally.pairings()}
    assert rows["a", "b"].length == 8
    assert rows["a", "b"].counters == ({"depth": 2, "override": 0.5}, {"depth": 4, "override": 0.5})
    assert rows["a", "c"].length == 30
    assert rows["a", "c"].counters == ({"depth": 4, "override": 0.5}, {"depth": 2, "override": 0.5})


def test_counters_faults_and_times_are_the_contestants(duel):
    one = SeatNotes(microseconds=(1000, 3000), late=1, numbers={"depth": (10.0, 2)}, flags={"override": 1})
    two = SeatNotes(microseconds=(500,), failed=1, illegal=2)
    tally = counted(
        duel,
        record(0, (0, 1), (1, 2), notes=(one, two)),
        record(
            1, (1, 0), (1, 2), notes=(two, SeatNotes(microseconds=(2000, 2000), numbers={"depth": (2.0, 1)}))
        ),
    )
    rows = {row.label: row for row in tally.standings()}
    assert rows["a"].counters == {"depth": 4.0, "override": 0.25}
    assert (rows["a"].late, rows["b"].failed, rows["b"].illegal) == (1, 2, 4)
    times = {row.label: row for row in tally.timings()}
    assert (times["a"].decisions, times["a"].mean, times["a"].max) == (4, 2.0, 3.0)
    assert times["a"].p50 == pytest.approx(2.0, rel=0.011)


def test_who_never_gave_a_usable_answer_is_named(duel):
    bad = SeatNotes(microseconds=(1, 1), failed=1, illegal=1)
    assert counted(duel, record(0, (0, 1), (1, 2), notes=(SeatNotes(microseconds=(1,)), bad))).silent() == [
        "b"
    ]


def test_lengths_and_ends(duel):
    tally = counted(
        duel, record(0, (0, 1), (1, 2), length=4), record(1, (1, 0), (1, 1), length=8, ended="cap")
    )
    found = tally.lengths("plies")
    assert (found.mean, found.shortest, found.longest, found.histogram) == (6.0, 4, 8, {4: 1, 8: 1})
    assert found.ended == {"cap": 1, "rules": 1}
    assert Tally(duel).lengths("plies").mean is None
