"""Late answers and the use of the timeout, under the official referee: the service as it is run.

The default snake plays others that answer at once from this process, so that what is measured is
its own. Several games at once ask one service. A late answer is one that took the timeout or
more by the referee's own watch. The share is what the service spent in searches, of the timeout.
"""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any

from bench.gauntlet import plain, play
from bench.official import Mode, stable
from bench.service import server

GOALS = {500: 0.80, 250: 0.80, 100: 0.65, 50: 0.45}
"""The least share of the timeout, by its ms, with one game."""
TOGETHER = 8
MODE = Mode()
_STEAL = 8
"""In the first line of /proc/stat."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What some games at once came to."""

    games: int
    answers: int
    late: int
    longest: int
    share: float | None
    fallbacks: float
    stolen: float | None
    """Milliseconds in which the machine below kept a core from its work; None where nobody tells."""

    def figure(self, timeout: int, at_once: int) -> dict[str, Any]:
        return {
            "name": f"late answers, {timeout} ms timeout, {at_once} game(s) at once",
            "value": self.late,
            "unit": f"of {self.answers} answers",
            "reference": "goal",
            "referenceValue": 0,
            "ratio": None,
            "lateAnswers": self.late,
            "answers": self.answers,
            "searchShare": self.share,
            "stolenMs": self.stolen,
            "note": f"{self.games} games; longest answer {self.longest} ms; {self.fallbacks:g} plain moves; "
            + (
                "no search"
                if self.share is None
                else f"{100 * self.share:.0f}% of the timeout spent searching"
            )
            + ("" if self.stolen is None else f"; {self.stolen:.0f} ms stolen from this machine meanwhile"),
        }


def figures(seconds: float) -> Iterator[dict[str, Any]]:
    """For each timeout one game at once and eight, for `seconds` of wall time at least."""
    with server() as port:
        address = f"http://127.0.0.1:{port}"
        snake = f"{address}/"
        for timeout, goal in GOALS.items():
            alone = measure(snake, address, timeout, 1, seconds)
            yield alone.figure(timeout, 1)
            if alone.share is not None:
                yield {
                    "name": f"share of the timeout spent searching, {timeout} ms timeout, alone",
                    "value": round(alone.share, 3),
                    "unit": "",
                    "reference": "goal",
                    "referenceValue": goal,
                    "ratio": round(alone.share / goal, 3),
                    "note": "early answers (one move left, a game that is decided) lower it",
                }
        for timeout in GOALS:
            at_once = TOGETHER
            found = measure(snake, address, timeout, at_once, seconds)
            yield found.figure(timeout, at_once)
            while found.late and at_once > 1:
                at_once //= 2
                found = measure(snake, address, timeout, at_once, seconds)
                yield found.figure(timeout, at_once)


def measure(snake: str, service: str, timeout: int, at_once: int, seconds: float) -> Measured:
    """Games of one snake against a plain one, so many at a time."""
    before = _metrics(service)
    stolen = _stolen()
    ends = monotonic() + seconds
    numbers = count(1)
    with stable(plain) as other:

        def lane(_: int) -> list[list[int]]:
            elapsed: list[list[int]] = []
            while not elapsed or monotonic() < ends:
                number = next(numbers)
                elapsed.append(play(MODE, (snake, other), timeout, number).latencies["snake-1"])
            return elapsed

        with ThreadPoolExecutor(at_once) as lanes:
            games = [game for lane_ in lanes.map(lane, range(at_once)) for game in lane_]
    after = _metrics(service)
    answers = [ms for game in games for ms in game]
    searched = after["searches"] - before["searches"]
    spent = after["seconds"] - before["seconds"]
    return Measured(
        games=len(games),
        answers=len(answers),
        late=sum(ms >= timeout for ms in answers),
        longest=max(answers),
        share=1000 * spent / searched / timeout if searched else None,
        fallbacks=after["plain"] - before["plain"],
        stolen=None if stolen is None else (_stolen() or 0.0) - stolen,
    )


def _stolen() -> float | None:
    """Milliseconds that a virtual machine's cores have waited for the real ones since its start."""
    try:
        first = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return None
    return 1000.0 * int(first[_STEAL]) / os.sysconf("SC_CLK_TCK") if len(first) > _STEAL else None


def _metrics(service: str) -> dict[str, float]:
    """Of the service so far: searches for snakes, seconds in them, plain moves in their place."""
    with urllib.request.urlopen(f"{service}/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()

    def total(name: str) -> float:
        return sum(
            float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + '{game="battlesnake"')
        )

    return {
        "searches": total("quadriga_search_seconds_count"),
        "seconds": total("quadriga_search_seconds_sum"),
        "plain": total("quadriga_fallback_moves_total"),
    }
