"""The agents of Ludo, in the order in which they are shown."""

from __future__ import annotations

from engines.core.agent import Registry
from engines.ludo.agents import expectimax, greedy, q_learning, random, rule_based, td
from engines.ludo.position import Position

AGENTS: Registry[Position] = Registry(
    rule_based.AGENT,
    td.AGENT,
    expectimax.AGENT,
    q_learning.AGENT,
    greedy.AGENT,
    random.AGENT,
)
