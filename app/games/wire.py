"""The base classes of the wire models.

JSON keys are camelCase, snake_case is accepted on input. The board games refuse unknown fields by
name; fields of a vector line that describe results are declared in `ignored` and dropped unread,
so that a line of a vector file can be posted as it is. Every integer is strict and bounded.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, model_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.docstrings import field_docstrings


class Described(BaseModel):
    """A model whose schema describes each field by the string under it.

    Replaces pydantic's `use_attribute_docstrings`, which reads sources when classes are made: a tenth of the
    time to start. Here they are read when a schema is requested.
    """

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler, /
    ) -> JsonSchemaValue:
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in field_docstrings(cls).items():
            field = cls.model_fields.get(name)
            key = (field and field.alias) or name
            if key in properties:
                properties[key].setdefault("description", text)
        return schema


class Wire(Described):
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
