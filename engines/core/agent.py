"""Agents by their names: the one table that the API, the command line and the docs read.

The rest of an agent's contract: `Decision` (move, stats and reason) in `engines.core.decision`, `Meter` (when
a slice may start) in `engines.core.budget`, and `tests/test_contract.py`, which asks every registered agent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from engines.core.budget import Meter
from engines.core.decision import Decision

P = TypeVar("P")

Decide = Callable[[P, Any, Meter, int, Any], Decision]
"""`decide(position, parameters, meter, seed, memory) -> Decision`: pure; with a budget of iterations alone
the same arguments give the same decision. `seed`: 0..2**63-1. `memory`: the last decision's, or None."""


@dataclass(frozen=True, slots=True)
class Range:
    """Default, least and greatest of one kind of budget."""

    default: int
    minimum: int
    maximum: int

    def clamp(self, value: float) -> float:
        return max(self.minimum, min(self.maximum, value))


@dataclass(frozen=True, slots=True)
class Budgets:
    """What budgets an agent takes, in milliseconds and in iterations."""

    ms: Range = Range(150, 1, 10_000)
    iterations: Range = Range(1, 1, 1_000_000)


@dataclass(frozen=True)
class NoParameters:
    """An agent without parameters."""


@dataclass(frozen=True, slots=True)
class Agent(Generic[P]):
    """One entry of a game's registry.

    `parameters` is a frozen dataclass with a default for every field; its fields carry their
    bounds as `Annotated[int, annotated_types.Ge(1), annotated_types.Le(9)]` (choices as `Literal`)
    and their meaning as attribute docstrings: the edge makes validation and JSON Schema from it. Fields
    and docstrings may be inherited. `iteration` says in a few words what one iteration is.
    """

    name: str
    summary: str
    decide: Decide[P]
    iteration: str
    parameters: type[Any] = NoParameters
    budgets: Budgets = Budgets()
    retired: Mapping[str, str] = field(default_factory=dict)
    """Removed parameters: name to the error message for a client that still sends it."""


class UnknownAgentError(KeyError):
    """No agent of that name; `known` lists those there are."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        super().__init__(name)


class Registry(Mapping[str, Agent[P]]):
    """The agents of one game, in the order in which they are shown."""

    def __init__(self, *agents: Agent[P]) -> None:
        self._agents = {agent.name: agent for agent in agents}
        if len(self._agents) != len(agents):
            raise ValueError("two agents of one name")

    def __getitem__(self, name: str) -> Agent[P]:
        try:
            return self._agents[name]
        except KeyError:
            raise UnknownAgentError(name, tuple(self._agents)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._agents)

    def __len__(self) -> int:
        return len(self._agents)
