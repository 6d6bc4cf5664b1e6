"""Every kind of game under the official referee, among all our agents with little time to think."""

from __future__ import annotations

import pytest

from bench.gauntlet import MODES, TURNS, short
from bench.official import Mode
from bench.referee import NoEngineError

pytestmark = [pytest.mark.outside, pytest.mark.referee]


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_kind_of_game_is_played_to_its_end(mode: Mode):
    try:
        turns, watched = short(mode)
    except NoEngineError as error:
        pytest.skip(f"no official referee: {error}")
    assert not watched.faults, watched.told
    assert 1 <= turns <= TURNS + 2
    assert len(watched.words) >= 1
