"""The rate of some work by CPU time: what the benches of the games count with."""

from __future__ import annotations

import time
from collections.abc import Callable


def rate(work: Callable[[], float], seconds: float) -> float:
    """Units per CPU second; `work` does some and says how much. Its first call does not count."""
    work()
    done, started = 0.0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        done += work()
    return done / spent
