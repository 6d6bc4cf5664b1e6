"""Loads what was trained from the folder `weights/`, once: no other module of the engine opens files.

`quadriga train ludo` makes the files. Shipped in half precision, played in single.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.ludo.position import PIECES, SEATS
from engines.ludo.q_learning.abstractions import POTENTIAL9
from engines.ludo.q_learning.table import DENSE, VIEWS, Table
from engines.ludo.td.network import ROWS, Weights

CONFIGS = ("documented", "documented_every_seat", "tuned")
FOLDER = files("engines.ludo") / "weights"


@cache
def networks() -> Mapping[int, Weights]:
    """The value network for each number of players."""
    return MappingProxyType({players: _network(f"td{players}.npz") for players in (2, 3, 4)})


def _network(name: str) -> Weights:
    with (FOLDER / name).open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
        first = np.ascontiguousarray(stored["first"], np.float32)
        second = np.ascontiguousarray(stored["second"], np.float32)
    if first.shape[0] != ROWS or second.shape != (first.shape[1], SEATS):
        raise ValueError(f"{name} is not a network of this engine")
    return Weights(first, second)


@cache
def tables() -> Mapping[tuple[str, str], Table]:
    """The tables by abstraction and configuration."""
    return MappingProxyType({(view, config): _table(view, config) for view in VIEWS for config in CONFIGS})


def _table(view: str, config: str) -> Table:
    with (
        (FOLDER / f"q_{view}_{config}.npz").open("rb") as stream,
        np.load(stream, allow_pickle=False) as stored,
    ):
        return read_table(stored)


def read_table(stored: Mapping[str, NDArray[Any]]) -> Table:
    """A table as training stores it: only what was learnt, the keys as steps."""
    keys = np.cumsum(stored["steps"], dtype=np.int64)
    rows = stored["values"].astype(np.float32)
    view, from_front = (int(number) for number in stored["view"])
    if view == DENSE:
        learnt, rows = rows, np.zeros((POTENTIAL9.size, PIECES), np.float32)
        rows[keys] = learnt
    return Table(view, bool(from_front), keys, np.ascontiguousarray(rows))


networks()
tables()
