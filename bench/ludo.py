"""Figures of Ludo: whole games of random moves, against the public package and the tests' plain engine."""

from __future__ import annotations

import importlib
import random
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engines.core.rng import seeded
from engines.ludo.rules import mask_of
from engines.ludo.simulate import random_games
from tests.oracles import ludo as oracle

CAP = 100_000
SEATINGS = ((1, 3), (3,), ())
"""Two, three and four players."""


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """CPU time of one core; `seconds` for each side of a comparison. Games end at the first finished seat."""
    package = _package()
    for ghosts in SEATINGS:
        ours = _rate(_compiled(ghosts), seconds)
        players = 4 - len(ghosts)
        name = f"ludo_random_games_{players}_players"
        plain = _rate(_oracle(ghosts), seconds)
        if package is not None:
            theirs = _rate(_ludopy(package, ghosts), seconds)
            yield _figure(name, ours, "ludopy", theirs)
        yield _figure(name, ours, "the tests' plain engine", plain)


def _figure(name: str, ours: float, reference: str, theirs: float) -> dict[str, Any]:
    return {
        "name": name,
        "value": round(ours, 1),
        "unit": "games per CPU second, one core",
        "reference": reference,
        "referenceValue": round(theirs, 3),
        "ratio": round(ours / theirs, 1),
        "note": "whole games of random legal moves, to the first finished seat",
    }


def _rate(play: Callable[[], int], seconds: float) -> float:
    """Games per CPU second; `play` plays some and says how many."""
    play()
    games = 0
    start = time.process_time()
    while True:
        games += play()
        spent = time.process_time() - start
        if spent >= seconds:
            return games / spent


def _compiled(ghosts: tuple[int, ...]) -> Callable[[], int]:
    board = np.zeros((4, 4), np.int64)
    wins = np.zeros(4, np.int64)
    rng = seeded(1)

    def play() -> int:
        random_games(200, board, mask_of(ghosts), rng, CAP, wins)
        return 200

    return play


def _oracle(ghosts: tuple[int, ...]) -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        oracle.random_game(ghosts, rng)
        return 1

    return play


def _package() -> Any:
    """The public `ludopy`, or None; its import warns about things that are not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module("ludopy")
        except ImportError:
            return None


def _ludopy(package: Any, ghosts: tuple[int, ...]) -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        game = package.Game(ghost_players=list(ghosts))
        over = False
        while not over:
            (_, movable, *_), _ = game.get_observation()
            *_, over = game.answer_observation(rng.choice(movable) if len(movable) else -1)
        return 1

    return play
