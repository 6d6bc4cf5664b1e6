"""The trained weights of the leaf, read once from the package's folder `weights/`; `training` writes them.

The one module of the game that opens files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engines.battlesnake.evaluation import MODES, Weights

PARTS = "parts-2"
"""Version of the defaults of `rhea` and `negamax`: the hybrid is measured against these, so other defaults
must have another version (`tests/battlesnake/test_weights.py`). Since 2 wrapped boards have weights of their
own."""

PACKAGE = files("engines.battlesnake") / "weights"


@cache
def leaves() -> Mapping[str, Weights]:
    """By mode (`evaluation.MODES`) the weights of the leaf."""
    stored = json.loads((PACKAGE / "leaf.json").read_text("utf-8"))
    return MappingProxyType({mode: Weights(**stored[mode]) for mode in MODES})


leaves()
