"""The arena: what it adds to a bare loop, what a second worker brings, games per second of whole-game play.

Wall time: agents of a fixed time, and worker processes, are about nothing else. Quote figures of an
idle machine only.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from arena.archive import Archive
from arena.contestants import Local, read_all
from arena.play import Match, play
from arena.run import run
from arena.setup import GAME, OPENING, Setup
from arena.workforce import Local as LocalForce
from arena.workforce import usable_cores
from engines.core.budget import Meter
from engines.core.rng import derive, seeded
from engines.ludo.rules import mask_of
from engines.ludo.simulation.games import random_games

NAPPING = "python:tests.arena.agents.NAP:ms=5"
SEARCHING = "ab_improved@iterations=20000"
GOAL_OVERHEAD = 0.05
GOAL_SPEEDUP = 1.8
CAP = 100_000


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """Overhead per game, two workers against one, and Ludo's compiled games beside the arena's."""
    yield _overhead(seconds)
    yield _speedup(seconds)
    yield _whole_games(seconds)


def _setup(game: str, one: str, two: str, openings: int) -> Setup:
    return Setup(
        game=game,
        format="match",
        contestants=read_all((one, two), None, 1),
        groups=((0, 1),),
        openings=openings,
        seed=1,
    )


def _overhead(seconds: float) -> dict[str, Any]:
    """Each game once by the arena and once by a bare loop, in turn; the median of the ratios."""
    setup = _setup("isolation", NAPPING, NAPPING, 10_000)
    match = Match(setup)
    ratios, arena_ms, bare_ms = [], [], []
    until = time.perf_counter() + 2 * seconds
    number = 0
    while time.perf_counter() < until or len(ratios) < 3:
        plies, bare = _bare(match, number)
        began = time.perf_counter()
        line = play(match, setup.pairing(number)).model_dump_json()
        full = time.perf_counter() - began
        assert line.count('"late":0') == 2
        assert plies == play_length(line)
        ratios.append(full / bare)
        arena_ms.append(1000 * full)
        bare_ms.append(1000 * bare)
        number += 1
    return {
        "name": "arena_overhead",
        "value": round(100 * (median(ratios) - 1), 2),
        "unit": "% of a game's wall time",
        "reference": "a bare loop over the same games",
        "referenceValue": round(median(bare_ms), 1),
        "ratio": round(median(ratios), 4),
        "note": f"Isolation, 5 ms a move, {number} games, record written; goal under {GOAL_OVERHEAD:.0%}",
    }


def play_length(line: str) -> int:
    """Plies of a game, from its line."""
    return int(line.split('"length":')[1].split(",")[0])


def _bare(match: Match, number: int) -> tuple[int, float]:
    """The same game without the arena: positions, decisions, steps."""
    began = time.perf_counter()
    pairing = match.setup.pairing(number)
    game, position = match.referee.game, match.opening(pairing.opening)
    chance = derive(match.setup.seed, OPENING, pairing.opening, 1)
    seed = derive(match.setup.seed, GAME, number)
    ply, over = 0, False
    while not over:
        source = match.sources[pairing.seats[position.to_move]]
        assert isinstance(source, Local)
        meter = Meter(source.budget, time.perf_counter)
        choice = source.agent.decide(
            position, source.parameters, meter, derive(seed, ply, position.to_move), None
        )
        step = game.step(position, choice.move, derive(chance, ply))
        position, over = step.position, step.over
        ply += 1
    return ply, time.perf_counter() - began


def _speedup(seconds: float) -> dict[str, Any]:
    """Games a second of two worker processes against one, both from the first finished batch on."""
    one, two = (_pace(workers, seconds) for workers in (1, 2))
    return {
        "name": "arena_two_workers",
        "value": round(two, 3),
        "unit": "games per second",
        "reference": "one worker",
        "referenceValue": round(one, 3),
        "ratio": round(two / one, 3),
        "note": f"Isolation, {SEARCHING} against itself, {usable_cores()} cores; goal {GOAL_SPEEDUP} on two",
    }


def _pace(workers: int, seconds: float) -> float:
    # games enough for about so many seconds; the batch in hand when time is up is played to its end
    setup = _setup("isolation", SEARCHING, SEARCHING, 10_000)
    with tempfile.TemporaryDirectory() as directory:
        archive = Archive.create(Path(directory) / "bench.games.jsonl", setup)
        force = LocalForce(workers)
        first: list[float] = []

        def watch(tally: object, games: int) -> None:
            if games and not first:
                first.append(time.perf_counter())
            if first and time.perf_counter() - first[0] > 3 * seconds:
                raise KeyboardInterrupt

        try:
            outcome = run(setup, archive, force, watch)
        finally:
            force.close(at_once=True)
            archive.close()
    return outcome.pace or 0.0


def _whole_games(seconds: float) -> dict[str, Any]:
    setup = _setup("ludo", "random", "random", 10_000)
    match = Match(setup)
    number, until = 0, time.process_time() + seconds
    began = time.process_time()
    while time.process_time() < until:
        play(match, setup.pairing(number)).model_dump_json()
        number += 1
    arena = number / (time.process_time() - began)
    board, wins, rng = np.zeros((4, 4), np.int64), np.zeros(4, np.int64), seeded(1)
    played, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        random_games(1000, board, mask_of((1, 3)), rng, CAP, wins)
        played += 1000
    compiled = played / (time.process_time() - began)
    return {
        "name": "ludo_whole_games",
        "value": round(compiled, 1),
        "unit": "compiled games per CPU second, one core",
        "reference": "the arena's games of the same agents, recorded move by move",
        "referenceValue": round(arena, 2),
        "ratio": round(compiled / arena, 1),
        "note": "random against random; compiled play is for training, the arena asks registered agents",
    }
