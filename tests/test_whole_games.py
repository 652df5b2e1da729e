# ruff: noqa: N802 - names carry the numbers of rules
"""Whole games to their end: every preset and player count, with random play; no game may run for ever (report 64)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import PRESETS, Engine, Phase, Rules
from rk_env.checks import TABLES
from rk_env.kernels import batch
from tests.generators import scaled

MOST_HANDS = 400
"""More than any game of these rules takes: with random play one of 1,000 takes about 40."""


def games_of_presets() -> list[Rules]:
    """Every preset with every player count that it allows: with its own decks, and with two unless it names them."""
    found = []
    for name, fields in PRESETS.items():
        decks_allowed = [fields["decks"]] if "decks" in fields else [1, 2]
        found += [
            Rules.preset(name, players=players, decks=decks) for decks, players in TABLES if decks in decks_allowed
        ]
    return found


ALL_GAMES = games_of_presets()
OTHER_GAMES = [
    *(Rules(players=players, decks=decks, revokes="exposed", late_revoke="replay") for decks, players in TABLES),
    *(Rules(players=players, decks=decks, revokes="corrected", two_hand_deal=13) for decks, players in TABLES),
    *(Rules(players=players, decks=decks, target=1, playoff_compare="captured") for decks, players in TABLES),
    *(Rules(players=players, decks=decks, moon="new", leftover="strip", target=50) for decks, players in TABLES),
]


class Chooser:
    """Random actions of a batch, by the compiled functions of the random player, a stream of numbers for each game."""

    def __init__(self, n: int, seed: int) -> None:
        self.states = np.random.default_rng(seed).integers(2**64, size=n, dtype=np.uint64)

    def choose(self, engine: Engine) -> NDArray[np.int64]:
        actions = np.empty(len(engine), np.int64)
        batch.random_actions(self.accepted(engine), self.states, actions)
        return actions

    @staticmethod
    def accepted(engine: Engine) -> NDArray[np.uint64]:
        legal = np.empty(len(engine), np.uint64)
        batch.fill_legal(engine.games, engine.rules.array, legal)
        if engine.rules.revokes != "prevented":
            legal = (engine.action_mask().astype(np.uint64) << np.arange(54, dtype=np.uint64)).sum(
                axis=1, dtype=np.uint64
            )
        return legal


def play_to_the_end(rules: Rules, n: int, seed: int = 1) -> NDArray[np.void]:
    """Return the records of games from first hand to last, played at random; games that are over step aside."""
    engine, chooser, over = Engine(rules, seeds=np.arange(n, dtype=np.uint64)), Chooser(n, seed), []
    while len(engine):
        engine.step(chooser.choose(engine))
        if (engine.games["turn"] < 0).any():
            assert engine.games["hand_number"].max() < MOST_HANDS, rules
            is_over = engine.phase == Phase.GAME_OVER
            if is_over.sum() > len(engine) // 2:  # now and then, so that few copies are made
                over.append(engine.games[is_over])
                chooser.states = chooser.states[~is_over]
                engine = Engine.from_games(engine.games[~is_over], rules)
            engine.next_hand()
    return np.concatenate(over)


def assert_sane(games: NDArray[np.void], rules: Rules) -> None:
    """All games are over, for a reason, and their winners and places are what totals and play-offs make of them."""
    engine = Engine.from_games(games, rules)
    totals, places, shares = engine.totals, engine.places, engine.win_shares
    assert (engine.phase == Phase.GAME_OVER).all() and (engine.turn == -1).all()
    ended, last = (totals >= rules.target).any(axis=1), games["hand_number"] == (rules.max_hands or -1)
    assert (ended | last).all()
    assert (places == 1 + (places[:, None, :] < places[:, :, None]).sum(axis=2)).all()  # each counts those ahead
    is_first = places == 1
    np.testing.assert_allclose(shares, is_first / is_first.sum(axis=1, keepdims=True))
    is_lowest = totals == totals.min(axis=1, keepdims=True)
    assert (is_lowest | ~is_first).all()
    by_total = 1 + (totals[:, None, :] < totals[:, :, None]).sum(axis=2)
    assert (places == by_total)[~is_lowest].all()
    assert (places[is_lowest] <= np.broadcast_to(is_lowest.sum(axis=1, keepdims=True), places.shape)[is_lowest]).all()
    alone = is_first.sum(axis=1) == 1
    assert (engine.winner == np.where(alone, is_first.argmax(axis=1), -1)).all()
    if rules.ties == "playoff":
        assert (alone | last).all()
        assert ((is_lowest.sum(axis=1) > 1) == ((games["playoff"] > 0) | ~alone)).all()
    else:
        assert not games["playoff"].any()
        assert (is_first == is_lowest).all()


@pytest.mark.parametrize("rules", [*ALL_GAMES, *OTHER_GAMES], ids=repr)
def test_report_64_games_of_every_preset_and_player_count_end(rules: Rules) -> None:
    games = play_to_the_end(rules, scaled(25))
    assert len(games) == scaled(25)
    assert_sane(games, rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_GAMES, ids=repr)
def test_report_64_a_thousand_games_of_every_preset_and_player_count_end(rules: Rules) -> None:
    games = play_to_the_end(rules, 1_000)
    assert len(games) == 1_000
    assert sorted(games["seed"].tolist()) == list(range(1_000))
    assert_sane(games, rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", OTHER_GAMES, ids=repr)
def test_report_64_a_thousand_games_with_revokes_and_play_offs_end(rules: Rules) -> None:
    games = play_to_the_end(rules, 1_000, seed=2)
    assert_sane(games, rules)
    if rules.target == 1:  # the first hand ends the game, often in a tie
        assert (games["playoff"] > 0).sum() > 20 and (games["n_in_play"] < rules.players).any()
    if rules.revokes != "prevented":
        assert games["revokes"].any()


@pytest.mark.parametrize(("decks", "players"), TABLES)
@pytest.mark.parametrize("ties", ["playoff", "share"])
def test_H9_a_limit_of_hands_ends_every_game_that_goes_on(decks: int, players: int, ties: Any) -> None:
    for max_hands in (1, 2, 5):
        rules = Rules(players=players, decks=decks, max_hands=max_hands, ties=ties, target=40)
        games = play_to_the_end(rules, scaled(100))
        assert (games["hand_number"] <= max_hands).all()
        assert_sane(games, rules)


def test_the_presets_are_tried_with_all_their_player_counts() -> None:
    assert len(ALL_GAMES) == 9 * 10 + 6
    counts = {(rules.decks, rules.players) for rules in ALL_GAMES}
    assert counts == set(TABLES) and len(TABLES) == 10
