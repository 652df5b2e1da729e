"""Worlds are weighed by what others would have passed and played in them, and drawn as often as they weigh."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.belief import Belief, rewind
from agents.likely import determinize_likely, likelihoods
from rk_env import Engine, Rules, determinize
from rk_env.hidden import HIDDEN
from rk_env.jit import routine
from rk_env.kernels.deductions import deduce
from rk_env.state import PLAY
from tests.searching import RULE_BASED, Decisions, decisions
from tests.unseen import play_offs

TABLES: dict[str, Any] = {
    "3 players": lambda: Rules(players=3),
    "4 players": Rules,
    "5 players, a heart may open": lambda: Rules(players=5, open_with_heart=True, bonus_cards=("JD",)),
    "6 players, left": lambda: Rules(players=6, passing="left", black_card="JS"),
    "2 decks, 7 players": lambda: Rules(players=7, decks=2),
    "2 decks, 6 players": lambda: Rules(players=6, decks=2, moon="new"),
    "play-offs": lambda: play_offs({"players": 5}, 12, seed=1),
    "play-offs of two": lambda: play_offs({"players": 4, "two_hand_deal": 13}, 12, seed=2, n_seats=2),
}


@pytest.mark.parametrize("table", TABLES)
def test_the_true_world_is_as_likely_as_can_be_where_all_play_like_the_model(table: str) -> None:
    n_unlikely = n_drawn = 0
    for d in decisions(TABLES[table](), 12, seed=3, every=3, player=RULE_BASED):
        assert (likelihoods(d.games, d.views, d.rules, belief=0.01) == 1.0).all()
        if (d.views["phase"] == PLAY).all():
            drawn = determinize(d.views, d.rules, d.seeds)
            weights = likelihoods(drawn, d.views, d.rules, belief=0.5)
            assert ((weights > 0) & (weights <= 1)).all()
            assert (np.log2(weights) == np.round(np.log2(weights))).all()
            n_unlikely += int((weights < 1).sum())
            n_drawn += len(weights)
    assert n_unlikely > (0 if table == "play-offs of two" else n_drawn / 10)


def test_errors_of_others_make_the_true_world_unlikely() -> None:
    weights = [
        likelihoods(d.games, d.views, d.rules).mean() for d in decisions(Rules(), 20, player=agents.make("random"))
    ]
    assert weights[0] == 1.0 and weights[-1] < 0.01


def test_weights_are_one_where_nothing_is_read() -> None:
    for rules in (Rules(revokes="corrected"), Rules(revokes="exposed")):
        for d in decisions(rules, 4, every=10, player=agents.make("random")):
            assert (likelihoods(d.games, d.views, d.rules) == 1.0).all()


# Back to the beginning of play


@routine
def rewind_each(games: Any, views: Any, rules: Any, known: Any) -> None:
    for i in range(games.shape[0]):
        deduce(views[i], rules[0], known[0], False)
        rewind(games[i], rules[0], known[0])


FORGOTTEN = ("plays", "play_seats", "took_back")
"""What is not read beyond the number of plays."""


@pytest.mark.parametrize("table", TABLES)
def test_rewinding_leads_to_the_beginning_of_play(table: str) -> None:
    hand = TABLES[table]()
    engine = hand if isinstance(hand, Engine) else Engine(hand, 12, seed=4, episode="hand")
    beginnings: dict[int, NDArray[np.void]] = {}
    n_rewound = 0
    while (engine.turn >= 0).any():
        acting = np.flatnonzero((engine.turn >= 0) & (engine.phase == PLAY))
        for i in acting[engine.games["n_plays"][acting] == 0]:
            beginnings[int(i)] = engine.games[[i]].copy()
        games = engine.games[acting].copy()
        rewind_each(games, engine.view(engine.turn[acting], games=acting), engine.rules.array, np.zeros(1, HIDDEN))
        expected = np.concatenate([beginnings[int(i)] for i in acting]) if len(acting) else games
        for field in FORGOTTEN:
            games[field] = expected[field]
        assert games.tobytes() == expected.tobytes()
        n_rewound += len(games)
        all_acting = np.flatnonzero(engine.turn >= 0)
        views = engine.view(engine.turn[all_acting], games=all_acting)
        engine.step(RULE_BASED.act(views, engine.rules, np.zeros(len(views), np.uint64)), games=all_acting)
    assert n_rewound > 100


# Drawing


def some_decision() -> Decisions:
    """A decision near the end of a hand that the model plays, with some dozens of deals, of which some are unlikely."""
    for seed in range(1, 100):
        for d in decisions(Rules(passing="none"), 1, seed=seed, player=RULE_BASED):
            if len(d.views) and d.views["trick"][0] == 10 and d.views["n_table"][0] == 0:
                worlds = determinize(d.views.repeat(500), d.rules, np.arange(500))
                weights = likelihoods(worlds, d.views.repeat(500), d.rules)
                if 20 < len({world["hands"].tobytes() for world in worlds}) < 80 and len(set(weights)) > 2:
                    return d
    raise AssertionError("no such decision")


def test_worlds_are_drawn_as_often_as_they_weigh() -> None:
    d = some_decision()
    n = 10_000
    even = determinize(d.views.repeat(n), d.rules, np.arange(n))
    weights = likelihoods(even, d.views.repeat(n), d.rules, belief=0.3)
    weight_of = {world["hands"].tobytes(): weight for world, weight in zip(even, weights, strict=True)}
    total = sum(weight_of.values())
    drawn = determinize_likely(d.views.repeat(n), d.rules, np.arange(n), belief=0.3, tries=1000)
    counts = Counter(world["hands"].tobytes() for world in drawn)
    expected = {deal: n * weight / total for deal, weight in weight_of.items()}
    common = [deal for deal, count in expected.items() if count > 20]
    assert len(common) > 10 and max(expected.values()) > 3 * min(expected.values())
    statistic = sum((counts[deal] - expected[deal]) ** 2 / expected[deal] for deal in common)
    assert statistic < len(common) + 4 * np.sqrt(2 * len(common)), "chi-square"


def test_with_few_tries_the_likeliest_is_kept() -> None:
    """Of two worlds, where hardly any but a perfect one is kept at once, the likelier; with one try any world."""
    d = some_decision()
    n = 4000
    views = d.views.repeat(n)

    def surprises(worlds: NDArray[np.void]) -> NDArray[np.float64]:
        return np.log(likelihoods(worlds, views, d.rules, belief=0.01)) / np.log(0.01)

    first, second = (surprises(determinize(views, d.rules, np.arange(n) + start)) for start in (0, n))
    for tries, expected in ((1, first), (2, np.minimum(first, second))):
        kept = surprises(determinize_likely(views, d.rules, np.arange(n), belief=0.01, tries=tries))
        error = np.sqrt((kept.var() + expected.var()) / n)
        assert abs(kept.mean() - expected.mean()) < 4 * error + 0.02


def test_a_belief_of_one_changes_no_world() -> None:
    d = some_decision()
    seeds = np.arange(50)
    one, two = (determinize_likely(d.views.repeat(50), d.rules, seeds, belief=1.0, tries=tries) for tries in (1, 9))
    assert one.tobytes() == two.tobytes()
    assert Belief(1.0, 1, 0, 0).factor == 1.0
