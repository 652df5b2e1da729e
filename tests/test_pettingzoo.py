"""PettingZoo's own tests of the environment, in all its forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rk_env import Rules, rickety_kate_v0
from rk_env.observation import Layout
from rk_env.rewards import REWARDS
from tests.playing import MAKERS, Env

EPISODES = ("hand", "game")
QUICK = {"target": 30}  # a game of two or three hands


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Env]:
    return MAKERS[request.param]


@pytest.mark.parametrize("episode", EPISODES)
def test_api(make: Callable[..., Env], players: int, episode: str) -> None:
    api_test(make(Rules(players=players, **QUICK), episode=episode), num_cycles=60)


@pytest.mark.parametrize("reward", REWARDS)
def test_api_with_each_reward(reward: str) -> None:
    for episode in EPISODES:
        api_test(rickety_kate_v0.env(Rules(moon="new", **QUICK), episode, reward), num_cycles=60)


def test_api_with_uniform_observations(make: Callable[..., Env], players: int) -> None:
    env = make(Rules(players=players), uniform_observations=True)
    api_test(env, num_cycles=20)
    assert env.observation_space("player_0")["observation"].shape == (Layout(6).size,)  # type: ignore[index]


@pytest.mark.parametrize("episode", EPISODES)
def test_seed(make: Callable[..., Env], players: int, episode: str) -> None:
    seed_test(lambda: make(Rules(players=players, **QUICK), episode), num_cycles=60)


@pytest.mark.parametrize("episode", EPISODES)
def test_render_modes(make: Callable[..., Env], players: int, episode: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **kwargs: make(Rules(players=players), episode, **kwargs))
    assert "Rickety Kate" in capsys.readouterr().out


def test_state_and_parallel(players: int) -> None:
    def parallel() -> Any:
        return turn_based_aec_to_parallel(rickety_kate_v0.env(Rules(players=players)))

    state_test(rickety_kate_v0.env(Rules(players=players)), parallel())
    parallel_api_test(parallel(), num_cycles=60)
