"""Looking for weights: where they are looked for, that a run goes on to the same end, what is refused."""

from __future__ import annotations

import dataclasses
import hashlib
import json

import pytest

from arena.contestants import make_parameters, read, resolve
from arena.workforce import Inline
from engines.battlesnake.evolution.evolution import EvolutionConfig
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.weights import DEFAULTS_VERSION, weights_by_mode
from engines.core.budget import Budget, Meter
from training import battlesnake as weights
from training.run import Interrupted, TrainingError
from training.variants import VARIANTS, spec

SMALL = weights.WeightSettings(
    "flood_paranoid", "max_depth=2", ("growth", "draw"), ("width=5", "height=5"), 3, 2, 4, 20, 7
)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    monkeypatch.setattr(weights, "workforce", lambda *_: Inline())


def tuned(folder, settings=SMALL, resume=False):
    told = []
    found = weights.tune(settings, folder / "a.study", folder / "a.json", resume, told.append)
    assert json.loads((folder / "a.json").read_text()) == found
    return found, told


def test_every_weight_is_looked_for_around_its_present_value():
    found = weights.space(weights.WeightSettings("flood_paranoid", "growth=30.0"))
    assert "max_depth" not in found
    present, where = found["growth"]
    assert (present, where.low, where.high, where.log) == (30, 5, 180, True)
    assert (found["thirst"][1].low, found["thirst"][1].high) == (0, 1)
    assert (found["draw"][1].low, found["draw"][1].high) == (-3000, -500 / 6)
    assert list(weights.space(SMALL)) == ["growth", "draw"]


def test_what_is_found_is_what_the_agent_takes(tmp_path):
    found, told = tuned(tmp_path)
    assert set(found["weights"]) == set(SMALL.only)
    assert found["present"] == {"growth": 40.0, "draw": -500.0}
    last = found["confirmation"]
    assert last["games"] == last["wins"] + last["draws"] + last["losses"] == 4
    assert found["better"] == (last["low"] > 0.5)
    assert found["games"] == {"optimiser": 6, "finals": 12, "confirmation": 4}
    agent = BATTLESNAKE.agents["flood_paranoid"]
    assert dataclasses.asdict(make_parameters(agent, found["weights"])).items() >= found["weights"].items()
    resolve(read(f"flood_paranoid:{weights.spelt(found['weights'])}"), BATTLESNAKE)
    assert len(told) == 3 + 3 + 1


def test_a_run_that_was_broken_off_goes_on_to_the_same_end(tmp_path, monkeypatch):
    whole, _ = tuned(tmp_path / "whole")
    played = weights._Search._play
    left = iter((True, True, False))

    def breaks(self, *given):
        if not next(left):
            raise KeyboardInterrupt
        return played(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(weights._Search, "_play", breaks)
        with pytest.raises(Interrupted, match=r"a\.study"):
            tuned(tmp_path / "broken")
    assert tuned(tmp_path / "broken", resume=True)[0] == whole
    again, told = tuned(tmp_path / "broken", resume=True)
    assert again == whole
    assert len(told) == 3 + 1  # the trials are known; nothing is played


def test_what_makes_no_sense_is_refused(tmp_path):
    tuned(tmp_path)
    for settings, resume, moves in (
        (SMALL, False, "already"),
        (dataclasses.replace(SMALL, seed=8), True, "other settings"),
        (dataclasses.replace(SMALL, games=3), True, "multiple of 2"),
        (dataclasses.replace(SMALL, only=("thrist",)), True, "no weight thrist; it has space"),
        (dataclasses.replace(SMALL, agent="nobody"), True, "nobody"),
        (dataclasses.replace(SMALL, base="growth=-1"), True, "growth"),
        (dataclasses.replace(SMALL, only=("max_depth",)), True, "max_depth has no fraction"),
        (dataclasses.replace(SMALL, agent="random", only=(), base=""), True, "random has no weights"),
    ):
        with pytest.raises(TrainingError, match=moves):
            tuned(tmp_path, settings, resume)
    with pytest.raises(TrainingError, match="no study"):
        tuned(tmp_path / "nowhere", resume=True)


@pytest.mark.machine_code
@pytest.mark.parametrize("name", list(VARIANTS))
def test_a_variant_plays_what_ships_unless_told_otherwise(name):
    shipped, varied = BATTLESNAKE.agents[name], VARIANTS[name]
    effort = 1000 if name == "negamax" else 10
    assert resolve(read(spec(name, "")), BATTLESNAKE).agent is varied
    for options in ({"snakes": 2}, {"snakes": 3}, {"snakes": 1}, {"snakes": 2, "ruleset": "wrapped"}):
        position = BATTLESNAKE.new(options, 7)
        one, other, changed = (
            agent.decide(position, parameters, Meter(Budget(iterations=effort)), 5, None)
            for agent, parameters in (
                (shipped, shipped.parameters()),
                (varied, varied.parameters()),
                (varied, varied.parameters(space=1.0)),
            )
        )
        assert (one.move, one.candidates, one.stats) == (other.move, other.candidates, other.stats)
        assert changed.candidates != one.candidates


def test_what_the_hybrid_is_measured_against_does_not_change_under_one_name():
    former = {
        "negamax": {"lmr": "late", "matrix_plies": "mixed"},
        "rhea": {
            "crossover": "crossing",
            "insertion": "insert",
            "deletion": "delete",
            "elite_parent": "spread",
            "draw": "draw_worth",
            "discount": "keep",
        },
    }
    # The digest is older than some names, and than the removal of two fields: it has their last values.
    configs = {
        "negamax": dataclasses.asdict(SearchConfig()),
        "rhea": {**dataclasses.asdict(EvolutionConfig()), "straight": False, "quantile": 0.0},
    }
    defaults = {
        "leaf": {mode: dataclasses.asdict(leaf) for mode, leaf in weights_by_mode().items()},
        **{
            agent: {former[agent].get(name, name): value for name, value in config.items()}
            for agent, config in configs.items()
        },
    }
    digest = hashlib.sha256(json.dumps(defaults, sort_keys=True).encode()).hexdigest()[:12]
    assert (DEFAULTS_VERSION, digest) == ("parts-2", "f8a8a56d9094")
