"""The environment of Stable-Baselines3: equal to DummyVecEnv of single ones, masks, opponents, what is refused."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor

import agents  # registers "rule_based"
import rk_env  # noqa: F401  # registers the environment
from rk_env import DealError, IllegalActionError, PlayerError, Rules, RulesError, SeedError
from rk_env.sb3 import RicketyKateVecEnv
from tests.seat_playing import any_legal, assert_same

ID = "RicketyKate-v0"
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "mixed opponents": {"opponents": ["random", {"random": 1, "rule_based": 2}, "ducker"], "seat": 1},
    "whole games": {"rules": Rules(players=3, target=15), "episode": "game"},
}


def single(settings: dict[str, Any]) -> Any:
    return lambda: gymnasium.make(ID, disable_env_checker=True, **settings)


def compare(ours: RicketyKateVecEnv, theirs: Any, n_steps: int) -> int:
    """Step both with the same actions and compare; return the episodes ended."""
    rng, n_ended = np.random.default_rng(0), 0
    for env in (ours, theirs):
        env.seed(3)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    for step in range(n_steps):
        masks = get_action_masks(ours)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = any_legal(masks, rng)
        if step % 20 == 19:
            actions[step % len(actions)] = 53
        (seen, paid, ended, infos), expected = ours.step(actions), theirs.step(actions)
        for one, other in zip((seen, paid, ended), expected[:3], strict=True):
            np.testing.assert_array_equal(one, other.astype(one.dtype))  # SubprocVecEnv gives rewards as float64
        for i in np.flatnonzero(ended):
            assert_same(infos[i]["terminal_observation"], expected[3][i]["terminal_observation"])
            assert infos[i]["TimeLimit.truncated"] == expected[3][i]["TimeLimit.truncated"]
        n_ended += int(ended.sum())
    return n_ended


@pytest.mark.parametrize("name", SETTINGS)
def test_it_equals_dummy_vec_env_step_for_step(name: str) -> None:
    settings = SETTINGS[name]
    assert compare(RicketyKateVecEnv(4, **settings), DummyVecEnv([single(settings)] * 4), 120) > 12


def test_it_equals_subproc_vec_env() -> None:
    theirs = SubprocVecEnv([single({})] * 2, start_method="fork")
    try:
        assert compare(RicketyKateVecEnv(2), theirs, 40) > 2
    finally:
        theirs.close()


def test_maskable_ppo_trains_and_never_plays_an_illegal_action() -> None:
    env = VecMonitor(RicketyKateVecEnv(8, illegal="raise", opponents={"random": 1, "rule_based": 1}))
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(600)
    assert model.num_timesteps >= 600
    lengths = [episode["l"] for episode in model.ep_info_buffer]
    assert len(lengths) > 10
    assert set(lengths) <= {13, 16}


def test_no_reward_is_lost() -> None:
    env = VecMonitor(RicketyKateVecEnv(16, illegal="raise"))
    env.seed(1)
    env.reset()
    rng, sums = np.random.default_rng(0), []
    while len(sums) < 64:
        raw = env.venv._games
        before = raw.engine.games.copy()
        infos = env.step(any_legal(get_action_masks(env), rng))[3]
        sums += [info["episode"]["r"] for info in infos if "episode" in info]
        assert before.shape == raw.engine.games.shape
    assert any(sums)
    assert abs(np.mean(sums)) < 5  # random against random


def test_others_sit_down_with_the_next_episode() -> None:
    env = RicketyKateVecEnv(3)
    env.seed(1)
    env.reset()
    env.seat_opponents({"rule_based": 1, "random": 1})
    env.seat_opponents("rule_based")
    games, rng = env._games, np.random.default_rng(0)
    assert games._players[games._lineup[0, games.seats[0]]].name == "random@1"
    ended = np.zeros(3, np.bool_)
    while not ended.all():
        ended |= env.step(any_legal(get_action_masks(env), rng))[2]
    others = [games._players[k].name for k in np.unique(games._lineup)]
    assert others == [agents.make("rule_based").name]
    with pytest.raises(PlayerError):
        env.seat_opponents("nobody")


def test_attributes_and_methods_of_single_environments() -> None:
    env = RicketyKateVecEnv(3, rules=Rules(players=5))
    assert env.has_attr("action_masks")
    assert not env.has_attr("flying")
    assert env.get_attr("rules", [0, 2]) == [Rules(players=5)] * 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    env.reset()
    assert len(env.env_method("action_masks", indices=[1])) == 1
    with pytest.raises(AttributeError, match="flying"):
        env.env_method("flying")
    with pytest.raises(AttributeError, match="seat_opponents"):
        env.set_attr("rules", Rules())


def test_what_is_wrong_is_refused() -> None:
    env = RicketyKateVecEnv(3)
    with pytest.raises(IllegalActionError, match="reset"):
        env.step(np.zeros(3, np.int64))
    env.reset()
    for actions in (np.zeros(2, np.int64), np.zeros(3), np.full(3, 54), np.full(3, -1)):
        with pytest.raises(IllegalActionError):
            env.step(actions)
    env._seeds = [-1, None, None]
    with pytest.raises(SeedError):
        env.reset()
    with pytest.raises(RulesError):
        RicketyKateVecEnv(3, reward="much")  # type: ignore[arg-type]


def test_options_are_those_of_single_environments() -> None:
    ours, theirs = RicketyKateVecEnv(2), DummyVecEnv([single({})] * 2)
    for options in ({"dealer": 3, "hand_number": 4}, [{"dealer": 1}, {}]):
        for env in (ours, theirs):
            env.seed(1)
            env.set_options(options)
        np.testing.assert_array_equal(ours.reset(), theirs.reset())
    assert ours._games.engine.games["dealer"][0] == 1
    before = ours._games.engine.games.tobytes()
    ours.set_options({"nonsense": 3})
    with pytest.raises(DealError):
        ours.reset()
    assert ours._games.engine.games.tobytes() == before


def test_waiting_for_a_step_that_nobody_asked_for_is_refused() -> None:
    env = RicketyKateVecEnv(2)
    env.reset()
    env.step(env.action_masks().argmax(axis=1))
    with pytest.raises(IllegalActionError, match="before step_async"):
        env.step_wait()
    with pytest.raises(RulesError, match="one or more"):
        RicketyKateVecEnv(0)
