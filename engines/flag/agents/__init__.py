"""The agents of Flag, in the order in which they are shown."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.flag.agents import equilibrium, greedy, heuristic, nash_sampling, random
from engines.flag.position import Position

AGENTS: Registry[Position] = Registry(
    random.AGENT,
    greedy.AGENT,
    heuristic.AGENT,
    nash_sampling.AGENT,
    equilibrium.AGENT,
)
