"""Bodies that all board games share: the move request and its answer, and the rules over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field

from app.games.wire import Described, Wire

S = TypeVar("S")
N = TypeVar("N")
M = TypeVar("M")

Seed = Annotated[int, Field(ge=0, le=2**63 - 1)]
BudgetMs = Annotated[float, Field(gt=0, le=1e9)]
BudgetIterations = Annotated[int, Field(ge=1, le=10**12)]


class MoveRequest(Wire, Generic[S]):
    """What should be played in `state`?"""

    state: S
    """The position, in the form of the vector files."""
    agent: Annotated[str, Field(max_length=500)] | None = None
    """Who answers; may carry parameters (`name:key=value,…`). Absent: the game's default agent."""
    params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the agent; `GET /games/{game}/agents` has their schema."""
    budget_ms: BudgetMs | None = None
    """Thinking time; clamped to the agent's range, and `stats` says so."""
    budget_iterations: BudgetIterations | None = None
    """Thinking effort; alone it makes the answer exact, on any machine."""
    seed: Seed | None = None
    """Absent: drawn, and reported in `stats`."""
    explain: bool = False
    """Add the breakdown."""
    match: Annotated[str, Field(max_length=200)] | None = None
    """Any id under which the caller files this decision."""


class SidedMoveRequest(MoveRequest[S], Generic[S]):
    """What should one side play in `state`?"""

    side: Literal["A", "B"]
    """Whose decision it is."""


class NewRequest(Wire, Generic[N]):
    """Start a game."""

    options: N | None = None
    seed: Seed = 0


class LegalRequest(Wire, Generic[S]):
    """Which moves are legal in `state`?"""

    state: S


class StepRequest(Wire, Generic[S, M]):
    """Play `moves` in `state`; chance is drawn from `seed`."""

    state: S
    moves: M
    seed: Seed = 0


class OutcomeModel(Described):
    """A proven result."""

    winner: int | str | None
    proven: bool
    plies: int | None


class CandidateModel(Described):
    """A candidate move; `score` is the sum of `terms`, null where the move was not evaluated."""

    move: Any
    score: float | None
    terms: dict[str, float | Literal["inf", "-inf"]]
    notes: list[str]
    details: dict[str, Any] | None = None


class BreakdownModel(Described):
    """The candidates, and why the move was chosen."""

    candidates: list[CandidateModel]
    chosen: Any
    context: dict[str, Any]
    line: list[Any]


class MoveAnswer(Described):
    """A move and its evidence."""

    move: Any
    agent: str
    score: float | None
    """From the mover's view."""
    outcome: OutcomeModel | None
    decisionId: str  # noqa: N815
    stats: dict[str, Any]
    breakdown: BreakdownModel | None
    timeline: list[Any] | None = None
    """Flag only: per piece the cells that it will really pass."""


class SnakeInfo(Described):
    """What a Battlesnake says of itself."""

    apiversion: str
    author: str
    color: str
    head: str
    tail: str
    version: str


class SnakeMove(Described):
    """A Battlesnake's answer; with `explain` the fields of `MoveAnswer` stand beside these."""

    move: Literal["up", "down", "left", "right"]
    shout: str


class StateAnswer(Described):
    """A state in the game's own form."""

    state: dict[str, Any]


class LegalAnswer(Described):
    """The legal moves, in the game's own form."""

    moves: Any


class StepAnswer(Described):
    """The state after a step and what happened in it."""

    state: dict[str, Any]
    events: list[Any]
    over: bool
    winner: int | str | None


class GameList(Described):
    """The games that are served."""

    games: list[dict[str, Any]]


class AgentModel(Described):
    """One agent of a game."""

    name: str
    summary: str
    parameters: dict[str, Any]
    """JSON Schema with defaults."""
    iteration: str
    """What one iteration is."""
    budgets: dict[str, dict[str, int]]
    default: bool


class AgentList(Described):
    """The agents of a game."""

    agents: list[AgentModel]


class Health(Described):
    """`status` is `ok`, `loading` or `failed`."""

    status: Literal["ok", "loading", "failed"]
