"""Means and 95 % intervals over deals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Z_95: Final = 1.959964
"""Two-sided 95 % quantile of the normal distribution; samples are hundreds of deals and more."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def to_dict(self) -> dict[str, float]:
        """Return plain values, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.half_width:.2f}"


def estimate(samples: NDArray[np.float64]) -> Estimate:
    """Return the mean of independent samples, shape (n,), n >= 1, with its interval; one sample has an endless one.

    >>> estimate(np.array([1.0, 1.0, 1.0, 1.0]))
    Estimate(mean=1.0, low=1.0, high=1.0)
    """
    mean = float(samples.mean())
    half = Z_95 * float(samples.std(ddof=1)) / len(samples) ** 0.5 if len(samples) > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)
