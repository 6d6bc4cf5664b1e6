"""What an agent's two configurations make of parameters that are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engines.battlesnake.board import Position, Snake


def configurations(parameters: type[Any]) -> dict[str, Mapping[str, Any]]:
    """What the parameters stand at, tuned and as published, in a duel on the usual board."""
    body = ((0, 0), (0, 1), (0, 2))
    duel = Position(11, 11, (Snake("one", 100, body), Snake("two", 100, body)), you="one")
    names = {field.name for field in fields(parameters)}
    stand = {name: parameters(config=name).standing(duel) for name in ("tuned", "published")}
    return {config: {name: found[name] for name in found if name in names} for config, found in stand.items()}
