"""Agents that do one thing each, for Isolation: `python:tests.arena.agents.NAME`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.isolation import fallback as isolation
from engines.isolation.rules import legal_cells


@dataclass(frozen=True)
class Nap:
    """How long it takes."""

    ms: Annotated[float, Ge(0), Le(1000)] = 5.0
    """Milliseconds of work a move."""


def first(position: Any, *_: Any) -> Decision:
    return Decision(isolation.fallback(position), stats={"iterations": 1})


def last(position: Any, _: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    cells = legal_cells(position)
    return Decision(cells[-1] if cells else None, stats={"iterations": 1, "cells": len(cells)})


def nap(position: Any, parameters: Nap, meter: Meter, seed: int, memory: Any) -> Decision:
    until = time.perf_counter() + parameters.ms / 1000
    while time.perf_counter() < until:
        pass
    return first(position)


def rest(position: Any, parameters: Nap, meter: Meter, seed: int, memory: Any) -> Decision:
    """Lets the time pass without work."""
    time.sleep(parameters.ms / 1000)
    return Decision(isolation.fallback(position), stats={"iterations": 1, "helpers": meter.helpers})


def crash(position: Any, *_: Any) -> Decision:
    raise ZeroDivisionError("on purpose \ud800")


def lie(position: Any, *_: Any) -> Decision:
    return Decision([True, 99], stats={"iterations": 1})


def remember(position: Any, _: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """Counts its own decisions of this game, and shows the count as a counter."""
    seen = (memory or 0) + 1
    return Decision(
        isolation.fallback(position),
        stats={"iterations": 1, "seen": seen, "odd": seen % 2 == 1, "name": "x", "nothing": None},
        context={"override": seen == 1},
        memory=seen,
    )


def _agent(name: str, decide: Any, parameters: type[Any] = NoParameters) -> Agent[Any]:
    budgets = Budgets(ms=Range(150, 1, 1000), iterations=Range(1, 1, 100))
    return Agent(name, "does one thing", decide, "one look", parameters, budgets)


FIRST = _agent("first", first)
LAST = _agent("last", last)
NAP = _agent("nap", nap, Nap)
REST = _agent("rest", rest, Nap)
CRASH = _agent("crash", crash)
LIE = _agent("lie", lie)
REMEMBER = _agent("remember", remember)
