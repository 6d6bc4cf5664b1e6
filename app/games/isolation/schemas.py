"""The wire models of Isolation."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from app.games import wire
from app.games.bodies import BudgetIterations, BudgetMs, Seed

Side = Annotated[int, Field(ge=1, le=9)]
Coordinate = Annotated[int, Field(ge=0, le=8)]
Cell = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
"""[row, column], from [0, 0] at the top left."""

EXAMPLE_STATE: dict[str, Any] = {
    "width": 7,
    "height": 7,
    "blocked": [[1, 2], [2, 4], [3, 3], [3, 5], [4, 2], [5, 4]],
    "players": [[5, 4], [1, 2]],
    "toMove": 0,
}


class State(wire.State):
    """A position of Isolation."""

    ignored: ClassVar[frozenset[str]] = frozenset(
        {
            "source",
            "legal",
            "heuristics",
            "move",
            "terminal",
            "winner",
            "filled",
            "winning",
            "moves",
            "colourRule",
            "nodes",
            "plainChecked",
        }
    )

    width: Side
    """Columns of the board."""
    height: Side
    """Rows of the board."""
    blocked: Annotated[list[Cell], Field(max_length=81)]
    """Every cell that is not blank, those under the players included."""
    players: Annotated[list[Cell | None], Field(min_length=2, max_length=2)]
    """Where player 0 (who moved first) and player 1 stand; null: not placed yet."""
    to_move: Annotated[int, Field(ge=0, le=1)]
    """Whose turn it is."""


class Options(wire.Wire):
    """How a game begins."""

    width: Side = 7
    """Columns of the board."""
    height: Side = 7
    """Rows of the board."""


Moves = Cell | None
"""The cell to go to; null where the side to move has nowhere to go."""

EXAMPLE_MOVES: list[int] = [4, 6]
"""Player 0 goes from [5, 4] to the right edge."""


class AnalyzeRequest(wire.Wire):
    """What is there to know about `state`?"""

    state: State
    """The position, in the form of the vector files."""
    budget_ms: BudgetMs | None = None
    """Thinking time, 1000 without it; clamped to the range of the agent `analysis`, and `stats` says so."""
    budget_iterations: BudgetIterations | None = None
    """Thinking effort in nodes; alone it makes the answer exact, on any machine."""
    seed: Seed | None = None
    """Breaks ties between moves of equal value. Absent: drawn, and reported in `stats`."""
    heuristic_nodes: Annotated[int, Field(ge=0, le=100_000)] = 0
    """Nodes of alpha-beta that show where each heuristic goes when it searches; 0: one ply alone."""
    match: Annotated[str, Field(max_length=200)] | None = None
    """Any id under which the caller files this analysis."""


class MoveValue(wire.Described):
    """What is known of one legal move."""

    move: list[int]
    proven: bool
    winner: int | None
    """Who wins after it under best play, where that is proved."""
    plies: int | None
    """How many plies the game lasts under best play, this move counted, where that was found."""
    line: list[list[int]]
    """Such a game to its end."""
    theorem: str | None
    """What decides the position after the move without a search."""
    estimate: float | None
    """`next_moves` at the leaves of a search, from the mover's view; null: proved, or not evaluated."""
    terms: dict[str, float | Literal["inf", "-inf"]]
    """The estimate's parts; they add up to it."""
    notes: list[str]


class Searched(wire.Described):
    """Where a heuristic goes when alpha-beta searches with it."""

    move: list[int]
    depth: int
    keeps: bool | None


class Preference(wire.Described):
    """Where a published heuristic would have gone."""

    heuristic: str
    moves: list[list[int]]
    """The moves that it likes best, one ply deep: more than one where they tie."""
    value: float | Literal["inf", "-inf"]
    keeps: bool | None
    """Do all of these moves keep what the position is worth? null: not proved."""
    searched: Searched | None = None


class AnalysisAnswer(wire.Described):
    """All that was found out about a position."""

    best: list[int] | None
    """The best move that is known; null where the side to move has lost."""
    outcome: dict[str, Any] | None
    """The proved result: `winner`, `proven`, `plies` (null: not found within the budget)."""
    proof: str | None
    """What proves the outcome."""
    theorem: str | None
    """What decides this position without a search."""
    colourRule: int | None  # noqa: N815
    """Whom the colour rule names: strong, no proof."""
    line: list[list[int]]
    """Best play to the end, where its length is known; else the best move alone."""
    moves: list[MoveValue]
    heuristics: list[Preference]
    decisionId: str  # noqa: N815
    stats: dict[str, Any]
