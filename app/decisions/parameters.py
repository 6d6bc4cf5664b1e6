"""Agents and parameters as clients give them: found, checked, and described as JSON Schema.

Agents declare their parameters as a frozen dataclass and know no pydantic; here the dataclass itself is
what a client's values are validated into.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from app.docstrings import field_docstrings
from app.errors import FieldError, Problem, field_path, from_validation, invalid, printable
from engines.core.agent import Agent, Range, UnknownAgentError
from engines.core.game import Game

MAX_SPEC = 500
"""Characters of an agent named with parameters (`rhea:evolutions=400,population=50`)."""

_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


_adapters: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(parameters: type[Any]) -> TypeAdapter[Any]:
    if parameters not in _adapters:
        _adapters[parameters] = TypeAdapter(with_config(_STRICT)(parameters))
    return _adapters[parameters]


def parameter_schema(parameters: type[Any]) -> dict[str, Any]:
    """The JSON Schema of an agent's parameters: bounds, defaults and what each is for."""
    schema = _adapter(parameters).json_schema()
    texts = field_docstrings(parameters)
    for name, described in schema.get("properties", {}).items():
        if name in texts:
            described.setdefault("description", texts[name])
    return schema


def make_parameters(agent: Agent[Any], given: Mapping[str, Any], root: tuple[str, ...] = ("params",)) -> Any:
    """The agent's parameter value, or a 422 that names the parameter."""
    for name in agent.retired:
        if name in given:
            raise invalid([FieldError(field=field_path((*root, name)), reason=agent.retired[name])])
    if not given:
        return agent.parameters()
    try:
        # As JSON: from Python a strict dataclass takes nothing but its own instances.
        return _adapter(agent.parameters).validate_json(json.dumps(given))
    except ValidationError as error:
        raise from_validation(error, root) from None


def find(game: Game[Any], name: str) -> Agent[Any]:
    """The agent of that name, or a 404 with the names there are."""
    try:
        return game.agents[name]
    except UnknownAgentError as error:
        raise Problem(
            404,
            f"{game.name} has no agent {printable(name, 40)!r}; it has {', '.join(error.known)}.",
            known=error.known,
        ) from None


def split_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """`rhea:evolutions=400,draw=loss` as a name and parameters; values are JSON scalars or plain text."""
    if len(spec) > MAX_SPEC:
        raise Problem(422, f"agent: longer than {MAX_SPEC} characters")
    name, _, tail = spec.partition(":")
    parameters: dict[str, Any] = {}
    for pair in tail.split(",") if tail else ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise Problem(422, f"agent: {printable(pair, 40)!r} is not of the form parameter=value")
        if key in parameters:
            raise Problem(422, f"agent: parameter {printable(key, 40)!r} is given twice")
        parameters[key] = _scalar(value)
    return name, parameters


def _scalar(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, bool | int | float) else text


def named(game: Game[Any], spec: str, more: Mapping[str, Any] | None = None) -> tuple[Agent[Any], Any]:
    """The agent of a spec (`name:key=value,…`) and its parameters; `more` wins over the spec's own."""
    name, given = split_spec(spec)
    agent = find(game, name)
    return agent, make_parameters(agent, {**given, **(more or {})})


def describe(game: Game[Any], default: str) -> dict[str, Any]:
    """The answer of `GET /games/{game}/agents`."""
    return {
        "agents": [
            {
                "name": agent.name,
                "summary": agent.summary,
                "parameters": parameter_schema(agent.parameters),
                "iteration": agent.iteration,
                "budgets": {
                    "ms": _range(agent.budgets.ms),
                    "iterations": _range(agent.budgets.iterations),
                },
                "default": agent.name == default,
            }
            for agent in game.agents.values()
        ]
    }


def _range(values: Range) -> dict[str, int]:
    return {"default": values.default, "minimum": values.minimum, "maximum": values.maximum}
