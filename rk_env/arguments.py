"""Checks of single arguments that any caller may get wrong: choices, flags, arrays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env.errors import GameRecordError, RicketyKateError, RulesError


def check_choice(name: str, value: object, allowed: Iterable[Any]) -> None:
    """Check that a value is one of those allowed, of their type: True is no 1.

    Raises:
        RulesError: when it is not.
    """
    choices = list(allowed)
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise RulesError(f"{name}={value!r} is not allowed; allowed: {', '.join(map(repr, choices))}")


def check_flag(name: str, value: object) -> None:
    """Check that a value is True or False.

    Raises:
        RulesError: when it is not.
    """
    check_choice(name, value, (True, False))


def as_array(name: str, given: Any, error: type[RicketyKateError]) -> NDArray[Any]:
    """Return what NumPy makes of an argument; `error` when it makes nothing of it, as of rows of unequal length."""
    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError) as fault:
        raise error(f"{name}={given!r} makes no array: {fault}") from fault


def rows_to_fill(n: int, size: int, out: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return `out`, or a fresh (n, size) float32 array where that is None.

    Raises:
        GameRecordError: when `out` is no such array, or cannot be filled.
    """
    if out is None:
        return np.empty((n, size), np.float32)
    if not isinstance(out, np.ndarray) or out.shape != (n, size) or out.dtype != np.float32:
        raise GameRecordError(f"out must be a float32 array of shape ({n}, {size})")
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise GameRecordError("out must be C-contiguous and writeable")
    return out
