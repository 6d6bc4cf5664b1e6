"""The `Game` of Flag: what the service, the command line, the arena and the tests use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.flag import moves, step
from engines.flag.agents import AGENTS
from engines.flag.conformance import FORMATS
from engines.flag.fallback import fallback
from engines.flag.parse import parse, parse_orders
from engines.flag.position import TEAMS, Position, dump, start
from engines.flag.render import render


class Flag(Game[Position]):
    """Two teams of three, simultaneous orders, 11x11."""

    name = "flag"
    agents = AGENTS
    formats = FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        for name in options:
            raise PositionError((str(name)[:50],), "Flag has no options")
        return start()

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return dump(position)

    def legal(self, position: Position) -> Any:
        return moves.legal(position)

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        played = step.play(position, parse_orders(moves))
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
        orders = parse_orders({TEAMS[position.mover()]: move})
        return {"timeline": moves.timeline(position, orders)}


FLAG = Flag()
