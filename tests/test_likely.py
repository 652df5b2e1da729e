"""Worlds weighed by a model of the other seats: when they play as it does, the true world weighs 1, others less."""

from __future__ import annotations

import numpy as np
import pytest

import agents
from agents.likely import determinize_likely, likelihoods
from rk_env import Engine, GameRecordError, Rules, determinize
from rk_env.errors import PlayerError
from rk_env.jit import JIT_DISABLED
from tests.generators import scaled

TABLES = [{"players": 3}, {"players": 4, "moon": "new"}, {"players": 6, "passing": "none"}, {"players": 7, "decks": 2}]


def played_by_rules(rules: Rules, n_games: int, n_plays: int, seed: int = 1) -> Engine:
    """Games in which all seats have played some cards as `rule_based` does."""
    engine = Engine(rules, n_games, seed=seed, episode="hand")
    player = agents.make("rule_based")
    while (engine.games["n_plays"] < n_plays).any():
        acts = engine.games["n_plays"] < n_plays
        views = engine.view(engine.turn.astype(np.int64))
        actions = player.act(views, rules, np.zeros(n_games, np.uint64))
        engine.step(actions[acts], games=acts)
    return engine


@pytest.mark.parametrize("table", TABLES)
def test_true_world_weighs_1_when_others_play_as_the_model(table: dict[str, object]) -> None:
    engine = played_by_rules(Rules(**table), scaled(30), 14)  # type: ignore[arg-type]
    for seat in range(engine.rules.players):
        assert (likelihoods(engine.games, engine.view(seat), engine.rules) == 1.0).all()


def test_weight_counts_cards_that_the_model_would_not_have_played() -> None:
    engine = played_by_rules(Rules(), scaled(40), 16)
    views = engine.view(0)
    worlds = determinize(views, engine.rules, np.arange(len(views)))
    halves, tenths = (likelihoods(worlds, views, engine.rules, belief=factor) for factor in (0.5, 0.1))
    counts = np.log(halves) / np.log(0.5)
    np.testing.assert_allclose(counts, counts.round(), atol=1e-9)
    np.testing.assert_allclose(np.log(tenths) / np.log(0.1), counts, atol=1e-9)
    assert counts.mean() > 2


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes as plain Python")
def test_worlds_are_kept_as_often_as_they_weigh() -> None:
    """Among worlds with n surprises, a factor 0.5 leaves a share that is 0.5 ** n of what it was, up to a constant."""
    engine = played_by_rules(Rules(), 1, 12, seed=4)
    view = engine.view(int(engine.turn[0]))
    n = 20_000

    def surprises(worlds: np.ndarray) -> np.ndarray:
        weights = likelihoods(worlds, view.repeat(n), engine.rules)
        return np.bincount((np.log(weights) / np.log(0.5)).round().astype(int), minlength=16)

    even = surprises(determinize(view.repeat(n), engine.rules, np.arange(n)))
    kept = surprises(determinize_likely(view.repeat(n), engine.rules, np.arange(n), belief=0.5, tries=100_000))
    expected = even * 0.5 ** np.arange(len(even))
    expected *= n / expected.sum()
    many = expected > 300
    assert many.sum() >= 3
    spread = np.sqrt(expected + expected**2 / np.maximum(even, 1))  # both counts are drawn
    assert (np.abs(kept - expected) < 4.5 * spread)[many].all()


def test_few_tries_take_the_likeliest_world_seen() -> None:
    engine = played_by_rules(Rules(), scaled(60), 20)
    views = engine.view(engine.turn.astype(np.int64))
    seeds = np.arange(len(views))
    logs = [
        np.log(likelihoods(determinize_likely(views, engine.rules, seeds, tries=tries), views, engine.rules)).mean()
        for tries in (1, 8, 64)
    ]
    assert logs[0] < logs[1] < logs[2]


def test_belief_1_is_even() -> None:
    engine = played_by_rules(Rules(), 8, 20)
    views = engine.view(0)
    weights = likelihoods(engine.games, views, engine.rules, model="ducker", belief=1.0)
    assert (weights == 1.0).all()
    for model in ("rule_based", "ducker"):
        worlds = determinize_likely(views, engine.rules, np.arange(8), model=model, belief=1.0)
        again = determinize_likely(views, engine.rules, np.arange(8), belief=1.0, tries=5)
        assert worlds.tobytes() == again.tobytes()


def test_errors_say_what_is_wrong() -> None:
    engine = played_by_rules(Rules(), 2, 8)
    views = engine.view(0)
    for values, message in (
        ({"model": "random"}, "model='random@1' is no rule player"),
        ({"belief": 0.0}, r"belief=0.0 is not allowed; a number from 0.01 to 1"),
        ({"belief": True}, "belief=True"),
        ({"tries": 0}, "tries=0 is not allowed; a whole number"),
    ):
        with pytest.raises(PlayerError, match=message):
            determinize_likely(views, engine.rules, [1, 2], **values)  # type: ignore[arg-type]
    with pytest.raises(GameRecordError, match="view 0 is a full game"):
        determinize_likely(engine.games, engine.rules, [1, 2])
    with pytest.raises(GameRecordError, match="1 worlds for 2 views"):
        likelihoods(engine.games[:1], views, engine.rules)
    views["captured"][1] = 0
    with pytest.raises(GameRecordError, match="view 1"):
        determinize_likely(views, engine.rules, [1, 2])
