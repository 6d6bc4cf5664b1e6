"""What training has left, read once. The one module here that opens a file, one of its own package.

`training/flag.py` makes the file. Shipped in half precision, played in single.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from engines.flag.equilibrium.value import EMBEDDING, HEAD, Network

PACKAGE = files("engines.flag") / "weights"


def read(stream: Any) -> Network:
    """A network from an open file, as training wrote it."""
    with np.load(stream, allow_pickle=False) as stored:
        embedding = np.ascontiguousarray(stored["rows"], np.float32)
        head = np.ascontiguousarray(stored["head"], np.float32)
    if embedding.shape != EMBEDDING or head.shape != HEAD:
        raise ValueError("not a network of this engine")
    return Network(embedding, head)


@cache
def network() -> Network:
    """The network that ships."""
    with (PACKAGE / "value.npz").open("rb") as stream:
        return read(stream)
