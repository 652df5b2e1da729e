"""How long a fresh process takes to its first batch and step: with nothing compiled, and with the cache filled."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

COMPILE_TARGET: Final = 40.0
"""Seconds in which everything is to be compiled."""
CACHED_TARGET: Final = 2.5
"""Seconds to `import rk_env`, a batch and a step, with the cache filled."""

COMPILE_EVERYTHING: Final = """
import numpy as np
from rk_env import Engine, Rules, players, rickety_kate_v0
from rk_env.kernels import batch
from rk_env.self_play import SelfPlay
engine = Engine(Rules(), num_games=2, seed=1)
engine.redeal()
ids, lineup = np.arange(2), np.zeros((2, 4), np.int64)
while (engine.phase < 3).any():
    engine.action_mask(), engine.observe()
    seeds = players.decision_seeds(1, ids, engine.games)
    engine.step(players.choose(engine, [players.make("random")], lineup, seeds))
engine.step([-1, -1], games=[0, 1])
engine.payoffs, engine.captured_points, engine.win_shares
engine.next_hand()
engine.deal([engine.rules.deck[seat::4] for seat in range(4)])
engine.layout.encode_privileged(engine.games, engine.rules, np.zeros(2, np.int64))
batch.play_random_hands(engine.games, engine.rules.array, 1, np.uint64(1))
rickety_kate_v0.env().reset(seed=1)
games = SelfPlay(num_games=1, seed=1)
while not games.step(games.turn().masks.argmax(axis=1)).ended:
    pass
"""
FIRST_STEP: Final = """
from rk_env import Engine, Rules
engine = Engine(Rules(), num_games=256, seed=1)
engine.step(engine.action_mask().argmax(axis=1))
"""


def measure(repeats: int) -> dict[str, float]:
    """Return wall-clock seconds of fresh processes.

    Args:
        repeats: processes started with the cache filled; the median counts.

    Returns:
        "compile": a process that compiles everything and keeps it in an empty cache folder; "cached": a process that
        then makes a batch and a step.
    """
    with tempfile.TemporaryDirectory() as cache:
        compiling = _seconds(COMPILE_EVERYTHING, cache)
        cached = statistics.median([_seconds(FIRST_STEP, cache) for _ in range(repeats)])
    return {"compile": compiling, "cached": cached}


def _seconds(code: str, cache: str) -> float:
    """Run code in a fresh process that finds this very package and return how long it took."""
    folder = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH", "")]))
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": path}, check=True
    )
    return time.perf_counter() - began


def text(seconds: dict[str, float]) -> str:
    """Return the figures for people.

    >>> text({"compile": 21.4, "cached": 1.234})
    'Compiling everything once: 21.4 s (target 40 s). With the cache, import, a batch, a step: 1.23 s (target 2.5 s).'
    """
    return (
        f"Compiling everything once: {seconds['compile']:.3g} s (target {COMPILE_TARGET:g} s). "
        f"With the cache, import, a batch, a step: {seconds['cached']:.3g} s (target {CACHED_TARGET:g} s)."
    )
