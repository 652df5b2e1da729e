"""The ducker, by its definition, and the moon choice that it shares with `rule_based`."""

from __future__ import annotations

from typing import Any

import pytest

import agents
from rk_env import Engine, Rules
from tests.sketch import NO_SEED, cards, choice, sketch, sketch_pass


@pytest.mark.parametrize(
    ("hand", "picks"),
    [
        ("AC AD AS AH 2C 3C 4C 5C 6C 7C 8C 9C 10C", "AH AS AD"),
        ("2C 2D 2S 2H 3C 3D 3S 3H 4C 4D 4S 4H QS", "QS 4H 4S"),
        ("KC QH JS 10D 9C 8C 7C 6C 5C 4C 3C 2C 2D", "KC QH JS"),
    ],
)
def test_ducker_passes_its_three_highest_cards(hand: str, picks: str) -> None:
    assert sketch_pass(agents.make("ducker"), hand) == cards(picks)


@pytest.mark.parametrize(
    ("hand", "played"),
    [("5H 3C 3S KD", "3C"), ("2H 2S 2D AC", "2D"), ("AH KH 4H", "4H"), ("QS KS AS", "QS")],
)
def test_ducker_leads_its_lowest_card(hand: str, played: str) -> None:
    assert choice(agents.make("ducker"), sketch(hand, trick=5, broken=True)) == played


def test_ducker_leads_its_lowest_legal_card() -> None:
    assert choice(agents.make("ducker"), sketch("2H 9S KD", trick=5)) == "9S"


@pytest.mark.parametrize(
    ("hand", "table", "played"),
    [
        ("2D 7D 10D AD", "JD", "10D"),
        ("2D 7D 10D AD", "3D JD", "10D"),
        ("2D 7D 10D AD", "JD AC", "10D"),  # the ace of another suit does not win
        ("QD KD AD", "JD", "QD"),
        ("QS 2S", "KS", "QS"),
        ("QS 2S", "JS", "2S"),
        ("QS AS", "JS", "QS"),
        ("5H 9H", "8H KH", "9H"),
    ],
)
def test_ducker_follows_with_its_highest_card_that_does_not_win_else_its_lowest(
    hand: str, table: str, played: str
) -> None:
    assert choice(agents.make("ducker"), sketch(hand, table=table, trick=5)) == played


@pytest.mark.parametrize(
    ("hand", "table", "played"),
    [
        ("2D 7D JD AD", "JD", "JD"),  # cancels the winning card, and cannot win
        ("2D 7D JD AD", "JD QD", "JD"),
        ("2D 7D AD", "JD JD", "2D"),  # nothing wins so far: any diamond would
        ("2D 7D AD", "5D JD JD", "2D"),
        ("3D 7D AD", "5D JD JD", "3D"),
        ("7D 8D AD", "9D JD JD", "8D"),
    ],
)
def test_ducker_in_two_decks_duck_under_the_cards_that_have_not_cancelled(hand: str, table: str, played: str) -> None:
    """X4, X6."""
    rules = Rules(players=8, decks=2)
    assert choice(agents.make("ducker"), sketch(hand, rules, table=table, trick=5), rules) == played


def test_ducker_passes_both_copies_of_a_high_card() -> None:
    rules = Rules(players=8, decks=2)
    hand = "AC AC KD 2C 3C 4C 5C 6C 7C 8C 9C 10C 2S"
    assert sketch_pass(agents.make("ducker"), hand, rules) == cards("AC AC KD")


@pytest.mark.parametrize(
    ("hand", "played"),
    [
        ("AS KD QS AH", "QS"),
        ("AS KD 2H 9H", "9H"),
        ("AS KD 2D", "AS"),
        ("KS KD 2S", "KS"),
    ],
)
def test_ducker_discards_the_black_card_then_hearts_then_high_cards(hand: str, played: str) -> None:
    assert choice(agents.make("ducker"), sketch(hand, table="5C", trick=5)) == played


def test_ducker_discards_the_black_card_of_the_rules() -> None:
    assert (
        choice(
            agents.make("ducker"),
            sketch("AS QS JS AH", Rules(black_card="JS"), table="5C", trick=5),
            Rules(black_card="JS"),
        )
        == "JS"
    )


def test_ducker_keeps_to_the_rules_of_trick_one() -> None:
    assert choice(agents.make("ducker"), sketch("QS AH 3D 2S", table="2C", trick=0)) == "3D"


# The moon choice (F7).


@pytest.mark.parametrize(
    ("totals", "settings", "action"),
    [
        ([40, 62, 81, 20], {}, 53),  # worked example 13: adding ends the game with seat 3 lowest
        ([40, 19, 81, 20], {}, 52),  # adding ends it with the shooter lowest
        ([40, 46, 81, 20], {}, 52),  # the same, level with seat 3
        ([40, 62, 70, 20], {}, 52),  # adding does not end it
        ([40, 62, 70, 20], {"max_hands": 1}, 53),  # this hand is the last
        ([40, 30, 70, 20], {"max_hands": 1}, 52),
        ([40, 62, 70, 20], {"target": 50}, 53),
    ],
)
def test_moon_choice(totals: list[int], settings: dict[str, Any], action: int) -> None:
    rules = Rules(moon="new", **settings)
    engine = Engine(rules, 1, seed=1)
    games = engine.games.copy()
    games["phase"], games["turn"], games["shooter"] = 2, 1, 1
    games["hand_number"] = 1
    games["totals"][:, :4] = totals
    games["captured"][0, 1, 0] = rules.deck_planes(4)[0]
    games["points"][0, 1] = 26
    for name in ("ducker", "rule_based"):
        assert agents.make(name).act(games, rules, NO_SEED) == [action]
