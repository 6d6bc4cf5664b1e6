"""Every kind of game that a league may begin: no exception, no late or illegal answer, and an end.

`short` answers with small budgets of iterations in this process, so it says nothing of time;
`figures` (`quadriga bench gauntlet`) plays the service as it is run, against the clock. Both play under the
official referee, or under the arena's own where the official program can't be had.
"""

from __future__ import annotations

import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from bench import official, unofficial
from bench.official import Mode, Seen, stable
from bench.referee import NoEngineError, referee
from bench.service import server
from engines.battlesnake.game import BATTLESNAKE
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety, straight_ahead
from engines.battlesnake.parse import parse
from engines.battlesnake.position import MOVES, OFFSETS, Snake
from engines.core.budget import Budget, Meter
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
TIMEOUT = 200
"""Milliseconds, in the long form."""


@dataclass
class Watched:
    """What went wrong, by kind, with the first of each in full."""

    faults: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    moves: dict[tuple[str, int, str], str] = field(default_factory=dict)
    """By game, turn and snake."""

    def fault(self, kind: str, detail: str) -> None:
        self.faults[kind] += 1
        self.details.setdefault(kind, detail)


def short(mode: Mode) -> tuple[int, Watched]:
    """One game among our agents in this process; its turns, and what went wrong."""
    watched = Watched()
    memory: dict[tuple[str, str], Any] = {}

    def move(path: str, state: dict[str, Any]) -> str:
        try:
            position = parse(state)
            me = position.me
            if me is None:
                return MOVES[0]
            if position.turn >= TURNS:
                return _leave(me)
            agent = BATTLESNAKE.agents[path.split("/")[1]]
            meter = Meter(Budget(iterations=ITERATIONS.get(agent.name, FEW)))
            key = (position.game, position.you)
            chance = derive(SEED, position.turn)
            decision = agent.decide(position, agent.parameters(), meter, chance, memory.get(key))
            memory[key] = decision.memory
            chosen = str(decision.move)
            if chosen not in legal_moves(move_safety(position, me, find_obstacles(position))):
                watched.fault("illegal", f"{agent.name} on turn {position.turn}: {chosen}")
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            watched.fault("exception", traceback.format_exc(limit=-3))
            return MOVES[0]
        watched.moves[position.game, position.turn, position.you] = chosen
        return chosen

    with stable(move) as address:
        urls = [f"{address}/{PLAYERS[n % len(PLAYERS)]}" for n in range(mode.snakes)]
        game = play(mode, urls, 10_000, SEED)
    return len(game.turns) - 1, watched


def play(mode: Mode, urls: Sequence[str], reported: int, seed: int, limit: float = 600) -> Seen:
    """One game to its end, `snake-1` at the first address; a RuntimeError after `limit` seconds."""
    try:
        program = referee()
    except NoEngineError:
        return unofficial.play(mode, urls, reported, seed, limit)
    with tempfile.TemporaryDirectory() as place:
        return official.play(program, mode, urls, reported, seed, Path(place) / "game.jsonl", limit)


def _leave(snake: Snake) -> str:
    """Into the own neck."""
    x, y = OFFSETS[MOVES.index(straight_ahead(snake))]
    return MOVES[OFFSETS.index((-x, -y))]


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """For each mode games of the default snake, for `seconds` of wall time at least: late answers.

    The others keep out of harm, and take leave at last. Who is alone may live for thousands of turns:
    then the timeout is a quarter.
    """
    with server() as port:
        for mode in MODES:
            timeout = TIMEOUT if mode.snakes > 1 else TIMEOUT // 4
            ends = monotonic() + seconds
            games = turns = late = answers = 0
            longest = 0
            while not games or monotonic() < ends:
                games += 1
                with ExitStack() as open_:
                    urls = [f"http://127.0.0.1:{port}/"] + [
                        open_.enter_context(stable(plain)) for _ in range(mode.snakes - 1)
                    ]
                    game = play(mode, urls, timeout, games, 3600)
                turns += len(game.turns) - 1
                occupancy = game.latencies.get("snake-1", [])
                answers += len(occupancy)
                late += sum(ms >= timeout for ms in occupancy)
                longest = max([longest, *occupancy])
            yield {
                "name": f"late answers, {mode}, {timeout} ms timeout",
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
