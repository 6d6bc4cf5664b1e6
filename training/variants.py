"""The agents with every figure as a parameter, for who looks for better ones.

Players have a few parameters, and their leaf's weights stand in a table by mode. The optimiser and the screen
vary all of them: these agents stand in no registry, and the arena finds them by `spec`. None stands for what
ships, which may differ by mode or by the number of rivals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Annotated, Any, Final

from annotated_types import Ge, Le

from engines.battlesnake.agents import negamax, rhea
from engines.battlesnake.agents import rhea_with_negamax_override as hybrid
from engines.battlesnake.evaluation import Factor, Weights
from engines.battlesnake.evolution.evolution import EvolutionConfig
from engines.battlesnake.hybrid.config import HybridConfig
from engines.battlesnake.position import Position
from engines.battlesnake.weights import evaluation_weights
from engines.core.agent import Agent
from engines.core.budget import Meter
from engines.core.decision import Decision

USUAL = EvolutionConfig()
Times = Annotated[float, Ge(0.0), Le(100.0)]


@dataclass(frozen=True)
class Leaf:
    """The leaf's weights (`engines.battlesnake.evaluation.Weights`)."""

    space: Factor | None = None
    room: Factor | None = None
    length: Factor | None = None
    softness: Annotated[float, Ge(0.1), Le(100.0)] | None = None
    health: Factor | None = None
    food: Factor | None = None
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] | None = None
    hazard: Factor | None = None
    tail: Factor | None = None

    def weights(self, position: Position) -> Weights:
        """What they come to at a position."""
        found: Weights = _given(self, evaluation_weights(position))
        return found


@dataclass(frozen=True)
class Breeding:
    """What the evolution has besides its parameters (`engines.battlesnake.evolution.EvolutionConfig`)."""

    tournament: Annotated[int, Ge(1), Le(64)] = USUAL.tournament
    elite: Annotated[int, Ge(0), Le(1000)] = USUAL.elite
    death: Factor = USUAL.death
    win: Factor = USUAL.win
    meal: Factor = USUAL.meal
    stride: Annotated[int, Ge(1), Le(64)] = USUAL.stride


@dataclass(frozen=True)
class Negamax(negamax.Parameters, Leaf):
    """`negamax` and its leaf."""

    def resolved(self, position: Position) -> dict[str, Any]:
        """What says something at a position, and what it comes to there."""
        maximin = self.root == "maximin" and len(position.snakes) == 2
        return _resolved(self, self.weights(position), without=("caution", "doubt") if maximin else ())


@dataclass(frozen=True)
class Rhea(rhea.Parameters, Breeding, Leaf):
    """`rhea`, all of its figures and its leaf."""

    def bred(self) -> EvolutionConfig:
        """The evolution of these figures."""
        return replace(
            self.evolution_config(), **{field.name: getattr(self, field.name) for field in fields(Breeding)}
        )

    def resolved(self, position: Position) -> dict[str, Any]:
        """What says something at a position, and what it comes to there."""
        return _resolved(self, self.weights(position))


@dataclass(frozen=True)
class Hybrid(hybrid.Parameters, Rhea):
    """`rhea_with_negamax_override`, all figures of its parts and of how they go together, and its leaf."""

    blend: Times | None = None
    horizon: Times | None = None

    def bred(self) -> EvolutionConfig:
        """The evolution of these figures; `draw` is the search's."""
        return replace(super().bred(), draw=USUAL.draw)

    def varied(self, position: Position) -> hybrid.ResolvedConfig:
        """All that decides how a position is played."""
        config: HybridConfig = _given(self, self.hybrid_config(position))
        weights = self.weights(position)
        return hybrid.ResolvedConfig(config, self.search_config(), self.max_depth, self.bred(), weights)

    def resolved(self, position: Position) -> dict[str, Any]:
        """What says something at a position, and what it comes to there."""
        found = self.varied(position)
        duel = len(position.snakes) == 2
        return _resolved(self, found.weights, found.hybrid, without=("caution", "doubt") if duel else ())


def _given(values: Any, usual: Any) -> Any:
    """A dataclass of what is usual, but for the values that are given."""
    found = {field.name: getattr(values, field.name, None) for field in fields(usual)}
    return replace(usual, **{name: value for name, value in found.items() if value is not None})


def _resolved(parameters: Any, *resolved: Any, without: tuple[str, ...] = ()) -> dict[str, Any]:
    found = asdict(parameters)
    for part in resolved:
        found |= asdict(part)
    return {name: value for name, value in found.items() if name not in without}


def _negamax(position: Position, parameters: Negamax, meter: Meter, seed: int, memory: Any) -> Decision:
    return negamax.decide_with(position, parameters, parameters.weights(position), meter, seed)


def _rhea(position: Position, parameters: Rhea, meter: Meter, seed: int, memory: Any) -> Decision:
    return rhea.decide_with(position, parameters.bred(), parameters.weights(position), meter, seed, memory)


def _hybrid(position: Position, parameters: Hybrid, meter: Meter, seed: int, memory: Any) -> Decision:
    return hybrid.decide_with(position, parameters.varied(position), meter, seed, memory)


NEGAMAX: Final[Agent[Position]] = replace(negamax.AGENT, decide=_negamax, parameters=Negamax)
RHEA: Final[Agent[Position]] = replace(rhea.AGENT, decide=_rhea, parameters=Rhea)
HYBRID: Final[Agent[Position]] = replace(hybrid.AGENT, decide=_hybrid, parameters=Hybrid)

VARIANTS: Final[Mapping[str, Agent[Position]]] = {agent.name: agent for agent in (NEGAMAX, RHEA, HYBRID)}
_NAMES: Final = {"negamax": "NEGAMAX", "rhea": "RHEA", "rhea_with_negamax_override": "HYBRID"}


def spec(agent: str, parameters: str) -> str:
    """An agent that plays with these parameters, as the arena reads it: its variant, if it has one."""
    name = f"python:{__name__}.{_NAMES[agent]}" if agent in _NAMES else agent
    return f"{name}:{parameters}" if parameters else name
