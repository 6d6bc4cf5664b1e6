"""Options that several commands share: a dataclass of them, declared once, is one parameter of each."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with each dataclass parameter replaced by one option for each of its fields."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    groups: dict[str, Any] = {
        one.name: one.annotation for one in own if dataclasses.is_dataclass(one.annotation)
    }
    shown = [option for one in own for option in (_options(one.annotation) if one.name in groups else [one])]
    # Typer passes values by name; those without a default need not come first.
    keywords = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in shown]

    @functools.wraps(command)
    def run(**given: Any) -> Any:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in dataclasses.fields(group)})
        return command(**given)

    run.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in keywords}
    return run


def _options(group: Any) -> Iterator[inspect.Parameter]:
    hints = typing.get_type_hints(group, include_extras=True)
    for field in dataclasses.fields(group):
        default = field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
