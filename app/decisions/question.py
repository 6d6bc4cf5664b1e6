"""Questions (what a client asks) and agent calls (what runs).

A game's schema makes a `Question` before any engine is loaded; `resolve` checks it against the game: the
agent exists, its parameters are valid, the budget is clamped. An `AgentCall` determines the decision: run
again with the same iterations it gives the same answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.decisions.parameters import named
from engines.catalogue import ENTRIES
from engines.core.agent import Agent
from engines.core.budget import Budget, Meter
from engines.core.decision import Decision, Move
from engines.core.game import Game

# JavaScript reads integers exactly up to 2**53.
DRAWN_SEED_BITS = 53


def drawn_seed() -> int:
    """A random seed, for a question that has none."""
    return secrets.randbits(DRAWN_SEED_BITS)


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and how the client wants it answered, in the client's terms."""

    game: str
    position: Any
    agent: str | None = None
    """May carry parameters (`name:key=value,…`); None: the game's default."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """Win over those that `agent` carries."""
    budget_ms: float | None = None
    budget_iterations: int | None = None
    seed: int = field(default_factory=drawn_seed)
    memory: Any = None
    explain: bool = False

    def fallback(self) -> Move:
        """A legal move at once; needs no compiled code."""
        return ENTRIES[self.game].fallback(self.position)


@dataclass(frozen=True, slots=True)
class AgentCall:
    """A question resolved to an agent, parameters and a clamped budget."""

    question: Question
    game: Game[Any]
    agent: Agent[Any]
    parameters: Any
    budget: Budget
    clamped: tuple[str, ...] = ()
    """The budgets that were pulled into the agent's range."""

    def run(self, meter: Meter) -> Decision:
        """The decision, within what the meter allows."""
        asked = self.question
        return self.agent.decide(asked.position, self.parameters, meter, asked.seed, asked.memory)


def resolve(question: Question, game: Game[Any], default_agent: str) -> AgentCall:
    """The agent call that a question asks for, or a `Problem` if the agent or a parameter does not exist."""
    agent, parameters = named(game, question.agent or default_agent, question.params)
    ms, iterations = question.budget_ms, question.budget_iterations
    clamped = []
    if ms is None and iterations is None:
        ms = agent.budgets.ms.default
    if ms is not None and ms != (bounded := agent.budgets.ms.clamp(ms)):
        ms = bounded
        clamped.append("budgetMs")
    if iterations is not None and iterations != (whole := int(agent.budgets.iterations.clamp(iterations))):
        iterations = whole
        clamped.append("budgetIterations")
    return AgentCall(question, game, agent, parameters, Budget(ms, iterations), tuple(clamped))
