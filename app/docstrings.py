"""The strings that stand under the fields of a class, read from its source when a schema wants them."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path

# Base classes of these packages declare none of our fields.
_FOREIGN = frozenset({"builtins", "typing", "pydantic"})


def field_docstrings(cls: type) -> dict[str, str]:
    """The docstring of each field, inherited ones included; empty if the source is missing."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] not in _FOREIGN:
            found.update(_of_module(base.__module__).get(base.__name__, {}))
    return found


@functools.cache
def _of_module(module: str) -> Mapping[str, Mapping[str, str]]:
    """By class and field."""
    try:
        tree = ast.parse(Path(str(sys.modules[module].__file__)).read_bytes())
    except (OSError, AttributeError):
        return {}
    return {cls.name: _of_class(cls) for cls in tree.body if isinstance(cls, ast.ClassDef)}


def _of_class(cls: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in zip(cls.body, cls.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
