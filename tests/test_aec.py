"""The PettingZoo environment: spaces, deals, observations and copies, where PettingZoo's own tests do not look."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import DealError, Engine, Phase, Rules, SeedError, rickety_kate_v0
from rk_env.observation import OBS_VERSION, Layout
from rk_env.rewards import REWARDS
from rk_env.state import N_ACTIONS
from tests.playing import HANDS, MAKERS, Env, engine_of, moves, play_episode

EPISODES = ("hand", "game")
QUICK = {"target": 30}  # a game of two or three hands


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[..., Env]:
    return MAKERS[request.param]


# Names and spaces.


def test_names() -> None:
    env = rickety_kate_v0.env()
    assert str(env) == "rickety_kate_v0"
    assert env.metadata["is_parallelizable"] is False
    assert "ansi" in env.metadata["render_modes"]
    assert env.metadata["render_fps"] > 0
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert rickety_kate_v0.__all__ == ["env", "parallel_env", "raw_env"]


def test_docstring_is_the_reference_page() -> None:
    page = rickety_kate_v0.raw_env.__doc__ or ""
    assert all(line in page for line in Layout(4).table().splitlines())
    assert "{" not in page.replace('`{"observation": float32 (D,), "action_mask": int8 (54,)}`', "")
    assert all(f'| "{reward}" |' in page for reward in REWARDS)
    assert "Version History" in page


def test_observation_shape_follows_the_layout(table: Rules) -> None:
    env = rickety_kate_v0.raw_env(table)
    assert OBS_VERSION == 2
    for agent in env.possible_agents:
        assert env.observation_space(agent)["observation"].shape == (Layout.of(table).size,)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == N_ACTIONS


def test_observations_stay_in_the_space_at_extreme_totals() -> None:
    env = rickety_kate_v0.raw_env(Rules(target=1_000_000), episode="game")
    env.reset(seed=1, options={"totals": [999_999, 1 - 2**30, 0, 7]})
    for agent in env.possible_agents:
        assert env.observation_space(agent).contains(env.observe(agent))
    assert env.state_space.contains(env.state())


# Dealing.


@pytest.mark.parametrize("episode", EPISODES)
def test_a_seed_deals_what_the_engine_deals(make: Callable[..., Env], table: Rules, episode: Any) -> None:
    env = make(table, episode=episode)
    for seed in (0, 1, 2**64 - 1):
        env.reset(seed=seed)
        assert engine_of(env).games.tobytes() == Engine(table, seeds=[seed], episode=episode).games.tobytes()


def test_game_episodes_follow_the_engine_through_all_hands() -> None:
    rules = Rules(players=3, **QUICK)
    env, engine = rickety_kate_v0.env(rules, "game"), Engine(rules, seeds=[11])
    env.reset(seed=11)
    rng, n_hands = np.random.default_rng(0), 1
    for agent, observation in moves(env, rng):
        if engine.phase[0] == Phase.HAND_OVER:
            engine.next_hand()
            n_hands += 1
        assert agent == f"player_{engine.turn[0]}"
        np.testing.assert_array_equal(observation["observation"], engine.observe()[0])
        np.testing.assert_array_equal(observation["action_mask"], engine.action_mask()[0])
        action = copy.deepcopy(rng).choice(np.flatnonzero(observation["action_mask"]))
        engine.step([action])
    assert engine.phase[0] == Phase.GAME_OVER
    assert n_hands > 1


def test_reset_without_a_seed_goes_on_with_the_stream() -> None:
    def deals(env: Env, seed: int) -> list[bytes]:
        env.reset(seed=seed)
        found = [engine_of(env).games.tobytes()]
        for _ in range(3):
            env.reset()
            found.append(engine_of(env).games.tobytes())
        return found

    first, second = rickety_kate_v0.env(), rickety_kate_v0.env()
    first.reset()
    second.reset()
    assert engine_of(first).games.tobytes() != engine_of(second).games.tobytes()
    assert deals(first, 5) == deals(second, 5)
    assert len(set(deals(first, 5))) == 4


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "1", [1]])
def test_bad_seeds(seed: Any) -> None:
    env = rickety_kate_v0.raw_env()
    env.reset(seed=3)
    before = engine_of(env).games.tobytes()
    with pytest.raises(SeedError):
        env.reset(seed=seed)
    assert engine_of(env).games.tobytes() == before


def test_options_deal_what_is_given() -> None:
    env = rickety_kate_v0.env(episode="game")
    env.reset(seed=1, options={"hands": HANDS, "dealer": 2, "hand_number": 4, "totals": [1, 2, 3, 4]})
    engine = engine_of(env)
    expected = Engine(seeds=[1])
    expected.deal(HANDS, dealer=2, hand_number=4, totals=[1, 2, 3, 4])
    assert engine.games.tobytes() == expected.games.tobytes()
    assert env.agent_selection == "player_0"  # holds the two of clubs; hand 4 is a hold hand


@pytest.mark.parametrize(
    ("option", "value"), [("dealer", 0), ("hand_number", 3), ("totals", [5, 0, 0, 0]), ("hands", HANDS)]
)
def test_what_is_not_given_is_as_the_seed_has_it(option: str, value: Any) -> None:
    plain, given = rickety_kate_v0.raw_env(), rickety_kate_v0.raw_env()
    plain.reset(seed=8)
    given.reset(seed=8, options={option: value})
    fields = {"hands", "dealer", "hand_number", "totals"} - {option}
    for field in fields:
        np.testing.assert_array_equal(plain.engine.games[field], given.engine.games[field])
    assert plain.engine.games[option].tobytes() != given.engine.games[option].tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deler": 1}, r"'deler'.*'hands', 'dealer', 'hand_number', 'totals'"),
        ({"dealer": 4}, "dealer=4"),
        ({"dealer": None}, "dealer=None"),
        ({"hand_number": 0}, "hand_number=0"),
        ({"totals": [1, 2]}, "totals"),
        ({"hands": HANDS[:3]}, "3 hands given"),
        ({"hands": [HANDS[0], *HANDS[:3]]}, "2C.*dealt to another seat"),
        ({"hands": ["2C", *HANDS[1:]]}, "seat 0 has 1 card"),
        ({"hands": ["2C 1X", *HANDS[1:]]}, "seat 0.*1X"),
        ({"hands": 5}, "hands"),
    ],
)
def test_bad_options_change_nothing(options: dict[str, Any], message: str) -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=3)
    rng = np.random.default_rng(0)
    play_episode(env, rng, 20)
    before, agent = engine_of(env).games.tobytes(), env.agent_selection
    with pytest.raises(DealError, match=message):
        env.reset(seed=4, options=options)
    assert engine_of(env).games.tobytes() == before
    assert env.agent_selection == agent
    play_episode(env, rng)


def test_hand_episodes_draw_directions_and_dealers_evenly() -> None:
    env = rickety_kate_v0.raw_env()
    env.reset(seed=0)
    seen = []
    for _ in range(800):
        env.reset()
        seen.append((int(env.engine.games["dealer"][0]), int(env.engine.games["pass_seats"][0])))
    counts = np.array([seen.count(pair) for pair in itertools.product(range(4), range(4))])
    assert (counts > 20).all()  # 50 expected of each


# Observing, copying.


def test_any_agent_sees_at_any_time(table: Rules) -> None:
    env = rickety_kate_v0.env(table)
    env.reset(seed=2)
    views = Engine(table, seeds=[2], episode="hand")
    for agent, _ in moves(env, np.random.default_rng(0)):
        views.games[:] = engine_of(env).games
        for seat, other in enumerate(env.possible_agents):
            observation = env.observe(other)
            np.testing.assert_array_equal(observation["observation"], views.observe(seat)[0])
            assert observation["action_mask"].any() == (other == agent)
    assert env.agents == []
    for agent in env.possible_agents:
        observation = env.observe(agent)
        assert env.observation_space(agent).contains(observation)
        assert not observation["action_mask"].any()


def test_arrays_are_fresh_every_time() -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=2)
    kept: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for _, observation in moves(env, np.random.default_rng(0)):
        kept += [(array, array.copy()) for array in observation.values()]
        kept += [(array, array.copy()) for array in env.observe(env.agent_selection).values()]
        kept.append((env.state(), env.state()))
    for array, copied in kept:
        np.testing.assert_array_equal(array, copied)
    arrays = [array for array, _ in kept[:40]]
    assert not any(np.shares_memory(a, b) for a, b in itertools.combinations(arrays, 2))


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("episode", EPISODES)
def test_copies_keep_the_state_and_are_apart(
    make: Callable[..., Env], duplicate: Callable[[Any], Any], episode: str
) -> None:
    env = make(Rules(**QUICK), episode=episode)
    env.reset(seed=4)
    play_episode(env, np.random.default_rng(0), 33)
    other = duplicate(env)
    before = engine_of(env).games.tobytes()
    assert engine_of(other).games.tobytes() == before
    paid = play_episode(other, np.random.default_rng(1))
    assert engine_of(env).games.tobytes() == before
    assert play_episode(env, np.random.default_rng(1)) == paid
    env.reset()
    other.reset()
    assert engine_of(env).games.tobytes() == engine_of(other).games.tobytes()


def test_reset_in_the_middle_of_the_end() -> None:
    env = rickety_kate_v0.env()
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        play_episode(env, rng, 1)
    play_episode(env, rng, 2)
    assert len(env.agents) == 2
    env.reset(seed=1)
    assert len(env.agents) == 4
    assert play_episode(env, rng).keys() == set(env.possible_agents)
    assert env.agents == []


def test_an_ended_agent_takes_no_action(make: Callable[..., Env]) -> None:
    env = make(Rules())
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    while not any(env.terminations.values()):
        play_episode(env, rng, 1)
    with pytest.raises(ValueError, match="None"):
        env.step(3)


def test_state_is_what_a_critic_may_see() -> None:
    env = rickety_kate_v0.env()
    env.reset(seed=1)
    state, layout = env.state(), Layout(4)
    assert state.dtype == np.float32
    np.testing.assert_array_equal(state[: layout.size], env.observe("player_0")["observation"])
    hands = state[layout.size :].reshape(4, 52)
    np.testing.assert_array_equal(hands.sum(axis=0), np.ones(52))
    np.testing.assert_array_equal(hands[0], env.observe("player_0")["observation"][:52])


def test_rendering_needs_a_mode(recwarn: pytest.WarningsRecorder) -> None:
    env = rickety_kate_v0.raw_env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode=None"):
        assert env.render() is None


def test_human_mode_writes_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    env = rickety_kate_v0.env(render_mode="human")
    env.reset(seed=1)
    play_episode(env, np.random.default_rng(0))
    text = capsys.readouterr().out
    assert text.count("Rickety Kate") > 52
    assert "hand over" in text
