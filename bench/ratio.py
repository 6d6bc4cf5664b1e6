"""The speed of this checkout against another one's, by CPU time, workload by workload.

    git worktree add ../base c133b38
    python -m bench.ratio --base ../base -o ratio.json

Both checkouts do the same work, in the order old, new, new, old, … , each in a process of its own that stays
between pairs; that both find the same is checked. A workload's figure is the median of its pairs' ratios of
new to old, with its 95% interval by order statistics, which asks nothing of how the ratios are distributed.
Workloads of one kind are also put together in groups, and the limits hold for these.

A process may be lucky with where its code and data lie: with one process each, the same solver was seen to
differ by 16%. So both are started anew `--processes` times, and every workload has its share of pairs with
each. The last two workloads are processes themselves: `start` loads the catalogue and the application from a
full kernel cache, `set-up` compiles every kernel into an empty one. That takes so long that it has fewer
pairs; below six the range of the ratios stands for the interval.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import platform
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from bench.ratio_worker import WORKLOADS

HERE = Path(__file__).resolve().parents[1]
WORKER = Path(__file__).with_name("ratio_worker.py")
START, SET_UP = "start", "set-up"
STARTS = {START: "import engines.catalogue, app.main", SET_UP: "from app.cli import main; main()"}
EVERYTHING = (*WORKLOADS, START, SET_UP)

GROUPS = {
    "search nodes": ("battlesnake/",),
    "leaves": ("battlesnake/leaves",),
    "exact steps": ("battlesnake/exact steps",),
    "Ludo games": ("ludo/",),
    "Isolation nodes": ("isolation/",),
    "Flag rounds": ("flag/",),
    "HTTP overhead": ("http/",),
    START: (START,),
    SET_UP: (SET_UP,),
}
"""What users notice, by the prefixes of its workloads; the longest prefix decides."""

MEDIAN_LIMIT = 1.02
"""Largest accepted median of new / old."""
SET_UP_LIMIT = 1.05
INTERVAL_LIMIT = 1.05
"""Upper end of the interval must stay below."""
CONFIDENCE = 0.95


class UnequalError(Exception):
    """The checkouts found something else at the same work."""


@dataclass(frozen=True)
class Row:
    """A workload's figures."""

    workload: str
    pairs: int
    median: float
    low: float
    high: float
    base_seconds: float
    """Median CPU seconds of a base run."""
    ratios: tuple[float, ...]

    @property
    def limit(self) -> float:
        return SET_UP_LIMIT if self.workload == SET_UP else MEDIAN_LIMIT

    @property
    def passed(self) -> bool:
        return self.median <= self.limit and (self.high < INTERVAL_LIMIT or self.pairs < FEWEST)

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "limit": self.limit, "passed": self.passed}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The narrowest 95% interval of the median that ends at two of the values, equally far from either end.

    The median lies below the k-th least of n values when fewer than k of n fair coins show heads. Where even
    the least and the greatest promise less (n < 6), these two.
    """
    ordered, n = sorted(values), len(values)
    rank, missed = 1, 2 * 0.5**n
    while rank < n / 2 and (missed := missed + 2 * math.comb(n, rank) * 0.5**n) <= 1 - CONFIDENCE:
        rank += 1
    return ordered[rank - 1], ordered[n - rank]


FEWEST = 6
"""Pairs from which on there is an interval at all: the chance to miss the median is 2 / 2**n."""


def row(workload: str, pairs: Sequence[tuple[float, float]]) -> Row:
    """The figures of some pairs of seconds, old and new."""
    return _row(workload, [new / old for old, new in pairs], median(old for old, _ in pairs))


def _row(name: str, ratios: Sequence[float], seconds: float) -> Row:
    low, high = interval(ratios)
    rounded = tuple(round(ratio, 4) for ratio in ratios)
    return Row(
        name, len(ratios), round(median(ratios), 4), round(low, 4), round(high, 4), round(seconds, 4), rounded
    )


def grouped(rows: Sequence[Row]) -> list[Row]:
    """A row for each group that has any: its pairs are the geometric means of its workloads' pairs.

    Pairs of one number come from the same processes, soon after each other.
    """
    members: dict[str, list[Row]] = {name: [] for name in GROUPS}
    for found in rows:
        prefixes = {prefix: name for name, those in GROUPS.items() for prefix in those}
        fitting = max((prefix for prefix in prefixes if found.workload.startswith(prefix)), key=len)
        members[prefixes[fitting]].append(found)
    return [
        _row(
            name,
            [geometric_mean(pair) for pair in zip(*(one.ratios for one in those), strict=True)],
            sum(one.base_seconds for one in those),
        )
        for name, those in members.items()
        if those
    ]


def table(rows: Sequence[Row]) -> str:
    """Rows as a table for docs/figures.md."""
    lines = ["| workload | pairs | median new / old | 95% interval | |", "| --- | --- | --- | --- | --- |"]
    for found in rows:
        bounds = f"{found.low:.3f} to {found.high:.3f}" + (" (range)" if found.pairs < FEWEST else "")
        verdict = "holds" if found.passed else "EXCEEDED"
        lines.append(
            f"| {found.workload} | {found.pairs} | {found.median:.3f} | {bounds} | "
            f"at most {found.limit:g}: {verdict} |"
        )
    return "\n".join(lines)


class Checkout:
    """One side: a folder with the project, and a process that works there."""

    def __init__(self, folder: Path, side: str) -> None:
        self.folder = folder
        self._side = side
        own = folder / ".venv" / "bin" / "python"
        self._python = str(own if own.exists() else sys.executable)
        self._worker: subprocess.Popen[str] | None = None

    @property
    def commit(self) -> str:
        """What is checked out, `+` where it was changed."""
        head, changes = (
            subprocess.run(
                ["git", *prefixes], cwd=self.folder, capture_output=True, text=True, check=True
            ).stdout
            for prefixes in (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "-uno"])
        )
        return head.strip() + "+" * bool(changes.strip())

    def _environment(self, **more: str) -> dict[str, str]:
        # Bytecode is kept, as where the service is installed.
        dropped = ("PYTHONDONTWRITEBYTECODE", "NUMBA_CACHE_DIR")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        return {**kept, "PYTHONPATH": str(self.folder), "QUADRIGA_LOG_LEVEL": "error", **more}

    def renew(self) -> None:
        """A new process for the work."""
        self.close()
        self._worker = subprocess.Popen(
            [self._python, "-P", str(WORKER), self._side],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.communicate()
            self._worker = None

    def run(self, workload: str, times: int) -> tuple[float, str]:
        """CPU seconds of so much work, and a digest of what it found."""
        if workload in STARTS:
            return sum(self.start(workload) for _ in range(times)), ""
        if self._worker is None:
            self.renew()
        worker = self._worker
        assert worker is not None
        assert worker.stdin is not None
        assert worker.stdout is not None
        print(json.dumps({"workload": workload, "times": times}), file=worker.stdin, flush=True)
        answer = worker.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.folder}: the process ended during {workload}")
        found = json.loads(answer)
        return found["seconds"], found["answers"]

    def start(self, workload: str) -> float:
        """CPU seconds of a process that starts, or that sets up a cache of its own."""
        with tempfile.TemporaryDirectory() as cache:
            more = {"NUMBA_CACHE_DIR": cache} if workload == SET_UP else {}
            command = [self._python, "-c", STARTS[workload], *(["warm"] if workload == SET_UP else [])]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                command, cwd=self.folder, env=self._environment(**more), stdout=subprocess.DEVNULL, check=True
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def times_for(base: Checkout, workload: str, seconds: float) -> int:
    """How often the work is done for a run of so many CPU seconds or more."""
    if workload in STARTS:
        return 1
    times = 1
    base.run(workload, times)
    while (spent := base.run(workload, times)[0]) < seconds:
        times = max(times + 1, math.ceil(times * min(10.0, 1.1 * seconds / max(spent, 1e-6))))
    return times


def measured(base: Checkout, ours: Checkout, workload: str, times: int, first: int) -> tuple[float, float]:
    """A pair of seconds, old and new; the old one begins where `first` is even."""
    order = (base, ours) if first % 2 == 0 else (ours, base)
    found = {side: side.run(workload, times) for side in order}
    if found[base][1] != found[ours][1]:
        raise UnequalError(f"{workload}: the checkouts do not find the same")
    return found[base][0], found[ours][0]


def shares(pairs: int, processes: int) -> Iterator[range]:
    """The numbers of the pairs that each of the processes has."""
    bounds = [pairs * number // processes for number in range(processes + 1)]
    return itertools.starmap(range, itertools.pairwise(bounds))


def compare(
    base: Checkout, ours: Checkout, workloads: Sequence[str], options: argparse.Namespace
) -> Iterator[Row]:
    """The rows of the workloads, as soon as each is complete."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in workloads}
    counts = {name: options.set_up_pairs if name == SET_UP else options.pairs for name in workloads}
    # Whatever is not cached yet, bytecode and kernels, is made now.
    for side in (base, ours):
        side.start(START)
    times: dict[str, int] = {}
    parts = {name: list(shares(count, options.processes)) for name, count in counts.items()}
    for process in range(options.processes):
        base.renew()
        ours.renew()
        for name in workloads:
            if name not in times:
                times[name] = times_for(base, name, options.seconds)
            for side in (base, ours):
                if name not in STARTS:
                    side.run(name, 1)
            for number in parts[name][process]:
                found[name].append(measured(base, ours, name, times[name], number))
            if len(found[name]) == counts[name] and parts[name][process]:
                yield row(name, found[name])


def main() -> None:
    """Compare, telling each row when it is there; ends with 1 where a group exceeds its limit."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.ratio", epilog=f"workloads: {'; '.join(EVERYTHING)}"
    )
    parser.add_argument(
        "workloads", nargs="*", metavar="WORKLOAD", help="workload names or prefixes (default: all)"
    )
    parser.add_argument("--base", type=Path, required=True, help="the old checkout")
    parser.add_argument("--pairs", type=int, default=20, help="pairs of runs per workload")
    parser.add_argument("--set-up-pairs", type=int, default=4, help="pairs of the set-up workload")
    parser.add_argument("--processes", type=int, default=10, help="fresh processes per checkout")
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU seconds per run, at least")
    parser.add_argument("-o", "--json", dest="out", type=Path, help="write all rows and ratios as JSON")
    options = parser.parse_args()
    wanted = [
        name for name in EVERYTHING if not options.workloads or name.startswith(tuple(options.workloads))
    ]
    if not wanted or min(options.pairs, options.set_up_pairs, options.processes) < 1:
        parser.error("no such workload, or no pairs")
    rows: list[Row] = []
    with ExitStack() as ends:
        base, ours = Checkout(options.base.resolve(), "base"), Checkout(HERE, "ours")
        for side in (base, ours):
            ends.callback(side.close)
        for found in compare(base, ours, wanted, options):
            rows.append(found)
            bounds = f"{found.low:.3f} to {found.high:.3f}"
            print(f"{found.workload}: {found.median:.3f} ({bounds})", file=sys.stderr, flush=True)  # noqa: T201
    groups = grouped(rows)
    command = shlex.join(["python", "-m", "bench.ratio", *sys.argv[1:]])
    print(f"`{command}`, {base.commit} and {ours.commit}\n\n{table(groups)}\n\n{table(rows)}")  # noqa: T201
    if options.out:
        head = {"command": command, "base": base.commit, "ours": ours.commit, "machine": platform.platform()}
        options.out.write_text(
            json.dumps(
                {
                    **head,
                    "groups": [found.plain() for found in groups],
                    "rows": [found.plain() for found in rows],
                },
                indent=1,
            )
            + "\n"
        )
    raise SystemExit(not all(found.passed for found in groups))


if __name__ == "__main__":
    main()
