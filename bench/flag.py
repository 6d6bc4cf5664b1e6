"""Flag's figures: rounds, and decisions of the document's two strategies, against plain Python."""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from bench.rate import rate
from engines.core.budget import Budget, Meter
from engines.core.decision import Decision
from engines.core.rng import Rng, seeded
from engines.flag.agents.heuristic import plan
from engines.flag.game import FLAG
from engines.flag.playout import random_game, random_games
from engines.flag.position import Position, dump, start
from engines.flag.rules import position_of, table_of
from tests.oracles import flag as oracle

CAP = 100
UNLIMITED = 10**9


def positions(count: int) -> list[Position]:
    """Positions with six living pieces a few random rounds into a game."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        table = table_of(start())
        random_game(seeded(seed), table, 1 + seed % 12)
        position = position_of(table, 1, "AB"[seed % 2])
        if not position.over and all(piece.alive for piece in position.pieces):
            found.append(position)
    return found


def figure(name: str, value: float, unit: str, reference: float, note: str) -> dict[str, Any]:
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": "plain Python oracle (tests/oracles/flag.py)",
        "referenceValue": reference,
        "ratio": value / reference,
        "note": note,
    }


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """Each figure and its reference get `seconds` of CPU time."""
    asked = positions(50)
    yield _rounds(seconds)
    yield _heuristic(asked, seconds)
    yield _median_decision(asked)
    yield _nash_sampling(asked[0], seconds)
    yield _equilibrium(asked, seconds)


def random_rounds(games: int, rng: Rng) -> int:
    """The rounds of so many games of random orders."""
    return random_games(rng, table_of(start()), games, CAP)


def _rounds(seconds: float) -> dict[str, Any]:
    generator, rng = seeded(1), random.Random(1)
    return figure(
        "flag.rounds",
        rate(lambda: random_rounds(20, generator), seconds),
        "rounds/s",
        rate(lambda: oracle.random_game(rng, CAP), seconds),
        f"complete rounds of whole games of random orders, capped at {CAP}",
    )


def _heuristic(asked: list[Position], seconds: float) -> dict[str, Any]:
    turns = itertools.cycle([(dump(position), position.side or "A") for position in asked])

    def decide_all() -> int:
        for position in asked:
            _decide("heuristic", position)
        return len(asked)

    def decide_one_plainly() -> int:
        oracle.heuristic(*next(turns))
        return 1

    evaluations = [plan(position, position.mover()).evaluations for position in asked]
    mean = {kind: sum(entry[kind] for entry in evaluations) / len(asked) for kind in ("distinct", "all")}
    return figure(
        "flag.heuristic",
        rate(decide_all, seconds),
        "decisions/s",
        rate(decide_one_plainly, seconds),
        f"six living pieces; with all candidates and terms; {mean['distinct']:.1f} evaluations each "
        f"(the plain loop: {mean['all']:.0f})",
    )


def _decide(name: str, position: Position, iterations: int = UNLIMITED) -> Decision:
    agent = FLAG.agents[name]
    return agent.decide(position, agent.parameters(), Meter(Budget(iterations=iterations)), 0, None)


def _median_decision(asked: list[Position]) -> dict[str, Any]:
    times = []
    for position in asked * 4:
        started = time.process_time()
        _decide("heuristic", position)
        times.append(1000 * (time.process_time() - started))
    return {
        "name": "flag.heuristic.median",
        "value": statistics.median(times),
        "unit": "ms a decision",
        "reference": "the design document's limit of 2 s a turn",
        "referenceValue": 2000.0,
        "ratio": 2000.0 / statistics.median(times),
        "note": f"of {len(times)} decisions, in process; the longest took {max(times):.2f} ms",
    }


def _nash_sampling(position: Position, seconds: float) -> dict[str, Any]:
    rng, own, enemy = random.Random(1), 4, 20
    state, side = dump(position), position.side or "A"
    whole = FLAG.agents["nash_sampling"].parameters()

    def decide_once() -> int:
        _decide("nash_sampling", position)
        return 1

    def evaluate_plainly() -> int:
        oracle.nash_sampling(state, side, own, enemy, rng)
        return own * enemy

    return figure(
        "flag.nash_sampling",
        rate(decide_once, seconds),
        "decisions/s",
        rate(evaluate_plainly, seconds) / (whole.own_samples * whole.enemy_samples),
        f"{whole.own_samples} x {whole.enemy_samples} evaluations a decision; the reference from its rate",
    )


def _equilibrium(asked: list[Position], seconds: float) -> dict[str, Any]:
    rng = random.Random(1)
    found = [_decide("equilibrium", position, 60) for position in asked]
    left = [decision.stats["exploitability"] for decision in found]
    started = time.process_time()
    for position in asked:
        _decide("equilibrium", position, 60)
    spent = time.process_time() - started
    return figure(
        "flag.equilibrium.evaluations",
        sum(decision.stats["evaluations"] for decision in found) / spent,
        "complete rounds settled and valued/s",
        rate(lambda: oracle.random_game(rng, CAP), seconds),
        f"all that a decision does included; {1000 * spent / len(asked):.1f} ms a decision; a best "
        f"response among all joint orders gains {max(left):.4f} of a win at most, "
        f"{statistics.mean(left):.4f} on average ({len(asked)} positions)",
    )
