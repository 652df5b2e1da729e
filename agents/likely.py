"""Determinization by likelihood: worlds weighed by what a rule player would have passed and played in them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from agents.belief import Belief, likely_world_of_each, weigh_worlds
from agents.budget import checked_number
from agents.rule_player import RulePlayer
from rk_env import players
from rk_env.errors import GameRecordError, PlayerError
from rk_env.inputs import as_seeds, check_rules, check_views
from rk_env.players import Player
from rk_env.records import check_public
from rk_env.rules import Rules

Games = NDArray[np.void]


def determinize_likely(
    views: Games,
    rules: Rules,
    seeds: ArrayLike,
    model: str | Player = "rule_based",
    belief: float = 0.5,
    tries: int = 32,
) -> Games:
    """Return full games that agree with each view, (B,), the likelier ones more often; see `rk_env.determinize`.

    Args:
        views: what a seat sees, (B,) records of `rk_env.GAME`.
        rules: their rules.
        seeds: randomness, (B,), one number a draw.
        model: the rule player, or its spec, that other seats are taken for.
        belief: how likely a card is that the model would not have passed or played, against one that it would; 1 is
            `determinize`.
        tries: worlds drawn, at most, for one; after them the likeliest of these is taken, so that with few tries
            unlikely worlds come up more often than they should.

    Raises:
        GameRecordError: when `views` are no records or full games, or no deal agrees with one.
        PlayerError: when the model is no rule player, or a number is not allowed.
    """
    belief_of_model = _belief(model, belief, tries)
    check_rules(rules)
    check_public(views, rules)
    games = views.copy()
    failed = likely_world_of_each(views, rules.array, games, as_seeds(seeds, len(views)), belief_of_model)
    if failed >= 0:
        raise GameRecordError(f"view {failed} (observer {views['observer'][failed]}): no deal agrees with it")
    return games


def likelihoods(
    worlds: Games, views: Games, rules: Rules, model: str | Player = "rule_based", belief: float = 0.5
) -> NDArray[np.float64]:
    """Return the weight of each world, (B,): `belief` to the power of cards that the model would not have played.

    Nor passed, of those that the observer received. Weights are 1 before play, and where revokes can happen.

    Args:
        worlds: full games that agree with the views, (B,), of `determinize`.
        views: what they were drawn from, (B,).
        rules: their rules.
        model: the rule player, or its spec, that other seats are taken for.
        belief: the weight of one such card.
    """
    check_rules(rules)
    check_public(views, rules)
    check_views(worlds)
    if worlds.shape != views.shape:
        raise GameRecordError(f"{len(worlds)} worlds for {len(views)} views")
    weights = np.empty(len(views))
    weigh_worlds(worlds, views, rules.array, weights, _belief(model, belief, 1))
    return weights


def _belief(model: str | Player, belief: float, tries: int) -> Belief:
    player = players.make(model)
    if not isinstance(player, RulePlayer):
        raise PlayerError(f"model={player.name!r} is no rule player")
    factor = checked_number("belief", belief, 0.01, 1.0)
    return Belief(factor, checked_number("tries", tries, 1, 10**6, whole=True), player.passing, player.playing)
