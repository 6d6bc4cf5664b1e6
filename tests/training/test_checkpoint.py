"""Training that is broken off goes on to the same end, even by Ctrl-C in the middle of a kernel."""

from __future__ import annotations

import os
import signal
import threading
from importlib import import_module

import numpy as np
import pytest

from training import ludo
from training.checkpoint import Checkpoint, Interrupted, TrainingError, uninterrupted
from training.flag import FlagCourse, FlagSettings
from training.ludo_q import QCourse, QSettings
from training.ludo_td import TdCourse, TdSettings
from training.run import run

SETTINGS = {"seed": 1, "only": ("a", "b")}


def test_a_state_comes_back_as_it_was_kept(tmp_path):
    checkpoint = Checkpoint(tmp_path / "new" / "kept.npz", SETTINGS)
    assert checkpoint.begin(resume=False) is None
    checkpoint.save({"done": 1})
    state = {
        "rng": np.arange(4, dtype=np.uint64),
        "done": 12,
        "curve": [{"loss": 0.1}],
        "none": np.array(2.5),
    }
    checkpoint.save(state)
    found = Checkpoint(tmp_path / "new" / "kept.npz", SETTINGS).begin(resume=True)
    assert list(found) == ["done", "curve", "rng", "none"]
    assert (found["done"], found["curve"]) == (12, [{"loss": 0.1}])
    assert found["rng"].dtype == np.uint64
    assert found["rng"].tolist() == [0, 1, 2, 3]
    assert float(found["none"]) == 2.5


def test_the_same_state_makes_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        Checkpoint(tmp_path / name, SETTINGS).save({"rng": np.arange(4), "done": 12})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_what_cannot_be_gone_on_with_is_refused(tmp_path):
    path = tmp_path / "kept.npz"
    with pytest.raises(TrainingError, match=r"no study .*nothing to go on from"):
        Checkpoint(path, SETTINGS, "study").begin(resume=True)
    Checkpoint(path, SETTINGS).save({})
    with pytest.raises(TrainingError, match="other settings"):
        Checkpoint(path, {**SETTINGS, "seed": 2}).begin(resume=True)
    with pytest.raises(TrainingError, match="already: --resume"):
        Checkpoint(path, SETTINGS).begin(resume=False, replace=False)
    for damaged in (b"", b"no archive", path.read_bytes()[:60]):
        path.write_bytes(damaged)
        with pytest.raises(TrainingError, match="damaged"):
            Checkpoint(path, SETTINGS).begin(resume=True)


def interrupted_step(steps, error=None):
    with uninterrupted():
        os.kill(os.getpid(), signal.SIGINT)
        steps.append("done")
        if error is not None:
            raise error


def test_an_interrupt_waits_for_the_end_of_the_step():
    steps = []
    with pytest.raises(KeyboardInterrupt):
        interrupted_step(steps)
    assert steps == ["done"]
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)


def test_what_a_step_raises_comes_before_the_interrupt():
    with pytest.raises(ValueError, match="step"):
        interrupted_step([], ValueError("step"))


def test_outside_the_main_thread_a_step_is_just_done():
    steps = []

    def work():
        with uninterrupted():
            steps.append("done")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert steps == ["done"]


COURSES = {
    "q_learning": (
        lambda: QCourse(QSettings("potential9", 2_000, least_visits=3, seed=3)),
        "training.ludo_q.learn_games",
    ),
    "td": (lambda: TdCourse(TdSettings(2, 200, 8, seed=3)), "training.ludo_td.train_games"),
    "flag, while it plays": (
        lambda: FlagCourse(FlagSettings(80, iterations=2, rounds=4)),
        "training.flag.harvest",
    ),
    "flag, while it learns": (
        lambda: FlagCourse(FlagSettings(80, iterations=2, rounds=4)),
        "training.flag.fit",
    ),
}


ASKED = {"one": "greedy", "two": "rule_based", "players": 3, "seed": 5, "fair": True}


def broken_off_in(monkeypatch, kernel, number):
    """Ctrl-C while the kernel is called for this time, as Python hears it: with its work done."""
    module, _, name = kernel.rpartition(".")
    real, calls = getattr(import_module(module), name), []

    def interrupted(*given):
        calls.append(given)
        found = real(*given)
        if len(calls) == number:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(kernel, interrupted)


@pytest.mark.machine_code
@pytest.mark.parametrize("what", COURSES)
@pytest.mark.parametrize("number", [1, 3])
def test_a_course_broken_off_in_a_kernel_comes_to_the_same_bytes(what, number, tmp_path, monkeypatch):
    monkeypatch.setattr("training.run.POINTS", 4)
    for place in ("training.ludo_q.SAMPLE", "training.ludo_td.SAMPLE"):
        monkeypatch.setattr(place, 20)
    make, kernel = COURSES[what]
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    run(make(), tmp_path / "one", whole, False, lambda progress: None)
    with monkeypatch.context() as patch:
        broken_off_in(patch, kernel, number)
        with pytest.raises(Interrupted):
            run(make(), tmp_path / "two", parts, False, lambda progress: None)
    assert not parts.exists()
    run(make(), tmp_path / "two", parts, True, lambda progress: None)
    assert whole.read_bytes() == parts.read_bytes()
    curves = [(tmp_path / name / "curve.csv").read_bytes() for name in ("one", "two")]
    assert curves[0] == curves[1]


@pytest.mark.machine_code
@pytest.mark.parametrize("number", [1, 2])
def test_a_contest_broken_off_in_a_kernel_comes_to_the_same_figure(number, tmp_path, monkeypatch):
    def contest(resume=False):
        return ludo.evaluate(**ASKED, games=96, resume=resume)

    monkeypatch.setattr(ludo, "CONTESTS", tmp_path / "one")
    whole = contest()
    monkeypatch.setattr(ludo, "CONTESTS", tmp_path / "two")
    with monkeypatch.context() as patch:
        broken_off_in(patch, "training.ludo_play.play_match", number)
        with pytest.raises(Interrupted):
            contest()
    assert contest(resume=True) == whole
    one, two = (
        Checkpoint(next((tmp_path / name).iterdir()), ASKED).begin(resume=True) for name in ("one", "two")
    )
    assert one["rng"].tolist() == two["rng"].tolist()
    assert one["imagined"].tolist() == two["imagined"].tolist()
    # The sums of results are added up slice by slice, so their last bits may differ.
    assert one["tally"] == pytest.approx(two["tally"], rel=1e-12)
