"""Isolation: plies of whole random games per CPU second, against the tests' plain oracle."""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from engines.core.rng import State, seeded
from engines.isolation.board import UNPLACED, Table, full_board, table
from engines.isolation.rules import random_game
from tests.oracles import isolation as oracle


def _rate(seconds: float, play: Callable[[], int]) -> float:
    """Plies per CPU second of `play`, which plays a batch and says how many plies that took."""
    started = time.process_time()
    plies = 0
    while (spent := time.process_time() - started) < seconds:
        plies += play()
    return plies / spent


def _compiled(board: Table, blank: tuple[int, int], rng: State) -> int:
    return sum(random_game(*blank, UNPLACED, UNPLACED, board, rng) for _ in range(100))


def _plain(height: int, width: int, chance: random.Random) -> int:
    return len(oracle.random_game(height, width, chance)) - 1


def figures(seconds: float) -> Iterator[dict]:
    """One figure a board size; `seconds` of CPU for each side."""
    for height, width in ((7, 7), (9, 9)):
        compiled = partial(_compiled, table(height, width), full_board(height, width), seeded(1))
        ours = _rate(seconds, compiled)
        theirs = _rate(seconds, partial(_plain, height, width, random.Random(1)))
        yield {
            "name": f"isolation plies, whole random games {height}x{width}",
            "value": ours,
            "unit": "plies/CPU s",
            "reference": "plain-Python oracle of the tests, same rules",
            "referenceValue": theirs,
            "ratio": ours / theirs,
            "note": "one core; the helpers timed are those the searches play with",
        }
