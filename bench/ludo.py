"""Figures of Ludo: whole games and judgements against the public package and the tests' plain engine."""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from arena.statistics import wilson
from bench.rate import rate
from engines.core.rng import Rng, seeded
from engines.ludo.evaluation.rule_evaluation import DEFAULT_READINGS
from engines.ludo.q_learning.abstractions import ABSTRACTIONS
from engines.ludo.q_learning.learning import Learner, LearningSettings, learn_games
from engines.ludo.q_learning.table import VIEWS
from engines.ludo.rules import mask_of
from engines.ludo.simulation.games import lone_rule_player, random_games
from tests.oracles import ludo as oracle

CAP = 100_000
GAMES = 20_000
PLAIN = "the tests' plain engine"
SEATINGS = ((1, 3), (3,), ())
"""Two, three and four players."""


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """CPU time of one core; `seconds` for each side of a comparison. Games end at the first finished seat."""
    package = _package()
    for ghosts in SEATINGS:
        ours = rate(_compiled(ghosts), seconds)
        plain = rate(_oracle(ghosts), seconds)
        name = f"ludo_random_games_{4 - len(ghosts)}_players"
        if package is not None:
            yield _speed(name, ours, "ludopy", rate(_ludopy(package, ghosts), seconds), "games")
        yield _speed(name, ours, PLAIN, plain, "games")
    yield _speed(
        "ludo_rule_based_decisions",
        rate(_rule_decisions(), seconds),
        PLAIN,
        rate(_oracle_decisions(), seconds),
        "decisions",
    )
    for ghosts, documented in (((1, 3), 79.5), ((), 52.0)):
        yield _strength(ghosts, documented)
    for view, estimate in (("potential9", 115_248), ("zone12", 10**6), ("combined17", 10**8)):
        yield _states(view, estimate)


def _speed(name: str, ours: float, reference: str, theirs: float, what: str) -> dict[str, Any]:
    note = "random legal moves to the first finished seat"
    return {
        "name": name,
        "value": round(ours, 1),
        "unit": f"{what} per CPU second, one core",
        "reference": reference,
        "referenceValue": round(theirs, 3),
        "ratio": round(ours / theirs, 1),
        "note": note if what == "games" else "inside whole games against a random player",
    }


def _strength(ghosts: tuple[int, ...], documented: float) -> dict[str, Any]:
    won, _ = wins_of_rules(ghosts, GAMES, seeded(1))
    share, (low, high) = won / GAMES, wilson(won, GAMES)
    return {
        "name": f"ludo_rule_based_wins_{4 - len(ghosts)}_players",
        "value": round(100 * share, 2),
        "unit": "% of games won against random players",
        "reference": "the figure it should have",
        "referenceValue": documented,
        "ratio": round(100 * share / documented, 3),
        "note": f"{GAMES} games, seats rotated, Wilson 95% {100 * low:.2f} to {100 * high:.2f}",
    }


def _states(view: str, estimate: int) -> dict[str, Any]:
    """How many tuples there are, and how many random play meets: no more than a sample of the reachable."""
    size = ABSTRACTIONS[view].size
    table, visits = np.zeros((size, 4), np.float32), np.zeros((size, 4), np.int32)
    settings = LearningSettings(
        VIEWS.index(view), False, 0, False, False, True, 0, 0.1, 0.1, 0.0, 1.0, 1.0, 1.0
    )
    learn_games(GAMES, settings, Learner(table, visits), seeded(1), 0)
    met = int(visits.any(axis=1).sum())
    return {
        "name": f"ludo_states_{view}",
        "value": size,
        "unit": "tuples that can be written",
        "reference": "the documents' estimate",
        "referenceValue": estimate,
        "ratio": round(size / estimate, 4),
        "note": f"{met} of them met at the decisions of {GAMES} random games of four players",
    }


def _compiled(ghosts: tuple[int, ...]) -> Callable[[], int]:
    rng = seeded(1)

    def play() -> int:
        wins_of_random_games(ghosts, 200, rng)
        return 200

    return play


def wins_of_random_games(ghosts: tuple[int, ...], games: int, rng: Rng) -> list[int]:
    """The games that each seat wins of so many between random players."""
    wins = np.zeros(4, np.int64)
    random_games(games, np.zeros((4, 4), np.int64), mask_of(ghosts), rng, CAP, wins)
    return wins.tolist()


def wins_of_rules(ghosts: tuple[int, ...], games: int, rng: Rng) -> tuple[int, int]:
    """Games that one rule-based player wins against random ones, and its decisions on the way."""
    won, decisions = lone_rule_player(games, mask_of(ghosts), DEFAULT_READINGS, rng, CAP)
    return int(won), int(decisions)


def _rule_decisions() -> Callable[[], int]:
    rng = seeded(1)
    return lambda: wins_of_rules((1, 3), 100, rng)[1]


def _oracle_decisions() -> Callable[[], int]:
    rng = random.Random(1)

    def play() -> int:
        """A game of seat 0 by the rules against seat 2."""
        positions = [[0] * 4 for _ in range(4)]
        player, round_, attempts, decided = 0, 1, 0, 0
        while not oracle.finished(positions):
            dice = rng.randint(1, 6)
            choices = oracle.movable(positions[player], dice)
            if choices and player == 0:
                phase = oracle.phases(positions, 0)[0]
                moves = [oracle.judge(positions, 0, dice, piece, phase) for piece in choices]
                top = max(move["final"] for move in moves)
                choices = [move["piece"] for move in moves if move["final"] == top]
                decided += 1
            if choices:
                positions, _, _ = oracle.play(positions, player, rng.choice(choices), dice)
            player, round_, attempts = oracle.next_turn(positions, (1, 3), player, dice, round_, attempts)
        return decided

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
