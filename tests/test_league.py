"""Who sits beside the network: how many, where, how often, and what a checkpoint keeps of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agents
from agents.inputs import OBSERVATION, Inputs
from rk_env import Rules
from rk_env.errors import PlayerError
from rk_env.observation import Layout
from training.league import LEAST_WEIGHT, League, half_beside
from training.network import Network

RULES = Rules(players=5)


def weights(seed: int) -> list[np.ndarray]:
    torch.manual_seed(seed)
    return Network(Inputs(Layout.of(RULES), OBSERVATION), width=8, depth=1).policy_weights()


def test_a_share_of_the_tables_has_one_member_on_one_to_all_but_one_seats() -> None:
    lineup = League("ducker random", 0.4, 0, RULES).draw(10_000, seed=3)
    with_company = lineup.seats.any(axis=1)
    assert with_company.sum() == 4000
    seats = lineup.seats[with_company]
    assert (seats.max(axis=1, keepdims=True) == np.where(seats > 0, seats, seats.max(axis=1, keepdims=True))).all()
    counts = np.bincount((seats > 0).sum(axis=1), minlength=6)
    assert counts[[0, 5]].tolist() == [0, 0], "nobody beside the network, or nobody to learn"
    np.testing.assert_allclose(counts[1:5], 1000, atol=120)
    np.testing.assert_allclose((seats > 0).mean(axis=0), 0.5, atol=0.04)
    assert [player.name for player in lineup.players] == ["ducker@1", "random@1"]


def test_half_of_the_seats_are_another_s_and_one_at_least_the_network_s() -> None:
    player = agents.make("ducker")
    lineup = half_beside(player, 10_000, RULES, seed=3)
    assert lineup.players == [player]
    assert set(np.unique(lineup.seats)) == {0, 1}
    own = (lineup.seats == 0).sum(axis=1)
    assert own.min() == 1
    np.testing.assert_allclose((lineup.seats == 0).mean(axis=0), 0.6, atol=0.03)  # 1/5 + 4/5 * 1/2
    np.testing.assert_array_equal(half_beside(player, 50, RULES, 7).seats, half_beside(player, 50, RULES, 7).seats)
    assert (half_beside(player, 50, RULES, 7).seats != half_beside(player, 50, RULES, 8).seats).any()


def test_equal_seeds_draw_equal_tables() -> None:
    league = League("ducker random", 0.5, 0, RULES)
    np.testing.assert_array_equal(league.draw(50, 7).seats, league.draw(50, 7).seats)
    assert (league.draw(50, 7).seats != league.draw(50, 8).seats).any()


@pytest.mark.parametrize(("names", "share"), [("", 0.5), ("ducker", 0.0)])
def test_without_members_or_tables_for_them_the_network_is_alone(names: str, share: float) -> None:
    assert not League(names, share, 3, RULES).draw(100, seed=1).seats.any()


def test_whoever_costs_more_comes_more_often() -> None:
    league = League("ducker random rule_based", 1.0, 0, RULES)
    for member, payoff in zip(league.fixed, (0.0, 20.0, -2.0), strict=True):
        member.payoff = payoff
    seats = league.draw(100_000, seed=5).seats.max(axis=1)
    expected = np.array([0.5, LEAST_WEIGHT, 1 / (1 + np.exp(-2.0))])
    np.testing.assert_allclose(np.bincount(seats)[1:] / 100_000, expected / expected.sum(), atol=0.01)


def test_what_the_network_makes_at_a_member_s_tables_is_remembered() -> None:
    league = League("ducker random", 1.0, 0, RULES)
    lineup = league.draw(2, seed=1)
    lineup.seats[:] = [[0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    payoffs = np.array([[4.0, -9, -9, -9, 2.0], [7.0] * 5])
    league.note(lineup, payoffs)
    assert [member.payoff for member in league.members] == pytest.approx([0.3, 0.0])
    league.note(lineup, payoffs)
    assert league.members[0].payoff == pytest.approx(0.57), "most of the mean is older"


def test_the_newest_copies_are_kept() -> None:
    league = League("ducker", 1.0, 2, RULES)
    for k in range(4):
        league.add_past(f"copy {k}", weights(k), uniform=False)
    assert [member.name for member in league.members] == ["ducker", "copy 2", "copy 3"]
    none = League("ducker", 1.0, 0, RULES)
    none.add_past("copy", weights(1), uniform=False)
    assert none.past == []


def test_a_copy_stays_as_it_was_and_draws_its_actions() -> None:
    network = Network(Inputs(Layout.of(RULES), OBSERVATION), width=8, depth=1)
    league = League("", 1.0, 1, RULES)
    league.add_past("copy", network.policy_weights(), uniform=False)
    before = [array.copy() for array in league.past[0].player.weights]  # type: ignore[attr-defined]
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 1.0
    assert all(map(np.array_equal, before, league.past[0].player.weights))  # type: ignore[attr-defined]
    assert league.past[0].player.sample  # type: ignore[attr-defined]


def test_a_league_goes_on_from_its_state() -> None:
    league = League("ducker random", 0.5, 3, RULES)
    league.add_past("copy", weights(1), uniform=False)
    for member, payoff in zip(league.members, (1.0, 2.0, 3.0), strict=True):
        member.payoff = payoff
    other = League("ducker random", 0.5, 3, RULES)
    other.restore(league.state(), uniform=False)
    assert [(member.name, member.payoff) for member in other.members] == [
        ("ducker", 1.0),
        ("random", 2.0),
        ("copy", 3.0),
    ]
    np.testing.assert_array_equal(other.draw(500, 1).seats, league.draw(500, 1).seats)
    assert all(map(np.array_equal, weights(1), other.past[0].weights))


def test_names_may_be_quoted_and_must_make_players() -> None:
    names = 'ducker "rule_based:without=stop_moon"'
    assert [member.name for member in League(names, 0.5, 0, RULES).fixed] == ["ducker", "rule_based:without=stop_moon"]
    with pytest.raises(PlayerError, match="nobody_known"):
        League("ducker nobody_known", 0.5, 0, RULES)
    with pytest.raises(PlayerError, match="No closing quotation"):
        League('ducker "rule_based', 0.5, 0, RULES)
