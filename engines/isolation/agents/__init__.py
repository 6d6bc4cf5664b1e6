"""The agents of Isolation by their names."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.isolation.agents.alphabeta import ALPHABETA
from engines.isolation.agents.analysis import ANALYSIS
from engines.isolation.agents.greedy import GREEDY
from engines.isolation.agents.minimax import MINIMAX
from engines.isolation.agents.perfect import PERFECT
from engines.isolation.agents.random import RANDOM
from engines.isolation.position import Position

AGENTS: Registry[Position] = Registry(PERFECT, RANDOM, GREEDY, *MINIMAX, *ALPHABETA, ANALYSIS)
