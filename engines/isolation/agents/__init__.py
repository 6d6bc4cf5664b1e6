"""The agents of Isolation by their names."""

from __future__ import annotations

from engines.core.agents import Registry
from engines.isolation.agents.alphabeta import ROSTER
from engines.isolation.agents.analysis import ANALYSIS
from engines.isolation.agents.perfect import PERFECT
from engines.isolation.agents.plain import GREEDY, RANDOM
from engines.isolation.position import Position

AGENTS: Registry[Position] = Registry(PERFECT, RANDOM, GREEDY, *ROSTER, ANALYSIS)
