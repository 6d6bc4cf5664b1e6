"""The sequential test against fastchess's numbers, and its promise kept in simulated matches."""

import random

import pytest

from arena.errors import ArenaError
from arena.sprt import Sprt, checked, expected_score, llr


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "expected"),
    [
        # tests of Disservin/fastchess (app/tests/sprt_test.cpp), logistic Elo: games, then pairs
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
    ],
)
def test_the_ratio_is_that_of_fastchess(counts, elo0, elo1, expected):
    assert Sprt(elo0=elo0, elo1=elo1).llr(counts) == pytest.approx(expected, abs=0.01)


def test_the_bounds_are_walds():
    test = Sprt(elo0=0, elo1=5)
    assert (test.lower, test.upper) == (pytest.approx(-2.944, abs=1e-3), pytest.approx(2.944, abs=1e-3))
    assert [test.verdict(value) for value in (-3, 0, 3)] == ["H0", None, "H1"]
    lenient = Sprt(elo0=0, elo1=5, alpha=0.1, beta=0.2)
    assert lenient.upper == pytest.approx(2.0794, abs=1e-4)
    assert lenient.lower == pytest.approx(-1.5041, abs=1e-4)


def test_a_ratio_of_equal_hypotheses_says_nothing_and_swapping_turns_the_sign():
    counts = (3, 10, 30, 14, 6)
    assert llr(counts, 0.5, 0.5) == pytest.approx(0)
    assert llr(counts, 0.48, 0.55) == pytest.approx(-llr(counts, 0.55, 0.48))
    assert llr(counts, 0.48, 0.55) == pytest.approx(llr(counts[::-1], 0.52, 0.45))
    assert Sprt(elo0=0, elo1=5).llr((0, 0, 0, 0, 0)) == 0.0


@pytest.mark.parametrize(("true", "wanted"), [(0, "H0"), (60, "H1")])
def test_the_stated_errors_are_kept(true, wanted):
    """Matches of that true strength end with the right answer about as often as the test promises."""
    test = Sprt(elo0=0, elo1=60, alpha=0.1, beta=0.1)
    chance = random.Random(3)
    score = expected_score(true)
    right = 0
    for _ in range(100):
        counts, verdict = [0] * 5, None
        while verdict is None:
            counts[2 * sum(chance.random() < score for _ in range(2))] += 1
            verdict = test.verdict(test.llr(counts))
        right += verdict == wanted
    assert right >= 82


@pytest.mark.parametrize(
    "wrong", [(5, 0, 0.05, 0.05), (0, 5, 0, 0.05), (0, 5, 0.6, 0.6), (0, float("nan"), 0.1, 0.1)]
)
def test_a_test_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(ArenaError):
        checked(*wrong)
