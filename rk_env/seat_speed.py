"""The environments for one seat, timed: many in one engine, and beside them as many single ones in a list.

Counted are decisions of the seats that are asked; the opponents, `random`, play in the same time. The random choice is
timed on both sides.
"""

from __future__ import annotations

import importlib.util
import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

from rk_env.peers import Chunk
from rk_env.registration import GYMNASIUM_ID
from rk_env.rules import Rules


def has_sb3() -> bool:
    """Tell whether Stable-Baselines3 is installed."""
    return importlib.util.find_spec("stable_baselines3") is not None


def vector_chunk(num_envs: int, players: int = 4) -> Chunk:
    """Return a chunk of one step in each of many environments of `make_vec`."""
    rules = Rules(players=players)
    return _gymnasium_chunk(
        gymnasium.make_vec(GYMNASIUM_ID, num_envs=num_envs, vectorization_mode="vector_entry_point", rules=rules)
    )


def sync_chunk(num_envs: int) -> Chunk:
    """Return the same of Gymnasium's own `SyncVectorEnv` of single environments."""
    return _gymnasium_chunk(SyncVectorEnv([_single] * num_envs, autoreset_mode=AutoresetMode.SAME_STEP))


def native_chunk(num_envs: int, players: int = 4) -> Chunk:
    """Return a chunk of one step in each of many environments of SB3's kind."""
    from rk_env.sb3 import RicketyKateVecEnv

    return _sb3_chunk(RicketyKateVecEnv(num_envs, Rules(players=players)))


def dummy_chunk(num_envs: int) -> Chunk:
    """Return the same of SB3's own `DummyVecEnv` of single environments."""
    from stable_baselines3.common.vec_env import DummyVecEnv

    return _sb3_chunk(DummyVecEnv([_single] * num_envs))


def _single() -> gymnasium.Env[Any, Any]:
    return gymnasium.make(GYMNASIUM_ID, disable_env_checker=True)


def _choices(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def _gymnasium_chunk(env: Any) -> Chunk:
    rng = np.random.default_rng(1)
    masks = env.reset(seed=1)[1]["action_mask"]

    def play() -> tuple[int, float]:
        nonlocal masks
        began = time.process_time()
        masks = env.step(_choices(masks, rng))[4]["action_mask"]
        return len(masks), time.process_time() - began

    return play


def _sb3_chunk(env: Any) -> Chunk:
    rng = np.random.default_rng(1)
    env.seed(1)
    env.reset()

    def play() -> tuple[int, float]:
        began = time.process_time()
        env.step(_choices(np.stack(env.env_method("action_masks")), rng))
        return int(env.num_envs), time.process_time() - began

    return play
