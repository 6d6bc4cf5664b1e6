"""Playing a tournament: games go out to the workforce, come back, are written down and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from arena.archive import Archive
from arena.errors import ArenaError
from arena.play import play_numbers
from arena.records import Record
from arena.setup import Setup
from arena.tally import Tally
from arena.workforce import Workforce

BATCH_SECONDS = 0.5
"""What a worker is handed at a time: long enough to hide the way there, short enough to lose."""

LARGEST_BATCH = 500
AHEAD = 2
"""Batches in hand for each worker: one that plays, one that waits."""

LIVES = 3
"""How often in a row workers may be lost without one game coming back."""

LOOK_SECONDS = 0.2

LOST = ("KilledWorker", "CommClosedError", "FutureCancelledError", "CancelledError")
"""What Dask calls a worker that went away, by name: it need not be installed."""


@dataclass
class Outcome:
    """How a run ended. `played` and `seconds` are of this run alone, earlier games left out."""

    tally: Tally
    complete: bool
    interrupted: bool
    trouble: str
    """Why the run could not go on; "" where it could."""
    played: int
    seconds: float
    pace: float | None
    """Games per second once the first batch was back: without the start of the workers."""


Watch = Callable[[Tally, int], None]
"""Told of the running tally and of how many games are in the file."""


class _Counting:
    """Feeds the tally in the order of the games' numbers, whatever order they come in."""

    def __init__(self, setup: Setup, archive: Archive) -> None:
        self.tally = Tally(setup)
        self._setup = setup
        self._archive = archive
        self._waiting: dict[int, Record] = {}
        self.next = 0
        self.answered = False

    def take(self, records: list[Record]) -> None:
        """Games that have just been written down."""
        self._waiting.update((record.number, record) for record in records)
        self.advance()

    def advance(self) -> None:
        """Count what is there, up to the first gap or the sequential test's answer."""
        while not self.answered and self.next < self._setup.games:
            record = self._waiting.pop(self.next, None)
            if record is None:
                if self.next not in self._archive:
                    return
                record = self._archive[self.next]
            self.tally.add(record)
            self.next += 1
            if self._setup.sprt is not None and self.next % 2 == 0:
                found = self.tally.sprt()
                self.answered = found is not None and found.accepted is not None

    @property
    def complete(self) -> bool:
        return self.answered or self.next == self._setup.games

    def rest(self) -> None:
        """After an interruption: count the games behind the gaps too."""
        if self._setup.sprt is None:
            for number in self._archive.numbers():
                if self.next <= number < self._setup.games:
                    self.tally.add(self._archive[number])


class _Batches:
    """The games still to be played, in portions that keep every worker busy to the end."""

    def __init__(self, setup: Setup, archive: Archive, workers: int) -> None:
        self._missing: Iterator[int] = (n for n in range(setup.games) if n not in archive)
        self._left = setup.games - sum(number < setup.games for number in archive.numbers())
        self._workers = workers
        self._returned: list[list[int]] = []
        self._seconds_a_game: float | None = None

    def learn(self, records: list[Record]) -> None:
        """What games take tells how many make a batch."""
        if records:
            mean = sum(record.seconds for record in records) / len(records)
            known = self._seconds_a_game
            self._seconds_a_game = mean if known is None else 0.8 * known + 0.2 * mean

    def give_back(self, numbers: list[int]) -> None:
        """A batch that was lost."""
        self._returned.append(numbers)

    def next(self) -> list[int] | None:
        """The next batch; None when all is handed out."""
        if self._returned:
            return self._returned.pop()
        if self._seconds_a_game is None:
            size = 1
        else:
            size = min(LARGEST_BATCH, int(BATCH_SECONDS / max(self._seconds_a_game, 1e-6)))
            size = max(1, min(size, self._left // (AHEAD * self._workers)))
        batch = [number for _, number in zip(range(size), self._missing, strict=False)]
        self._left -= len(batch)
        return batch or None


def run(
    setup: Setup, archive: Archive, force: Workforce, watch: Watch = lambda tally, games: None
) -> Outcome:
    """Play what the archive does not have yet. Ctrl-C ends it with everything finished kept."""
    began = time.perf_counter()
    before = len(archive)
    setup_json = setup.model_dump_json()
    counting = _Counting(setup, archive)
    batches = _Batches(setup, archive, force.workers)
    pending: dict[Future[list[str]], list[int]] = {}
    losses = 0
    interrupted = False
    trouble = ""
    first: tuple[float, int] | None = None
    try:
        counting.advance()
        watch(counting.tally, len(archive))
        while not counting.complete:
            while len(pending) < AHEAD * force.workers and (batch := batches.next()):
                pending[_submit(force, setup_json, batch)] = batch
                if force.kind == "inline":
                    break
            done, _ = wait(pending, LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                numbers = pending.pop(future)
                try:
                    lines = future.result()
                except Exception as error:
                    if not _lost(error):
                        raise
                    losses += 1
                    if losses > LIVES * AHEAD * force.workers:
                        raise ArenaError(f"workers are lost again and again, {_words(error)}") from error
                    batches.give_back(numbers)
                    if isinstance(error, BrokenProcessPool):
                        # A pool that lost one process fails all its calls: take every one of them back.
                        for other in pending.values():
                            batches.give_back(other)
                        pending.clear()
                        force.renew()
                        break
                    continue
                losses = 0
                records = archive.append(lines)
                batches.learn(records)
                counting.take(records)
                first = first or (time.perf_counter(), len(archive))
            watch(counting.tally, len(archive))
    except KeyboardInterrupt:
        interrupted = True
    except ArenaError as error:
        trouble = str(error)
    ended = time.perf_counter()
    if not counting.complete:
        counting.rest()
    paced = first is not None and len(archive) > first[1]
    return Outcome(
        counting.tally,
        counting.complete,
        interrupted,
        trouble,
        played=len(archive) - before,
        seconds=ended - began,
        pace=(len(archive) - first[1]) / (ended - first[0]) if first and paced else None,
    )


def _submit(force: Workforce, setup_json: str, batch: list[int]) -> Future[list[str]]:
    try:
        return force.executor.submit(play_numbers, setup_json, batch)
    except BrokenProcessPool:
        force.renew()
        return force.executor.submit(play_numbers, setup_json, batch)


def _lost(error: Exception) -> bool:
    """Was the worker lost, rather than the game impossible?"""
    return isinstance(error, BrokenProcessPool) or type(error).__name__ in LOST


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
