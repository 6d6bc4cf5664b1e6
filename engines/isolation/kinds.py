"""Numba's types of the named tuples and records that the kernels take, and arrays of records.

A kernel's signature must name its types before anything is called. Nothing here knows a search.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, from_dtype
from numba.types import BaseTuple, int64

from engines.isolation.board import BoardTables


def named(kind: type, *fields: Any) -> Any:
    """The type of a NamedTuple with fields of these types."""
    return BaseTuple.from_types(fields, kind)


def array_of(record: np.dtype[Any], dimensions: int = 1) -> Any:
    """The type of an array of records, in C order."""
    kind = from_dtype(record)
    return kind[::1] if dimensions == 1 else kind[:, ::1]


def records(record: np.dtype[Any], *shape: int) -> Any:
    """An array of records, all zero."""
    made = np.zeros(shape, record)
    # without the JIT the kernels need the fields as attributes; with it a plain array is passed on faster
    return made.view(np.recarray) if config.DISABLE_JIT else made


BOARD = named(BoardTables, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1])
