"""What all tests share: this checkout's own packages, floating-point errors that raise, and the table sizes."""

from __future__ import annotations

import importlib.util
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from rk_env import Rules
from rk_env.settings import PLAYERS_OF_DECKS

ROOT = Path(__file__).resolve().parent.parent

# Each property is tried at least 100 times. No deadline: the first example may have to compile. The same examples in
# every run, so that a red run can be repeated; `--hypothesis-profile=explore` looks for new ones.
_WAYS: dict[str, Any] = {"max_examples": 100, "deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("explore", **_WAYS)
settings.register_profile("rk", derandomize=True, **_WAYS)
settings.load_profile("rk")


def pytest_configure() -> None:
    """Refuse to test packages of somebody else, such as another project's `agents`; let Ctrl-C work."""
    for name in ("rk_env", "agents", "training"):
        spec = importlib.util.find_spec(name)
        found = Path(spec.origin).resolve() if spec and spec.origin else None
        if found != ROOT / name / "__init__.py":
            raise pytest.UsageError(
                f"`{name}` would be imported from {found}, not from {ROOT / name}. Use this checkout's environment: "
                "python3 -m venv .venv && "
                '.venv/bin/pip install -c constraints.txt -e ".[train,plot,test,dev]" && .venv/bin/python -m pytest'
            )
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a job in the background ignores Ctrl-C, and so do its own
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _floating_errors_raise() -> Iterator[None]:
    """Make NumPy raise where it would warn; underflow to zero is what a softmax means."""
    with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
        yield


@pytest.fixture(params=[3, 4, 5, 6], ids="{}p".format)
def players(request: pytest.FixtureRequest) -> int:
    """The number of players."""
    return int(request.param)


@pytest.fixture
def rules(players: int) -> Rules:
    """The standard rules for each number of players."""
    return Rules(players=players)


TABLES = [(decks, players) for decks, counts in PLAYERS_OF_DECKS.items() for players in counts]


@pytest.fixture(params=TABLES, ids=lambda table: f"{table[1]}p" + "-2decks" * (table[0] == 2))
def table(request: pytest.FixtureRequest) -> Rules:
    """The standard rules of every table: 3 to 6 players with one deck, 6 to 11 with two."""
    decks, players = request.param
    return Rules(players=players, decks=decks)
