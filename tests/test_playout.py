# ruff: noqa: N802 - names carry the numbers of rules
"""Hands played out in compiled code, and with any player, come to the same."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import agents
from agents import lockstep
from agents.pimc import Pimc
from agents.playout import play_out
from rk_env import Engine, Phase, Rules
from rk_env.jit import routine
from rk_env.state import HAND_OVER
from tests.generators import random_settings, rules_of
from tests.playing import play_on
from tests.searching import AS_RULE_BASED, RULE_BASED, Opaque, decisions
from tests.unseen import play_offs


@routine
def play_out_each(games: Any, rules: Any, rollout: Any) -> None:
    for i in range(games.shape[0]):
        play_out(games[i], rules[0], rollout, np.uint64(i))


def check_played_out(seed: int, n_hands: int) -> tuple[int, int]:
    """Play hands of all kinds out, after any number of random plays, and card by card; return how many ended early."""
    rng, chance = Random(seed), np.random.default_rng(seed)
    n_early = n_checked = 0
    while n_checked < n_hands:
        settings = random_settings(rng, decks=rng.choice([1, 1, 1, 2]))
        hands = [Engine(rules_of(settings), 8, seed=rng.getrandbits(32), episode="hand")]
        if settings.get("ties") != "share":
            hands.append(play_offs(settings, 8, seed=rng.getrandbits(32)))
        for engine in hands:
            play_on(engine, chance, n_steps=rng.randrange(engine.rules.hand_size * engine.rules.players))
            engine = Engine.from_games(engine.games[engine.phase < HAND_OVER], engine.rules)
            games = engine.games.copy()
            play_out_each(games, engine.rules.array, AS_RULE_BASED)
            seeds = np.zeros(len(engine), np.uint64)
            while (engine.turn >= 0).any():
                views = engine.view(np.maximum(engine.turn, 0).astype(np.int64))
                engine.step(RULE_BASED.act(views, engine.rules, seeds))
            for field in ("phase", "scores", "totals", "places", "shooter", "points"):
                np.testing.assert_array_equal(games[field], engine.games[field], err_msg=f"{field}: {engine.rules!r}")
            n_early += int((games["n_plays"] < engine.games["n_plays"]).sum())
            n_checked += len(games)
    return n_checked, n_early


def test_E8_a_hand_ends_early_only_when_nothing_counts_any_more() -> None:
    _, n_early = check_played_out(seed=1, n_hands=400)
    assert n_early > 10


@pytest.mark.slow
def test_E8_a_hand_ends_early_only_when_nothing_counts_any_more_in_20_000_hands() -> None:
    check_played_out(seed=2, n_hands=20_000)


# With any player


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(players=3, moon="new", bonus_cards=("JD",)), Rules(players=7, decks=2)], ids=repr
)
@pytest.mark.parametrize("belief", [1.0, 0.5])
def test_any_player_plays_out_as_its_parts_do(rules: Rules, belief: float) -> None:
    """The same worlds, the same seeds, the same results: a rule player that search can only ask changes nothing."""
    compiled = Pimc(150, doubt=0.0, belief=belief)
    asked = Pimc(150, doubt=0.0, belief=belief, rollout=Opaque())
    for d in decisions(rules, 2, seed=1, every=9):
        one, other = compiled.studies(d.views, d.rules, d.seeds), asked.studies(d.views, d.rules, d.seeds)
        for field in ("n_moves", "moves", "worlds", "tried", "visits"):
            np.testing.assert_array_equal(one[field], other[field])
        np.testing.assert_allclose(one["sums"], other["sums"], atol=1e-9)
        np.testing.assert_allclose(one["products"], other["products"], atol=1e-6)


def test_any_player_is_asked_in_views_and_once_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Noting(Opaque):
        def act(self, views: Any, rules: Rules, seeds: Any) -> Any:
            asked.append(len(views))
            assert (views["observer"] == views["turn"]).all()
            assert len(set(seeds.tolist())) <= lockstep.BLOCK_WORLDS
            return super().act(views, rules, seeds)

    engine = Engine(Rules(passing="left"), 1, seed=1)
    Pimc(320, doubt=0.0, rollout=Noting()).act(engine.view(engine.turn), engine.rules, np.zeros(1, np.uint64))
    assert max(asked) == lockstep.BLOCK_WORLDS * 20, "all passes in all worlds of a block"


def test_search_with_a_policy_of_noise_repeats_itself() -> None:
    player = agents.make("pimc", rollout="casual", simulations=80)
    for d in decisions(Rules(players=5), 3, seed=2, every=11):
        again = player.studies(d.views, d.rules, d.seeds)
        assert again.tobytes() == player.studies(d.views, d.rules, d.seeds).tobytes()
        assert (d.views["phase"] < Phase.HAND_OVER).all()
