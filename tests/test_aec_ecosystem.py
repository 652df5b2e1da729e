"""What libraries on top of PettingZoo need: masks in infos, registers, the parallel form, states, copies, rewards."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.state_test import test_state as state_test
from pettingzoo.test.state_test import test_state_space as state_space_test

import rk_env  # registers the environment
from rk_env import Rules, rickety_kate_v0
from rk_env.errors import GameRecordError, RulesError
from rk_env.jit import JIT_DISABLED
from rk_env.rewards import REWARDS
from tests.seat_playing import assert_same

TABLES = [Rules(players=3), Rules(), Rules(players=5, moon="new"), Rules(players=6), Rules(players=8, decks=2)]
N_CYCLES = 80 if not JIT_DISABLED else 20


def mask_of(env: Any) -> np.ndarray[Any, Any]:
    """The mask of the agent to act, wherever it is."""
    observation, _, _, _, info = env.last()
    return np.asarray(info["action_mask"] if "action_mask" in info else observation["action_mask"])


def play(env: Any, rng: np.random.Generator, n_steps: int | None = None) -> dict[str, float]:
    """Play on at random; return what `last` paid each agent."""
    paid, n = dict.fromkeys(env.possible_agents, 0.0), 0
    while env.agents and n != n_steps:
        _, reward, terminated, truncated, _ = env.last()
        paid[env.agent_selection] += reward
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(mask_of(env)))))
        n += 1
    return paid


# Masks in infos.


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players} players")
@pytest.mark.parametrize("maker", ["env", "raw_env"])
def test_pettingzoo_checks_masks_in_infos(rules: Rules, maker: str) -> None:
    make: Callable[..., Any] = getattr(rickety_kate_v0, maker)
    api_test(make(rules, mask_in="info"), N_CYCLES)
    seed_test(lambda: make(rules, mask_in="info"), N_CYCLES)


def test_masks_in_infos_are_those_in_observations() -> None:
    one, other = (rickety_kate_v0.env(episode="game", mask_in=where) for where in ("obs", "info"))
    for env in (one, other):
        env.reset(seed=3)
    rng = np.random.default_rng(0)
    for agent in one.agent_iter(200):
        for each in one.possible_agents:
            seen = one.observe(each)
            np.testing.assert_array_equal(other.infos[each]["action_mask"], seen["action_mask"])
            np.testing.assert_array_equal(other.observe(each), seen["observation"])
            assert other.infos[each]["action_mask"].any() == (each == agent)
        assert one.infos[agent] == {}
        action = int(rng.choice(np.flatnonzero(mask_of(one))))
        one.step(action)
        other.step(action)


def test_masks_in_infos_are_zero_at_the_end_and_fresh() -> None:
    env = rickety_kate_v0.env(mask_in="info")
    env.reset(seed=1)
    kept = [(env.infos[a]["action_mask"], env.infos[a]["action_mask"].copy()) for a in env.agents]
    while not any(env.terminations.values()):
        env.step(int(mask_of(env).argmax()))
    assert not any(env.infos[agent]["action_mask"].any() for agent in env.agents)
    assert all((mask == was).all() for mask, was in kept)


def test_an_illegal_move_ends_it_with_masks_in_infos_too() -> None:
    env = rickety_kate_v0.env(mask_in="info")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(np.flatnonzero(mask_of(env) == 0)[0]))
    assert all(env.terminations.values())
    assert env._cumulative_rewards[agent] == -100


def test_masks_are_in_one_place_alone() -> None:
    for where in ("both", None, True):
        with pytest.raises(RulesError, match="mask_in"):
            rickety_kate_v0.raw_env(mask_in=where)  # type: ignore[arg-type]


# The registers and the parallel form.


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a register from 1.27 on")
def test_pettingzoo_makes_it_by_name() -> None:
    env = pettingzoo.make("aec", "rickety_kate/rickety_kate-v0", rules=Rules(players=5))
    assert len(env.possible_agents) == 5
    assert pettingzoo.make("parallel", "rickety_kate/rickety_kate-v0").possible_agents == env.possible_agents[:4]
    rk_env.registration.register_environments()  # again: no warning


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_the_parallel_form_plays_and_pays(mask_in: Any) -> None:
    env = rickety_kate_v0.parallel_env(rules=Rules(players=5), mask_in=mask_in)
    if mask_in == "obs":
        parallel_api_test(env, N_CYCLES)
    for seed in range(4):
        observations, infos = env.reset(seed=seed)
        paid, rng = np.zeros(5), np.random.default_rng(seed)
        while env.agents:
            masks = [(infos if mask_in == "info" else observations)[agent]["action_mask"] for agent in env.agents]
            actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0 for mask in masks]
            observations, rewards, _, _, infos = env.step(dict(zip(env.agents, actions, strict=True)))
            paid += list(rewards.values())
        np.testing.assert_allclose(paid, env.unwrapped.engine.payoffs[0])
        assert paid.any()


@pytest.mark.parametrize("episode", ["hand", "game"])
def test_pettingzoo_checks_the_state(episode: Any) -> None:
    env = rickety_kate_v0.env(Rules(target=20), episode)
    state_space_test(env)
    state_test(env, 3, 1)
    env.reset(seed=1)
    play(env, np.random.default_rng(0))
    assert env.state() in env.state_space


# Rewards.


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players} players")
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("episode", ["hand", "game"])
def test_what_last_pays_is_what_the_episode_is_worth(rules: Rules, reward: Any, episode: Any) -> None:
    some = rules if episode == "hand" else Rules(**{**rules.to_dict(), "target": 25})
    env = rickety_kate_v0.env(some, episode, reward, illegal="raise")
    rng = np.random.default_rng(7)
    for seed in range(3 if not JIT_DISABLED else 1):
        env.reset(seed=seed)
        paid = play(env, rng)
        engine = env.unwrapped.engine
        points, places = (engine.totals, engine.places) if episode == "game" else (engine.hand_scores,) * 2
        np.testing.assert_allclose(list(paid.values()), REWARDS[reward](points.astype(np.int64), places)[0])
        assert not env.agents


def test_all_agents_end_together() -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=2)
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents
        env.step(int(mask_of(env).argmax()))
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


# Seeds, copies, and going back.


def test_episodes_after_a_seed_go_on_alike() -> None:
    def starts(env: Any) -> list[Any]:
        env.reset(seed=9)
        seen = [env.observe("player_0")["observation"]]
        for _ in range(4):
            play(env, np.random.default_rng(0))
            env.reset()
            seen.append(env.observe("player_0")["observation"])
        return seen

    first = starts(rickety_kate_v0.env())
    assert_same(first, starts(rickety_kate_v0.env()))
    assert len({one.tobytes() for one in first}) == 5


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("maker", ["env", "raw_env"])
def test_copies_keep_the_state_and_go_their_own_way(copied: Callable[[Any], Any], maker: str) -> None:
    env = getattr(rickety_kate_v0, maker)(episode="game", mask_in="info")
    env.reset(seed=5)
    play(env, np.random.default_rng(0), 30)
    twin = copied(env)
    before = twin.unwrapped.engine.games.tobytes()
    paid = play(env, np.random.default_rng(1))
    assert twin.unwrapped.engine.games.tobytes() == before
    assert play(twin, np.random.default_rng(1)) == paid
    env.reset()
    twin.reset()
    assert env.unwrapped.engine.games.tobytes() == twin.unwrapped.engine.games.tobytes()


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_a_snapshot_brings_everything_back(mask_in: Any) -> None:
    env = rickety_kate_v0.env(Rules(target=30), "game", mask_in=mask_in)
    env.reset(seed=5, options={"totals": [1, 2, 3, 4]})
    play(env, np.random.default_rng(0), 40)
    snapshot = pickle.loads(pickle.dumps(env.unwrapped.snapshot()))
    ways = []
    for _ in range(3):
        paid = play(env, np.random.default_rng(1))
        env.reset()
        ways.append((paid, env.unwrapped.engine.games.tobytes(), env.unwrapped.agent_selection))
        env.unwrapped.restore(snapshot)
    assert ways[0] == ways[1] == ways[2]
    other = rickety_kate_v0.env(Rules(target=30), "game", mask_in=mask_in)
    other.reset(seed=1)
    other.unwrapped.restore(snapshot)
    assert play(other, np.random.default_rng(1)) == ways[0][0]


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_after_going_back_moves_are_judged_by_the_mask_there(mask_in: Any) -> None:
    for seed in range(10):
        env = rickety_kate_v0.env(mask_in=mask_in)
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        play(env, rng, 20)
        action = int(mask_of(env).argmax())
        snapshot = env.unwrapped.snapshot()
        env.step(action)
        env.last()  # the wrapper keeps this mask
        env.unwrapped.restore(snapshot)
        env.step(action)
        assert not any(env.terminations.values())
        illegal = int(np.flatnonzero(mask_of(env) == 0)[0])
        mask_of(env)[:] = 1  # whoever writes in its mask gains nothing
        env.step(illegal)
        assert all(env.truncations.values())


def test_a_snapshot_of_another_environment_is_refused() -> None:
    env = rickety_kate_v0.raw_env()
    with pytest.raises(GameRecordError, match="no episode yet"):
        env.snapshot()
    env.reset(seed=1)
    before = env.engine.games.tobytes()
    for settings in ({"rules": Rules(players=5)}, {"episode": "game"}, {"reward": "rank"}, {"mask_in": "info"}):
        other = rickety_kate_v0.raw_env(**settings)  # type: ignore[arg-type]
        other.reset(seed=1)
        with pytest.raises(GameRecordError, match="no snapshot"):
            env.restore(other.snapshot())
    for wrong in (None, before, {}):
        with pytest.raises(GameRecordError, match="no snapshot"):
            env.restore(wrong)  # type: ignore[arg-type]
    assert env.engine.games.tobytes() == before
