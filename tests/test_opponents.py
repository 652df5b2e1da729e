"""Opponents: one for all seats, one for each, mixtures; specs and objects; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agents
from rk_env.errors import PlayerError
from rk_env.opponents import Opponents
from rk_env.players import RandomPlayer

N = 20_000


def names_of(given: Any, players: int = 4) -> list[list[str]]:
    """The names of who can sit at each other seat."""
    opponents = Opponents.parse(given, players)
    chances = np.diff(opponents.up_to, axis=1, prepend=0.0)
    return [[opponents.players[k].name for k in np.flatnonzero(row > 0)] for row in chances]


def drawn(given: Any, players: int = 4) -> np.ndarray[Any, Any]:
    """How often each player sits at each other seat, (P - 1, K)."""
    opponents = Opponents.parse(given, players)
    numbers = np.random.default_rng(0).integers(2**63, size=(N, players - 1))
    picks = opponents.draw(numbers)
    return np.array([(picks == k).mean(axis=0) for k in range(len(opponents.players))]).T


def test_one_player_takes_all_seats() -> None:
    assert names_of("random", 6) == [["random@1"]] * 5
    assert names_of("rk_env.players:RandomPlayer") == [["random@1"]] * 3
    mine = RandomPlayer()
    assert Opponents.parse(mine, 4).players == (mine,)


def test_a_list_names_one_for_each_seat_clockwise() -> None:
    rule_based, ducker = agents.make("rule_based").name, agents.make("ducker").name
    assert names_of(["rule_based", "random", "ducker"]) == [[rule_based], ["random@1"], [ducker]]
    assert drawn(["random", "rule_based"], 3).tolist() == [[1, 0], [0, 1]]


def test_a_mixture_draws_by_weight_and_each_seat_for_itself() -> None:
    shares = drawn({"random": 3, "rule_based": 1})
    assert np.abs(shares - [0.75, 0.25]).max() < 0.02
    opponents = Opponents.parse({"random": 1, "rule_based": 1}, 4)
    picks = opponents.draw(np.random.default_rng(1).integers(2**63, size=(N, 3)))
    assert np.abs(np.corrcoef(picks.T) - np.eye(3)).max() < 0.05


def test_a_list_may_hold_mixtures_and_weight_zero_never_sits() -> None:
    shares = drawn([{"random": 1, "rule_based": 0}, "rule_based", {"random": 1, "rule_based": 1}])
    assert shares[0].tolist() == [1, 0]
    assert shares[1].tolist() == [0, 1]
    assert np.abs(shares[2] - 0.5).max() < 0.02


def test_one_spec_is_made_once_and_the_largest_number_draws_somebody() -> None:
    opponents = Opponents.parse(["rule_based", {"rule_based": 1, "random": 2}, "random"], 4)
    assert len(opponents.players) == 2
    assert opponents.draw(np.array([[2**63 - 1] * 3, [0] * 3])).tolist() == [[0, 1, 1], [0, 0, 1]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["random"], "1 opponents listed; 4 players need 3"),
        ([], "0 opponents listed"),
        ({}, "needs a player with a weight above 0"),
        ({"random": 0}, "needs a player with a weight above 0"),
        ({"random": -1, "rule_based": 2}, "the weight of 'random' is -1"),
        ({"random": "much"}, "the weight of 'random' is 'much'"),
        ({"random": True}, "the weight of 'random' is True"),
        ({"random": float("nan")}, "the weight of 'random' is nan"),
        ({"random": 10**400}, "the weight"),
        ({"random": float("inf")}, "the weight of 'random' is inf"),
        ("nobody", "nobody"),
        (None, "None"),
        (7, "7"),
    ],
)
def test_what_is_no_opponent_is_refused(given: Any, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        Opponents.parse(given, 4)
