"""The three views: what they see, their indices, their words."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.ludo.q_learning.abstractions import ABSTRACTIONS, COMBINED17, POTENTIAL9, ZONE12
from tests.ludo.strategies import positions
from tests.oracles import ludo as oracle

FIELDS = {"potential9": "tuple9", "zone12": "zone12", "combined17": "combined17"}


@given(positions())
def test_they_see_what_the_oracle_sees(position):
    rows = [list(pieces) for pieces in position.positions]
    expected = oracle.decision(rows, position.player, position.dice)
    for name, view in ABSTRACTIONS.items():
        assert list(view.of(position)) == expected[FIELDS[name]]
    assert POTENTIAL9.encode(POTENTIAL9.of(position)) == expected["index9"]


# What one piece can be: zone (HOME, PATH, SAFE, GOAL), potential, threat, and can it capture.
KINDS = [
    *((0, P, 0) for P in (0, 4, 5)),
    *((1, P, T) for P in range(1, 7) for T in (0, 1)),
    *((2, P, 0) for P in range(1, 7)),
    (3, 0, 0),
]
ABLE = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1), (2, 0, 0), (2, 1, 0), (3, 0, 0)]
"""Zone, EV, TV."""


def counts(kinds):
    return tuple(sum(kind[0] == zone for kind in kinds) for zone in range(4))


@pytest.fixture(scope="module")
def possible():
    """Every tuple that four pieces, each for itself, could show (the context left out)."""
    found = {"potential9": set(), "zone12": set(), "combined17": set()}
    for pieces in product(KINDS, repeat=4):
        potentials, threats = tuple(p[1] for p in pieces), tuple(p[2] for p in pieces)
        found["potential9"].add((*potentials, *threats))
        found["combined17"].add((*counts(pieces), *potentials, *threats))
    for pieces in product(ABLE, repeat=4):
        found["zone12"].add((*counts(pieces), *(p[1] for p in pieces), *(p[2] for p in pieces)))
    return found


def test_fewer_tuples_can_occur_than_can_be_written(possible):
    """The bounds that the docs name; three contexts each but for `zone12`."""
    assert 3 * len(possible["potential9"]) == 85_683
    assert len(possible["zone12"]) == 2_016
    assert 3 * len(possible["combined17"]) == 441_831


@given(position=positions())
def test_only_possible_tuples_occur(possible, position):
    seen = POTENTIAL9.of(position)
    assert seen[:4] + seen[5:] in possible["potential9"]
    assert ZONE12.of(position) in possible["zone12"]
    assert COMBINED17.of(position)[:12] in possible["combined17"]


@pytest.mark.parametrize(
    ("view", "size"), [(POTENTIAL9, 115_248), (ZONE12, 8_960), (COMBINED17, 35 * 7**4 * 3 * 16)]
)
def test_sizes(view, size):
    assert view.size == size
    assert len(view.components) == len(view.limits) == int(view.name.lstrip("potenialzcmbd"))
    for index in (-1, size):
        with pytest.raises(ValueError, match=view.name):
            view.decode(index)


def test_every_zone_tuple_has_an_index_of_its_own():
    tuples = {ZONE12.decode(index) for index in range(ZONE12.size)}
    assert len(tuples) == ZONE12.size
    assert all(ZONE12.encode(values) == index for index, values in enumerate(map(ZONE12.decode, range(8960))))


@pytest.mark.parametrize("view", ABSTRACTIONS.values(), ids=list(ABSTRACTIONS))
@given(data=st.data())
def test_decode_and_encode_are_inverse(view, data):
    index = data.draw(st.integers(0, view.size - 1))
    assert view.encode(view.decode(index)) == index


@pytest.mark.parametrize("view", ABSTRACTIONS.values(), ids=list(ABSTRACTIONS))
@given(data=st.data())
def test_other_tuples_are_refused(view, data):
    values = data.draw(st.lists(st.integers(-1, 8), min_size=7, max_size=18))
    try:
        index = view.encode(values)
    except ValueError:
        return
    assert list(view.decode(index)) == values


def test_the_published_example_of_the_order():
    assert POTENTIAL9.encode([6, 6, 6, 6, 2, 1, 1, 1, 1]) == 115_247
    assert POTENTIAL9.encode([0, 0, 0, 0, 0, 0, 0, 0, 1]) == 1
    assert POTENTIAL9.encode([1, 0, 0, 0, 0, 0, 0, 0, 0]) == 7**3 * 48


def test_words():
    words = POTENTIAL9.describe([5, 0, 1, 6, 2, 1, 0, 0, 0])
    assert words[0] == "P1 = KILL: piece 0 would capture"
    assert words[4] == "C = LEADING: more than 20 points ahead"
    assert words[5:7] == ("T1 = 1: piece 0 is under threat", "T2 = 0: piece 1 is not under threat")
    zone = ZONE12.describe([1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    assert zone[0] == "HOME = 1: 1 piece at home"
    assert zone[5] == "EV2 = 1: piece 1 can capture"
    assert len(COMBINED17.describe(COMBINED17.decode(1_234_567))) == 17
