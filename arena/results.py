"""The results file: what a tournament says, made from its games file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, TypedDict

from pydantic import Field, ValidationError

from arena.errors import ArenaError
from arena.setup import Setup
from arena.sprt import Sprt
from arena.wire import Written


class Counted(TypedDict):
    """Games and how they ended; `points`: a win 1, a first place shared by m 1/m; `rate`: points per game."""

    games: int
    wins: int
    draws: int
    losses: int
    points: float
    rate: float | None


class SeatResult(Written):
    """How a contestant did from one seat (who begins, which side)."""

    seat: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    rate: float | None


class Standing(Written):
    """One row of the table. Equal set-ups with budgets of iterations give equal rows."""

    label: str
    games: int
    wins: int
    """First places that were nobody else's."""
    draws: int
    """First places that were shared."""
    losses: int
    points: float
    """A win is 1, a first place shared by m is 1/m."""
    rate: float | None
    """Points per game."""
    low: float
    """Wilson's 95% interval of `rate`, lower end."""
    high: float
    elo: float | None
    """From a Bradley–Terry fit (two at a board) or a Plackett–Luce fit (more), around a mean of 0."""
    elo_error: float | None
    """95% of the rating's uncertainty lies within this, either way."""
    late: int
    """Answers after their time."""
    failed: int
    """No answer, or none that can be read."""
    illegal: int
    """Answers that are no legal move."""
    decisions: int
    counters: dict[str, float]
    """The agent's own numbers, averaged over its decisions; what it flags, as a share of them."""
    seats: tuple[SeatResult, ...]


class PairResult(Written):
    """How `one` did against `two`."""

    one: str
    two: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: float
    low: float
    high: float
    pairs: tuple[int, ...] | None
    """Openings played from both sides, by the points of `one`: 0, ½, 1, 1½, 2."""
    elo: float | None
    """Elo difference of this score alone; null where one side took everything."""
    elo_error: float | None
    """95%, from the spread of the pairs."""
    los: float | None
    """Likelihood that `one` is the stronger."""
    length: float | None = None
    """Mean length of these games."""
    counters: tuple[dict[str, float], dict[str, float]] | None = None
    """What the two agents counted and flagged in these games, as in `Standing`."""
    seats: tuple[SeatResult, ...] = ()
    """These games of `one` by its seat."""


class Timing(Written):
    """Time per decision of a contestant, in ms: percentiles to within 1%."""

    label: str
    decisions: int
    mean: float | None
    p50: float | None
    p99: float | None
    max: float | None


class Lengths(Written):
    """How long the games were."""

    unit: str
    mean: float | None
    shortest: int | None
    longest: int | None
    histogram: dict[int, int]
    ended: dict[str, int]
    """Games by their end: `rules`, `cap`, `forfeit`."""


class SprtResult(Written):
    """The sequential test, as far as the games tell."""

    test: Sprt
    lower: float
    upper: float
    llr: float
    accepted: Literal["H0", "H1"] | None


class Made(Written):
    """How these results came about; nothing in here changes what they say."""

    quadriga: str
    python: str
    cores: int
    executor: str
    workers: int
    seconds: float
    """Wall clock of the last run."""
    games_per_second: float | None
    """Of the last run, from its first finished batch on: without the start of the workers."""


class Results(Written):
    """A tournament's results."""

    format: Literal["quadriga-arena-results"] = "quadriga-arena-results"
    version: Literal[1] = 1
    setup: Setup
    planned: int
    """Games of the whole schedule."""
    played: int
    """Games that are counted here."""
    complete: bool
    """Was everything played, or the sequential test answered?"""
    standings: tuple[Standing, ...]
    rating_prior: bool
    """A draw was added between all who met: somebody won or lost everything."""
    pairings: tuple[PairResult, ...]
    lengths: Lengths
    timings: tuple[Timing, ...]
    sprt: SprtResult | None = None
    published: dict[str, Any] | None = None
    """With a preset: the source document's figures beside ours."""
    made: Made
    games_file: str = Field(description="The games file, beside this one.")

    def table(self) -> dict[str, Any]:
        """The part that repeats exactly: neither times nor circumstances."""
        return self.model_dump(mode="json", include={"standings", "pairings", "lengths", "sprt", "published"})


def read_results(path: Path) -> Results:
    """The results of a file, or an `ArenaError` that says what is wrong with it."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ArenaError(f"{path} cannot be read: {error.strerror}") from None
    hint = "the games beside it are kept: run the same command with --resume to make it anew"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ArenaError(f"{path} is damaged or cut off; {hint}") from None
    if not isinstance(value, dict) or value.get("format") != "quadriga-arena-results":
        raise ArenaError(f"{path} is no results file of the arena")
    try:
        return Results.model_validate_json(text)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"]))
        raise ArenaError(f"{path} is damaged ({field}: {error.errors()[0]['msg']}); {hint}") from None
