"""Games that are played apart from each other, each a line of a file; one that is there is gone on with."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children
from pathlib import Path
from typing import Any

Line = dict[str, Any]


def play_on(
    parser: argparse.ArgumentParser,
    options: argparse.Namespace,
    play: Callable[..., Line],
    given: Mapping[str, Any],
    summary: Callable[[list[Line]], str],
) -> None:
    """Play the games 0 to `--games` that `--out` lacks, `play(number, *given)`, and tell where it stands
    after each. What was `given` stands in every line: a file of other games is refused."""
    out: Path = options.out
    text = out.read_text() if out.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        out.write_text(whole)  # a line that was cut off goes
    lines = [json.loads(line) for line in whole.splitlines()]
    if any(line[name] != value for line in lines for name, value in given.items()):
        parser.error(f"{out} holds games of other {' or '.join(f'--{name}' for name in given)}")
    lines = [line for line in lines if line["game"] < options.games]
    done = {line["game"] for line in lines}
    with ProcessPoolExecutor(options.workers) as pool, out.open("a") as file:
        waiting = [
            pool.submit(play, number, *given.values())
            for number in range(options.games)
            if number not in done
        ]
        try:
            for job in as_completed(waiting):
                lines.append(job.result())
                file.write(json.dumps(lines[-1]) + "\n")
                file.flush()
                print(summary(lines), flush=True)  # noqa: T201
        except KeyboardInterrupt:
            # A game may take minutes: those on their way are not waited for.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise SystemExit(130) from None
    print(summary(lines))  # noqa: T201
