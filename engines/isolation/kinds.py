"""Numba's types of the named tuples and records that the kernels take, and arrays of records.

A kernel's signature must name its types before anything is called. Nothing here knows a search.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config, from_dtype
from numba.types import int64
from numpy.typing import NDArray

from engines.core.jit import tuple_type
from engines.isolation.board import BoardTables


def array_of(record: np.dtype[Any], dimensions: int = 1) -> Any:
    """The type of an array of records, in C order."""
    kind = from_dtype(record)
    return kind[::1] if dimensions == 1 else kind[:, ::1]


def records(record: np.dtype[Any], *shape: int) -> Any:
    """An array of records, all zero; without the JIT one whose records have their fields as attributes."""
    made = np.zeros(shape, record)
    return Records(made) if config.DISABLE_JIT else made


class Records:
    """An array of records for kernels that run as plain Python. numpy's `recarray` would do, slowly."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array
        self.shape = array.shape
        self._row = _row_type(array)

    def __getitem__(self, index: Any) -> Any:
        return self._array[index] if isinstance(index, str) else self._row(index)

    def tolist(self) -> list[Any]:
        """As numpy's."""
        return list(self._array.tolist())


def _row_type(array: NDArray[Any]) -> type:
    """A class whose objects are an array's records by their index: reading and writing go to the array."""

    class Row:
        __slots__ = ("index",)

        def __init__(self, index: Any) -> None:
            self.index = index

        def tolist(self) -> Any:
            return array[self.index].tolist()

    def field(name: str) -> property:
        column = array[name]

        def read(row: Row) -> Any:
            return column[row.index]

        def write(row: Row, value: Any) -> None:
            column[row.index] = value

        return property(read, write)

    for name in array.dtype.names or ():
        setattr(Row, name, field(name))
    return Row


BOARD = tuple_type(BoardTables, int64, int64, int64, int64, int64[::1], int64[::1], int64[::1])
