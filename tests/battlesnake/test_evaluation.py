"""The leaf of the tuned searches: weights for every mode, terms that add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.battlesnake.evaluation import MODES, WIN_SCORE, Weights, mode
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.parse import parse
from engines.battlesnake.weights import weights_by_mode
from tests.battlesnake.boards import request
from tests.battlesnake.leaf import leaf


def test_every_mode_has_its_weights() -> None:
    assert set(weights_by_mode()) == set(MODES)
    base = BATTLESNAKE.new({"snakes": 2}, 1)
    assert mode(base) == "duel"
    assert mode(BATTLESNAKE.new({"snakes": 1}, 1)) == "solo"
    assert mode(BATTLESNAKE.new({"snakes": 3}, 1)) == "free-for-all"
    assert mode(BATTLESNAKE.new({"snakes": 2, "ruleset": "wrapped_constrictor"}, 1)) == "constrictor"
    assert mode(BATTLESNAKE.new({"snakes": 2, "ruleset": "wrapped"}, 1)) == "wrapped"
    assert mode(replace(base, hazards=((0, 0),))) == "royale"


def test_terms_add_up_and_stay_short_of_certainty() -> None:
    position = parse(request([(0, 0), (1, 0), (2, 0)], [(6, 6), (6, 5), (6, 4), (6, 3)], size=(7, 7)))
    value, terms = leaf(position, weights_by_mode()["duel"])
    assert value == pytest.approx(sum(terms.values()))
    assert terms["length"] < 0
    huge, _ = leaf(position, Weights(space=1000.0, length=1000.0, health=1000.0))
    assert -WIN_SCORE < huge < WIN_SCORE
    assert leaf(position, Weights())[0] == 0
