"""Exact turns for each second of CPU time, against the official engine on the same boards in the same run.

Theirs is `Execute` alone. Ours is the turn that the agents search with, and more: setting the
scratch board back for each position or game, and choosing the moves of the random games. Beside them
the leaf that the tuned agents search with, all four snakes' territory, weighed; and the turns that their
whole search makes, leaves included.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numba
import numpy as np

from bench.rate import rate
from bench.referee import NoEngineError, build_bench
from engines.battlesnake.evaluation import TERMS, LeafWeights, evaluate, leaf_weights
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import Position, Snake
from engines.battlesnake.published.evolution import Evolution, Memory, RheaConfig
from engines.battlesnake.rules import INDEX_MASK, play_turn, restore_state
from engines.battlesnake.search.deepening import Search
from engines.battlesnake.search.result import SearchConfig
from engines.battlesnake.state import Floats, Ints, Records, State, pack, scratch_copy
from engines.battlesnake.territory.context import FloodContext, flood_context, territory_table
from engines.battlesnake.weights import evaluation_weights
from engines.core.jit import borrowed
from engines.core.rng import Rng, below, draw32, seeded

_SIDE = 11
_BOARD = Position(
    width=_SIDE,
    height=_SIDE,
    turn=80,
    food=((5, 5), (0, 10), (10, 3), (6, 1)),
    snakes=(
        Snake("a", 80, ((2, 3), (2, 2), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1), (4, 2))),
        Snake("b", 70, ((8, 3), (8, 2), (9, 2), (9, 1), (8, 1), (8, 0), (9, 0), (10, 0))),
        Snake("c", 90, ((2, 7), (2, 8), (1, 8), (1, 9), (2, 9), (3, 9), (4, 9), (4, 8))),
        Snake("d", 60, ((8, 7), (8, 8), (9, 8), (9, 9), (8, 9), (7, 9), (6, 9), (6, 8))),
    ),
)
_MOVES = (0, 0, 1, 1)
"""Safe moves of the four snakes."""

_SEARCH = 100_000


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """`seconds` of CPU time for each side of each figure."""
    starts = [_only(count) for count in (2, 4)]
    theirs, missing = _theirs(starts, seconds)
    for position in starts:
        count = len(position.snakes)
        for kind, measure in (("repeat", _repeat), ("games", _games)):
            name, reference = f"{kind}, {count} snakes", theirs.get((count, kind))
            yield _with_reference(
                name, "turns", measure(position, seconds), _ENGINE, reference, missing or _NOTES[kind]
            )
    count = len(starts[-1].snakes)
    note = "timed tails, ties by length, food, health; the tuned search's leaf, one position"
    ours, reference = _leaves(starts[-1], seconds), theirs.get((count, "repeat"))
    yield _with_reference(
        f"territory leaves, {count} snakes", "leaves", ours, _ABOVE, reference, missing or note
    )
    note = f"everything: order, table, leaves; searches of {_SEARCH} turns from one position"
    for position in (*starts, *map(_shrunk, starts)):
        count = len(position.snakes)
        ours, reference = _searched(position, seconds), theirs.get((count, "repeat"))
        name = f"tuned search, {count} snakes" + (", hazards" if position.hazards else "")
        yield _with_reference(name, "turns", ours, _ABOVE, reference, missing or note)
    for position in starts:
        count = len(position.snakes)
        config = RheaConfig()
        ours = _evolution(position, config, seconds)
        turns = config.population * (1 + config.evolutions) * config.genotype
        go_rate = theirs.get((count, "repeat"))
        reference = None if go_rate is None else 1000 * turns / go_rate
        yield {
            "name": f"battlesnake published evolution, {count} snakes",
            "value": round(ours, 1),
            "unit": "CPU ms per move",
            "reference": f"{turns} turns of the official Go engine, as above",
            "referenceValue": None if reference is None else round(reference, 1),
            "ratio": None if reference is None else round(reference / ours, 1),
            "note": missing
            or "401 times 50 lines of 20 turns, smart opponents, carried over; ours ends lines at a death",
        }


_ENGINE = "official Go engine, Execute only, GOMAXPROCS=1"
_ABOVE = "turns of the official Go engine, as above"
_NOTES = {
    "repeat": "one 11x11 position over and over; ours with setting the board back",
    "games": "random games from that position; ours with setting back and choosing moves, theirs recorded",
}


def _with_reference(
    name: str, what: str, ours: float, reference: str, theirs: float | None, note: str
) -> dict[str, Any]:
    """A rate of ours beside one of theirs, if that is known."""
    return {
        "name": f"battlesnake {name}",
        "value": round(ours),
        "unit": f"{what} per CPU second",
        "reference": reference,
        "referenceValue": None if theirs is None else round(theirs),
        "ratio": None if theirs is None else round(ours / theirs, 1),
        "note": note,
    }


def _only(count: int) -> Position:
    return Position(_SIDE, _SIDE, _BOARD.snakes[:count], food=_BOARD.food, turn=_BOARD.turn)


def _shrunk(position: Position) -> Position:
    """The board as royale leaves it when each side has moved in by two."""
    free = range(2, _SIDE - 2)
    burnt = ((x, y) for x in range(_SIDE) for y in range(_SIDE) if x not in free or y not in free)
    return replace(position, ruleset="royale", hazards=tuple(burnt))


def _theirs(starts: list[Position], seconds: float) -> tuple[dict[tuple[int, str], float], str]:
    """Their figures by number of snakes and kind; or none, and why."""
    try:
        program = build_bench()
    except NoEngineError as error:
        return {}, f"no reference: {error}"
    boards = [
        {
            "Food": [{"X": x, "Y": y} for x, y in position.food],
            "Snakes": [
                {"ID": s.id, "Health": s.health, "Body": [{"X": x, "Y": y} for x, y in s.body]}
                for s in position.snakes
            ],
            "Moves": _MOVES[: len(position.snakes)],
        }
        for position in starts
    ]
    run = subprocess.run(
        [str(program), "-seconds", str(seconds)],
        input=json.dumps(boards),
        env={**os.environ, "GOMAXPROCS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return {(line["snakes"], kind): line[kind] for line in lines for kind in _NOTES}, ""


def _repeat(position: Position, seconds: float) -> float:
    root, state = _boards(position)
    moves = np.array(_MOVES[: len(position.snakes)], np.int64)
    return rate(lambda: repeats(20_000, moves, root, state), seconds)


def _games(position: Position, seconds: float) -> float:
    seeds = itertools.count()
    return rate(lambda: random_turns(position, 1_000, next(seeds)), seconds)


def _leaves(position: Position, seconds: float) -> float:
    evaluate = leaf_evaluation(position)

    def evaluate_some() -> int:
        evaluate(20_000)
        return 20_000

    return rate(evaluate_some, seconds)


def random_turns(position: Position, count: int, seed: int) -> int:
    """The turns of so many random games from a position of 11x11."""
    root, state = _boards(position)
    return games(count, seeded(1, seed), np.zeros(len(position.snakes), np.int64), root, state)


def leaf_evaluation(position: Position) -> Callable[[int], list[float]]:
    """The leaf evaluation of a position, so many times over; its terms."""
    position = replace(position, you=position.snakes[0].id)
    state = pack(position)
    weights = leaf_weights(evaluation_weights(position), position)
    terms = np.zeros(len(TERMS), np.float64)
    context, found = flood_context(state), territory_table(state)

    def evaluate(count: int) -> list[float]:
        leaves(count, weights, terms, state, context, found)
        return terms.tolist()

    return evaluate


def _boards(position: Position) -> tuple[State, State]:
    """The board of a position, and another to play on."""
    root = pack(position)
    return root, State(*scratch_copy(root)[:5], *root[5:])


def _searched(position: Position, seconds: float) -> float:
    position = replace(position, you=position.snakes[0].id)
    moves = legal_moves(move_safety(position, position.snakes[0], find_obstacles(position)))
    weights = evaluation_weights(position)
    return rate(lambda: Search(position, moves, weights, SearchConfig()).advance(_SEARCH), seconds)


def _evolution(position: Position, config: RheaConfig, seconds: float) -> float:
    """Milliseconds of a whole move, when a population is carried over from the one before."""
    position = replace(position, you=position.snakes[0].id, game="bench")
    memory: Memory | None = None
    moves, begun = 0, 0.0
    while moves < 1 or time.process_time() - begun < seconds:
        if memory is not None and begun == 0.0:
            begun = time.process_time()
        evolution = Evolution(position, config, 1 + moves, memory)
        while not evolution.finished:
            evolution.generation()
        moves += memory is not None
        memory = replace(evolution.memory(), turn=position.turn - 1)
    return 1000 * (time.process_time() - begun) / moves


# Not cached: the cache knows the engines' sources, not that these kernels contain them.
@numba.njit
def repeats(count: int, moves: Ints, root: State, state: State) -> int:
    """The same turn, each time from the same board; the turns played."""
    root, state = borrowed(root), borrowed(state)
    turns = 0
    for _ in range(count):
        restore_state(state, root)
        turns += play_turn(state, moves)
    return turns


@numba.njit
def leaves(
    count: int, weights: LeafWeights, terms: Floats, state: State, context: FloodContext, found: Records
) -> int:
    """The same leaf over and over; how many."""
    state, context = borrowed(state), borrowed(context)
    weights = borrowed(weights)
    terms, found = borrowed((terms, found))
    total = 0.0
    for _ in range(count):
        total += evaluate(state, context, 0, weights, found, terms)
    # Read, so that nothing of it can be left out.
    return count if total == total else 0


@numba.njit
def games(count: int, rng: Rng, moves: Ints, root: State, state: State) -> int:
    """Random games from a board of 11x11 to their end; the turns played.

    Moves as the other side's: from a random one on, the first that runs into nothing.
    """
    root, state = borrowed(root), borrowed(state)
    turns = 0
    for _ in range(count):
        restore_state(state, root)
        while True:
            bits = draw32(rng)
            for i in range(state.snakes.shape[0]):
                moves[i] = bits & 3
                for _ in range(4):
                    if state.occupancy[state.neighbours[state.snakes[i].head & INDEX_MASK, moves[i]]] == 0:
                        break
                    moves[i] = (moves[i] + 1) & 3
                bits >>= 2
            if not play_turn(state, moves):
                break
            turns += 1
            if state.totals[0].food < 3:
                cell = (1 + below(rng, 11)) * 13 + 1 + below(rng, 11)
                if state.food[cell & INDEX_MASK] == 0:
                    state.food[cell & INDEX_MASK] = 1
                    state.totals[0].food += 1
    return turns
