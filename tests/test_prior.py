"""What a policy expects of plays, as a search weighs it against what it finds in worlds."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from agents.network import POINTS_PER_NAT
from agents.searching import LEAST_PROBABILITY
from rk_env import Engine, Rules
from rk_env.state import PASS
from tests.searching import RULE_BASED, Opaque, decisions, middle_of_hands, searcher
from tests.unseen import redealt

DUCKER = searcher("pimc:simulations=40,prior=ducker,prior_worlds=20,doubt=0")
PLAIN = searcher("pimc:simulations=40,doubt=0")


def test_expectations_weigh_as_much_as_worlds_in_which_they_came_true() -> None:
    d = middle_of_hands(6, tricks=2)
    with_prior, without = DUCKER.studies(d.views, d.rules, d.seeds), PLAIN.studies(d.views, d.rules, d.seeds)
    probabilities, _ = DUCKER.prior.evaluate(d.views, d.rules, d.seeds)
    expected = POINTS_PER_NAT * np.log(np.maximum(probabilities, LEAST_PROBABILITY))
    assert (without["n_moves"] > 1).sum() >= 3
    for i, (study, other) in enumerate(zip(with_prior, without, strict=True)):
        n = int(study["n_moves"])
        k = 20 if n > 1 else 0
        assert study["worlds"] == other["worlds"] + k
        assert study["tried"] == other["tried"]
        np.testing.assert_allclose(study["sums"][:n], other["sums"][:n] + k * expected[i, study["moves"][:n, 0]])


def test_what_is_found_is_told_without_what_was_expected() -> None:
    d = middle_of_hands(6, tricks=2)
    (_, values), (_, plain) = (player.evaluate(d.views, d.rules, d.seeds) for player in (DUCKER, PLAIN))
    np.testing.assert_allclose(values, plain, atol=1e-9)
    assert values.any()


@pytest.mark.parametrize(
    "options", [{"simulations": 12}, {"simulations": 12, "doubt": 0}, {"simulations": 9, "rollout": Opaque()}]
)
def test_a_prior_that_weighs_enough_decides_alone(options: dict[str, Any]) -> None:
    """But for passes, which are searched as ever."""
    sure = searcher("pimc", **options, prior="ducker", prior_worlds=10**6)
    plain = searcher("pimc", **options)
    n_plays = n_other = 0
    for d in decisions(Rules(), 3, every=4):
        actions = sure.act(d.views, d.rules, d.seeds)
        passes = d.views["phase"] == PASS
        np.testing.assert_array_equal(actions[passes], plain.act(d.views, d.rules, d.seeds)[passes])
        np.testing.assert_array_equal(actions[~passes], sure.prior.act(d.views, d.rules, d.seeds)[~passes])
        n_plays += int((~passes).sum())
        n_other += int((plain.act(d.views, d.rules, d.seeds) != actions)[~passes].sum())
    assert n_plays > 20 and n_other > 0


def test_a_prior_without_weight_changes_nothing() -> None:
    light = searcher("pimc:simulations=60", prior="ducker", prior_worlds=0)
    plain = searcher("pimc:simulations=60")
    for d in decisions(Rules(players=3), 3, every=7):
        np.testing.assert_array_equal(light.act(d.views, d.rules, d.seeds), plain.act(d.views, d.rules, d.seeds))


def test_what_others_hold_does_not_change_what_is_expected() -> None:
    d = middle_of_hands(6, tricks=3)
    games = redealt(d.games, d.rules, d.views["observer"].astype(np.int64), Random(2))
    assert (games["hands"] != d.games["hands"]).any()
    views = Engine.from_games(games, d.rules).view(d.views["observer"].astype(np.int64))
    for player in (DUCKER, searcher("pimc:simulations=40", prior=RULE_BASED)):
        np.testing.assert_array_equal(player.act(views, d.rules, d.seeds), player.act(d.views, d.rules, d.seeds))
