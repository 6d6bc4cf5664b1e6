"""What the routes need of each game before its kernels are loaded: wire models, parser, plain legal move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from app.games.battlesnake import schemas as battlesnake
from app.games.flag import schemas as flag
from app.games.isolation import schemas as isolation
from app.games.ludo import schemas as ludo
from app.games.wire import State, Wire
from engines.battlesnake import position as battlesnake_position
from engines.flag import position as flag_position
from engines.isolation import position as isolation_position
from engines.ludo import fallback as ludo_fallback
from engines.ludo import parse as ludo_parse


@dataclass(frozen=True, slots=True)
class Edge:
    """A game at the edge. Nothing in here needs compiled code."""

    name: str
    state: type[State]
    options: type[Wire]
    moves: Any
    parse: Callable[..., Any]
    fallback: Callable[[Any], Any]
    example_state: Mapping[str, Any]
    example_moves: Any
    sided: bool = False


EDGES: Mapping[str, Edge] = MappingProxyType(
    {
        edge.name: edge
        for edge in (
            Edge(
                "battlesnake",
                battlesnake.State,
                battlesnake.Options,
                battlesnake.Moves,
                battlesnake_position.parse,
                battlesnake_position.fallback,
                battlesnake.EXAMPLE_STATE,
                battlesnake.EXAMPLE_MOVES,
            ),
            Edge(
                "ludo",
                ludo.State,
                ludo.Options,
                ludo.Moves,
                ludo_parse.parse,
                ludo_fallback.fallback,
                ludo.EXAMPLE_STATE,
                ludo.EXAMPLE_MOVES,
            ),
            Edge(
                "isolation",
                isolation.State,
                isolation.Options,
                isolation.Moves,
                isolation_position.parse,
                isolation_position.fallback,
                isolation.EXAMPLE_STATE,
                isolation.EXAMPLE_MOVES,
            ),
            Edge(
                "flag",
                flag.State,
                flag.Options,
                flag.Moves,
                flag_position.parse,
                flag_position.fallback,
                flag.EXAMPLE_STATE,
                flag.EXAMPLE_MOVES,
                sided=True,
            ),
        )
    }
)
