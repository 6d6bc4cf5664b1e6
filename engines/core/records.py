"""Record types: a row of an array whose columns have names, in kernels and in plain Python alike."""

from __future__ import annotations

from typing import Any

import numpy as np


def record_type(name: str, **fields: Any) -> np.dtype[Any]:
    """The type of a row with such fields, whose elements are read and written as attributes: `row.field = 1`.

    Kernels take `numba.from_dtype(…)` of it. In plain Python (with the JIT off) such a row costs a quarter of
    one of numpy's own record arrays.
    """

    def attribute(field: str) -> property:
        def read(row: Any) -> Any:
            return row[field]

        def write(row: Any, value: Any) -> None:
            row[field] = value

        return property(read, write)

    row_type = type(name, (np.void,), {field: attribute(field) for field in fields})
    return np.dtype((row_type, np.dtype(list(fields.items()), align=True)))
