"""Output that the commands share: refusals, messages on stderr, JSON."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for machines.", show_default=False)]

if TYPE_CHECKING:
    from app.settings import Settings

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Refusal(Exception):  # noqa: N818 - it is not an error of the program
    """Bad usage or input: shown without a traceback, exit code 2."""


def settings() -> Settings:
    """The settings from the environment, refused by name where they are not usable."""
    from pydantic import ValidationError

    from app.settings import load_settings

    try:
        return load_settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(step) for step in first["loc"])
        raise Refusal(f"setting {name}: {first['msg']}") from None


def complain(message: str) -> None:
    """One line on stderr, after all that was printed before."""
    sys.stdout.flush()
    print(f"quadriga: {printable(message)}", file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """`text` without characters that steer a terminal (files and clients are not trusted)."""
    return _STEERING.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def compact(value: Any) -> str:
    """A value as one line of valid JSON, ASCII only; infinities become the strings that the formats use."""
    return json.dumps(_jsonable(value), separators=(", ", ": "), allow_nan=False)


def _jsonable(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)
