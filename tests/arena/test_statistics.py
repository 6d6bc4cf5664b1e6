"""The numbers against others' published ones, and against what must hold of any."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.statistics import Percentiles, difference, elo, ratings, wilson


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [
        (3, 10, 0.1078, 0.6032),  # R: prop.test(3, 10, correct = FALSE)
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, Statistics in Medicine 17, table I
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_intervals_are_the_published_ones(points, games, low, high):
    found = wilson(points, games)
    assert found == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_no_game_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_a_wilson_interval_holds_its_rate_and_shrinks_with_games(games, data):
    points = data.draw(st.integers(0, 2 * games)) / 2
    low, high = wilson(points, games)
    assert 0 <= low <= points / games <= high <= 1
    more = wilson(4 * points, 4 * games)
    assert more[1] - more[0] < high - low


@pytest.mark.parametrize(
    ("counts", "expected", "error", "los"),
    [
        # tests of Disservin/fastchess (app/tests/elo_test.cpp): games, then pairs
        ((96, 111, 136), 40.70, 30.43, 0.9960),
        ((34, 54, 63, 64, 75), 55.58, 27.65, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, 0.0),
    ],
)
def test_elo_differences_are_those_of_fastchess(counts, expected, error, los):
    found = difference(counts)
    assert found.elo == pytest.approx(expected, abs=0.01)
    assert found.error == pytest.approx(error, abs=0.01)
    assert found.los == pytest.approx(los, abs=1e-4)


def test_one_sided_results_have_no_finite_difference():
    assert difference((0, 0, 5)).elo is None
    assert difference((0, 0, 0)).elo is None
    assert difference((0, 8, 0)) == difference((0, 0, 9, 0, 0))  # level, and never anything else
    assert elo(1.0) == math.inf
    assert elo(0.0) == -math.inf


def test_two_contestants_get_the_elo_of_their_score():
    fit = ratings(2, {(0, (1,)): 2 * 75, (1, (0,)): 2 * 25})
    assert fit.elo[0] - fit.elo[1] == pytest.approx(elo(0.75), abs=1e-6)
    assert not fit.prior
    # one binomial parameter: var(log odds) = 1/(n p q); each rating carries half of the difference
    assert fit.error[0] == pytest.approx(
        1.96 * 400 / math.log(10) / math.sqrt(100 * 0.75 * 0.25) / 2, rel=1e-3
    )


def test_the_fit_finds_the_strengths_that_made_the_results():
    strengths = {0: 120.0, 1: 0.0, 2: -40.0, 3: -80.0}
    choices = {}
    for one in strengths:
        for two in strengths:
            if one != two:
                score = 1 / (1 + 10 ** ((strengths[two] - strengths[one]) / 400))
                choices[one, (two,)] = round(200_000 * score)
    fit = ratings(4, choices)
    assert fit.elo == pytest.approx(tuple(strengths.values()), abs=0.1)


def test_a_longer_table_is_fitted_by_choices():
    # the first of three is chosen with chances 4:2:1, then among the other two
    worth = (4, 2, 1)
    choices = {}
    for who in range(3):
        others = tuple(other for other in range(3) if other != who)
        choices[who, others] = 4 * worth[who] * 100
        for second in others:
            (third,) = set(others) - {second}
            choices[second, (third,)] = choices.get((second, (third,)), 0) + round(
                4 * worth[who] * 100 * worth[second] / (worth[second] + worth[third])
            )
    fit = ratings(3, choices)
    logs = [400 * math.log10(value) for value in worth]
    assert fit.elo == pytest.approx([value - sum(logs) / 3 for value in logs], abs=0.5)


def test_who_won_everything_still_gets_a_finite_rating_and_it_is_said():
    fit = ratings(3, {(0, (1,)): 20, (1, (2,)): 20, (0, (2,)): 20})
    assert fit.prior
    assert fit.elo[0] > fit.elo[1] > fit.elo[2]
    assert all(math.isfinite(value) for value in fit.elo)


def test_who_never_met_is_not_compared():
    assert ratings(4, {(0, (1,)): 3, (1, (0,)): 1, (2, (3,)): 1, (3, (2,)): 1}).elo == (None,) * 4
    assert ratings(3, {(0, (1,)): 3, (1, (0,)): 1}).elo[2] is None
    assert ratings(2, {}).elo == (None, None)


@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=200))
def test_percentiles_are_within_a_hundredth(times):
    found = Percentiles()
    for time in times:
        found.add(time)
    ranked = sorted(times)
    for share in (0.5, 0.99, 1.0):
        true = ranked[max(0, math.ceil(share * len(times)) - 1)]
        assert found.ms(share) == pytest.approx(true / 1000, rel=0.0101)
    assert found.largest == ranked[-1]
    assert found.ms(0.99) <= found.largest / 1000


def test_no_time_has_no_percentile():
    assert Percentiles().ms(0.5) is None
