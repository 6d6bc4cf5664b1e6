"""The `Game` of Isolation: what the service, the command line, the arena and the tests use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.isolation.agents import AGENTS
from engines.isolation.board import MAX_SIDE, UNPLACED
from engines.isolation.conformance import FORMATS
from engines.isolation.fallback import fallback
from engines.isolation.parse import parse, parse_cell, whole
from engines.isolation.position import Position, cell, dump, start
from engines.isolation.render import render
from engines.isolation.rules import legal_cells, legal_squares, play, winner


class Isolation(Game[Position]):
    """Knights on a board where every cell once stood on is gone; who cannot move loses."""

    name = "isolation"
    agents = AGENTS
    formats = FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        height, width = (
            whole(options.get(name, 7), (name,), 1, MAX_SIDE, f"the {name}") for name in ("height", "width")
        )
        return start(height, width)

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return dump(position)

    def legal(self, position: Position) -> list[list[int]]:
        """The cells where the side to move may go, in reading order."""
        return legal_cells(position)

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        """Play one cell; None where the side to move has nowhere to go, which changes nothing."""
        squares = legal_squares(position)
        if moves is None and not squares:
            return Step(position, (), True, winner(position))
        if not squares:
            raise PositionError((), "the game is over: the side to move has nowhere to go")
        if moves is None:
            raise PositionError((), "the side to move has a legal move and may not pass")
        square = parse_cell(moves, position.height, position.width, ())
        if square not in squares:
            raise PositionError((), "this cell is not a legal move")
        return _played(position, square)

    def fallback(self, position: Position) -> Move:
        return fallback(position)

    def render(self, position: Position) -> str:
        return render(position)


def _played(position: Position, square: int) -> Step[Position]:
    origin = position.mover_at
    event = {
        "type": "place" if origin == UNPLACED else "move",
        "player": position.to_move,
        "from": None if origin == UNPLACED else cell(position, origin),
        "to": cell(position, square),
    }
    following = play(position, square)
    victor = winner(following)
    events = (event,) if victor is None else (event, {"type": "stuck", "player": 1 - victor})
    return Step(following, events, victor is not None, victor)


ISOLATION = Isolation()
