"""The schedules themselves: who meets whom, from which side, and how often."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.contestants import Contestant
from arena.errors import ArenaError
from arena.setup import Setup, against, openings_for, pairs, tables


def schedule(groups, openings, count, seed=1):
    contestants = tuple(Contestant(label=str(who), spec="random") for who in range(count))
    made = Setup(
        game="ludo", format="test", contestants=contestants, groups=groups, openings=openings, seed=seed
    )
    return made, [made.pairing(number) for number in range(made.games)]


@given(st.integers(2, 7), st.integers(1, 4))
def test_a_round_robin_is_one(count, openings):
    made, played = schedule(pairs(count), openings, count)
    met = Counter((pairing.opening, pairing.seats) for pairing in played)
    wanted = {(o, (a, b)) for o in range(openings) for a in range(count) for b in range(count) if a != b}
    assert set(met) == wanted  # nobody meets himself, each two from both sides of every opening
    assert set(met.values()) == {1}
    assert [pairing.number for pairing in played] == list(range(made.games))


@given(st.integers(1, 3), st.integers(1, 6), st.integers(1, 3))
def test_a_gauntlet_is_a_gauntlet(heads, others, openings):
    """fastchess #889: one that silently played a round robin."""
    groups = against(range(heads), range(heads, heads + others))
    _, played = schedule(groups, openings, heads + others)
    for pairing in played:
        assert sum(who < heads for who in pairing.seats) == 1
    assert len(played) == 2 * heads * others * openings
    assert Counter(pairing.seats for pairing in played) == Counter(
        {
            seats: openings
            for h in range(heads)
            for o in range(heads, heads + others)
            for seats in ((h, o), (o, h))
        }
    )


@given(st.integers(3, 6), st.integers(3, 4), st.integers(1, 3), st.integers(0, 99))
def test_at_a_longer_table_everybody_sits_everywhere(count, seats, openings, seed):
    if seats > count:
        return
    made, played = schedule(tables(count, seats), openings, count, seed)
    for start in range(0, made.games, seats):
        turns = played[start : start + seats]
        assert len({pairing.opening for pairing in turns}) == 1
        assert len({frozenset(pairing.seats) for pairing in turns}) == 1
        for seat in range(seats):
            assert len({pairing.seats[seat] for pairing in turns}) == seats


def test_at_a_longer_table_neighbours_change_with_the_opening():
    _, played = schedule(tables(4, 4), 20, 4)
    after_zero = {
        pairing.seats[(pairing.seats.index(0) + 1) % 4] for pairing in played if pairing.number % 4 == 0
    }
    assert after_zero == {1, 2, 3}


def test_pairs_come_one_after_the_other_and_rounds_after_rounds():
    _, played = schedule(pairs(3), 2, 3)
    assert [(p.opening, p.seats) for p in played[:4]] == [(0, (0, 1)), (0, (1, 0)), (0, (0, 2)), (0, (2, 0))]
    assert [p.opening for p in played] == [0] * 6 + [1] * 6


def test_more_openings_leave_the_earlier_games_as_they_are():
    assert schedule(pairs(3), 5, 3)[1][:12] == schedule(pairs(3), 2, 3)[1]


def test_games_that_do_not_fill_the_turns_are_refused():
    assert openings_for(100, 2) == 50
    for games, seats in ((7, 2), (0, 2), (-2, 2), (10, 4)):
        with pytest.raises(ArenaError, match="multiple of"):
            openings_for(games, seats)
