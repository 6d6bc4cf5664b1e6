"""Were the tuned hybrid's overrides right? Both moves played out by the tuned search, time and again.

    python -m bench.judged --games 8 --out overrides.jsonl

Games of the tuned hybrid against the tuned search, seat by seat in turn. Of each game up to three
overrides are drawn; from each position the proposal and the word that replaced it are played out 20
times each, all moves from then on by the tuned search at ten times the work that the hybrid's own
search had. An override was right where its word brought more points. A file that is there is gone on
with, game by game.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.statistics import wilson
from bench.lines import play_on
from engines.battlesnake.board import Position
from engines.battlesnake.game import BATTLESNAKE
from engines.core.limit import Budget, Meter
from engines.core.rng import derive

TIMES = 20
HARDER = 10
MOST = 3
"""Overrides judged of one game: those of a game are alike."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An override in a game, and the turns that the hybrid's search played for it."""

    position: Position
    proposal: str
    word: str
    turns: int


def overrides(number: int, slices: int) -> list[Spoken]:
    """Those of one game; both players have about the same work."""
    position = BATTLESNAKE.new({}, derive(11, number))
    hybrid = position.snakes[number % 2].id
    memory: Any = None
    found: list[Spoken] = []
    turns = 1000 * slices
    while not position.over:
        words = {}
        for snake in position.snakes:
            view, chance = replace(position, you=snake.id), derive(12, number, position.turn)
            if snake.id != hybrid:
                words[snake.id] = _searched(view, turns, chance)
                continue
            agent = BATTLESNAKE.agents["rhea_with_negamax_override"]
            meter = Meter(Budget(iterations=slices))
            decision = agent.decide(view, agent.parameters(), meter, chance, memory)
            words[snake.id], memory = str(decision.move), decision.memory
            turns = max(1, int(decision.stats.get("override_turns", turns)))
            told = decision.context.get("override")
            if isinstance(told, Mapping):
                found.append(Spoken(view, told["move"]["from"], told["move"]["to"], turns))
        position = BATTLESNAKE.step(position, words, derive(13, number, position.turn)).position
    return found


def points(spoken: Spoken, word: str, iterations: int, times: int) -> float:
    """What the side to move has of so many games that begin with a word."""
    return sum(_finish(spoken.position, word, iterations, derive(14, time)) for time in range(times))


def _finish(position: Position, word: str, iterations: int, seed: int) -> float:
    me = position.you
    first = True
    while not position.over:
        words = {}
        for snake in position.snakes:
            view = replace(position, you=snake.id)
            chance = derive(seed, position.turn, position.snakes.index(snake))
            words[snake.id] = word if first and snake.id == me else _searched(view, iterations, chance)
        first = False
        position = BATTLESNAKE.step(position, words, derive(seed, position.turn, 99)).position
    if not position.snakes:
        return 0.5
    return float(position.snakes[0].id == me)


def _searched(view: Position, iterations: int, chance: int) -> str:
    agent = BATTLESNAKE.agents["negamax"]
    meter = Meter(Budget(iterations=iterations))
    return str(agent.decide(view, agent.parameters(), meter, chance, None).move)


def judge(number: int, slices: int, times: int) -> dict[str, Any]:
    """One game's overrides, some of them judged."""
    found = overrides(number, slices)
    drawn = random.Random(number).sample(found, min(MOST, len(found)))
    rows = []
    for spoken in drawn:
        effort = HARDER * spoken.turns
        row = {
            "turn": spoken.position.turn,
            "from": spoken.proposal,
            "to": spoken.word,
            "iterations": effort,
            "fromPoints": points(spoken, spoken.proposal, effort, times),
            "toPoints": points(spoken, spoken.word, effort, times),
        }
        rows.append(row)
    return {"game": number, "slices": slices, "times": times, "overrides": len(found), "judged": rows}


def told(lines: list[dict[str, Any]]) -> str:
    """What the judged ones come to."""
    rows = [row for line in lines for row in line["judged"]]
    right = sum(row["toPoints"] > row["fromPoints"] for row in rows)
    wrong = sum(row["toPoints"] < row["fromPoints"] for row in rows)
    low, high = wilson(right, right + wrong) if right + wrong else (0.0, 1.0)
    gained = sum(row["toPoints"] - row["fromPoints"] for row in rows)
    each = sum(line["times"] * len(line["judged"]) for line in lines)
    return (
        f"{len(lines)} games, {sum(line['overrides'] for line in lines)} overrides, {len(rows)} judged: "
        f"{right} right, {wrong} wrong, {len(rows) - right - wrong} alike; of those that differ "
        f"{100 * low:.0f}% to {100 * high:.0f}% right (95%); "
        f"{100 * gained / max(1, each):+.1f} points in 100 games"
    )


def main() -> None:
    """Judge the overrides of so many games, telling where it stands after each."""
    parser = argparse.ArgumentParser(prog="python -m bench.judged")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--slices", type=int, default=8, help="the hybrid's iterations a move")
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    play_on(parser, options, judge, {"slices": options.slices, "times": options.times}, told)


if __name__ == "__main__":
    main()
