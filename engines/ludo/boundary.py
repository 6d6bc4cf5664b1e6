"""Hands named state from Python over to kernels in plain tuples.

Numba finds the type of a plain tuple in a fast path and that of a NamedTuple in a slow one, about 1 us
for each in every call. A kernel that is called for slices of some microseconds takes plain tuples and
names them again inside, which costs nothing.
"""

from __future__ import annotations

from typing import Any

from numba import types


def plain_type(kind: Any) -> Any:
    """The Numba type of a value whose NamedTuples, and those in them, were made plain tuples."""
    return types.Tuple(tuple(map(plain_type, kind))) if isinstance(kind, types.BaseTuple) else kind
