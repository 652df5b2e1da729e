"""Who sits at the tables of self-play besides the network: players that are always there, and its own past.

Alone, a network learns to play against itself, and meets no moon that it does not shoot itself. At some of the tables a
league sits beside it. Whoever is harder to play against comes more often, as in Vinyals et al. 2019 (prioritised
fictitious self-play): an opponent's weight is the logistic function of what it costs, in points of payoff a hand.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

import agents
from agents.network import NetworkPlayer
from rk_env.errors import PlayerError
from rk_env.players import Player
from rk_env.rules import Rules

MEMORY: Final = 0.9
"""How much of a running mean of payoffs one more iteration leaves."""
LEAST_WEIGHT: Final = 0.05
"""Of an opponent that costs nothing any more: it comes now and then, so that it is not forgotten."""


@dataclass
class Member:
    """An opponent, and the payoff a hand that the network has made of late at tables with it; 0 before any."""

    name: str
    player: Player
    payoff: float = 0.0
    weights: Sequence[NDArray[np.float32]] = ()
    """of a past policy"""

    @property
    def weight(self) -> float:
        """How often it comes, beside the others."""
        return max(LEAST_WEIGHT, float(1.0 / (1.0 + np.exp(self.payoff))))


@dataclass(frozen=True)
class Lineup:
    """Who sits where in an iteration."""

    players: list[Player]
    seats: NDArray[np.int64]  # (games, P): 0 is the network, k is players[k - 1]


class League:
    """The opponents of a run.

    Args:
        names: of those who are always there, apart by spaces, quoted where a name has some.
        share: of the tables at which one of the league sits.
        pool: past policies kept; the oldest leaves.
        rules: the rules.

    Raises:
        PlayerError: when a name makes no player, or a quotation does not end.
    """

    def __init__(self, names: str, share: float, pool: int, rules: Rules) -> None:
        self.rules = rules
        self.share = share
        self.pool = pool
        self.fixed = members_of(names)
        self.past: list[Member] = []

    @property
    def members(self) -> list[Member]:
        """All opponents, the newest past policy last."""
        return [*self.fixed, *self.past]

    def draw(self, num_games: int, seed: int) -> Lineup:
        """Return who sits where in an iteration.

        At a share of the tables one member takes 1 to P - 1 seats, any with the same probability; the network has all
        others.
        """
        seats = np.zeros((num_games, self.rules.players), np.int64)
        members = self.members
        if members:
            rng = np.random.default_rng(seed)
            weights = np.array([member.weight for member in members])
            tables = slice(0, round(self.share * num_games))
            who = rng.choice(len(members), len(seats[tables]), p=weights / weights.sum())
            n_seats = rng.integers(1, self.rules.players, len(who))
            is_theirs = rng.random((len(who), self.rules.players)).argsort(axis=1) < n_seats[:, None]
            seats[tables] = is_theirs * (1 + who[:, None])
        return Lineup([member.player for member in members], seats)

    def note(self, lineup: Lineup, payoffs: NDArray[np.float64]) -> None:
        """Remember what the network made, (games, P) points, at tables with each member."""
        for k, member in enumerate(self.members, start=1):
            own = payoffs[(lineup.seats == k).any(axis=1)[:, None] & (lineup.seats == 0)]
            if len(own):
                member.payoff = MEMORY * member.payoff + (1 - MEMORY) * float(own.mean())

    def add_past(self, name: str, weights: list[NDArray[np.float32]], **kind: Any) -> None:
        """Let a copy of the policy, to which the weights are left, join; it draws its actions, as in training.

        `kind` are the arguments of `NetworkPlayer` that tell what kind of policy it is.
        """
        player = NetworkPlayer(weights, self.rules, **kind, name=name, sample=True)
        self.past = [*self.past, Member(name, player, weights=weights)][max(0, len(self.past) + 1 - self.pool) :]

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint holds of it."""
        past = [[member.name, [torch.from_numpy(array) for array in member.weights]] for member in self.past]
        return {"payoffs": [member.payoff for member in self.members], "past": past}

    def restore(self, state: dict[str, Any], **kind: Any) -> None:
        """Become what `state` was taken from; `kind` as for `add_past`."""
        for name, tensors in state["past"]:
            self.add_past(name, [tensor.numpy() for tensor in tensors], **kind)
        for member, payoff in zip(self.members, state["payoffs"], strict=True):
            member.payoff = payoff


def half_beside(player: Player, num_games: int, rules: Rules, seed: int) -> Lineup:
    """Return tables of the network and one player: at each the network has a seat, and half of the others."""
    rng = np.random.default_rng(seed)
    is_theirs = rng.random((num_games, rules.players)) < 0.5
    is_theirs[np.arange(num_games), rng.integers(0, rules.players, num_games)] = False
    return Lineup([player], is_theirs.astype(np.int64))


def members_of(names: str) -> list[Member]:
    """Return the players of a text that names them, apart by spaces.

    Raises:
        PlayerError: when a name makes no player, or a quotation does not end.
    """
    try:
        apart = shlex.split(names)
    except ValueError as error:
        raise PlayerError(f"league {names!r}: {error}") from error
    return [Member(name, agents.make(name)) for name in apart]
