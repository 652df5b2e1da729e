# ruff: noqa: N802 - names carry the numbers of rules
"""The PettingZoo environment with play-offs, two decks, and revokes."""

from __future__ import annotations

import copy
import dataclasses
from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import DealError, Engine, Layout, MisdealError, Phase, Rules, rickety_kate_v0
from rk_env.rewards import REWARDS
from tests.generators import random_cards
from tests.playing import Env, engine_of, moves, play_episode

EPISODES = ("hand", "game")
QUICK = {"target": 30}


def play_lowest_episode(env: Env) -> dict[str, float]:
    """Play the lowest legal cards to the end; return what was paid."""
    paid = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        paid[agent] += reward
        env.step(None if termination or truncation else int(observation["action_mask"].argmax()))
    return paid


# Every table


@pytest.mark.parametrize("episode", EPISODES)
def test_game_and_hand_episodes_follow_the_engine_at_every_table(table: Rules, episode: Any) -> None:
    rules = dataclasses.replace(table, revokes="exposed", late_revoke="replay", **QUICK)
    env, engine = rickety_kate_v0.env(rules, episode), Engine(rules, seeds=[11], episode=episode)
    env.reset(seed=11)
    assert env.possible_agents == [f"player_{seat}" for seat in range(table.players)]
    rng = np.random.default_rng(0)
    for agent, observation in moves(env, rng):
        if engine.phase[0] == Phase.HAND_OVER:
            engine.next_hand()
        assert agent == f"player_{engine.turn[0]}"
        np.testing.assert_array_equal(observation["observation"], engine.observe()[0])
        np.testing.assert_array_equal(observation["action_mask"], engine.action_mask()[0])
        assert env.observation_space(agent).contains(observation)
        engine.step([copy.deepcopy(rng).choice(np.flatnonzero(observation["action_mask"]))])
    assert engine.phase[0] >= Phase.HAND_OVER
    assert engine_of(env).games.tobytes() == engine.games.tobytes()


def test_observations_have_the_layout_of_the_rules(table: Rules) -> None:
    for revokes in ("prevented", "corrected"):
        rules = dataclasses.replace(table, revokes=revokes)
        env = rickety_kate_v0.raw_env(rules)
        env.reset(seed=1)
        assert env.observation_space("player_0")["observation"].shape == (Layout.of(rules).size,)
        assert env.state().shape == (Layout.of(rules).size + 52 * table.players,)
        assert env.state_space.contains(env.state())


def test_the_mask_is_in_the_observation_alone(table: Rules) -> None:
    env = rickety_kate_v0.env(table)
    env.reset(seed=1)
    for agent in env.agents:
        assert set(env.observe(agent)) == {"observation", "action_mask"}
        assert env.infos[agent] == {}
    assert set(env.last()[0]) == {"observation", "action_mask"}


def test_state_shows_all_hands_and_both_copies() -> None:
    env = rickety_kate_v0.raw_env(Rules(players=8, decks=2))
    env.reset(seed=1)
    hands = env.state()[Layout(8, decks=2).size :].reshape(8, 52)
    np.testing.assert_array_equal(hands.sum(axis=0), np.ones(52))  # copies / decks, and no kitty at eight
    assert set(np.unique(hands).tolist()) == {0.0, 0.5, 1.0}


# Play-offs


def play_off_of(players: int, seats: list[int], seed: int = 0, **fields: Any) -> tuple[Rules, dict[str, Any]]:
    """Rules, and options that begin a game with its first play-off among some seats."""
    rules = Rules(players=players, decks=1 if players < 7 else 2, **fields)
    hands, _ = random_cards(Random(seed), rules.to_dict(), seats)
    totals = [60 if seat in seats else 61 + seat for seat in range(players)]
    totals[next(seat for seat in range(players) if seat not in seats)] = 100
    return rules, {"hands": hands, "totals": totals, "dealer": seats[0]}


@pytest.mark.parametrize(("players", "seats"), [(4, [1, 3]), (5, [0, 2, 3, 4]), (9, [1, 2, 3, 5, 6, 7, 8])])
@pytest.mark.parametrize("reward", REWARDS)
def test_H4_H6_a_play_off_is_paid_by_places(players: int, seats: list[int], reward: Any) -> None:
    """Places: the winner, the others of the play-off by its results, the rest by their totals, which stay."""
    for seed in range(5):
        rules, options = play_off_of(players, seats, seed)
        env = rickety_kate_v0.env(rules, "game", reward)
        env.reset(seed=seed, options=options)
        assert engine_of(env).games["playoff"][0] == 1
        acted = set()
        for agent, _ in moves(copy.deepcopy(env), np.random.default_rng(seed)):
            acted.add(agent)
        assert acted <= {f"player_{seat}" for seat in seats}
        paid = list(play_episode(env, np.random.default_rng(seed)).values())
        engine = engine_of(env)
        assert engine.phase[0] == Phase.GAME_OVER
        assert engine.totals[0].tolist() == options["totals"]
        places = engine.places[0].tolist()
        winner = places.index(1)
        assert (winner in seats, places.count(1), engine.winner[0]) == (True, 1, winner)
        if reward in ("payoff", "points"):
            assert paid == [0.0] * players  # totals stay, and those given are never rewarded
        elif reward == "win_share":
            assert paid == pytest.approx([(seat == winner) - 1 / players for seat in range(players)])
        else:
            better = [sum(other < place for other in places) for place in places]
            equal = [places.count(place) for place in places]
            mean_place = [ahead + (n + 1) / 2 for ahead, n in zip(better, equal, strict=True)]
            assert paid == pytest.approx([1 - 2 * (place - 1) / (players - 1) for place in mean_place])
            assert sum(paid) == pytest.approx(0)


def test_games_go_through_play_offs_to_their_end() -> None:
    """Of games that end at once, many end in a tie; the environment deals the play-offs and pays the winner once."""
    env = rickety_kate_v0.env(Rules(players=5, target=1), "game")
    n_playoffs = 0
    for seed in range(40):
        env.reset(seed=seed)
        paid = play_episode(env, np.random.default_rng(seed))
        game, engine = engine_of(env).games[0], engine_of(env)
        n_playoffs += int(game.playoff > 0)
        assert engine.winner[0] >= 0
        assert paid[f"player_{engine.winner[0]}"] == pytest.approx(1 - 1 / 5)
        assert sum(paid.values()) == pytest.approx(0)
        assert (engine.totals[0] >= 1).any()
    assert 5 < n_playoffs < 40


def test_agents_that_sit_out_wait_and_end_with_the_others() -> None:
    rules, options = play_off_of(4, [1, 3])
    env = rickety_kate_v0.env(rules, "game")
    env.reset(seed=1, options=options)
    assert env.agents == env.possible_agents
    while not any(env.terminations.values()):
        for seat in (0, 2):
            observation = env.observe(f"player_{seat}")
            assert not observation["action_mask"].any()
            hand = observation["observation"][:52]
            assert not hand.any()
        play_episode(env, np.random.default_rng(0), 1)
    assert all(env.terminations.values())


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"totals": [60, 60, 100, 100], "hands": None}, MisdealError, "seat 0 has 13 cards; 2 players get 26 each"),
        ({"totals": [100, 60, 70, 80]}, DealError, "have reached the target 100; the game is over"),
        ({"totals": [60, 100, 60, 100]}, MisdealError, "seat 0 has 0 cards; 2 players get 26 each"),
    ],
)
def test_bad_play_off_options_change_nothing(change: dict[str, Any], error: type[Exception], message: str) -> None:
    rules, options = play_off_of(4, [1, 3])
    options = {key: value for key, value in (options | change).items() if value is not None}
    env = rickety_kate_v0.env(rules, "game")
    env.reset(seed=3)
    before = engine_of(env).games.tobytes()
    with pytest.raises(error, match=message):
        env.reset(seed=4, options=options)
    assert engine_of(env).games.tobytes() == before


def test_an_episode_of_one_hand_is_no_play_off() -> None:
    rules, options = play_off_of(4, [1, 3])
    env = rickety_kate_v0.env(rules, "hand")
    env.reset(seed=3)
    before = engine_of(env).games.tobytes()
    with pytest.raises(DealError, match=r"totals=\[100, 60, 63, 60\] have reached the target: a play-off belongs to a"):
        env.reset(seed=4, options=options)
    assert engine_of(env).games.tobytes() == before
    play_episode(env, np.random.default_rng(0))


# Two decks


@pytest.mark.parametrize("players", range(6, 12))
def test_two_deck_options_deal_what_is_given(players: int) -> None:
    rules = Rules(players=players, decks=2)
    hands, kitty = random_cards(Random(1), {"players": players, "decks": 2})
    env = rickety_kate_v0.env(rules)
    env.reset(seed=1, options={"hands": hands, "dealer": 2, "hand_number": 4})
    expected = Engine(rules, seeds=[1], episode="hand")
    expected.deal(hands, dealer=2, hand_number=4, kitty=kitty)
    assert engine_of(env).games.tobytes() == expected.games.tobytes()
    plain = rickety_kate_v0.env(rules)
    plain.reset(seed=8)
    env.reset(seed=8, options={"dealer": int(engine_of(plain).games["dealer"][0])})
    for field in ("hands", "kitty", "dealer", "hand_number"):
        assert engine_of(env).games[field].tobytes() == engine_of(plain).games[field].tobytes()


@pytest.mark.parametrize("players", [6, 11])
def test_X8_two_deck_hands_pay_what_52_points_come_to(players: int) -> None:
    env = rickety_kate_v0.env(Rules(players=players, decks=2, passing="none"), reward="points")
    for seed in range(5):
        env.reset(seed=seed)
        paid = play_episode(env, np.random.default_rng(seed))
        engine = engine_of(env)
        moon = engine.games["shooter"][0] >= 0
        assert -sum(paid.values()) == (52 * (players - 1) if moon else 52)
        np.testing.assert_array_equal([-value for value in paid.values()], engine.hand_scores[0])


# Revokes


def test_G2_a_corrected_revoke_keeps_the_agent_at_its_turn_and_is_paid() -> None:
    rules = Rules(revokes="corrected", passing="none")
    env = rickety_kate_v0.env(rules, reward="points")
    env.reset(seed=1)
    n_revokes = 0
    while not any(env.terminations.values()):
        agent, engine = env.agent_selection, engine_of(env)
        accepted, legal = env.observe(agent)["action_mask"], engine.action_mask(revokes=False)[0]
        revoking = np.flatnonzero(accepted - legal)
        if len(revoking) and n_revokes < 3:
            env.step(int(revoking[0]))
            n_revokes += 1
            assert env.agent_selection == agent
            np.testing.assert_array_equal(env.observe(agent)["action_mask"], legal)
        else:
            env.step(int(legal.argmax()))
    engine = engine_of(env)
    assert engine.games["revokes"].sum() == n_revokes == 3
    paid = play_episode(env, np.random.default_rng(0))
    points = 26 if engine.games["shooter"][0] < 0 else 3 * 26
    assert -sum(paid.values()) == points + 3 * 13


def test_G3_G4_a_replayed_hand_is_one_episode() -> None:
    rules = Rules(revokes="exposed", late_revoke="replay", passing="none")
    env = rickety_kate_v0.env(rules)
    n_redeals = 0
    for seed in range(5):
        env.reset(seed=seed)
        paid = play_episode(env, np.random.default_rng(seed))
        engine = engine_of(env)
        n_redeals += int(engine.games["redeal"][0])
        np.testing.assert_allclose(list(paid.values()), engine.payoffs[0])
        points = 26 if engine.games["shooter"][0] < 0 else 3 * 26
        assert engine.hand_scores[0].sum() == points + 13 * engine.games["revokes"].sum()
    assert n_redeals > 10


def test_lowest_cards_end_every_table(table: Rules) -> None:
    env = rickety_kate_v0.env(table)
    env.reset(seed=2)
    assert sum(play_lowest_episode(env).values()) == pytest.approx(0)
