"""Holds memory that kernels borrow.

Numba counts a reference for each array of a tuple at each call: more than a short helper costs.
`engines.core.jit.borrowed` takes the counting off, and with it what keeps the arrays. So a kernel that
borrows arrays of its own making ends with `keep_alive` of their owner; those of its arguments are kept
by its caller.
"""

from __future__ import annotations

from typing import Any

from engines.core.jit import compiled


@compiled
def keep_alive(_memory: Any) -> None:
    """Does nothing, but what it is given is not freed before."""
