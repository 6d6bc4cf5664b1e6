"""What the service remembers between two moves of one Battlesnake: bounded, explicit, droppable."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from app.runtime.deadline import Margin

Key = tuple[str, str, str]
"""Agent as named on the path, game id, snake id."""


@dataclass(slots=True)
class Session:
    """The last move of one snake in one game."""

    turn: int | None = None
    own_ms: float | None = None
    margin: Margin = field(default_factory=Margin)
    _memory_before: Any = None
    """The memory before that move."""
    _memory_after: Any = None
    """The memory that it left."""

    def before(self, turn: int) -> Any:
        """The memory of earlier turns; a repeated request gets the same memory as the first."""
        if turn == 0:
            return None
        return self._memory_before if turn == self.turn else self._memory_after

    def learn(self, turn: int, latency_ms: float, timeout_ms: float) -> None:
        """Adapt the margin to the latency that the referee measured for the move before `turn`."""
        if turn > 0:
            self.margin.learn(latency_ms, self.own_ms if self.turn == turn - 1 else None, timeout_ms)

    def moved(self, turn: int, memory: Any, own_ms: float) -> None:
        """Record this turn's move: the memory it leaves, and how long we took for it."""
        self._memory_before, self._memory_after = self.before(turn), memory
        self.turn, self.own_ms = turn, own_ms


class Sessions:
    """At most `limit` sessions; the one longest unused goes first. Losing one never costs a move."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._sessions: OrderedDict[Key, Session] = OrderedDict()
        # What new games start from, since they are likely to come over the same network.
        self.common = Margin()

    def __len__(self) -> int:
        return len(self._sessions)

    def get(self, key: Key) -> Session:
        """The session of a snake, made where there is none."""
        session = self._sessions.pop(key, None)
        if session is None:
            session = Session(margin=Margin(self.common.overhead_ms))
        self._sessions[key] = session
        while len(self._sessions) > self._limit:
            self._sessions.popitem(last=False)
        return session

    def end(self, key: Key) -> None:
        """Forget a snake; new games start from the overhead it measured."""
        session = self._sessions.pop(key, None)
        if session is not None and session.margin.overhead_ms is not None:
            self.common.overhead_ms = session.margin.overhead_ms
