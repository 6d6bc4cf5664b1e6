"""Flag, as the service, the command line and the tests take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.agents import Registry
from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.core.vectors import VectorFormat
from engines.flag import conformance, play
from engines.flag import position as states
from engines.flag.agents import GREEDY, RANDOM
from engines.flag.draw import draw
from engines.flag.equilibrium import EQUILIBRIUM
from engines.flag.heuristic import HEURISTIC
from engines.flag.nash import NASH_SAMPLING
from engines.flag.position import TEAMS, Position


class Flag(Game[Position]):
    """Two teams of three, simultaneous orders, 11x11."""

    name = "flag"
    agents = Registry(RANDOM, GREEDY, HEURISTIC, NASH_SAMPLING, EQUILIBRIUM)
    formats: Sequence[VectorFormat] = conformance.FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        for name in options:
            raise PositionError((str(name)[:50],), "Flag has no options")
        return states.start()

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return states.parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return states.dump(position)

    def legal(self, position: Position) -> Any:
        return play.legal(position)

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        played = play.play(position, states.parse_orders(moves))
        winner = played.after.winner
        return Step(
            played.after, tuple(played.events), played.after.over, None if winner is None else TEAMS[winner]
        )

    def fallback(self, position: Position) -> Move:
        return states.fallback(position)

    def draw(self, position: Position) -> str:
        return draw(position)

    def beside(self, position: Position, move: Move) -> dict[str, Any]:
        """The timeline: the cells that the mover's pieces will really pass."""
        orders = states.parse_orders({TEAMS[position.mover()]: move})
        return {"timeline": play.timeline(position, orders)}


FLAG = Flag()
