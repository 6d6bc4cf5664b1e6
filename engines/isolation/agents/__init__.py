"""The agents of Isolation, in the order in which they are shown."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.isolation.agents import alphabeta, analysis, greedy, minimax, perfect, random
from engines.isolation.position import Position

AGENTS: Registry[Position] = Registry(
    perfect.AGENT,
    random.AGENT,
    greedy.AGENT,
    *minimax.AGENTS,
    *alphabeta.AGENTS,
    analysis.AGENT,
)
