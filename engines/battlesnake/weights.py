"""The weights of the leaf, read once from the package's folder `weights/`.

They are set by hand and checked by experiment (docs/battlesnake.md, "Weights by self-play"). On wrapped
boards `space`, `length`, `softness` and `food` come from an experiment and a match. With more rivals an
experiment asked for less `space`; what else differs there is a guess within the errors. In duels, royale
and constrictor nothing better was shown. No experiment has varied those of a lone snake: they
are by hand. In constrictor `tail` and `room` are 0 since no tail is ever free. `training` varies
weights and reports; it writes nothing here.

The one module of the game that opens files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from engines.battlesnake.evaluation import MODES, Weights, mode
from engines.battlesnake.position import Position

DEFAULTS_VERSION = "parts-2"
"""Version of the defaults of `rhea` and `negamax`, which are the hybrid's parts; their summaries show it. The
hybrid is measured against them, so other defaults must have another version
(`tests/battlesnake/test_weights.py`). Since 2 wrapped boards have weights of their own."""

PACKAGE = files("engines.battlesnake") / "weights"


@cache
def weights_by_mode() -> Mapping[str, Weights]:
    """The weights of the leaf for each of `evaluation.MODES`."""
    stored = json.loads((PACKAGE / "leaf.json").read_text("utf-8"))
    return MappingProxyType({name: Weights(**stored[name]) for name in MODES})


def evaluation_weights(position: Position) -> Weights:
    """The weights of the leaf that a position is played with."""
    return weights_by_mode()[mode(position)]


weights_by_mode()
