"""Playing a tournament: games go out to the workforce, come back, are written down and counted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from arena.archive import Archive
from arena.errors import ArenaError
from arena.play import play_numbers
from arena.records import Record
from arena.setup import Setup
from arena.tally import Tally
from arena.workforce import Workforce

BATCH_SECONDS = 0.5
"""Seconds of play in a batch: hides the dispatch latency, and little is lost with a worker."""

BATCHES_A_SECOND = 200
"""Batches per second that one scheduler can dispatch; with many workers batches grow instead."""

LARGEST_BATCH = 500
AHEAD = 2
"""Batches per worker: one playing, one queued."""

LIVES = 3
"""Lost batches in a row without a finished game, per queued batch, before the run is given up."""

LOOK_SECONDS = 0.2
"""Seconds between display updates while no batch ends."""

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
"""A callback for a run's progress: the running tally, and how many games are in the file."""


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

    def complete(self) -> bool:
        """Is there nothing left to find out?"""
        return self.answered or self.next == self._setup.games

    def rest(self) -> None:
        """After an interruption: count the games behind the gaps too."""
        if self._setup.sprt is None:
            for number in self._archive.numbers():
                if self.next <= number < self._setup.games:
                    self.tally.add(self._archive[number])


class _Batches:
    """The games still to be played, in portions that keep every worker busy to the end."""

    def __init__(self, setup: Setup, archive: Archive, force: Workforce) -> None:
        self._missing: Iterator[int] = (n for n in range(setup.games) if n not in archive)
        self._left = setup.games - sum(number < setup.games for number in archive.numbers())
        self._force = force
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
            workers = self._force.workers
            seconds = max(BATCH_SECONDS, workers / BATCHES_A_SECOND)
            size = min(LARGEST_BATCH, int(seconds / max(self._seconds_a_game, 1e-6)))
            size = max(1, min(size, self._left // (AHEAD * workers)))
        batch = [number for _, number in zip(range(size), self._missing, strict=False)]
        self._left -= len(batch)
        return batch or None


def run(setup: Setup, archive: Archive, force: Workforce, watch: Watch | None = None) -> Outcome:
    """Play what the archive does not have yet. Ctrl-C ends it with everything finished kept."""
    began = time.perf_counter()
    before = len(archive)
    tell = watch or (lambda tally, games: None)
    counting = _Counting(setup, archive)
    first: tuple[float, int] | None = None
    interrupted, trouble = False, ""
    try:
        counting.advance()
        tell(counting.tally, len(archive))
        if not counting.complete():
            for records in _Playing(setup, archive, force).records():
                counting.take(records)
                if records:
                    first = first or (time.perf_counter(), len(archive))
                tell(counting.tally, len(archive))
                if counting.complete():
                    break
    except KeyboardInterrupt:
        interrupted = True
        # It may have come when a game was counted and not yet noted as counted: count from the file.
        counting = _Counting(setup, archive)
        counting.advance()
    except ArenaError as error:
        trouble = str(error)
    ended = time.perf_counter()
    if not counting.complete():
        counting.rest()
    paced = first is not None and len(archive) > first[1]
    return Outcome(
        counting.tally,
        counting.complete(),
        interrupted,
        trouble,
        played=len(archive) - before,
        seconds=ended - began,
        pace=(len(archive) - first[1]) / (ended - first[0]) if first and paced else None,
    )


Batch = Future[list[str]]


class _Playing:
    """Batches under way."""

    def __init__(self, setup: Setup, archive: Archive, force: Workforce) -> None:
        self._setup_json = setup.model_dump_json()
        self._archive = archive
        self._force = force
        self._batches = _Batches(setup, archive, force)
        self._pending: dict[Batch, list[int]] = {}
        self._finished: SimpleQueue[Batch] = SimpleQueue()
        self._losses = 0

    def records(self) -> Iterator[list[Record]]:
        """Games as they come back, already written down; nothing now and then, so that a display moves."""
        while self._hand_out():
            try:
                future = self._finished.get(timeout=LOOK_SECONDS)
            except Empty:
                yield []
                continue
            numbers = self._pending.pop(future, None)
            if numbers is None:
                continue  # of a pool that broke: these games are played again
            try:
                lines = future.result()
            except Exception as error:  # noqa: BLE001 - raised again unless a worker was lost
                self._lost(error, numbers)
                continue
            self._losses = 0
            records = self._archive.append(lines)
            self._batches.learn(records)
            yield records

    def _hand_out(self) -> bool:
        """Keep every worker busy; False when nothing is left to play or to wait for."""
        most = 1 if self._force.kind == "inline" else AHEAD * self._force.workers
        while len(self._pending) < most and (batch := self._batches.next()):
            future = self._submit(batch)
            self._pending[future] = batch
            future.add_done_callback(self._finished.put)
        return bool(self._pending)

    def _submit(self, batch: list[int]) -> Batch:
        try:
            return self._force.executor.submit(play_numbers, self._setup_json, batch)
        except BrokenProcessPool:
            self._force.renew()
            return self._force.executor.submit(play_numbers, self._setup_json, batch)

    def _lost(self, error: Exception, numbers: list[int]) -> None:
        """A batch did not come back: give it to somebody else, unless its games are what is wrong."""
        broken = isinstance(error, BrokenProcessPool)
        if not broken and type(error).__name__ not in LOST:
            raise error
        self._losses += 1
        if self._losses > LIVES * AHEAD * self._force.workers:
            text = f"{type(error).__name__}: {error}"[:200]
            raise ArenaError(f"workers are lost again and again, {text}") from error
        self._batches.give_back(numbers)
        if broken:
            # A pool that lost one process fails all its calls: take every one of them back.
            for other in self._pending.values():
                self._batches.give_back(other)
            self._pending.clear()
            self._force.renew()
