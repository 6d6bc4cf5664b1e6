"""Random numbers that are the same with and without the JIT, on every machine.

sfc32 (Chris Doty-Humphrey's small fast counting generator, the 32-bit form that PractRand ships)
on 64-bit integers with masks: sums and shifts never overflow, so plain Python and compiled code agree
and numpy has nothing to warn about.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engines.core.jit import compiled, kernel

Rng = NDArray[np.int64]
"""A generator: `int64[4]`, advanced by whoever draws."""

_MASK64 = (1 << 64) - 1


def _mix64(value: int) -> int:
    """The splitmix64 finaliser: every input bit reaches every output bit."""
    value = (value + 0x9E3779B97F4A7C15) & _MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK64
    return value ^ (value >> 31)


def derive(seed: int, *path: int) -> int:
    """A seed of its own (0..2**63-1) for each path of integers under `seed`."""
    value = _mix64(seed & _MASK64)
    for step in path:
        value = _mix64(value ^ (step & _MASK64))
    return value >> 1


def seeded(seed: int, *path: int) -> Rng:
    """A generator for `derive(seed, *path)`."""
    value = derive(seed, *path)
    high = _mix64(value)
    state = np.array([value & 0xFFFFFFFF, value >> 32, high & 0xFFFFFFFF, 1], np.int64)
    _warm_up(state)
    return state


@compiled
def draw32(rng: Rng) -> int:
    """32 random bits, 0..2**32-1."""
    a, b, c, counter = rng[0], rng[1], rng[2], rng[3]
    out: int = (a + b + counter) & 0xFFFFFFFF
    rng[3] = (counter + 1) & 0xFFFFFFFF
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & 0xFFFFFFFF
    rng[2] = ((((c << 21) | (c >> 11)) & 0xFFFFFFFF) + out) & 0xFFFFFFFF
    return out


@compiled
def below(rng: Rng, n: int) -> int:
    """A random integer 0..n-1, for n up to 2**31 (bias at most n/2**32)."""
    return (draw32(rng) * n) >> 32


@compiled
def unit(rng: Rng) -> float:
    """A random float, 0 <= x < 1, of 32 bits."""
    return draw32(rng) / 4294967296.0


@kernel("void(int64[::1])")
def _warm_up(rng: Rng) -> None:
    """The twelve draws by which the reference spreads the seed over the state."""
    for _ in range(12):
        draw32(rng)
