"""Counting bits: one machine instruction in compiled code, the same answer without the JIT.

Bitboards have at most 63 bits and are never negative.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


def popcount(bitboard: int) -> int:
    """How many bits are set."""
    return int(bitboard).bit_count()


def lowest(bitboard: int) -> int:
    """The number of the lowest set bit of a bitboard that is not 0."""
    bitboard = int(bitboard)
    return (bitboard & -bitboard).bit_length() - 1


def _count_instruction(_context: Any, bitboard: Any) -> Any:
    def build(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


def _lowest_instruction(_context: Any, bitboard: Any) -> Any:
    def build(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        # 1: whatever it likes for 0, which spares a branch
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


_ctpop: Any = intrinsic(_count_instruction)
_cttz: Any = intrinsic(_lowest_instruction)


@overload(popcount)
def _popcount(bitboard: Any) -> Callable[[Any], Any]:
    def compiled(bitboard: Any) -> Any:
        return _ctpop(bitboard)

    return compiled


@overload(lowest)
def _lowest(bitboard: Any) -> Callable[[Any], Any]:
    def compiled(bitboard: Any) -> Any:
        return _cttz(bitboard)

    return compiled
