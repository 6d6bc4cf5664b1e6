"""How long an agent lives alone, and how full the board is by then.

    python -m bench.solo --games 20 --ms 15 --out solo.jsonl

Solo on 11x11 as the official map lays food: after each turn with a chance of 15%, eaten or not (and at
once where none is left). So body and food together grow by a cell in seven turns or so whatever the snake
does, and after some 800 turns nearly every cell is one or the other: `filled` is the first such turn.
From there on each meal is a risk, since the cell that the tail left may have food before the head is
there. A file that is there is gone on with.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from bench.lines import play_on
from engines.battlesnake.game import BATTLESNAKE
from engines.core.budget import Budget, Meter
from engines.core.rng import derive

FULL = 0.98
"""The share of cells taken from which on a board counts as filled: the last one comes and goes."""


def play(number: int, agent: str, ms: float) -> dict[str, Any]:
    """One game to its end."""
    position = BATTLESNAKE.new({"ruleset": "solo", "snakes": 1}, derive(21, number))
    player = BATTLESNAKE.agents[agent]
    memory: Any = None
    filled = None
    length = 0
    cause = ""
    while not position.over:
        length = len(position.snakes[0].body)
        cells = len({*position.snakes[0].body, *position.food})
        if filled is None and cells >= FULL * position.width * position.height:
            filled = position.turn
        meter = Meter(Budget(ms=ms), perf_counter)
        decision = player.decide(
            position, player.parameters(), meter, derive(22, number, position.turn), memory
        )
        memory = decision.memory
        step = BATTLESNAKE.step(position, {position.you: decision.move}, derive(23, number))
        causes = [event[2] for event in step.events if event[0] == "eliminated"]
        cause = causes[0] if causes else ""
        position = replace(step.position, you=position.you)
    return {
        "game": number,
        "agent": agent,
        "ms": ms,
        "turns": position.turn,
        "filled": filled,
        "length": length,
        "cause": cause,
    }


def summary(lines: list[dict[str, Any]]) -> str:
    """What the games come to."""
    turns = sorted(line["turns"] for line in lines)
    filled = [line["filled"] for line in lines if line["filled"] is not None]
    at = f", at turn {median(filled):.0f} in the middle" if filled else ""
    return (
        f"{len(lines)} games: {median(turns):.0f} turns in the middle ({turns[0]} to {turns[-1]}), "
        f"length {median(line['length'] for line in lines):.0f}; board filled in {len(filled)}{at}"
    )


def main() -> None:
    """Play so many games, telling where it stands after each."""
    parser = argparse.ArgumentParser(prog="python -m bench.solo")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--agent", choices=list(BATTLESNAKE.agents), default="rhea_with_negamax_override")
    parser.add_argument("--ms", type=float, default=15.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    if options.games < 1:
        parser.error("--games: 1 or more")
    play_on(parser, options, play, {"agent": options.agent, "ms": options.ms}, summary)


if __name__ == "__main__":
    main()
