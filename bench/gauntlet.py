"""Every kind of game that a league may begin: no exception, no late or illegal answer, and an end.

`short` answers with small budgets of iterations in this process, so it says nothing of time;
`figures` (`quadriga bench gauntlet`) plays the service as it is run, against the clock.
"""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from bench.official import Mode, play, stable
from bench.referee import referee
from bench.service import server
from engines.battlesnake.board import STEPS, WORDS, Snake
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.position import parse
from engines.battlesnake.words import ground, legal_words, onward, outlooks
from engines.core.limit import Budget, Meter
from engines.core.rng import derive

RULESETS = (
    Mode("standard"),
    Mode("standard", snakes=1),
    Mode("standard", snakes=4),
    Mode("solo", width=7, height=7, snakes=1),
    Mode("royale", "royale", snakes=4, shrink=5),
    Mode("royale", "royale", 9, 13, 3, damage=40, shrink=3),
    Mode("constrictor", "empty", snakes=4),
    Mode("constrictor", "standard", 9, 9),
    Mode("wrapped", snakes=4),
    Mode("wrapped_constrictor", "empty", 9, 7, 3),
    Mode("squadless", snakes=3),
)
HAZARDS = (
    Mode(map="hz_inner_wall"),
    Mode(map="hz_rings", snakes=4),
    Mode(map="hz_columns", snakes=4),
    Mode("wrapped", "hz_rivers_bridges"),
    Mode("wrapped", "hz_islands_bridges", snakes=4, damage=25),
    Mode(map="hz_castle_wall", snakes=2),
    Mode(map="hz_spiral", snakes=3),
    Mode(map="hz_scatter", snakes=2),
    Mode(map="hz_grow_box", snakes=2),
    Mode(map="hz_expand_box", snakes=2),
    Mode(map="hz_expand_scatter", snakes=2),
    Mode(map="hz_hazard_pits", snakes=4, damage=9),
    Mode(map="sinkholes", snakes=4, damage=5),
    Mode(map="snail_mode", snakes=3, damage=20),
    Mode(map="healing_pools", damage=-20),
    Mode("standard", "arcade_maze", 19, 21, 4, damage=100),
    Mode("wrapped", "arcade_maze", 19, 21, 4, damage=100),
    Mode("solo", "solo_maze", 11, 11, 1, damage=100),
)
SIZES = (
    Mode(width=3, height=3, snakes=1, food=5),
    Mode(width=3, height=3),
    Mode("wrapped", width=3, height=3),
    Mode(width=4, height=7, snakes=3),
    Mode(width=5, height=5, snakes=4),
    Mode(width=7, height=7, snakes=8),
    Mode(width=19, height=19, snakes=8),
    Mode("wrapped", width=25, height=4, snakes=5),
    Mode(width=25, height=25, snakes=16),
    Mode("wrapped_constrictor", "empty", 25, 25, 16),
)
MODES = (*RULESETS, *HAZARDS, *SIZES)

PLAYERS = ("rhea_with_negamax_override", "negamax", "rhea", "flood_paranoid", "greedy")
ITERATIONS = {"negamax": 300, "flood_paranoid": 300}
FEW = 12
TURNS = 150
"""After these the snakes of a short game take leave."""
SEED = 1
TOLD = 200
"""Milliseconds, in the long form."""


@dataclass
class Watched:
    """What went wrong, by kind, with the first of each told."""

    faults: Counter[str] = field(default_factory=Counter)
    told: dict[str, str] = field(default_factory=dict)
    words: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """By game, turn and snake."""

    def fault(self, kind: str, detail: str) -> None:
        self.faults[kind] += 1
        self.told.setdefault(kind, detail)


def short(mode: Mode) -> tuple[int, Watched]:
    """One game among our agents in this process; its turns, and what went wrong."""
    watched = Watched()
    memory: dict[tuple[str, str], Any] = {}

    def move(path: str, state: dict[str, Any]) -> str:
        try:
            position = parse(state)
            me = position.me
            if me is None:
                return WORDS[0]
            if position.turn >= TURNS:
                return _leave(me)
            agent = BATTLESNAKE.agents[path.split("/")[1]]
            meter = Meter(Budget(iterations=ITERATIONS.get(agent.name, FEW)))
            key = (position.game, position.you)
            chance = derive(SEED, position.turn)
            decision = agent.decide(position, agent.parameters(), meter, chance, memory.get(key))
            memory[key] = decision.memory
            word = str(decision.move)
            if word not in legal_words(outlooks(position, me, ground(position))):
                watched.fault("illegal", f"{agent.name} on turn {position.turn}: {word}")
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            watched.fault("exception", traceback.format_exc(limit=-3))
            return WORDS[0]
        watched.words[position.game, position.turn, position.you] = word
        return word

    with stable(move) as address, tempfile.TemporaryDirectory() as place:
        urls = [f"{address}/{PLAYERS[n % len(PLAYERS)]}" for n in range(mode.snakes)]
        game = play(referee(), mode, urls, 10_000, SEED, Path(place) / "game.jsonl")
    return len(game.turns) - 1, watched


def _leave(snake: Snake) -> str:
    """Into the own neck."""
    x, y = STEPS[WORDS.index(onward(snake))]
    return WORDS[STEPS.index((-x, -y))]


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """For each mode games of the default snake, for `seconds` of wall time at least: late answers.

    The others keep out of harm, and take leave at last. Who is alone may live for thousands of turns:
    then a quarter of the time is told.
    """
    program = referee()
    with server() as port, tempfile.TemporaryDirectory() as place:
        for mode in MODES:
            time = TOLD if mode.snakes > 1 else TOLD // 4
            ends = monotonic() + seconds
            games = turns = late = answers = 0
            longest = 0
            while not games or monotonic() < ends:
                games += 1
                with ExitStack() as open_:
                    urls = [f"http://127.0.0.1:{port}/"] + [
                        open_.enter_context(stable(plain)) for _ in range(mode.snakes - 1)
                    ]
                    game = play(program, mode, urls, time, games, Path(place) / "game.jsonl", 3600)
                turns += len(game.turns) - 1
                taken = game.latencies.get("snake-1", [])
                answers += len(taken)
                late += sum(ms >= time for ms in taken)
                longest = max([longest, *taken])
            yield {
                "name": f"late answers, {mode}, {time} ms told",
                "value": late,
                "unit": "answers",
                "reference": "answers",
                "referenceValue": answers,
                "ratio": None,
                "note": f"{games} games, {turns} turns, all ended; longest answer {longest} ms",
            }


def plain(path: str, state: dict[str, Any]) -> str:
    """A snake that only keeps out of harm, and takes leave at last."""
    position = parse(state)
    if position.me is not None and position.turn >= 10 * TURNS:
        return _leave(position.me)
    return str(BATTLESNAKE.fallback(position))
