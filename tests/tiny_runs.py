"""Training runs that take a second, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from rk_env import Rules
from training import selfplay
from training.selfplay import Config, Run

PAGE = Path(__file__).resolve().parent.parent / "training" / "README.md"
TINY = Config(
    iterations=1,
    games=4,
    epochs=1,
    minibatch=64,
    width=8,
    depth=1,
    teacher_until=0.5,
    threads=1,
    precision="float32",
    test_deals=2,
)
TINY_OPTIONS = [
    *("--games", "4", "--epochs", "1", "--minibatch", "64", "--width", "8", "--depth", "1", "--threads", "1"),
    *("--precision", "float32", "--test-deals", "2", "--teacher-until", "0.5"),
]
"""`TINY` on the command line, without the iterations."""

torch.set_num_threads(1)  # the networks are tiny, and sums by one thread are equal bit for bit


def never() -> bool:
    """Tell training not to stop."""
    return False


def after(iterations: int) -> Callable[[], bool]:
    """Return a `stop` that lets some iterations pass."""
    left = iter(range(iterations))
    return lambda: next(left, None) is None


def trained(folder: Path, config: Config = TINY, rules: Rules | None = None) -> Run:
    """Return a run that was trained to its end in a folder."""
    folder.mkdir(exist_ok=True)
    run = selfplay.new_run(config, rules or Rules())
    selfplay.train(run, folder, never)
    return run
