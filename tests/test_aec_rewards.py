"""What episodes of the PettingZoo environment pay, and what illegal moves cost."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.env_logger import EnvLogger

from rk_env import Engine, IllegalActionError, Rules, RulesError, SeatError, rickety_kate_v0
from rk_env.rewards import REWARDS
from tests.playing import MAKERS, Env, engine_of, play_episode

EPISODES = ("hand", "game")
ZERO_SUM = ("payoff", "win_share", "rank")
QUICK = {"target": 30}  # a game of two or three hands


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Env]:
    return MAKERS[request.param]


# Rewards.


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("episode", EPISODES)
def test_rewards_are_paid_once_at_the_end_to_all(table: Rules, episode: Any, reward: Any) -> None:
    env = rickety_kate_v0.env(dataclasses.replace(table, **QUICK), episode, reward)
    totals_before = [3, 7, 0, 7, 1, 2, 0, 0, 5, 3, 9][: table.players]
    for seed in range(3):
        env.reset(seed=seed, options={"totals": totals_before})
        rng = np.random.default_rng(seed)
        while not any(env.terminations.values()):
            assert set(env.rewards.values()) == {0.0}
            play_episode(env, rng, 1)
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        engine = engine_of(env)
        expected = expected_rewards(engine, episode, reward, totals_before)
        np.testing.assert_allclose([env.rewards[agent] for agent in env.agents], expected)
        np.testing.assert_allclose(list(play_episode(env, rng).values()), expected)
        assert env.agents == []
        if reward in ZERO_SUM:
            assert sum(expected) == pytest.approx(0)


def expected_rewards(engine: Engine, episode: str, reward: str, totals_before: list[int]) -> list[float]:
    """What the page of the environment says, for one seat after the other."""
    totals = engine.totals[0].tolist()
    points = [after - before for after, before in zip(totals, totals_before, strict=True)]
    standings = points if episode == "hand" else engine.places[0].tolist()
    assert episode == "hand" or engine.games["playoff"][0] or standings == places_by(totals)
    n = len(points)
    results = []
    for seat in range(n):
        if reward == "payoff":
            results.append((sum(points) - points[seat]) / (n - 1) - points[seat])
        elif reward == "points":
            results.append(-points[seat])
        elif reward == "win_share":
            first = standings.count(min(standings))
            results.append((standings[seat] == min(standings)) / first - 1 / n)
        else:
            better = sum(other < standings[seat] for other in standings)
            equal = standings.count(standings[seat])
            place = better + (equal + 1) / 2
            results.append(1 - 2 * (place - 1) / (n - 1))
    return results


def places_by(totals: list[int]) -> list[int]:
    return [1 + sum(other < total for other in totals) for total in totals]


def test_default_rewards_are_payoff_and_win_share() -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=1)
    paid = play_episode(env, np.random.default_rng(1))
    np.testing.assert_allclose(list(paid.values()), engine_of(env).payoffs[0])
    game = rickety_kate_v0.env(Rules(**QUICK), "game")
    game.reset(seed=1)
    paid = play_episode(game, np.random.default_rng(1))
    np.testing.assert_allclose(list(paid.values()), engine_of(game).win_shares[0] - 0.25)


def test_initial_totals_are_never_rewarded_in_games() -> None:
    """A game that ends after the first hand pays the points of that hand, whatever stood there before."""
    for reward in ("payoff", "points"):
        env = rickety_kate_v0.env(Rules(max_hands=1), "game", reward)  # type: ignore[arg-type]
        results = []
        for totals in ([0, 0, 0, 0], [90, 10, 50, 0]):
            env.reset(seed=5, options={"totals": totals})
            results.append(play_episode(env, np.random.default_rng(5)))
        assert results[0] == results[1]


# Illegal moves.


def illegal_action(env: Env) -> int:
    observation = env.observe(env.agent_selection)
    return int(np.flatnonzero(observation["action_mask"] == 0)[0])


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("episode", EPISODES)
def test_illegal_moves_terminate(reward: str, episode: str) -> None:
    env = rickety_kate_v0.env(reward=reward, episode=episode)  # type: ignore[arg-type]
    for n_steps in (0, 7, 40):
        env.reset(seed=1)
        play_episode(env, np.random.default_rng(1), n_steps)
        offender = env.agent_selection
        env.step(illegal_action(env))
        EnvLogger.flush()
        assert all(env.terminations.values())
        assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
        paid = play_episode(env, np.random.default_rng(1))
        assert paid.pop(offender) < -1.0 + (reward == "win_share") * 0.5
        assert set(paid.values()) == {0.0}
        assert env.agents == []


def test_illegal_reward_is_what_is_asked_for() -> None:
    env = rickety_kate_v0.env(illegal_reward=-3.5)
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(illegal_action(env))
    EnvLogger.flush()
    assert play_episode(env, np.random.default_rng(0))[offender] == -3.5


@pytest.mark.parametrize("name", ["env-raise", "raw_env"])
def test_illegal_moves_raise_and_change_nothing(name: str) -> None:
    env = MAKERS[name](Rules())
    env.reset(seed=1)
    play_episode(env, np.random.default_rng(1), 30)
    before = engine_of(env).games.tobytes()
    with pytest.raises(IllegalActionError, match=r"seat \d.*is not legal; legal: ") as caught:
        env.step(illegal_action(env))
    assert env.agent_selection == f"player_{caught.value.seat}"
    assert engine_of(env).games.tobytes() == before
    assert not any(env.terminations.values())
    play_episode(env, np.random.default_rng(2))


@pytest.mark.parametrize("action", [-1, 54, 10**30, -(10**30), 2.0, np.float32(1), True, np.True_, "2C", None, [3]])
def test_what_is_no_action_raises(make: Callable[..., Env], action: Any) -> None:
    env = make(Rules())
    env.reset(seed=1)
    before = engine_of(env).games.tobytes()
    with pytest.raises(IllegalActionError, match=r"player_\d: .*0 to 53"):
        env.step(action)
    assert engine_of(env).games.tobytes() == before
    play_episode(env, np.random.default_rng(0))


@pytest.mark.parametrize("kind", [int, np.int8, np.uint64, np.int64, np.array])
def test_any_kind_of_whole_number_is_an_action(make: Callable[..., Env], kind: Any) -> None:
    env = make(Rules())
    env.reset(seed=1)
    env.step(kind(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert engine_of(env).games["n_picks"][0] + engine_of(env).games["n_plays"][0] == 1


@pytest.mark.parametrize(
    "arguments", [{"episode": "match"}, {"reward": "money"}, {"render_mode": "rgb_array"}, {"illegal": "ignore"}]
)
def test_bad_arguments(arguments: dict[str, Any]) -> None:
    ((name, value),) = arguments.items()
    with pytest.raises(RulesError, match=f"{name}='{value}' is not allowed; allowed: "):
        rickety_kate_v0.env(**arguments)


def test_unknown_agents_are_named() -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=1)
    for look in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(SeatError, match=r"'player_9'.*player_0, player_1, player_2, player_3"):
            look("player_9")
