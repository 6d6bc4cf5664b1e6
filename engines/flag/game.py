"""Flag, as the service, the command line and the tests take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.core.vectors import VectorFormat
from engines.flag import conformance, moves, step
from engines.flag import parse as parsing
from engines.flag import position as positions
from engines.flag.agents import AGENTS
from engines.flag.fallback import fallback
from engines.flag.position import TEAMS, Position
from engines.flag.render import render


class Flag(Game[Position]):
    """Two teams of three, simultaneous orders, 11x11."""

    name = "flag"
    agents = AGENTS
    formats: Sequence[VectorFormat] = conformance.FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        for name in options:
            raise PositionError((str(name)[:50],), "Flag has no options")
        return positions.start()

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return parsing.parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return positions.dump(position)

    def legal(self, position: Position) -> Any:
        return moves.legal(position)

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        played = step.play(position, parsing.parse_orders(moves))
        winner = played.after.winner
        return Step(
            played.after, tuple(played.events), played.after.over, None if winner is None else TEAMS[winner]
        )

    def fallback(self, position: Position) -> Move:
        return fallback(position)

    def render(self, position: Position) -> str:
        return render(position)

    def annotations(self, position: Position, move: Move) -> dict[str, Any]:
        """The timeline: the cells that the mover's pieces will really pass."""
        orders = parsing.parse_orders({TEAMS[position.mover()]: move})
        return {"timeline": moves.timeline(position, orders)}


FLAG = Flag()
