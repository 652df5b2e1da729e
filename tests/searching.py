"""What tests of search share: decisions of whole hands, and a player whose parts search cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import agents
from agents.playout import Rollout
from agents.rule_player import RulePlayer
from agents.searching import SearchPlayer
from rk_env import Engine, Rules
from rk_env.players import Evaluation
from tests.generators import hold_hand, play_tricks

Games = NDArray[np.void]

RULE_BASED = RulePlayer("rule_based@1", ("danger", "careful"))
AS_RULE_BASED = Rollout(RULE_BASED.passing, RULE_BASED.playing)
ERRING = agents.make("casual")
SEARCHERS = ["pimc", "ismcts"]


class Decisions(NamedTuple):
    """Decisions of one moment in some games."""

    views: Games
    rules: Rules
    seeds: NDArray[np.uint64]
    masks: NDArray[np.int8]
    games: Games
    """The games themselves, with all cards."""


def decisions(
    hand: Rules | Engine, n_games: int = 4, seed: int = 1, every: int = 1, player: Any = ERRING
) -> Iterator[Decisions]:
    """Yield decisions of hands that a rule player plays, at one moment of `every`."""
    engine = hand if isinstance(hand, Engine) else Engine(hand, n_games, seed=seed, episode="hand")
    rng = np.random.default_rng(seed)
    n_steps = 0
    while (engine.turn >= 0).any():
        acting = np.flatnonzero(engine.turn >= 0)
        views = engine.view(engine.turn[acting], games=acting)
        seeds = rng.integers(2**64, size=len(acting), dtype=np.uint64)
        if n_steps % every == 0:
            masks = engine.action_mask(revokes=False)[acting]
            yield Decisions(views, engine.rules, seeds, masks, engine.games[acting])
        engine.step(player.act(views, engine.rules, seeds), games=acting)
        n_steps += 1


def middle_of_hands(n_games: int = 4, tricks: int = 4, rules: Rules | None = None, seed: int = 1) -> Decisions:
    """Return decisions after some tricks."""
    rules = rules or Rules(passing="none")
    return next(d for d in decisions(rules, n_games, seed) if (d.views["trick"] >= tricks).all())


class Opaque:
    """A rule player that search can only ask, like a network."""

    name = "opaque@1"

    def act(self, views: Games, rules: Rules, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        return RULE_BASED.act(views, rules, seeds)

    def evaluate(self, views: Games, rules: Rules, seeds: NDArray[np.uint64]) -> Evaluation:
        return RULE_BASED.evaluate(views, rules, seeds)


def searcher(name: str, **options: Any) -> SearchPlayer:
    """Return a player that searches."""
    player = agents.make(name, **options)
    assert isinstance(player, SearchPlayer)
    return player


SHOT = ["AC KC QC AD KD QD AS KS QS AH KH QH JH", "2C 3C 4C 5C 6C", "2D 3D 4D 5D 6D", "2S 3S 4S 5S 6S"]


def shot_moon(totals: list[int], **settings: Any) -> Engine:
    """Return a game in which seat 0 has just shot the moon and is to choose."""
    engine, deal = hold_hand(SHOT, totals=totals, moon="new", **settings)
    play_tricks(engine, [SHOT[0].split(), *deal[1:]])
    return engine
