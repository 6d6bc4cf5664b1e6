"""Who plays: how a contestant is written, and what it is once the registry knows it.

ab_improved                         an agent of the game's registry
ab:heuristic=center@iterations=500  with parameters and a budget of its own
http://host:8000/snakes/greedy      an endpoint (Battlesnake: the official API)
http://host:8000?agent=ab@ms=150    an endpoint of our own move route, and which agent it shall ask
python:package.module.NAME          an `Agent` object that is in no registry
greedy#old                          `#` gives the name under which it stands in the tables
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import typing
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

from pydantic import ConfigDict, TypeAdapter, ValidationError

from arena.errors import ArenaError
from arena.wire import Written
from engines.core.agent import Agent, UnknownAgentError
from engines.core.budget import Budget
from engines.core.game import Game

MAX_SPEC = 500
MAX_LABEL = 60
DEFAULT_MS = 150.0
"""Thinking time of an endpoint's answer where nobody sets a budget (our own service's default too)."""

_BUDGET = re.compile(r"@((?:ms|iterations)=[^@,]*(?:,(?:ms|iterations)=[^@,]*)*)$")


class Contestant(Written):
    """One player of a tournament, as it was asked for."""

    label: str
    """The name in every table."""
    spec: str
    """The agent with its parameters, or the endpoint."""
    ms: float | None = None
    """Thinking time per move."""
    iterations: int | None = None
    """Thinking effort per move."""

    @property
    def remote(self) -> bool:
        """Is it an endpoint?"""
        return self.spec.startswith(("http://", "https://"))

    @property
    def budget(self) -> str:
        """The budget in words."""
        parts = [f"{self.iterations} iteration{'s' * (self.iterations != 1)}"] if self.iterations else []
        parts += [f"{self.ms:g} ms"] if self.ms is not None else []
        return ", ".join(parts) or "the agent's default"


def read(text: str, ms: float | None = None, iterations: int | None = None) -> Contestant:
    """A contestant as written on the command line; `ms` and `iterations` are for those without a budget."""
    if len(text) > MAX_SPEC:
        raise ArenaError(f"a contestant is written in {MAX_SPEC} characters at most")
    rest, _, label = text.partition("#")
    found = _BUDGET.search(rest)
    spec = rest[: found.start()] if found else rest
    if not spec:
        raise ArenaError(f"{text[:80]!r} names no agent and no endpoint")
    own = _budget(found[1], text) if found else {"ms": ms, "iterations": iterations}
    label = (label or re.sub("^https?://", "", rest))[:MAX_LABEL]
    return Contestant(label=label, spec=spec, **own)


def read_all(texts: Iterable[str], ms: float | None, iterations: int | None) -> tuple[Contestant, ...]:
    """Contestants with labels that tell them apart: the second `greedy` is `greedy (2)`."""
    seen: Counter[str] = Counter()
    found = []
    for contestant in (read(text, ms, iterations) for text in texts):
        seen[contestant.label] += 1
        if seen[contestant.label] > 1:
            contestant = contestant.model_copy(
                update={"label": f"{contestant.label} ({seen[contestant.label]})"}
            )
        found.append(contestant)
    return tuple(found)


def _budget(text: str, whole: str) -> dict[str, Any]:
    budget: dict[str, Any] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            number = float(value) if name == "ms" else int(value)
        except ValueError:
            raise ArenaError(f"{whole[:80]!r}: {name}={value[:20]} is not a number") from None
        if not math.isfinite(number) or number < 1:
            raise ArenaError(f"{whole[:80]!r}: {name} must be 1 or more")
        budget[name] = number
    return budget


@dataclass(frozen=True)
class Local:
    """An agent that plays in the worker's own process."""

    agent: Agent[Any]
    parameters: Any
    budget: Budget


@dataclass(frozen=True)
class Remote:
    """An endpoint. `agent` is whom our own move route shall ask; None: its default."""

    url: str
    agent: str | None
    ms: float | None
    iterations: int | None


def resolve(contestant: Contestant, game: Game[Any]) -> Local | Remote:
    """The contestant as the game knows it; an `ArenaError` says what is wrong with it."""
    if contestant.remote:
        return _remote(contestant)
    if contestant.spec.startswith("python:"):
        path, tail = _split(contestant.spec.removeprefix("python:"))
        agent = _imported(path)
    else:
        name, tail = _split(contestant.spec)
        try:
            agent = game.agents[name]
        except UnknownAgentError as error:
            raise ArenaError(
                f"{game.name} has no agent {name[:60]!r}; it has {', '.join(error.known)}"
            ) from None
    parameters = make_parameters(agent, _parameters(tail, contestant.spec))
    return Local(agent, parameters, _bounded(contestant, agent))


def _split(spec: str) -> tuple[str, str]:
    name, _, tail = spec.partition(":")
    return name, tail


def _remote(contestant: Contestant) -> Remote:
    parts = urlsplit(contestant.spec)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if not parts.hostname or port == -1:
        raise ArenaError(f"{contestant.spec[:80]!r} is not an address: http://host[:port][/path] is expected")
    query = parse_qs(parts.query, keep_blank_values=True)
    if set(query) - {"agent"}:
        raise ArenaError(f"{contestant.spec[:80]!r}: `?agent=` is the only query that is understood")
    url = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
    return Remote(url, query.get("agent", [None])[0], contestant.ms, contestant.iterations)


def _imported(path: str) -> Agent[Any]:
    module, _, name = path.rpartition(".")
    try:
        agent = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArenaError(f"python:{path[:80]} cannot be imported: {error}") from None
    if not isinstance(agent, Agent):
        raise ArenaError(f"python:{path[:80]} is not an engines.core.agent.Agent")
    return agent


def _parameters(tail: str, spec: str) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    for pair in tail.split(",") if tail else ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise ArenaError(f"{spec[:80]!r}: {pair[:40]!r} is not of the form parameter=value")
        if key in parameters:
            raise ArenaError(f"{spec[:80]!r}: parameter {key[:40]!r} is given twice")
        parameters[key] = scalar(value)
    return parameters


def scalar(text: str) -> Any:
    """A JSON scalar, or else the plain word."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, bool | int | float) else text


def make_parameters(agent: Agent[Any], given: Mapping[str, Any]) -> Any:
    """The agent's parameter value, checked against the bounds that its dataclass declares."""
    hints = typing.get_type_hints(agent.parameters, include_extras=True)
    known = {field.name for field in dataclasses.fields(agent.parameters)}
    strict = ConfigDict(strict=True, allow_inf_nan=False)
    values = {}
    for name, value in given.items():
        if name in agent.retired:
            raise ArenaError(f"{agent.name}: {agent.retired[name]}")
        if name not in known:
            there = ", ".join(sorted(known)) or "none"
            raise ArenaError(f"{agent.name} has no parameter {name[:40]!r}; it has {there}")
        try:
            values[name] = TypeAdapter(hints[name], config=strict).validate_python(value)
        except ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"]
            raise ArenaError(f"{agent.name}: {name}={str(value)[:40]}: {reason}") from None
    return agent.parameters(**values)


def _bounded(contestant: Contestant, agent: Agent[Any]) -> Budget:
    """The budget, brought into the agent's range; the agent's own default time where none is set."""
    ms, iterations = contestant.ms, contestant.iterations
    if ms is None and iterations is None:
        ms = float(agent.budgets.ms.default)
    return Budget(
        None if ms is None else agent.budgets.ms.clamp(ms),
        None if iterations is None else int(agent.budgets.iterations.clamp(iterations)),
    )
