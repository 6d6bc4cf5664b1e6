"""The agents of Battlesnake, in the order in which they are shown."""

from __future__ import annotations

from engines.battlesnake.agents import (
    flood_paranoid,
    greedy,
    negamax,
    published_negamax,
    published_rhea,
    published_rhea_with_negamax_override,
    random,
    rhea,
    rhea_with_negamax_override,
)
from engines.battlesnake.position import Position
from engines.core.agent import Registry

AGENTS: Registry[Position] = Registry(
    random.AGENT,
    greedy.AGENT,
    negamax.AGENT,
    rhea.AGENT,
    rhea_with_negamax_override.AGENT,
    flood_paranoid.AGENT,
    published_negamax.AGENT,
    published_rhea.AGENT,
    published_rhea_with_negamax_override.AGENT,
)
