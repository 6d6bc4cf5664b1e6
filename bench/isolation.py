"""Isolation: plies of whole random games per CPU second, against the tests' plain oracle.

`python -m bench.isolation` measures strength instead: games against the study's roster, won and lost
sides apart.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from arena.statistics import wilson
from engines.core.limit import Budget, Meter
from engines.core.rng import State, derive, seeded
from engines.isolation.board import UNPLACED, Table, full_board, table
from engines.isolation.game import ISOLATION
from engines.isolation.openings import opening
from engines.isolation.position import Position
from engines.isolation.rules import random_game, winner
from engines.isolation.solve import placed
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


ROSTER = ("random", "mm_open", "mm_center", "mm_improved", "ab_open", "ab_center", "ab_improved")


def _game(position: Position, agents: Sequence[tuple[str, int]], seed: int) -> int:
    """Who wins from the position; `agents` are names and nodes a move of player 0 and player 1."""
    while True:
        if (victor := winner(position)) is not None:
            return victor
        name, nodes = agents[position.to_move]
        agent = ISOLATION.agents[name]
        meter = Meter(Budget(iterations=nodes))
        move = agent.decide(position, agent.parameters(), meter, derive(seed, position.to_move), None).move
        position = ISOLATION.step(position, move, 0).position
        seed = derive(seed, 2)


def strength(agent: str, nodes: int, openings: int, seed: int, effort: int = 10_000) -> Iterator[dict]:
    """An agent against the study's seven from random placements, both orders; won and lost sides apart.

    In every opening it has the won side once and the lost side once; `effort` is what the opponents have.
    """
    chance = random.Random(seed)
    sums = {side: [0, 0] for side in ("won", "lost")}
    for opponent in ROSTER:
        tally = {side: [0, 0] for side in sums}
        for number in range(openings):
            first, second = chance.sample(range(49), 2)
            position = placed(7, 7, (first, second))
            favoured = 0 if any(opening(position).values()) else 1
            for seat in (0, 1):
                pair = [(opponent, effort)] * 2
                pair[seat] = (agent, nodes)
                side = "won" if seat == favoured else "lost"
                victory = _game(position, pair, derive(seed, 2 * number + seat)) == seat
                for record in (tally[side], sums[side]):
                    record[0] += victory
                    record[1] += 1
        yield {"opponent": opponent, **{side: _share(*record) for side, record in tally.items()}}
    games = [sum(column) for column in zip(*sums.values(), strict=True)]
    yield {
        "opponent": "all",
        **{side: _share(*record) for side, record in sums.items()},
        "both": _share(*games),
    }


def _share(wins: int, games: int) -> str:
    low, high = wilson(wins, games)
    return f"{wins} of {games} = {wins / games:.0%} ({low:.0%} to {high:.0%})"


if __name__ == "__main__":
    command = argparse.ArgumentParser(description=strength.__doc__)
    command.add_argument("--agent", default="perfect")
    command.add_argument("--nodes", type=int, default=1_000_000, help="of the agent, a move")
    command.add_argument("--openings", type=int, default=5)
    command.add_argument("--seed", type=int, default=1)
    given = command.parse_args()
    for row in strength(given.agent, given.nodes, given.openings, given.seed):
        print(json.dumps(row), flush=True)  # noqa: T201
