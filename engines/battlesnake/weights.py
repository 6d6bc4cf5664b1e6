"""What tuning has left, read once: the one module of the engine that opens files, of its own package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engines.battlesnake.evaluation import MODES, Weights

PARTS = "parts-2"
"""The name under which the defaults of the tuned `rhea` and `negamax` are frozen: the hybrid is measured
against what does not change. Other defaults are another version (`tests/battlesnake/test_weights.py`); since
2 wrapped boards have weights of their own."""

PACKAGE = files("engines.battlesnake") / "weights"


@cache
def leaves() -> Mapping[str, Weights]:
    """The weights of the leaf by mode."""
    stored = json.loads((PACKAGE / "leaf.json").read_text("utf-8"))
    return MappingProxyType({mode: Weights(**stored[mode]) for mode in MODES})


leaves()
