"""What tuning has left, read once: the one module of the engine that opens files, of its own package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engines.battlesnake.worth import MODES, Weights

PACKAGE = files("engines.battlesnake") / "weights"


@cache
def leaves() -> Mapping[str, Weights]:
    """The weights of the leaf by mode."""
    stored = json.loads((PACKAGE / "leaf.json").read_text("utf-8"))
    return MappingProxyType({mode: Weights(**stored[mode]) for mode in MODES})


leaves()
