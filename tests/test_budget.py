"""How much a search does: simulations, or what fits into milliseconds."""

from __future__ import annotations

import numpy as np
import pytest

from agents import budget
from agents.budget import SIMULATIONS, checked_budget, spend


def test_one_budget_or_none_is_given() -> None:
    assert checked_budget(None, None) == (SIMULATIONS, None)
    assert checked_budget(7, None) == checked_budget(np.int64(7), None) == (7, None)  # type: ignore[arg-type]
    simulations, ms = checked_budget(None, 3)
    assert ms == 3.0 and simulations >= 10**9, "time alone ends it"


class Clock:
    """A clock that a search moves on by its own work."""

    def __init__(self, a_second: float, most: int = 10**9) -> None:
        self.now, self.a_second, self.most = 100.0, a_second, most
        self.calls: list[int] = []

    def go_on(self, done: int) -> bool:
        self.now += (done - (self.calls[-1] if self.calls else 0)) / self.a_second
        self.calls.append(done)
        return done < self.most


@pytest.mark.parametrize("a_second", [10.0, 1e3, 1e4, 1e6])
@pytest.mark.parametrize("round_size", [1, 7, 40])
def test_time_is_used_and_not_passed_by_more_than_a_round(
    monkeypatch: pytest.MonkeyPatch, a_second: float, round_size: int
) -> None:
    clock = Clock(a_second)
    monkeypatch.setattr(budget.time, "perf_counter", lambda: clock.now)
    spend(50.0, round_size, clock.go_on)
    spent, a_round = clock.now - 100.0, round_size / a_second
    assert clock.calls[0] == round_size and all(done % round_size == 0 for done in clock.calls)
    assert clock.calls == sorted(set(clock.calls))
    assert 0.05 - a_round - 1e-9 <= spent <= max(0.05, a_round) + 1e-9
    assert len(clock.calls) < 30


def test_a_search_with_nothing_left_to_do_ends() -> None:
    clock = Clock(1e4, most=20)
    spend(1e6, 5, clock.go_on)
    assert clock.calls[-1] >= 20 and len(clock.calls) < 5


def test_a_search_that_becomes_slower_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(1e5)
    monkeypatch.setattr(budget.time, "perf_counter", lambda: clock.now)

    def go_on(done: int) -> bool:
        clock.go_on(done)
        clock.a_second = 5e4
        return True

    spend(50.0, 10, go_on)
    assert 0.045 < clock.now - 100.0 < 0.1
