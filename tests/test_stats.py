"""Means and intervals."""

from __future__ import annotations

import doctest
import statistics

import numpy as np
import pytest

from training import stats
from training.stats import Estimate, estimate


def test_the_interval_is_the_textbook_s() -> None:
    samples = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0]
    found = estimate(np.array(samples))
    half = 1.96 * statistics.stdev(samples) / 6**0.5
    assert found.mean == pytest.approx(11 / 6)
    assert found.half_width == pytest.approx(half, rel=1e-4)
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half), rel=1e-4)


def test_the_interval_holds_the_mean_95_times_of_100() -> None:
    rng = np.random.default_rng(1)
    found = [estimate(sample) for sample in rng.exponential(2.0, size=(4000, 400))]
    share = np.mean([each.low <= 2.0 <= each.high for each in found])
    assert 0.935 < share < 0.96


def test_one_sample_tells_nothing_of_the_spread() -> None:
    assert estimate(np.array([2.0])) == Estimate(2.0, -np.inf, np.inf)


def test_text_and_plain_values() -> None:
    found = Estimate(-1.234, -2.234, -0.234)
    assert str(found) == "-1.23 ± 1.00"
    assert str(Estimate(0.5, 0.25, 0.75)) == "+0.50 ± 0.25"
    assert found.to_dict() == {"mean": -1.234, "low": -2.234, "high": -0.234}


def test_the_examples_of_the_docstrings() -> None:
    assert doctest.testmod(stats) == (0, 1)
