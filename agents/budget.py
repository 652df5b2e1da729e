"""How much a search may do for a decision: simulations, or milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rk_env.errors import PlayerError

SIMULATIONS: Final = 1000
"""Without a budget."""
SHARE: Final = 0.5
"""Of the time that is left, what one call of a search may take by its speed so far: it is not exactly so fast again."""


def checked_number(name: str, value: Any, least: float, most: float, *, whole: bool = False) -> Any:
    """Return an option that is a number from `least` to `most`.

    Raises:
        PlayerError: when it is not.
    """
    kinds = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise PlayerError(f"{name}={value!r} is not allowed; a {kind} from {least:g} to {most:g} is needed")
    return int(value) if whole else float(value)


def checked_budget(simulations: int | None, ms: float | None) -> tuple[int, float | None]:
    """Return the simulations and milliseconds for a decision, of which one or none was given.

    Raises:
        PlayerError: when both were given, or the one is no number from 1 on, or no time above 0.
    """
    if simulations is not None and ms is not None:
        raise PlayerError(f"simulations={simulations} and ms={ms} are two budgets; give one")
    if ms is not None:
        return 2**31 - 1, checked_number("ms", ms, 0.01, 1e7)
    simulations = SIMULATIONS if simulations is None else simulations
    return checked_number("simulations", simulations, 1, 2**31 - 1, whole=True), None


def spend(ms: float, round_size: int, go_on: Callable[[int], bool]) -> None:
    """Call `go_on` with a growing number of simulations, until the time is up or it says that nothing is left to do.

    Args:
        ms: milliseconds, of wall time; the first call, of one round, is made in any case.
        round_size: simulations that are made together.
        go_on: makes simulations up to the number given, counted from the first call; returns whether more may help.
    """
    start = time.perf_counter()
    end = start + ms / 1000.0
    done = round_size
    while go_on(done):
        now = time.perf_counter()
        a_second = done / (now - start)
        more = int(SHARE * (end - now) * a_second) // round_size * round_size
        if more <= 0 and (end - now) * a_second < round_size:
            return
        done += max(more, round_size)
