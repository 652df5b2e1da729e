"""PettingZoo's own tests of the environment, in all its forms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from rk_env import Rules, rickety_kate_v0
from rk_env.observation import Layout
from rk_env.rewards import REWARDS
from tests.playing import MAKERS, Env, tied_hand

EPISODES = ("hand", "game")
QUICK = {"target": 30}  # a game of two or three hands


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Env]:
    return MAKERS[request.param]


@pytest.mark.parametrize("episode", EPISODES)
def test_api(make: Callable[..., Env], table: Rules, episode: str) -> None:
    api_test(make(dataclasses.replace(table, **QUICK), episode=episode), num_cycles=60)


VARIANTS: list[dict[str, Any]] = [
    {"revokes": "corrected"},
    {"revokes": "exposed"},
    {"revokes": "exposed", "late_revoke": "replay"},
    {"target": 1, "two_hand_deal": 13},  # play-offs: every first hand ends the game, often in a tie
    {"target": 1, "max_hands": 2, "moon": "new"},
    {"leftover": "strip", "opening": "two_of_clubs"},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(("players", "decks"), [(4, 1), (8, 2), (9, 2)])
def test_api_of_variants(players: int, decks: int, variant: dict[str, Any]) -> None:
    rules = Rules(**{"players": players, "decks": decks, **QUICK, **variant})
    for episode in EPISODES:
        for make in (rickety_kate_v0.env, rickety_kate_v0.raw_env):
            api_test(make(rules, episode), num_cycles=200)
        seed_test(lambda episode=episode: rickety_kate_v0.env(rules, episode), num_cycles=60)


@pytest.mark.parametrize(("players", "decks"), [(4, 1), (7, 2)])
def test_api_of_a_game_that_begins_with_a_play_off(players: int, decks: int) -> None:
    """PettingZoo's test resets the environment itself, so that each of its games is made to begin in a tie."""

    class BeginsTied(rickety_kate_v0.raw_env):
        def _begin(self) -> None:
            self.engine.games[:] = tied_hand(self.rules, [1, 3], seed=int(self.engine.games["seed"][0])).games
            self.engine.next_hand()
            super()._begin()

    env = BeginsTied(Rules(players=players, decks=decks), "game")
    api_test(env, num_cycles=300)
    env.reset(seed=1)
    assert env.engine.in_play[0].sum() == 2


@pytest.mark.parametrize("reward", REWARDS)
def test_api_with_each_reward(reward: str) -> None:
    for episode in EPISODES:
        api_test(rickety_kate_v0.env(Rules(moon="new", **QUICK), episode, reward), num_cycles=60)


def test_api_with_uniform_observations(make: Callable[..., Env], table: Rules) -> None:
    env = make(table, uniform_observations=True)
    api_test(env, num_cycles=20)
    size = Layout(6 if table.decks == 1 else 11, decks=table.decks).size
    assert env.observation_space("player_0")["observation"].shape == (size,)  # type: ignore[index]


@pytest.mark.parametrize("episode", EPISODES)
def test_seed(make: Callable[..., Env], table: Rules, episode: str) -> None:
    seed_test(lambda: make(dataclasses.replace(table, **QUICK), episode), num_cycles=60)


@pytest.mark.parametrize("episode", EPISODES)
def test_render_modes(make: Callable[..., Env], table: Rules, episode: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **kwargs: make(table, episode, **kwargs))
    assert "Rickety Kate" in capsys.readouterr().out


def test_state_and_parallel(table: Rules) -> None:
    def parallel() -> Any:
        return turn_based_aec_to_parallel(rickety_kate_v0.env(table))

    state_test(rickety_kate_v0.env(table), parallel())
    parallel_api_test(parallel(), num_cycles=60)
