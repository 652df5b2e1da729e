"""`Engine`: making games, what it shows, hands one after the other, and what it refuses."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rk_env import (
    DealError,
    Engine,
    GameRecordError,
    IllegalActionError,
    MisdealError,
    Phase,
    RicketyKateError,
    Rules,
    RulesError,
    SeatError,
    SeedError,
)
from rk_env.engine import action_text
from rk_env.jit import JIT_DISABLED
from tests.playing import HANDS, assert_refuses, play_on, random_actions

# Making games.


def test_seeds_tell_the_games() -> None:
    assert Engine(seed=7, num_games=5).games.tobytes() == Engine(seed=7, num_games=5).games.tobytes()
    assert Engine(seed=7).games.tobytes() != Engine(seed=8).games.tobytes()
    assert Engine().games.tobytes() != Engine().games.tobytes()
    assert len(Engine(seeds=[1, 2, 3])) == 3
    assert len(Engine()) == 1
    assert Engine(seeds=[7, np.int8(5), 2**64 - 1, np.uint64(2**64 - 1)]).games["seed"].tolist()[1:3] == [5, 2**64 - 1]


def test_hand_episodes_have_the_cards_of_the_first_hand(table: Rules) -> None:
    for first_dealer in ("draw", "random", 1):
        rules = dataclasses.replace(table, first_dealer=first_dealer)
        game, hand = Engine(rules, num_games=50, seed=3), Engine(rules, num_games=50, seed=3, episode="hand")
        for one, other in zip(game.games["hands"], hand.games["hands"], strict=True):
            assert sorted(one.ravel()) == sorted(other.ravel())
        assert game.games["kitty"].tobytes() == hand.games["kitty"].tobytes()


@pytest.mark.parametrize("first_dealer", ["draw", "random", 2])
def test_hand_episodes_draw_dealers_and_directions_evenly(table: Rules, first_dealer: Any) -> None:
    n, players = 16_000 if not JIT_DISABLED else 800, table.players
    engine = Engine(dataclasses.replace(table, first_dealer=first_dealer), num_games=n, seed=1, episode="hand")
    pairs = engine.games["dealer"].astype(int) * 4 + engine.games["hand_number"] - 1
    counts = np.bincount(pairs, minlength=4 * players)
    expected = n / (4 * players)
    assert len(counts) == 4 * players
    assert ((counts - expected) ** 2 / expected).sum() < 90  # chi-square of 11 to 43 degrees of freedom: p < 1e-4


def test_no_games_at_all() -> None:
    engine = Engine(num_games=0)
    engine.step([])
    engine.next_hand()
    engine.reset()
    assert engine.observe().shape == (0, engine.layout.size)
    assert engine.action_mask().shape == (0, 54)
    assert engine.view(0).shape == engine.winner.shape == (0,)
    for name in ("in_play", "places", "captured_points", "hand_scores", "totals", "payoffs", "win_shares"):
        assert getattr(engine, name).shape == (0, 4)


def test_one_source_of_seeds() -> None:
    with pytest.raises(SeedError, match="seed and seeds"):
        Engine(seed=1, seeds=[2])


@pytest.mark.parametrize("rules", [0, {}, 4, "standard"])
def test_rules_are_rules(rules: Any) -> None:
    with pytest.raises(RulesError, match="a Rules object is needed"):
        Engine(rules)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, [1], None])
def test_bad_seeds(seed: Any) -> None:
    with pytest.raises(SeedError):
        Engine(seeds=[seed])
    if seed is not None:
        with pytest.raises(SeedError):
            Engine(seed=seed)


def test_wrong_numbers_of_games_and_seeds() -> None:
    for num_games in (-1, 2.0, True, "4"):
        with pytest.raises(RulesError, match="num_games"):
            Engine(num_games=num_games)  # type: ignore[arg-type]
    for seeds in ([1, 2], [[1], [2], [3]]):
        with pytest.raises(SeedError):
            Engine(num_games=3, seeds=seeds)
    with pytest.raises(RulesError, match="episode='round' is not allowed; allowed: 'game', 'hand'"):
        Engine(episode="round")  # type: ignore[arg-type]


def test_what_is_read_can_be_changed_without_harm() -> None:
    engine = Engine(num_games=2, seed=1)
    before = engine.games.tobytes()
    names = ("turn", "phase", "captured_points", "hand_scores", "totals", "payoffs", "win_shares", "winner")
    names += ("in_play", "places")
    for array in (*(getattr(engine, name) for name in names), engine.action_mask(), engine.observe()):
        array[...] = 1
    engine.view(0)["totals"] = 5
    assert engine.games.tobytes() == before


def test_errors_are_value_errors_of_one_family() -> None:
    assert issubclass(RicketyKateError, ValueError)
    for error in (DealError, MisdealError, IllegalActionError, SeatError, SeedError, GameRecordError, RulesError):
        assert issubclass(error, RicketyKateError)


# Beginning again.


@pytest.mark.parametrize("games", [[1, 3], np.array([False, True, False, True]), (3, 1)])
def test_reset_of_some_games(games: Any) -> None:
    engine = Engine(num_games=4, seed=1)
    play_on(engine, np.random.default_rng(0), 30)
    before = engine.games.copy()
    engine.reset(games, seeds=[11, 12])
    assert engine.games[[0, 2]].tobytes() == before[[0, 2]].tobytes()
    expected = Engine(seeds=[12, 11] if isinstance(games, tuple) else [11, 12])
    assert engine.games[[1, 3]].tobytes() == expected.games.tobytes()


def test_reset_of_all_games() -> None:
    engine, other = Engine(num_games=4, seed=1, episode="hand"), Engine(num_games=4, seed=2, episode="hand")
    other.reset(seed=1)
    assert engine.games.tobytes() == other.games.tobytes()
    engine.reset()
    assert engine.games.tobytes() != other.games.tobytes()


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([0, 4], r"\[4\] are not there; there are 4"),
        ([-1], "not there"),
        ([1, 1], "twice"),
        ([0.5], "mask of shape"),
        ([[0]], "mask of shape"),
        ([True, False], "mask of shape"),
        ("all", "mask of shape"),
    ],
)
def test_bad_choices_of_games(games: Any, message: str) -> None:
    engine = Engine(num_games=4, seed=1)
    calls: list[Callable[[], Any]] = [
        lambda: engine.reset(games),
        lambda: engine.redeal(games),
        lambda: engine.deal(HANDS, games=games),
        lambda: engine.view(0, games),
    ]
    for call in calls:
        assert_refuses(engine, GameRecordError, call, message)


def test_bad_seeds_reset_nothing() -> None:
    engine = Engine(num_games=3, seed=1)
    for seeds in ([1, 2], [1, 2, 3, 4], [1, 2, -3], [1.0, 2.0, 3.0]):
        assert_refuses(engine, SeedError, lambda seeds=seeds: engine.reset(seeds=seeds))  # type: ignore[misc]


# Hands one after the other.


def test_next_hand_moves_only_games_whose_hand_is_over(table: Rules) -> None:
    players = table.players
    engine = Engine(table, num_games=2, seed=1)
    assert_nothing_moves(engine)
    rng = np.random.default_rng(0)
    play_on(engine, rng)
    engine.reset([1], seeds=[5])
    before = engine.games.copy()
    engine.next_hand()
    assert engine.games[1].tobytes() == before[1].tobytes()
    after, was = engine.games[0], before[0]
    assert after.hand_number == 2
    assert after.dealer == (was.dealer + 1) % players
    assert after.totals.tolist() == was.totals.tolist()
    assert after.hands.tobytes() != was.hands.tobytes()
    assert (after.n_plays, after.n_picks, after.trick, after.points.any()) == (0, 0, 0, False)


def assert_nothing_moves(engine: Engine) -> None:
    before = engine.games.tobytes()
    engine.next_hand()
    assert engine.games.tobytes() == before


def test_a_game_that_is_over_stays_over() -> None:
    engine = Engine(Rules(max_hands=1), seed=1)
    play_on(engine, np.random.default_rng(0))
    assert engine.phase.tolist() == [Phase.GAME_OVER]
    assert_nothing_moves(engine)
    assert_refuses(engine, IllegalActionError, lambda: engine.step([0]), "nobody is to act")


def test_a_redeal_is_another_deal_of_the_same_hand() -> None:
    engine = Engine(num_games=3, seed=1)
    before = engine.games.copy()
    engine.redeal([0, 2])
    assert engine.games[1].tobytes() == before[1].tobytes()
    for field in ("dealer", "hand_number", "first_hand", "totals", "pass_seats"):
        np.testing.assert_array_equal(engine.games[field], before[field])
    assert engine.games["redeal"].tolist() == [1, 0, 1]
    assert (engine.games["hands"][[0, 2], 0] != before["hands"][[0, 2], 0]).any()
    play_on(engine, np.random.default_rng(0))
    assert_refuses(engine, DealError, lambda: engine.redeal([1]), "game 1: the hand is over")


@pytest.mark.parametrize("cuts", [0, 52, -3, 2.0, [1, 2], True, "1"])
def test_bad_cuts(cuts: Any) -> None:
    engine = Engine(num_games=3, seed=1)
    assert_refuses(engine, DealError, lambda: engine.next_hand(cuts), "cuts")
    assert_refuses(engine, DealError, lambda: engine.redeal(cuts=cuts), "cuts")


def test_a_cut_is_one_or_one_for_each_game() -> None:
    one, each = Engine(num_games=3, seed=1), Engine(num_games=3, seed=1)
    one.redeal(cuts=20)
    each.redeal(cuts=[20, 20, 20])
    assert one.games.tobytes() == each.games.tobytes()
    each.redeal(cuts=[20, 21, 20])
    one.redeal(cuts=20)
    assert [a.tobytes() == b.tobytes() for a, b in zip(one.games, each.games, strict=True)] == [True, False, True]


# Actions.


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0], r"shape \(1,\); shape \(2,\) is needed, one a game"),
        ([0, 0, 0], "shape"),
        ([[0, 0]], "shape"),
        (0, r"shape \(\)"),
        ([0.0, 1.0], "dtype float64"),
        ([np.nan, 1.0], "dtype float64"),
        ([True, False], "dtype bool"),
        (["2C", "3C"], "whole numbers"),
        ([None, 1], "dtype object"),
        ([2**70, 0], "dtype object"),
        (np.array([0, 0], dtype=object), "dtype object"),
        ([-1, -1], r"game 0, seat \d, phase PASS: nothing \(-1\) is not legal; legal: "),
        ([-2, -2], "-2 is not legal"),
        ([54, 54], "54 is not legal"),
        ([2**63 - 1, 0], f"{2**63 - 1} is not legal"),
        (np.array([2**64 - 1, 0], np.uint64), f"{2**64 - 1} is not legal"),
        ([52, 53], r"moon\+ is not legal.*2 of 2 games"),
    ],
)
def test_bad_actions(actions: Any, message: str) -> None:
    engine = Engine(num_games=2, seed=1)
    assert_refuses(engine, IllegalActionError, lambda: engine.step(actions), message)


def test_one_bad_action_stops_the_whole_step() -> None:
    engine = Engine(num_games=5, seed=1)
    rng = np.random.default_rng(0)
    play_on(engine, rng, 20)
    actions = random_actions(engine, rng)
    actions[3] = int(np.flatnonzero(engine.action_mask()[3, :52] == 0)[0])
    before = engine.games.tobytes()
    with pytest.raises(IllegalActionError, match=f"{action_text(actions[3])} is not legal; legal: ") as caught:
        engine.step(actions)
    assert (caught.value.game, caught.value.action) == (3, actions[3])
    assert caught.value.seat == engine.turn[3]
    assert engine.games.tobytes() == before


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_actions_of_any_whole_number_type(dtype: type) -> None:
    engine, other = Engine(num_games=3, seed=1), Engine(num_games=3, seed=1)
    actions = engine.action_mask().argmax(axis=1)
    engine.step(actions.astype(dtype))
    other.step(actions.tolist())
    assert engine.games.tobytes() == other.games.tobytes()


def test_no_step_changes_what_is_read_only() -> None:
    engine = Engine(num_games=2, seed=1)
    actions = engine.action_mask().argmax(axis=1)
    actions.flags.writeable = False
    engine.step(actions)
    with pytest.raises(ValueError, match="WRITEABLE"):
        engine.rules.array.flags.writeable = True


def test_engines_copy() -> None:
    engine = Engine(num_games=2, seed=1)
    other = copy.deepcopy(engine)
    play_on(other, np.random.default_rng(0))
    assert engine.games["n_plays"].tolist() == [0, 0]
    play_on(engine, np.random.default_rng(0))
    assert engine.games.tobytes() == other.games.tobytes()
