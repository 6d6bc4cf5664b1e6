"""Each game as HTTP knows it: wire models and how a question is read. Needs no kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from app.decisions.question import Question, drawn_seed
from app.errors import from_position
from app.games.bodies import MoveRequest, SidedMoveRequest
from app.games.wire import State, Wire
from app.http import parse
from engines.catalogue import ENTRIES, Entry
from engines.core.errors import PositionError


@dataclass(frozen=True, slots=True)
class WireGame:
    """A game's wire models, found in `app.games.<name>.schemas`; nothing in here needs compiled code."""

    entry: Entry
    state: type[State]
    options: type[Wire]
    moves: Any
    request: Any
    """The model of the board games' move request."""
    example_state: Mapping[str, Any]
    example_moves: Any
    reader: Callable[[bytes], Question] | None = None
    """Reads the body of an API of its own; None: the game takes the board games' requests."""

    @property
    def name(self) -> str:
        return self.entry.name

    def example_request(self) -> dict[str, Any]:
        """A move request that works as it stands."""
        side = {"side": self.entry.sides[0]} if self.entry.sides else {}
        return {"state": self.example_state, **side, "budgetMs": 150, "seed": 7, "explain": True}

    def position(self, state: State, side: str | None = None) -> Any:
        """The position of a well-shaped state, or 422."""
        try:
            return self.entry.parse(state.plain(), side)
        except PositionError as error:
            raise from_position(error) from None

    def read(self, raw: bytes) -> Question:
        """The question of a move route's body, or 422."""
        if self.reader is not None:
            return self.reader(raw)
        body = parse(self.request, raw)
        side = body.side if isinstance(body, SidedMoveRequest) else None
        return Question(
            self.name,
            self.position(body.state, side),
            agent=body.agent,
            params=body.params,
            budget_ms=body.budget_ms,
            budget_iterations=body.budget_iterations,
            seed=drawn_seed() if body.seed is None else body.seed,
            explain=body.explain,
        )


def _wire_game(entry: Entry) -> WireGame:
    schemas = import_module(f"app.games.{entry.name}.schemas")
    return WireGame(
        entry,
        schemas.State,
        schemas.Options,
        schemas.Moves,
        (SidedMoveRequest if entry.sides else MoveRequest)[schemas.State],
        schemas.EXAMPLE_STATE,
        schemas.EXAMPLE_MOVES,
        getattr(schemas, "read", None),
    )


WIRE_GAMES: Mapping[str, WireGame] = MappingProxyType(
    {name: _wire_game(entry) for name, entry in ENTRIES.items()}
)
BOARD_GAMES = tuple(wire_game for wire_game in WIRE_GAMES.values() if wire_game.reader is None)
