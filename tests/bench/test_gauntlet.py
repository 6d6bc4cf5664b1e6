"""The gauntlet: every mode with several agents, each answer legal and in time; long games, no late answer."""

from __future__ import annotations

import pytest

from bench.gauntlet import MODES, TURNS, short
from bench.official import Mode

pytestmark = pytest.mark.outside


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_kind_of_game_is_played_to_its_end(mode: Mode):
    turns, watched = short(mode)
    assert not watched.faults, watched.details
    assert 1 <= turns <= TURNS + 2
    assert len(watched.moves) >= 1
