"""The Gymnasium environment for one seat: conformance, seeds, opponents, rewards, illegal actions, what is refused."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from numpy.typing import NDArray

import agents  # noqa: F401  # registers "rule_based"
import rk_env  # noqa: F401  # registers the environment
from rk_env import DealError, Engine, IllegalActionError, PlayerError, Rules, RulesError, SeatError, SeedError, players
from rk_env.errors import RicketyKateError
from rk_env.gym_env import RicketyKateSeat
from rk_env.players import RandomPlayer
from rk_env.rewards import REWARDS
from rk_env.vector_env import RicketyKateVector
from tests.playing import HANDS
from tests.seat_playing import any_legal, arrays_in, assert_same

ID = "RicketyKate-v0"


def play(env: Any, rng: np.random.Generator, seed: int | None = None) -> tuple[list[Any], float]:
    """Play an episode with random legal actions; return all that came back, and the sum of the rewards."""
    results: list[Any] = [env.reset(seed=seed)]
    total, ended = 0.0, False
    while not ended:
        results.append(env.step(int(any_legal(env.unwrapped.action_masks()[None], rng)[0])))
        total += results[-1][1]
        ended = results[-1][2]
    return results, total


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"mask_in": "obs", "seat": 2, "opponents": ["random", "rule_based", {"random": 1, "ducker": 1}]},
        {"rules": Rules(players=5), "episode": "game", "reward": "rank"},
        {"rules": Rules(players=8, decks=2), "uniform_observations": True, "render_mode": "ansi"},
    ],
)
def test_gymnasium_checks_it(settings: dict[str, Any]) -> None:
    check_env(gymnasium.make(ID, **settings).unwrapped, skip_render_check=True)


def test_gymnasium_checks_rendering() -> None:
    check_env(gymnasium.make(ID).unwrapped)


def test_it_is_made_by_name_with_its_module_too() -> None:
    assert isinstance(gymnasium.make("rk_env:RicketyKate-v0").unwrapped, RicketyKateSeat)
    check_environments_match(gymnasium.make(ID), gymnasium.make("rk_env:RicketyKate-v0"), num_steps=200)


def test_stable_baselines_checks_it() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

    check_env_of_sb3(gymnasium.make(ID).unwrapped)
    check_env_of_sb3(gymnasium.make(ID, mask_in="obs").unwrapped)


def test_masks_reach_maskable_ppo_through_wrappers() -> None:
    pytest.importorskip("sb3_contrib")
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.monitor import Monitor

    env = Monitor(gymnasium.make(ID))
    _, info = env.reset(seed=1)
    assert is_masking_supported(env)
    assert (get_action_masks(env) == info["action_mask"]).all()


def test_the_helper_of_stable_baselines_makes_it() -> None:
    """It asks for `render_mode="rgb_array"` first, and goes on without when that is a TypeError."""
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_util import make_vec_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Gymnasium warns of the mode that it is asked for
        env = make_vec_env(ID, n_envs=2, seed=1, env_kwargs={"opponents": "random"})
    env.reset()
    assert env.env_method("action_masks")[1].any()


# Seeds.


@pytest.mark.parametrize("episode", ["hand", "game"])
def test_a_seed_deals_what_the_engine_deals(episode: Any) -> None:
    rules = Rules(players=5)
    env = gymnasium.make(ID, rules=rules, episode=episode, seat=3)
    for seed in (0, 7, 2**64 - 1):
        env.reset(seed=seed)
        engine = Engine(rules, seeds=[seed], episode=episode)
        dealt = env.unwrapped._games.engine.games
        for field in ("seed", "dealer", "hand_number", "pass_seats"):
            assert dealt[field] == engine.games[field]
        if engine.turn[0] == 3:
            assert dealt.tobytes() == engine.games.tobytes()


def test_the_same_seed_gives_the_same_episodes_and_another_seed_others() -> None:
    settings: dict[str, Any] = {"opponents": {"random": 1, "rule_based": 1}}

    def three(seed: int) -> list[Any]:
        env, rng = gymnasium.make(ID, **settings), np.random.default_rng(5)
        return [play(env, rng, seed)[0], play(env, rng)[0], play(env, rng)[0]]

    first = three(1)
    assert_same(first, three(1))
    starts = [results[0][0].tobytes() for results in (*first, *three(2))]
    assert len(set(starts)) == 6


def test_the_seat_is_drawn_evenly_or_stays() -> None:
    env = gymnasium.make(ID)
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(600)]
    assert all(110 < seats.count(seat) < 190 for seat in range(4))
    env = gymnasium.make(ID, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(50)} == {2}


# What is seen and paid.


@pytest.mark.parametrize("players_", [3, 4, 5, 6])
@pytest.mark.parametrize("episode", ["hand", "game"])
@pytest.mark.parametrize("reward", REWARDS)
def test_observation_mask_and_reward_are_the_engines(players_: int, episode: Any, reward: Any) -> None:
    rules = Rules(players=players_, target=20)
    env = gymnasium.make(ID, rules=rules, episode=episode, reward=reward, opponents="rule_based").unwrapped
    rng, ended = np.random.default_rng(players_), False
    observation, info = env.reset(seed=players_)
    engine: Engine = env._games.engine
    while not ended:
        seat = info["seat"]
        assert engine.turn[0] == seat
        np.testing.assert_array_equal(info["action_mask"], engine.action_mask()[0])
        np.testing.assert_array_equal(observation, Engine.from_games(engine.games, rules).observe(seat)[0])
        observation, paid, ended, truncated, info = env.step(int(any_legal(info["action_mask"][None], rng)[0]))
        assert not truncated
        assert ended or paid == 0
    assert not info["action_mask"].any()
    points, places = (engine.totals, engine.places) if episode == "game" else (engine.hand_scores,) * 2
    assert paid == REWARDS[reward](points.astype(np.int64), places)[0, seat]


class Watching:
    """Plays at random and keeps the views it was handed."""

    name = "watching@1"

    def __init__(self) -> None:
        self.seen: list[NDArray[np.void]] = []
        self.good = players.RandomPlayer()

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        self.seen.append(views.copy())
        return self.good.act(views, rules, seeds)

    def evaluate(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> players.Evaluation:
        return self.good.evaluate(views, rules, seeds)


def test_opponents_are_handed_views_and_sit_where_they_should() -> None:
    left, across, right = Watching(), Watching(), Watching()
    env = gymnasium.make(ID, opponents=[left, across, right], seat=1)
    for seed in range(5):
        play(env, np.random.default_rng(seed), seed)
    for player, seat in ((left, 2), (across, 3), (right, 0)):
        views = np.concatenate(player.seen)
        assert set(views["observer"]) == set(views["turn"]) == {seat}
        assert (views["seed"] == 0).all()
        assert not views["hands"][:, [s for s in range(4) if s != seat]].any()


def test_opponents_play_as_they_do_elsewhere() -> None:
    stronger, weaker = (
        np.mean([play(gymnasium.make(ID, opponents=name), np.random.default_rng(s), s)[1] for s in range(150)])
        for name in ("random", "rule_based")
    )
    assert weaker < stronger - 2  # a random seat loses some 5 points more a hand to rule_based


def test_others_sit_down_with_the_next_episode() -> None:
    first, second = Watching(), Watching()
    env = gymnasium.make(ID, opponents=first).unwrapped
    env.reset(seed=1)
    env.seat_opponents(second)
    rng, ended = np.random.default_rng(0), False
    while not ended:
        ended = env.step(int(any_legal(env.action_masks()[None], rng)[0]))[2]
    assert first.seen
    assert not second.seen
    n = len(first.seen)
    play(env, rng)
    assert second.seen
    assert len(first.seen) == n


def test_every_array_is_fresh() -> None:
    env = gymnasium.make(ID, mask_in="obs")
    results, _ = play(env, np.random.default_rng(0), seed=1)
    arrays = [array for result in results for array in arrays_in(result)]
    kept = [array.copy() for array in arrays]
    play(env, np.random.default_rng(1))
    assert_same(arrays, kept)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays[:40]) for b in arrays[:i])


def test_text_shows_what_the_seat_sees() -> None:
    env = gymnasium.make(ID, render_mode="ansi", seat=0)
    env.reset(seed=1)
    text = env.render()
    assert isinstance(text, str)
    assert text.count("13 cards") == 3


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_on_alike_and_apart(copied: Any) -> None:
    env = gymnasium.make(ID, opponents="rule_based")
    env.reset(seed=4)
    env.step(int(any_legal(env.unwrapped.action_masks()[None], np.random.default_rng(0))[0]))
    twin = copied(env)
    for _ in range(3):
        action = int(any_legal(env.unwrapped.action_masks()[None], np.random.default_rng(1))[0])
        assert_same(env.step(action), twin.step(action))
    assert_same(play(env, np.random.default_rng(2)), play(twin, np.random.default_rng(2)))


class Failing(Watching):
    """Fails at its tenth decision, in one of several ways."""

    def __init__(self, failure: Callable[[], Any]) -> None:
        super().__init__()
        self.failure = failure

    def act(self, views: NDArray[np.void], rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        actions = super().act(views, rules, seeds)
        return self.failure() if len(self.seen) == 10 else actions  # type: ignore[no-any-return]


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("failure", "error"),
    [(lambda: np.array([99]), PlayerError), (lambda: None, PlayerError), (interrupt, KeyboardInterrupt)],
)
@pytest.mark.parametrize("kind", ["single", "vector", "sb3"])
def test_what_an_opponent_breaks_can_go_on(failure: Callable[[], Any], error: type[BaseException], kind: str) -> None:
    """The step in which an opponent fails is undone: the seat that is asked is to act still, and may try again."""
    opponent = Failing(failure)
    if kind == "single":
        env: Any = gymnasium.make(ID, opponents=opponent, seat=0).unwrapped
    elif kind == "vector":
        env = RicketyKateVector(1, opponents=opponent, seat=0)
    else:
        env = pytest.importorskip("rk_env.sb3").RicketyKateVecEnv(1, opponents=opponent, seat=0)
    env.reset()
    n_failed = 0
    for _ in range(60):
        before = env._games.engine.games.tobytes()
        mask = env.action_masks().reshape(54)
        assert mask.any()
        try:
            ended = env.step(int(mask.argmax()) if kind == "single" else mask.argmax()[None])[2]
        except error:
            n_failed += 1
            assert env._games.engine.games.tobytes() == before
            continue
        if kind == "single" and ended:
            env.reset()
    assert n_failed == 1


# Illegal actions, options, and what is refused.


def test_an_illegal_action_ends_the_episode_at_its_price() -> None:
    for settings, price in (({}, -100.0), ({"reward": "rank"}, -2.0), ({"illegal_reward": -7}, -7.0)):
        env = gymnasium.make(ID, **settings).unwrapped
        _, info = env.reset(seed=1)
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
        _, paid, ended, truncated, info = env.step(illegal)
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        assert (paid, ended, truncated) == (price, True, False)
        with pytest.raises(IllegalActionError, match="the episode is over"):
            env.step(illegal)
        play(env, np.random.default_rng(0))


def test_an_illegal_action_may_raise_and_then_nothing_changes() -> None:
    env = gymnasium.make(ID, illegal="raise").unwrapped
    _, info = env.reset(seed=1)
    before = env._games.engine.games.tobytes()
    for action in (int(np.flatnonzero(info["action_mask"] == 0)[0]), 54, -1, 2.5, None, True, "QS", 2**70):
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env._games.engine.games.tobytes() == before
    play(env, np.random.default_rng(0))


def test_options_give_the_deal() -> None:
    env = gymnasium.make(ID, seat=0).unwrapped
    env.reset(seed=1, options={"hands": HANDS, "dealer": 3, "hand_number": 4, "totals": [1, 2, 3, 4]})
    game = env._games.engine.games[0]
    assert (game["dealer"], game["hand_number"], game["pass_seats"]) == (3, 4, 0)
    assert game["totals"][:4].tolist() == [1, 2, 3, 4]
    assert env.action_masks()[:13].sum() == 1  # seat 0 holds the clubs and leads the two


def test_options_that_make_no_deal_leave_the_episode_and_the_stream() -> None:
    env, twin = gymnasium.make(ID).unwrapped, gymnasium.make(ID).unwrapped
    for one in (env, twin):
        one.reset(seed=1)
    for options in (
        {"hands": ["2C"] * 4},
        {"dealer": 9},
        {"x": 1},
        7,
        {"totals": [200, 200, 300, 300], "hands": HANDS},
    ):
        with pytest.raises(DealError):
            env.reset(options=options)
        with pytest.raises(DealError):
            env.reset(seed=5, options=options)
    assert_same(play_on(env), play_on(twin))
    assert_same(play(env, np.random.default_rng(0)), play(twin, np.random.default_rng(0)))


def test_a_deal_in_which_the_seat_never_acts_is_refused() -> None:
    cards = list(range(52))
    options = {"totals": [100, 50, 50, 120], "hands": [[], cards[:26], cards[26:], []]}
    for env in (RicketyKateSeat(seat=0, episode="game"), RicketyKateVector(2, seat=3, episode="game")):
        env.reset(seed=3)
        before = env._games.engine.games.tobytes()
        with pytest.raises(DealError, match="never acts"):
            env.reset(seed=1, options=options)
        assert env._games.engine.games.tobytes() == before
    env = RicketyKateSeat(seat=1, episode="game")
    assert env.reset(seed=1, options=options)[1]["action_mask"].any()
    assert env._games.engine.games["n_in_play"] == 2


def play_on(env: Any) -> list[Any]:
    """Play an episode under way to its end with the lowest legal actions."""
    results: list[Any] = []
    while not results or not results[-1][2]:
        results.append(env.step(int(env.action_masks().argmax())))
    return results


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"rules": 4}, RulesError),
        ({"opponents": ["random"]}, PlayerError),
        ({"opponents": "nobody"}, PlayerError),
        ({"seat": 4}, SeatError),
        ({"seat": -1}, SeatError),
        ({"seat": 1.5}, SeatError),
        ({"episode": "round"}, RulesError),
        ({"reward": "much"}, RulesError),
        ({"render_mode": "rgb"}, RulesError),
        ({"illegal": "pass"}, RulesError),
        ({"illegal_reward": "much"}, RulesError),
        ({"illegal_reward": float("nan")}, RulesError),
        ({"mask_in": "both"}, RulesError),
        ({"opponents": RandomPlayer}, PlayerError),
        ({"uniform_observations": 1}, RulesError),
    ],
)
def test_wrong_arguments_are_refused(settings: dict[str, Any], error: type[RicketyKateError]) -> None:
    with pytest.raises(error):
        RicketyKateSeat(**settings)


def test_wrong_seeds_are_refused_and_change_nothing() -> None:
    env, twin = gymnasium.make(ID).unwrapped, gymnasium.make(ID).unwrapped
    for one in (env, twin):
        one.reset(seed=3)
    for seed in (-1, 2**64, 1.5, "1", True, [1]):
        with pytest.raises(SeedError):
            env.reset(seed=seed)
    assert_same(play_on(env), play_on(twin))
