"""What tests of the environments for one seat share: equality of all that they return, and random legal actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def assert_same(one: Any, other: Any) -> None:
    """Check that two results are equal in structure, types, dtypes and values."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    elif isinstance(one, (tuple, list)) or (isinstance(one, np.ndarray) and one.dtype == object):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_same(a, b)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    else:
        assert one == other


def arrays_in(result: Any) -> list[NDArray[Any]]:
    """Return all arrays in a result."""
    if isinstance(result, np.ndarray):
        inside = (
            [array for one in result if one is not None for array in arrays_in(one)] if result.dtype == object else []
        )
        return [result, *inside]
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, (tuple, list)) else ()
    return [array for part in parts for array in arrays_in(part)]


def any_legal(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal action for each mask, (B,); 0 where there is none."""
    return np.where(masks.any(axis=1), (rng.random(masks.shape) * masks).argmax(axis=1), 0)
