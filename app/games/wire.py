"""What the wire models of all games share.

JSON keys are camelCase, snake_case is accepted on input. The board games refuse unknown fields by
name; fields of a vector line that describe results are declared in `ignored` and dropped unread,
so that a line of a vector file can be posted as it is. Every integer is strict and bounded.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
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
        use_attribute_docstrings=True,
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
