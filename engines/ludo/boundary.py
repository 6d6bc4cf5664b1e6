"""Hands named state from Python over to kernels in plain tuples.

Numba finds the type of a plain tuple in a fast path and that of a NamedTuple in a slow one, about 1 us
for each in every call. A kernel that is called for slices of some microseconds takes plain tuples and
names them again inside, which costs nothing.
"""

from __future__ import annotations

from typing import Any

from numba import types


def plain(value: Any) -> Any:
    """The same value, all NamedTuples in it made plain tuples."""
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def plain_type(kind: Any) -> Any:
    """The Numba type of the plain value."""
    return types.Tuple(tuple(map(plain_type, kind))) if isinstance(kind, types.BaseTuple) else kind
