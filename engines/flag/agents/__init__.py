"""The agents of Flag by their names."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.flag.agents.equilibrium import EQUILIBRIUM
from engines.flag.agents.greedy import GREEDY
from engines.flag.agents.heuristic import HEURISTIC
from engines.flag.agents.nash_sampling import NASH_SAMPLING
from engines.flag.agents.random import RANDOM
from engines.flag.position import Position

AGENTS: Registry[Position] = Registry(RANDOM, GREEDY, HEURISTIC, NASH_SAMPLING, EQUILIBRIUM)
