"""The vector environment: equal step for step to Gymnasium's SyncVectorEnv of single ones; seeds; what is refused."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space

import agents  # noqa: F401  # registers "rule_based"
import rk_env  # noqa: F401  # registers the environment
from rk_env import DealError, IllegalActionError, PlayerError, Rules, RulesError, SeedError
from rk_env.errors import RicketyKateError
from rk_env.vector_env import AUTORESETS, RicketyKateVector
from tests.playing import HANDS
from tests.seat_playing import any_legal, arrays_in, assert_same

ID = "RicketyKate-v0"
MIXED: dict[str, Any] = {"opponents": ["random", {"random": 1, "rule_based": 2}, "ducker"]}
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "mixed opponents": MIXED | {"mask_in": "obs", "seat": 1},
    "whole games of three": {"rules": Rules(players=3, target=15), "episode": "game", "reward": "rank"},
    "two decks": {"rules": Rules(players=8, decks=2), "uniform_observations": True},
    "revokes": {"rules": Rules(players=5, revokes="exposed"), "illegal_reward": -3.0},
}


def vector(num_envs: int, **settings: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=num_envs, vectorization_mode="vector_entry_point", **settings)


def sync(num_envs: int, mode: str, **settings: Any) -> SyncVectorEnv:
    return SyncVectorEnv([lambda: gymnasium.make(ID, **settings)] * num_envs, autoreset_mode=AUTORESETS[mode])


@pytest.mark.parametrize("mode", AUTORESETS)
@pytest.mark.parametrize("name", SETTINGS)
def test_it_equals_single_environments_step_for_step(mode: str, name: str) -> None:
    ours, theirs = vector(4, autoreset_mode=mode, **SETTINGS[name]), sync(4, mode, **SETTINGS[name])
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng, n_ended = np.random.default_rng(0), 0
    for seed in (3, None, [5, None, 2**40, 0]):
        assert_same(ours.reset(seed=seed), theirs.reset(seed=seed))
        for step in range(90):
            actions = any_legal(ours.action_masks(), rng)
            if step % 20 == 19:
                actions[step % 4] = 53  # illegal, in the middle of an episode
            results = ours.step(actions)
            assert_same(results, theirs.step(actions))
            n_ended += int(results[2].sum())
    assert n_ended > 12


def test_the_same_options_go_for_all() -> None:
    ours, theirs = vector(3), sync(3, "same_step")
    options = {"hands": HANDS, "hand_number": 4}
    assert_same(ours.reset(seed=1, options=options), theirs.reset(seed=1, options=dict(options)))


def test_what_happens_in_one_depends_on_no_other() -> None:
    many, few = vector(6, **MIXED), vector(2, **MIXED)
    many.reset(seed=[10, 11, 12, 13, 14, 15])
    few.reset(seed=[12, 15])
    for _ in range(60):
        masks = many.action_masks()
        actions = any_legal(masks, np.random.default_rng(0))
        a, b = many.step(actions), few.step(actions[[2, 5]])
        for one, other in zip(a[:4], b[:4], strict=True):
            np.testing.assert_array_equal(one[[2, 5]], other)


def test_masks_are_never_empty_and_arrays_fresh_and_in_their_spaces() -> None:
    env = vector(5, mask_in="obs")
    results: list[Any] = [env.reset(seed=1)]
    rng = np.random.default_rng(0)
    for _ in range(40):
        assert env.action_masks().any(axis=1).all()
        results.append(env.step(any_legal(env.action_masks(), rng)))
        assert results[-1][0] in env.observation_space
    arrays = [array for result in results for array in arrays_in(result)]
    kept = copy.deepcopy(arrays)
    for _ in range(20):
        env.step(any_legal(env.action_masks(), rng))
    assert_same(arrays, kept)
    step = arrays_in(results[20])
    assert not any(np.shares_memory(a, b) for a in step for b in [*arrays_in(results[19]), *arrays_in(results[21])])


def test_the_metadata_is_each_ones_own() -> None:
    same, following = vector(2), vector(2, autoreset_mode=AutoresetMode.NEXT_STEP)
    assert same.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert following.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert "autoreset_mode" not in RicketyKateVector.metadata
    assert same.observation_space == batch_space(same.single_observation_space, 2)


def test_final_observations_are_those_of_the_end() -> None:
    env = vector(8)
    env.reset(seed=1)
    rng, n = np.random.default_rng(0), 0
    for _ in range(40):
        _, paid, ended, _, infos = env.step(any_legal(env.action_masks(), rng))
        assert ("final_obs" in infos) == bool(ended.any())
        assert (paid[~ended] == 0).all()
        for i in np.flatnonzero(ended):
            hands = env._games.engine.layout.slices["hand"]
            assert not infos["final_obs"][i][hands].any()  # all cards are played
            assert not infos["final_info"]["action_mask"][i].any()
            n += 1
    assert n >= 16


def test_it_renders_text_for_each() -> None:
    env = vector(3, render_mode="ansi")
    env.reset(seed=1)
    assert [text.count("13 cards") for text in env.render()] == [3, 3, 3]
    assert vector(3).render() is None


@pytest.mark.parametrize("actions", [[0] * 3, 0, [0.0] * 4, [54, 0, 0, 0], [-1, 0, 0, 0], None, ["QS"] * 4, [[0]] * 4])
def test_wrong_actions_are_refused_and_change_nothing(actions: Any) -> None:
    env = vector(4)
    with pytest.raises(IllegalActionError):
        env.step(any_legal(np.ones((4, 54)), np.random.default_rng(0)))  # no reset yet
    env.reset(seed=1)
    before = env._games.engine.games.tobytes()
    with pytest.raises(IllegalActionError):
        env.step(actions)
    assert env._games.engine.games.tobytes() == before


def test_one_illegal_action_may_raise_and_then_none_is_done() -> None:
    env = vector(4, illegal="raise")
    env.reset(seed=1)
    actions = any_legal(env.action_masks(), np.random.default_rng(0))
    actions[2] = 53
    before = env._games.engine.games.tobytes()
    with pytest.raises(IllegalActionError, match="game 2, seat"):
        env.step(actions)
    assert env._games.engine.games.tobytes() == before


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, [1, 2], [1, 2, -3], [[1]] * 3, 2**64 - 2])
def test_wrong_seeds_are_refused(seed: Any) -> None:
    env, twin = vector(3), vector(3)
    env.reset(seed=1)
    twin.reset(seed=1)
    with pytest.raises(SeedError):
        env.reset(seed=seed)
    with pytest.raises(DealError):
        env.reset(seed=4, options={"dealer": 9})
    with pytest.raises(DealError):
        env.reset(options={"dealer": 9})
    assert_same(env.reset(), twin.reset())


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"num_envs": 0.5}, RicketyKateError),
        ({"num_envs": -1}, RicketyKateError),
        ({"num_envs": 0}, RulesError),
        ({"autoreset_mode": "never"}, RulesError),
        ({"autoreset_mode": AutoresetMode.DISABLED}, RulesError),
        ({"autoreset_mode": None}, RulesError),
        ({"render_mode": "human"}, RulesError),
        ({"mask_in": None}, RulesError),
        ({"opponents": []}, PlayerError),
    ],
)
def test_wrong_arguments_are_refused(settings: dict[str, Any], error: type[RicketyKateError]) -> None:
    with pytest.raises(error):
        RicketyKateVector(**settings)
