"""A contestant at the board: it is asked, timed, and whatever it does is brought into one form."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from arena.contestants import Local
from engines.core.budget import Clock, Meter
from engines.core.decision import Move

Fault = Literal["late", "failed", "illegal"]
FAULTS: tuple[Fault, ...] = ("late", "failed", "illegal")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `fault` says why the move cannot be used; `detail` is for the report.

    `numbers` are the agent's own counters, `flags` what it says happened in this decision.
    """

    move: Move = None
    microseconds: int = 0
    fault: Fault | None = None
    detail: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()


class Player(Protocol):
    """One contestant in one game. Whatever it does ends as an `Answer`, never as an exception."""

    def begin(self, view: Any) -> None:
        """The game starts."""

    def decide(self, view: Any, seed: int) -> Answer:
        """Its move in the position as it sees it."""

    def end(self, view: Any) -> None:
        """The game is over."""


class LocalPlayer:
    """An agent in this process. Keeps what the agent remembers from one decision to the next."""

    def __init__(
        self, source: Local, tolerance_ms: float, clock: Clock = time.perf_counter, cores: int = 1
    ) -> None:
        self._source = source
        self._clock = clock
        self._helpers = cores - 1
        self._limit_ms = None if source.budget.ms is None else source.budget.ms + tolerance_ms
        self._memory: Any = None

    def begin(self, view: Any) -> None:
        """Nothing to tell."""

    def decide(self, view: Any, seed: int) -> Answer:
        began = self._clock()
        meter = Meter(self._source.budget, self._clock, began, self._helpers)
        try:
            decision = self._source.agent.decide(view, self._source.parameters, meter, seed, self._memory)
        except Exception as error:  # noqa: BLE001 - whatever an agent raises is its fault, and counted
            spent = elapsed(began, self._clock)
            return Answer(None, spent, "failed", f"{type(error).__name__}: {error}"[:200])
        spent = elapsed(began, self._clock)
        self._memory = decision.memory
        numbers, flags = counters(decision.stats)
        if decision.context.get("override"):
            flags |= {"override"}
        late = self._limit_ms is not None and spent > self._limit_ms * 1000
        detail = f"{spent / 1000:.0f} ms of {self._source.budget.ms:g}" if late else ""
        return Answer(decision.move, spent, "late" if late else None, detail, numbers, flags)

    def end(self, view: Any) -> None:
        """Nothing to tell."""


def elapsed(began: float, clock: Clock = time.perf_counter) -> int:
    """Microseconds since then."""
    return round((clock() - began) * 1e6)


OURS = frozenset(
    (
        *("seed", "elapsedMs", "budgetMs", "budgetIterations", "grantedMs"),
        *("timeoutMs", "marginMs", "queuedMs"),
        "toldMs",  # of services of older versions
    )
)
"""What a service writes into `stats` that the agent did not count."""


def counters(stats: Any) -> tuple[dict[str, float], frozenset[str]]:
    """The numbers of an agent's `stats`, and the names of what it says is true."""
    if not isinstance(stats, Mapping):
        return {}, frozenset()
    numbers = {}
    flags = set()
    for name, value in stats.items():
        if not isinstance(name, str) or name in OURS or len(name) > 40:
            continue
        value = value.item() if hasattr(value, "item") else value
        if value is True:
            flags.add(name)
        elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e18:
            numbers[name] = float(value)
    return numbers, frozenset(flags)
