"""All seats of many games: equal to the PettingZoo environment, and independent of the batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, IllegalActionError, Rules, RulesError, SeedError, rickety_kate_v0
from rk_env.errors import RicketyKateError
from rk_env.jit import JIT_DISABLED
from rk_env.rewards import REWARDS
from rk_env.self_play import SelfPlay, Turn
from tests.seat_playing import any_legal, assert_same

TABLES = [Rules(players=3), Rules(moon="new"), Rules(players=5), Rules(players=8, decks=2)]
N_STEPS = 200 if not JIT_DISABLED else 70


def parts(turn: Turn) -> list[Any]:
    return [turn.seats, turn.observations, turn.masks, turn.rewards, turn.ended]


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.players} players")
@pytest.mark.parametrize("episode", ["hand", "game"])
@pytest.mark.parametrize("reward", REWARDS)
def test_it_equals_the_pettingzoo_environment(rules: Rules, episode: Any, reward: Any) -> None:
    some = Rules(**{**rules.to_dict(), "target": 20})
    games = SelfPlay(some, 3, 5, episode, reward)
    env = rickety_kate_v0.raw_env(some, episode, reward)
    rng, turn, n_ended = np.random.default_rng(0), games.turn(), 0
    env.reset(seed=int(games.engine.games["seed"][1]))
    for _ in range(N_STEPS * (1 if episode == "hand" else 6)):
        seen = env.observe(env.agent_selection)
        assert env.agent_selection == f"player_{turn.seats[1]}"
        np.testing.assert_array_equal(turn.observations[1], seen["observation"])
        np.testing.assert_array_equal(turn.masks[1], seen["action_mask"])
        actions = any_legal(turn.masks, rng)
        env.step(int(actions[1]))
        turn = games.step(actions)
        assert turn.ended[1] == all(env.terminations.values())
        np.testing.assert_array_equal(turn.rewards[1], list(env.rewards.values()))
        if turn.ended[1]:
            n_ended += 1
            env.reset(seed=int(games.engine.games["seed"][1]))
    assert n_ended > 0 or JIT_DISABLED


def test_a_game_does_not_depend_on_the_batch() -> None:
    def play(num_games: int) -> list[Any]:
        games, seen = SelfPlay(Rules(players=3), num_games, 7), []
        turn = games.turn()
        for step in range(N_STEPS):
            turn = games.step(np.where(step % 2, turn.masks.argmax(axis=1), 53 - turn.masks[:, ::-1].argmax(axis=1)))
            seen.append([part[:4].copy() for part in parts(turn)])
        return seen

    assert_same(play(4), play(9))


def test_the_first_episodes_are_the_engines_and_no_two_are_alike() -> None:
    games = SelfPlay(num_games=50, seed=3)
    assert games.engine.games.tobytes() == Engine(num_games=50, seed=3, episode="hand").games.tobytes()
    seeds, turn = [games.engine.games["seed"].copy()], games.turn()
    while len(seeds) < 4:
        turn = games.step(turn.masks.argmax(axis=1))
        if turn.ended.any():
            seeds.append(games.engine.games["seed"][turn.ended].copy())
    drawn = np.concatenate(seeds)
    assert len(set(drawn.tolist())) == len(drawn)


def test_masks_are_never_empty_and_arrays_fresh() -> None:
    games, rng = SelfPlay(Rules(players=6, target=30), 8, 1, "game"), np.random.default_rng(0)
    turn = games.turn()
    kept: list[tuple[list[NDArray[Any]], list[NDArray[Any]]]] = []
    for _ in range(N_STEPS):
        assert turn.masks.any(axis=1).all()
        assert (turn.rewards[~turn.ended] == 0).all()
        kept.append((parts(turn), [part.copy() for part in parts(turn)]))
        turn = games.step(any_legal(turn.masks, rng))
    assert all((now == was).all() for pair in kept for now, was in zip(*pair, strict=True))


def test_rewards_sum_to_zero_and_observations_are_views() -> None:
    games, rng = SelfPlay(num_games=64, seed=2), np.random.default_rng(0)
    turn, n = games.turn(), 0
    while n < 200:
        views = games.engine.view(turn.seats)
        seen = games.engine.layout.encode(views, games.rules, turn.seats)
        np.testing.assert_array_equal(turn.observations, seen)
        turn = games.step(any_legal(turn.masks, rng))
        assert np.abs(turn.rewards.sum(axis=1)).max() < 1e-9
        n += int(turn.ended.sum())


def test_wrong_actions_change_nothing_and_pay_nothing() -> None:
    games = SelfPlay(num_games=3, seed=1)
    turn = games.turn()
    before = games.engine.games.tobytes()
    for actions in ([0], [53] * 3, [0.5] * 3, None, [-1] * 3, [2**70] * 3):
        with pytest.raises(IllegalActionError):
            games.step(actions)
        assert games.engine.games.tobytes() == before
    assert_same(parts(games.turn()), parts(turn))


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"rules": 4}, RulesError),
        ({"num_games": -1}, RicketyKateError),
        ({"num_games": 1.5}, RicketyKateError),
        ({"seed": -1}, SeedError),
        ({"seed": 1.5}, SeedError),
        ({"episode": "round"}, RulesError),
        ({"reward": "much"}, RulesError),
        ({"uniform_observations": 1}, RulesError),
    ],
)
def test_wrong_arguments_are_refused(settings: dict[str, Any], error: type[RicketyKateError]) -> None:
    with pytest.raises(error):
        SelfPlay(**settings)


def test_wrong_seeds_leave_the_games() -> None:
    games = SelfPlay(num_games=3, seed=1)
    before = games.engine.games.tobytes()
    with pytest.raises(SeedError):
        games.reset(-1)
    assert games.engine.games.tobytes() == before
    assert_same(parts(games.reset(9)), parts(SelfPlay(num_games=3, seed=9).turn()))


def test_without_a_seed_the_next_episodes_begin_alike() -> None:
    one, other = SelfPlay(num_games=3, seed=1), SelfPlay(num_games=3, seed=1)
    first = one.turn()
    assert_same(parts(one.reset()), parts(other.reset()))
    assert not np.array_equal(one.turn().observations, first.observations)
    assert_same(parts(one.reset(1)), parts(first))
    assert not np.array_equal(SelfPlay(num_games=3).turn().observations, SelfPlay(num_games=3).turn().observations)


@pytest.mark.parametrize("players", [3, 6])
def test_whole_games_go_through_play_offs(players: int) -> None:
    games, rng = SelfPlay(Rules(players=players, target=8), 64, 3, "game", "rank"), np.random.default_rng(0)
    turn, n_playoffs = games.turn(), 0
    for _ in range(N_STEPS * 3):
        turn = games.step(any_legal(turn.masks, rng))
        assert turn.masks.any(axis=1).all()
        assert np.abs(turn.rewards.sum(axis=1)).max() < 1e-9
        assert games.engine.in_play[np.arange(64), turn.seats].all()
        n_playoffs += int((games.engine.games["playoff"] > 0).sum())
    assert n_playoffs > 0
