"""The agents of Ludo, by their names."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.ludo.agents.expectimax import EXPECTIMAX
from engines.ludo.agents.greedy import GREEDY
from engines.ludo.agents.q_learning import Q_LEARNING
from engines.ludo.agents.random import RANDOM
from engines.ludo.agents.rule_based import RULE_BASED
from engines.ludo.agents.td import TD
from engines.ludo.position import Position

AGENTS: Registry[Position] = Registry(RULE_BASED, TD, EXPECTIMAX, Q_LEARNING, GREEDY, RANDOM)
