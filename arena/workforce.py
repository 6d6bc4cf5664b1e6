"""Who plays the games: this process, a pool of processes on this machine, or a Dask cluster.

All are `concurrent.futures.Executor`s. What a worker needs travels with each call (the set-up and
the numbers of the games), so a worker may be lost or begin late.
"""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Literal, TypeVar

from arena.errors import ArenaError

T = TypeVar("T")

Kind = Literal["local", "inline", "dask"]
LOOK_SECONDS = 5.0
"""How often a cluster is asked for its size."""

KINDS: tuple[Kind, ...] = ("local", "inline", "dask")


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class InlineExecutor(Executor):
    """Plays in the calling thread, at once."""

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - handed on by the future
            future.set_exception(error)
        return future


class Workforce(ABC):
    """An executor, how many games it plays at a time, and how it is replaced and ended."""

    kind: Kind
    executor: Executor

    @property
    @abstractmethod
    def workers(self) -> int:
        """Games at a time."""

    @abstractmethod
    def renew(self) -> None:
        """Replace an executor that broke."""

    @abstractmethod
    def close(self, at_once: bool = False) -> None:
        """End it; `at_once` does not wait for games that are being played."""


class Inline(Workforce):
    """This process alone: for debugging and for tests."""

    kind = "inline"

    workers = 1

    def __init__(self) -> None:
        self.executor = InlineExecutor()

    def renew(self) -> None:
        """It cannot break."""

    def close(self, at_once: bool = False) -> None:
        """Nothing to end."""


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Local(Workforce):
    """Processes of this machine, started afresh (compiled kernels and forks do not mix)."""

    kind = "local"

    workers = 1

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.renew()

    def renew(self) -> None:
        self.executor = ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), _leave_interrupts_to_the_parent
        )

    def close(self, at_once: bool = False) -> None:
        children = multiprocessing.active_children() if at_once else ()
        self.executor.shutdown(wait=not at_once, cancel_futures=True)
        for child in children:
            child.terminate()


class Dask(Workforce):
    """A Dask cluster: the scheduler at an address, or a local one of our own."""

    kind = "dask"

    def __init__(self, scheduler: str | None, workers: int) -> None:
        try:
            from dask.distributed import Client, LocalCluster
        except ImportError:
            raise ArenaError("--executor dask needs the extra `cluster` (dask and distributed)") from None
        self._cluster: Any = None
        if scheduler is None:
            self._cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        try:
            self._client = Client(self._cluster or scheduler, timeout=10, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ArenaError(f"no Dask scheduler answers at {scheduler}: {error}") from None
        self._known = workers
        self._looked = -math.inf
        self.renew()

    @property
    def workers(self) -> int:
        """Threads of the cluster, which may grow and shrink."""
        if time.monotonic() - self._looked > LOOK_SECONDS:
            self._looked = time.monotonic()
            found = self._client.scheduler_info(-1)["workers"].values()
            self._known = sum(worker["nthreads"] for worker in found) or self._known
        return self._known

    def renew(self) -> None:
        # Two calls with equal arguments are two games to play: Dask must not take one for the other.
        self.executor = self._client.get_executor(pure=False)

    def close(self, at_once: bool = False) -> None:
        with contextlib.suppress(OSError, TimeoutError):
            self.executor.shutdown(wait=False)
            self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def workforce(kind: str, workers: int | None = None, scheduler: str | None = None) -> Workforce:
    """The workforce of that kind; all usable cores without a number of workers."""
    if kind not in KINDS:
        raise ArenaError(f"--executor {kind[:20]}: one of {', '.join(KINDS)} is expected")
    if scheduler is not None and kind != "dask":
        raise ArenaError("--scheduler goes with --executor dask")
    count = usable_cores() if workers is None else workers
    if count < 1:
        raise ArenaError("--workers: 1 or more is expected")
    if kind == "dask":
        return Dask(scheduler, count)
    # One process needs no pool, unless it was asked for: starting it costs seconds.
    return Inline() if kind == "inline" else Local(count)
