"""Copies between arrays, in kernels."""

from __future__ import annotations

from typing import Any

from engines.core.jit import compiled


@compiled
def copy_into(target: Any, source: Any) -> None:
    """`target[:] = source`, for two different arrays of one shape, in C order.

    Numba's own checks whether the arrays overlap and fit, and to say that they don't it compiles how numbers
    become text: some seconds of every set-up.
    """
    to, of = target.flat, source.flat
    for i in range(target.size):
        to[i] = of[i]
