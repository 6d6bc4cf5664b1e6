"""Agents as the edge sees them: parameters validated, described as JSON Schema, named on a path."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import textwrap
import typing
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from app.errors import FieldError, Problem, field_path, from_validation, invalid, printable
from engines.core.agents import Agent, Range, UnknownAgentError
from engines.core.game import Game

_MODELS: dict[type[Any], type[BaseModel]] = {}

MAX_SPEC = 500
"""Characters of an agent named with parameters (`rhea:evolutions=400,population=50`)."""


def parameter_model(parameters: type[Any]) -> type[BaseModel]:
    """The wire model of an agent's parameter dataclass: same fields, bounds, defaults and words."""
    if parameters in _MODELS:
        return _MODELS[parameters]
    hints = typing.get_type_hints(parameters, include_extras=True)
    words = _attribute_docstrings(parameters)
    fields: dict[str, Any] = {
        field.name: (hints[field.name], Field(default=field.default, description=words.get(field.name)))
        for field in dataclasses.fields(parameters)
    }
    config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)
    model: type[BaseModel] = create_model(
        parameters.__name__, __config__=config, __doc__=parameters.__doc__, **fields
    )
    _MODELS[parameters] = model
    return model


def _attribute_docstrings(cls: type[Any]) -> dict[str, str]:
    """The string that stands under each field of a class."""
    words: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
        except (OSError, TypeError):
            continue
        assert isinstance(body, ast.ClassDef)
        for field, text in zip(body.body, body.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
                and isinstance(text.value.value, str)
            ):
                words[field.target.id] = inspect.cleandoc(text.value.value)
    return words


def make_parameters(agent: Agent[Any], given: Mapping[str, Any], root: tuple[str, ...] = ("params",)) -> Any:
    """The agent's parameter value, or a 422 that names the parameter."""
    for name in agent.retired:
        if name in given:
            raise invalid([FieldError(field=field_path((*root, name)), reason=agent.retired[name])])
    try:
        model = parameter_model(agent.parameters).model_validate(dict(given))
    except ValidationError as error:
        raise from_validation(error, root) from None
    return agent.parameters(**{name: getattr(model, name) for name in type(model).model_fields})


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
    """`rhea:evolutions=400,draw=loss` as a name and parameters; values are JSON scalars or plain words."""
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


def _range(values: Range) -> dict[str, int]:
    return {"default": values.default, "minimum": values.minimum, "maximum": values.maximum}


def describe(game: Game[Any], default: str) -> dict[str, Any]:
    """The answer of `GET /games/{game}/agents`."""
    return {
        "agents": [
            {
                "name": agent.name,
                "summary": agent.summary,
                "parameters": parameter_model(agent.parameters).model_json_schema(),
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
