"""Flag's figures: rounds, and decisions of the document's two strategies, against plain Python."""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from engines.core.agents import NoParameters
from engines.core.limit import Budget, Meter
from engines.core.rng import seeded
from engines.flag.equilibrium import Equilibrium
from engines.flag.equilibrium import decide as decide_equilibrium
from engines.flag.heuristic import decide as decide_heuristic
from engines.flag.heuristic import plan
from engines.flag.nash import Samples
from engines.flag.nash import decide as decide_nash
from engines.flag.playout import random_game, random_games
from engines.flag.position import Position, dump, start
from engines.flag.rules import position_of, table_of
from tests.oracles import flag as oracle

CAP = 100
UNLIMITED = 10**9


def rate(work: Callable[[], float], seconds: float) -> float:
    """Units of work per CPU second; `work` does some and says how much."""
    work()
    done, begun = 0.0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        done += work()
    return done / spent


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
    generator, table, rng = seeded(1), table_of(start()), random.Random(1)
    yield figure(
        "flag.rounds",
        rate(lambda: random_games(generator, table, 20, CAP), seconds),
        "rounds/s",
        rate(lambda: oracle.random_game(rng, CAP), seconds),
        f"complete rounds of whole games of random orders, capped at {CAP}",
    )

    asked = positions(50)
    states = [(dump(position), position.side or "A") for position in asked]

    def decide_all() -> int:
        for position in asked:
            decide_heuristic(position, NoParameters(), Meter(Budget(iterations=UNLIMITED)), 0, None)
        return len(asked)

    turns = itertools.cycle(states)

    def decide_one_plainly() -> int:
        oracle.heuristic(*next(turns))
        return 1

    evaluations = [plan(position, position.mover()).evaluations for position in asked]
    mean = {kind: sum(entry[kind] for entry in evaluations) / len(asked) for kind in ("distinct", "all")}
    yield figure(
        "flag.heuristic",
        rate(decide_all, seconds),
        "decisions/s",
        rate(decide_one_plainly, seconds),
        f"six living pieces; with all candidates and terms; {mean['distinct']:.1f} evaluations each "
        f"(the plain loop: {mean['all']:.0f})",
    )

    times = []
    for position in asked * 4:
        begun = time.process_time()
        decide_heuristic(position, NoParameters(), Meter(Budget(iterations=UNLIMITED)), 0, None)
        times.append(1000 * (time.process_time() - begun))
    yield {
        "name": "flag.heuristic.median",
        "value": statistics.median(times),
        "unit": "ms a decision",
        "reference": "the design document's limit of 2 s a turn",
        "referenceValue": 2000.0,
        "ratio": 2000.0 / statistics.median(times),
        "note": f"of {len(times)} decisions, in process; the longest took {max(times):.2f} ms",
    }

    few = Samples(own_samples=4, enemy_samples=20)
    nash = rate(
        lambda: bool(decide_nash(asked[0], Samples(), Meter(Budget(iterations=UNLIMITED)), 0, None).move),
        seconds,
    )
    plain = rate(
        lambda: (
            len(oracle.nash_sampling(*states[0], few.own_samples, few.enemy_samples, rng))
            and few.own_samples * few.enemy_samples
        ),
        seconds,
    )
    whole = Samples()
    yield figure(
        "flag.nash_sampling",
        nash,
        "decisions/s",
        plain / (whole.own_samples * whole.enemy_samples),
        f"{whole.own_samples} x {whole.enemy_samples} evaluations a decision; the reference from its rate",
    )

    found = [
        decide_equilibrium(position, Equilibrium(), Meter(Budget(iterations=60)), 0, None)
        for position in asked
    ]
    left = [decision.stats["exploitability"] for decision in found]
    begun = time.process_time()
    for position in asked:
        decide_equilibrium(position, Equilibrium(), Meter(Budget(iterations=60)), 0, None)
    spent = time.process_time() - begun
    yield figure(
        "flag.equilibrium.evaluations",
        sum(decision.stats["evaluations"] for decision in found) / spent,
        "complete rounds settled and valued/s",
        rate(lambda: oracle.random_game(rng, CAP), seconds),
        f"all that a decision does included; {1000 * spent / len(asked):.1f} ms a decision; a best "
        f"response among all joint orders gains {max(left):.4f} of a win at most, "
        f"{statistics.mean(left):.4f} on average ({len(asked)} positions)",
    )
