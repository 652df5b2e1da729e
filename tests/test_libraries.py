"""Play through the interfaces of other libraries: a thousand hands each, no illegal move, no lost reward.

Each test needs its library, and is left out where that is missing: `pip install -e ".[libraries]"`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Rules, rickety_kate_v0

N_HANDS = 1000
TABLES = (3, 4, 5)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # other libraries warn as they like


def environment(players: int, **settings: Any) -> Any:
    """An environment in which an illegal move raises."""
    return rickety_kate_v0.env(Rules(players=players), illegal="raise", **settings)


def check_hands(players: int, env: Any, play_hand: Callable[[int], NDArray[np.float64]]) -> None:
    """Play hands and compare the rewards that the library delivered to each seat with the engine's payoffs."""
    for seed in range(N_HANDS // len(TABLES) + 1):
        delivered = play_hand(seed)
        np.testing.assert_allclose(delivered, env.unwrapped.engine.payoffs[0], atol=1e-4)
        assert delivered.shape == (players,)


@pytest.mark.parametrize("players", TABLES)
def test_torchrl(players: int) -> None:
    pytest.importorskip("torchrl")
    from torchrl.envs import PettingZooWrapper
    from torchrl.envs.utils import check_env_specs

    env = environment(players)
    wrapped = PettingZooWrapper(env, use_mask=True)
    check_env_specs(wrapped)
    agents = env.possible_agents

    def play_hand(seed: int) -> NDArray[np.float64]:
        played = wrapped.rollout(200)
        assert bool(played["next", "done"][-1])
        return np.array([float(played["next", agent, "reward"].sum()) for agent in agents])

    check_hands(players, env, play_hand)


@pytest.mark.parametrize("players", TABLES)
def test_tianshou(players: int) -> None:
    pytest.importorskip("tianshou")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tianshou.env import PettingZooEnv

    env = environment(players)
    wrapped = PettingZooEnv(env)
    rng = np.random.default_rng(players)

    def play_hand(seed: int) -> NDArray[np.float64]:
        observation, _ = wrapped.reset(seed=seed)
        delivered, is_over = np.zeros(players), False
        while not is_over:
            action = rng.choice(np.flatnonzero(observation["mask"]))
            observation, paid, terminated, truncated, _ = wrapped.step(action)
            delivered += np.array(paid)
            is_over = terminated or truncated
        return delivered

    check_hands(players, env, play_hand)


WRAPPERS: dict[str, Callable[[Any, Any], Any]] = {
    "flatten": lambda supersuit, env: supersuit.flatten_v0(env),
    "frame_stack": lambda supersuit, env: supersuit.frame_stack_v1(env, 2),
    "dtype": lambda supersuit, env: supersuit.dtype_v0(env, np.float64),
    "agent_indicator": lambda supersuit, env: supersuit.agent_indicator_v0(env),
    "pad_observations": lambda supersuit, env: supersuit.pad_observations_v0(env),
    "nan_random": lambda supersuit, env: supersuit.nan_random_v0(env),
}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_supersuit_with_masks_in_infos(wrapper: str) -> None:
    supersuit = pytest.importorskip("supersuit")
    env = environment(4, mask_in="info")
    wrapped, rng = WRAPPERS[wrapper](supersuit, env), np.random.default_rng(0)
    for seed in range(N_HANDS // len(WRAPPERS) + 1):
        wrapped.reset(seed=seed)
        paid = dict.fromkeys(wrapped.possible_agents, 0.0)
        for agent in wrapped.agent_iter():
            observation, reward, terminated, truncated, info = wrapped.last()
            assert observation.shape == wrapped.observation_space(agent).shape
            paid[agent] += reward
            is_over = terminated or truncated
            wrapped.step(None if is_over else int(rng.choice(np.flatnonzero(info["action_mask"]))))
        np.testing.assert_allclose(list(paid.values()), env.unwrapped.engine.payoffs[0])
