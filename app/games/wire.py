"""What the wire models of all games share.

JSON keys are camelCase, snake_case is accepted on input. The board games refuse unknown fields by
name; fields of a vector line that describe results are declared in `ignored` and dropped unread,
so that a line of a vector file can be posted as it is. Every integer is strict and bounded.
"""

from __future__ import annotations

import ast
import functools
import inspect
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo


@functools.cache
def _field_words(module: str) -> Mapping[str, Mapping[str, str]]:
    """By class and field, the string that stands under the field in the module's source."""
    try:
        tree = ast.parse(Path(str(sys.modules[module].__file__)).read_bytes())
    except OSError:
        return {}
    return {
        cls.name: {
            field.target.id: inspect.cleandoc(words.value.value)
            for field, words in zip(cls.body, cls.body[1:], strict=False)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(words, ast.Expr)
            and isinstance(words.value, ast.Constant)
            and isinstance(words.value.value, str)
        }
        for cls in tree.body
        if isinstance(cls, ast.ClassDef)
    }


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class Described(ModelMetaclass):
    """Fields are described by the strings under them.

    As pydantic's `use_attribute_docstrings`, which searches the whole stack for the source of each class:
    with all that is imported here that was a tenth of a start. Here each module is read once.
    """

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **more: Any) -> Any:
        """The model class, descriptions added to its fields."""
        # a generic model with its types filled in is made here anew, from fields that have theirs
        for field, words in _field_words(namespace["__module__"]).get(name, {}).items():
            given = namespace.get(field, ...)
            if isinstance(given, FieldInfo):
                given.description = given._attributes_set["description"] = words
            else:
                namespace[field] = Field(given, description=words)
        return super().__new__(cls, name, bases, namespace, **more)


class Wire(BaseModel, metaclass=Described):
    """A strict object of the wire."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
    )


class State(Wire):
    """A game's `state`: subclasses declare the fields; `plain()` is what `Game.parse` takes."""

    ignored: ClassVar[frozenset[str]] = frozenset()

    @model_validator(mode="before")
    @classmethod
    def _drop_results(cls, value: Any) -> Any:
        if isinstance(value, dict) and cls.ignored:
            return {key: item for key, item in value.items() if key not in cls.ignored}
        return value

    def plain(self) -> dict[str, Any]:
        """The state as plain JSON values with the vector files' keys; fields left out stay out."""
        return self.model_dump(by_alias=True, exclude_unset=True, mode="python")
