"""One experiment for all weights: that it finds what is there, goes on to the same end, what is refused."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from arena.workforce import Inline
from training import screening
from training.run import Interrupted, TrainingError
from training.screening import Factor, Played, ScreenSettings
from training.weights import Asked, Weight, spelt, weights_of

SMALL = ScreenSettings(
    "flood_paranoid",
    "max_depth=2,growth=30.0",
    ("growth", "thirst"),
    ("width=5", "height=5"),
    "greedy",
    20,
    7,
)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    monkeypatch.setattr(screening, "workforce", lambda *_: Inline())


def screened(folder, settings=SMALL, games=16, resume=False):
    told = []
    found = screening.screen(settings, games, folder / "a.jsonl", folder / "a.json", resume, told.append)
    assert json.loads((folder / "a.json").read_text()) == found
    return found, told


@pytest.mark.parametrize(
    "weight",
    [
        Weight("length", 30.0, 0.0, 1000.0),
        Weight("caution", 0.7, 0.0, 1.0),
        Weight("draw", -60.0, -100.0, 100.0),
        Weight("radius", 6.0, 0.0, 64.0, True),
        Weight("matrix_plies", 1.0, 0.0, 48.0, True),
    ],
)
def test_steps_lead_to_a_value_and_back(weight):
    factor = Factor(weight)
    assert factor.value(0.0) == weight.present
    values = [factor.value(steps) for steps in (-2.0, -1.0, 0.0, 1.0, 2.0)]
    assert values == sorted(values)
    assert len(set(values)) > 3
    assert all(weight.low <= value <= weight.high for value in values)
    for value in filter(None, values):
        assert factor.value(factor.steps(value)) == pytest.approx(value, rel=1e-3)
    assert factor.steps(0.0 if weight.whole else values[0]) < 0
    if weight.whole:
        assert all(value == round(value) for value in values)


def test_what_decides_games_is_found_among_what_does_not():
    """Strengths that are known: a slope, a weight with its best at half a step, one without any effect."""
    factors = tuple(Factor(Weight(name, 10.0, 0.0, 1000.0)) for name in ("steep", "humped", "idle"))
    chance = np.random.default_rng(3)
    games = []
    for _ in range(1_500):
        steps = np.clip(chance.normal(size=(4, 3)), -2, 2)
        strength = 0.8 * steps[:, 0] + 0.6 * steps[:, 1] - 0.6 * steps[:, 1] ** 2
        strength[3] = -1.0
        first = int(np.argmax(strength + chance.gumbel(size=4)))
        seats = [tuple(f.value(s) for f, s in zip(factors, row, strict=True)) for row in steps[:3]]
        games.append(Played((*seats, None), tuple(1 if seat == first else 2 for seat in range(4))))
    found = screening.explained(factors, games)
    steep, humped, idle = found["weights"].values()
    assert found["games"] == 1_500
    assert steep["slope"] == pytest.approx(0.8, abs=0.15)
    assert steep["suggested"] == factors[0].value(screening.RELIABLE)
    assert humped["curve"] == pytest.approx(-0.6, abs=0.15)
    assert humped["suggested"] == pytest.approx(10 * np.exp(0.3), rel=0.2)
    assert abs(idle["slope"]) < 3 * idle["slopeError"] < 0.3
    assert found["partnerStrength"]["strength"] == pytest.approx(-1.0, abs=0.3)


def test_a_game_is_played_with_the_weights_that_are_noted(tmp_path):
    found, told = screened(tmp_path)
    assert found["games"] == 16
    assert found["mode"] == "duel"
    assert {name: row["present"] for name, row in found["weights"].items()} == {"growth": 30, "thirst": 0.5}
    assert told == ["round 1 of 2", "round 2 of 2"]
    head, *lines = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert head["settings"]["iterations"] == 20
    games = [game for line in lines for game in line["games"]]
    partners = [seats.count(None) for seats, _ in games]
    # Of boards 0 to 7, each with two games, the partner sits at 0, 3 and 6.
    assert sum(partners) == 6
    growths = {seat[0] for seats, _ in games for seat in seats if seat}
    assert len(growths) == 16 - 3


def test_a_run_that_was_broken_off_goes_on_to_the_same_end(tmp_path, monkeypatch):
    whole, _ = screened(tmp_path / "whole")
    played = screening._round
    left = iter((True, False))

    def breaks(*given):
        if not next(left):
            raise KeyboardInterrupt
        return played(*given)

    with monkeypatch.context() as patch:
        patch.setattr(screening, "_round", breaks)
        with pytest.raises(Interrupted, match=r"a\.jsonl"):
            screened(tmp_path / "broken")
    file = tmp_path / "broken" / "a.jsonl"
    file.write_text(file.read_text() + '{"round": 1, "ga')
    again, told = screened(tmp_path / "broken", resume=True)
    assert (again, told) == (whole, ["round 2 of 2"])
    assert file.read_text() == (tmp_path / "whole" / "a.jsonl").read_text()


def test_what_makes_no_sense_is_refused(tmp_path):
    screened(tmp_path)
    for settings, resume, moves in (
        (SMALL, False, "already"),
        (dataclasses.replace(SMALL, seed=8), True, "other settings"),
        (dataclasses.replace(SMALL, only=("thrist",)), True, "no weight thrist; it has space"),
        (dataclasses.replace(SMALL, only=("growth", "growth")), True, "twice"),
        (dataclasses.replace(SMALL, agent="nobody"), True, "no agent 'nobody'; it has"),
        (dataclasses.replace(SMALL, agent="random", only=(), base=""), True, "random has no weights"),
        (dataclasses.replace(SMALL, partner="nobody"), True, "nobody"),
        (dataclasses.replace(SMALL, partner="http://127.0.0.1:9"), True, "no endpoint"),
        (dataclasses.replace(SMALL, base="max_depth=2,max_depth=3"), True, "twice"),
        (dataclasses.replace(SMALL, options=("width=0",)), True, "width"),
        (dataclasses.replace(SMALL, options=("nonsense",)), True, "NAME=VALUE"),
        (dataclasses.replace(SMALL, base="growth=0.0"), True, "growth is 0"),
        (dataclasses.replace(SMALL, options=("snakes=1",)), True, "2 or more"),
    ):
        with pytest.raises(TrainingError, match=moves):
            screened(tmp_path, settings, resume=resume)
    with pytest.raises(TrainingError, match="least"):
        screened(tmp_path, games=0, resume=True)
    with pytest.raises(TrainingError, match="no file"):
        screened(tmp_path / "nowhere", resume=True)
    # Who names a partner that is none finds nothing in the way afterwards.
    with pytest.raises(TrainingError, match="nobody"):
        screened(tmp_path / "new", dataclasses.replace(SMALL, partner="nobody"))
    assert not (tmp_path / "new" / "a.jsonl").exists()
    with pytest.raises(TrainingError, match="directory"):
        screening.screen(SMALL, 8, tmp_path / "b.jsonl", tmp_path, False, print)
    assert not (tmp_path / "b.jsonl").exists()


@pytest.mark.machine_code
def test_a_file_of_other_present_weights_or_a_damaged_one_is_refused(tmp_path, monkeypatch):
    settings = dataclasses.replace(SMALL, agent="negamax", base="max_depth=1", only=("space",))
    screened(tmp_path, settings, 8)
    with monkeypatch.context() as patch:
        patch.setattr(screening, "weights_of", lambda *_: (Weight("space", 7.0, 0.0, 1000.0),))
        with pytest.raises(TrainingError, match="other settings"):
            screened(tmp_path, settings, 8, resume=True)
    file = tmp_path / "a.jsonl"
    head, line = file.read_text().splitlines()
    for bad in ("{", '{"round": 0, "games": 5}', '{"round": 1, "games": []}', "[]"):
        file.write_text(f"{head}\n{bad}\n{line}\n")
        with pytest.raises(TrainingError, match="damaged"):
            screened(tmp_path, settings, 8, resume=True)


def test_nothing_is_suggested_on_a_slope_within_its_error(tmp_path):
    found, _ = screened(tmp_path, dataclasses.replace(SMALL, partner=""), 8)
    for row in found["weights"].values():
        if abs(row["slope"]) <= 2 * row["slopeError"]:
            assert row["suggested"] == row["present"]
    assert "partnerStrength" not in found


def test_whole_numbers_are_spelt_without_a_point():
    radius, space = weights_of(Asked("negamax", only=("radius", "space"), options=("snakes=4",)))
    assert radius.whole
    assert not space.whole
    assert spelt({"radius": 14.0, "space": 30.0}, ("radius",)) == "radius=14,space=30.0"
