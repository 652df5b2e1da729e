"""Sets of cards as 64-bit integers: counting, lowest, highest, n-th."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from rk_env import cards
from rk_env.jit import kernel

EMPTY: Final = np.uint64(0)
ONE: Final = np.uint64(1)
BITS: Final = np.array([1 << bit for bit in range(64)], dtype=np.uint64)
"""Bit of each card or action; indexing keeps uint64, where a shift by a signed number would not."""
SUITS_BB: Final = cards.SUITS_BB
HEARTS_BB: Final = cards.HEARTS_BB


def popcount(bb: np.uint64) -> int:
    """Return how many bits are set."""
    return int(bb).bit_count()


def lowest(bb: np.uint64) -> int:
    """Return the index of the lowest bit set; `bb` must not be empty."""
    value = int(bb)
    return (value & -value).bit_length() - 1


def highest(bb: np.uint64) -> int:
    """Return the index of the highest bit set; `bb` must not be empty."""
    return int(bb).bit_length() - 1


@intrinsic
def _ctpop(typingctx: Any, bb: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _cttz(typingctx: Any, bb: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@intrinsic
def _ctlz(typingctx: Any, bb: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


@overload(popcount, inline="always", strict=False)
def _compiled_popcount(bb: Any) -> Any:
    return lambda bb: _ctpop(np.uint64(bb))


@overload(lowest, inline="always", strict=False)
def _compiled_lowest(bb: Any) -> Any:
    return lambda bb: _cttz(np.uint64(bb))


@overload(highest, inline="always", strict=False)
def _compiled_highest(bb: Any) -> Any:
    return lambda bb: 63 - _ctlz(np.uint64(bb))


@kernel
def nth(bb: np.uint64, n: int) -> int:
    """Return the index of the n-th lowest bit set, counting from 0; `bb` must have more than n bits."""
    for _ in range(n):
        bb &= bb - ONE
    return lowest(bb)


@kernel
def suit_of(card: int) -> int:
    """Return the suit of a card: C D S H are 0 1 2 3."""
    return int(card) // 13


@kernel
def rank_of(card: int) -> int:
    """Return the rank of a card: 2 to A are 0 to 12."""
    return int(card) % 13
