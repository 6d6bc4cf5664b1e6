"""A table of a source document, played again: who met whom there, and how it was printed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType

from arena.results import Results
from arena.setup import Setup

if TYPE_CHECKING:  # drawing loads matplotlib
    from arena.plots import Rate


class Preset(ABC):
    """One published study. `games` is what each two who meet play, in the study unless told otherwise."""

    name: ClassVar[str]
    game: ClassVar[str]
    summary: ClassVar[str]
    games: ClassVar[int]
    iterations: ClassVar[int | None] = None
    ms: ClassVar[float | None] = None

    @abstractmethod
    def setup(self, games: int, seed: int, ms: float | None, iterations: int | None) -> Setup:
        """The study as a tournament."""

    @abstractmethod
    def published(self, found: Results) -> dict[str, Any]:
        """The published figures beside ours, as plain JSON values."""

    @abstractmethod
    def tables(self, found: Results) -> Iterator[RenderableType]:
        """The published layout with our figures, and both side by side."""

    def rates(self, found: Results) -> Sequence[Rate]:
        """What `--plots` draws of it: rows from the top."""
        return ()
