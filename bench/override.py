"""What the published hybrid's override takes of a move, in CPU time and in turns simulated.

Positions are those of games between two published evolutions of little effort; on each the whole
evolution and the whole search run once, one after the other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import mean
from typing import Any

from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.position import Position
from engines.battlesnake.published.evolution import Evolution, RheaConfig
from engines.battlesnake.published.override import NegamaxOverrideConfig, begin
from engines.core.budget import Budget, Meter
from engines.core.rng import derive


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """`seconds` of CPU time for both together, at least; on positions from turn 0 on."""
    evolving: list[float] = []
    searching: list[float] = []
    turns: list[int] = []
    for number, position in enumerate(_positions()):
        seed = derive(7, number)
        began = time.process_time()
        evolution = Evolution(position, RheaConfig(), seed, None)
        while not evolution.finished:
            evolution.generation()
        between = time.process_time()
        search = begin(position, str(BATTLESNAKE.fallback(position)), NegamaxOverrideConfig())
        played = 0
        while not search.finished:
            played += search.advance(search.slice)
        evolving.append(between - began)
        searching.append(time.process_time() - between)
        turns.append(played)
        if sum(evolving) + sum(searching) >= seconds:
            break
    share = sum(searching) / (sum(searching) + sum(evolving))
    yield {
        "name": "share of the published hybrid's move that its override takes",
        "value": round(100 * share, 2),
        "unit": "% of CPU time",
        "reference": "the evolution of 401 generations, ms",
        "referenceValue": round(1000 * mean(evolving), 2),
        "ratio": round(mean(searching) / mean(evolving), 4),
        "note": f"{len(turns)} positions; the search of depth 4 takes {1000 * mean(searching):.2f} ms "
        f"and plays {mean(turns):.0f} turns",
    }


def _positions() -> Iterator[Position]:
    """Every fifth position of one game after another, seen by the first snake."""
    agent = BATTLESNAKE.agents["published_rhea"]
    parameters = agent.parameters()
    number = 0
    while True:
        number += 1
        position = BATTLESNAKE.new({}, derive(1, number))
        memory: dict[str, Any] = {}
        while not position.over:
            if position.turn % 5 == 0:
                yield replace(position, you=position.snakes[0].id)
            moves = {}
            for snake in position.snakes:
                view = replace(position, you=snake.id)
                chance = derive(2, number, position.turn, position.snakes.index(snake))
                meter = Meter(Budget(iterations=20))
                found = agent.decide(view, parameters, meter, chance, memory.get(snake.id))
                moves[snake.id], memory[snake.id] = str(found.move), found.memory
            position = BATTLESNAKE.step(position, moves, derive(3, number, position.turn)).position
