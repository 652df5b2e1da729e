# ruff: noqa: N802 - names carry the numbers of rules
"""Sections A, H7 and X2 of the rules page: which cards are dealt, to how many, and what the kernels are told of it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import Rules, cards
from rk_env.decks import Planes
from tests import generators, oracle
from tests.generators import texts_of_planes

STRIPPED = ["2D", "2D", "2S", "2S", "2C", "2C"]
HAND_SIZES = {6: (17, 2), 7: (14, 6), 8: (13, 0), 9: (11, 5), 10: (10, 4), 11: (9, 5)}
"""Two decks (X2): cards each, and cards left over."""


def counts(planes: Planes) -> Counter[str]:
    """How many copies of each card are in a deck."""
    return Counter(texts_of_planes(planes))


def one_deck() -> Counter[str]:
    return Counter(cards.card_text(card) for card in range(52))


def test_example_10_A2_A5_decks_and_hand_sizes() -> None:
    expected = {3: ("2D", 17, 51), 4: ("", 13, 52), 5: ("2C 2S", 10, 50), 6: ("2C 2D 2S 2H", 8, 48)}
    for players, (removed, hand_size, n_cards) in expected.items():
        rules = Rules(players=players)
        assert rules.hand_size == hand_size
        assert len(rules.deck) == n_cards
        assert sorted(set(range(52)) - set(rules.deck)) == sorted(cards.parse_cards(removed))


@pytest.mark.parametrize("removed", ["2D", "2C", "2S"])
def test_A2_the_card_left_out_for_three_is_a_setting(removed: str) -> None:
    rules = Rules(players=3, remove_for_three=removed)
    assert set(range(52)) - set(rules.deck) == {cards.parse_card(removed)}
    for others in (4, 5, 6):
        assert Rules(players=others, remove_for_three=removed).deck == Rules(players=others).deck


@pytest.mark.parametrize("decks", [1, 2])
def test_decks_are_those_of_the_oracle(decks: int) -> None:
    rng = Random(6)
    for _ in range(100):
        settings = generators.random_settings(rng, decks=decks)
        rules = Rules(**settings)
        for in_play in range(2, rules.players + 1):
            dealt = oracle.deck(oracle.DEFAULTS | settings, in_play)
            assert counts(rules.deck_planes(in_play)) == Counter(dealt)
            assert rules.hand_size_of(in_play) == oracle.hand_size(oracle.DEFAULTS | settings, in_play)


def test_planes_hold_one_copy_and_both(table: Rules) -> None:
    for in_play in range(2, table.players + 1):
        first, second = table.deck_planes(in_play)
        assert not second & ~first
        assert bool(second) == (table.decks == 2 and in_play >= 6)
    assert Counter(map(cards.card_text, table.deck)) == counts(table.deck_planes(table.players))


@pytest.mark.parametrize(("players", "size", "n_over"), [(n, *sizes) for n, sizes in HAND_SIZES.items()])
def test_X2_two_decks_are_dealt_evenly_with_a_kitty_or_stripped(players: int, size: int, n_over: int) -> None:
    kept, stripped = (Rules(players=players, decks=2, leftover=some) for some in ("kitty", "strip"))
    assert kept.hand_size == stripped.hand_size == size
    assert len(kept.deck) == 104 == players * size + n_over
    assert len(stripped.deck) == players * size
    both = one_deck() + one_deck()
    assert counts(kept.deck_planes(players)) == both
    assert counts(stripped.deck_planes(players)) == both - Counter(STRIPPED[:n_over])
    record = kept.array[0], stripped.array[0]
    assert [bool(one.gives_kitty[players]) for one in record] == [n_over > 0, False]


@pytest.mark.parametrize("players", range(6, 12))
def test_X14_fewer_than_six_play_off_with_one_deck(players: int) -> None:
    for leftover in ("kitty", "strip"):
        rules = Rules(players=players, decks=2, leftover=leftover)
        for in_play in range(2, 6):
            assert rules.deck_planes(in_play) == Rules(players=max(in_play, 3)).deck_planes(in_play)
            assert rules.hand_size_of(in_play) == {2: 26, 3: 17, 4: 13, 5: 10}[in_play]
            assert not rules.array[0].gives_kitty[in_play]
        for in_play in range(6, players + 1):
            assert rules.hand_size_of(in_play) == HAND_SIZES[in_play][0]
            assert rules.deck_planes(in_play) == Rules(players=in_play, decks=2, leftover=leftover).deck_planes(in_play)


@pytest.mark.parametrize(("two_hand_deal", "size"), [(26, 26), (13, 13)])
def test_H7_two_players_use_the_full_deck(two_hand_deal: int, size: int, table: Rules) -> None:
    rules = Rules(players=table.players, decks=table.decks, two_hand_deal=two_hand_deal)
    assert rules.deck_planes(2) == (cards.FULL_DECK_BB, 0)
    assert rules.hand_size_of(2) == size
    assert not rules.array[0].gives_kitty[2]  # what is set aside goes to nobody
    assert rules.hand_size == table.hand_size


# D1 to D3, H7 and X9: the card that opens

NOBODY = ""


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"players": 6}, {2: "2C", 3: NOBODY, 4: "2C", 5: NOBODY, 6: NOBODY}),
        ({"players": 6, "opening": "two_of_clubs"}, {2: "2C", 3: "2C", 4: "2C", 5: NOBODY, 6: NOBODY}),
        ({"players": 6, "opening": "two_of_clubs", "remove_for_three": "2C"}, {3: NOBODY, 4: "2C"}),
        ({"players": 6, "opening": "lowest_club"}, {2: "2C", 3: "2C", 4: "2C", 5: "3C", 6: "3C"}),
        ({"players": 6, "opening": "lowest_club", "remove_for_three": "2C"}, {3: "3C", 4: "2C"}),
        ({"players": 6, "two_hand_deal": 13}, {2: NOBODY, 4: "2C"}),
        ({"players": 6, "two_hand_deal": 13, "opening": "two_of_clubs"}, {2: NOBODY}),
        ({"players": 6, "two_hand_deal": 13, "opening": "lowest_club"}, {2: NOBODY, 5: "3C"}),
        ({"players": 11, "decks": 2}, dict.fromkeys(range(6, 12), NOBODY) | {2: "2C", 4: "2C", 5: NOBODY}),
        ({"players": 11, "decks": 2, "opening": "two_of_clubs"}, dict.fromkeys(range(6, 12), "2C") | {5: NOBODY}),
        ({"players": 11, "decks": 2, "opening": "lowest_club"}, dict.fromkeys(range(6, 12), "2C") | {5: "3C"}),
        (
            {"players": 11, "decks": 2, "opening": "two_of_clubs", "leftover": "strip"},
            {6: "2C", 7: NOBODY, 8: "2C", 9: "2C", 10: "2C", 11: "2C"},  # at seven both 2C are stripped
        ),
        (
            {"players": 11, "decks": 2, "opening": "lowest_club", "leftover": "strip"},
            {6: "2C", 7: "3C", 8: "2C", 9: "2C", 10: "2C", 11: "2C"},
        ),
    ],
)
def test_D1_D3_H7_X9_the_card_that_opens(fields: dict[str, Any], expected: dict[int, str]) -> None:
    opening_cards = Rules(**fields).array[0].opening_card
    for in_play, text in expected.items():
        assert opening_cards[in_play] == (cards.parse_card(text) if text else cards.NO_CARD), in_play


# F1, F4 and X8: what a deal is worth


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"players": 6}, {2: 26, 3: 26, 4: 26, 5: 26, 6: 25}),
        ({"players": 6, "black_card": "JS"}, {2: 23, 3: 23, 4: 23, 5: 23, 6: 22}),
        ({"players": 11, "decks": 2}, dict.fromkeys(range(6, 12), 52) | {2: 26, 5: 26}),
        ({"players": 11, "decks": 2, "black_card": "JS"}, dict.fromkeys(range(6, 12), 46) | {2: 23, 5: 23}),
        ({"players": 11, "decks": 2, "leftover": "strip"}, dict.fromkeys(range(6, 12), 52) | {2: 26, 5: 26}),
    ],
)
def test_F1_F4_X8_penalty_points_of_a_deal(fields: dict[str, Any], expected: dict[int, int]) -> None:
    record = Rules(**fields).array[0]
    assert {in_play: int(record.deal_points[in_play]) for in_play in expected} == expected


@pytest.mark.parametrize("moon_value", ["deal", "fixed26"])
def test_F4_a_moon_is_worth_the_deal_or_26(moon_value: str) -> None:
    assert Rules(moon_value=moon_value).array[0].fixed_moon == (26 if moon_value == "fixed26" else 0)


def test_V_values_of_the_record() -> None:
    record = Rules(black_card="JS", bonus_cards=("JD", "10D")).array[0]
    assert cards.bitboard_text(record.black) == "JS"
    assert record.black_points == 10
    assert cards.bitboard_text(record.bonus) == "10D JD"
    assert cards.bitboard_text(record.penalty & ~cards.HEARTS_BB) == "JS"
    assert (Rules().array[0].black_points, cards.bitboard_text(Rules().array[0].black)) == (13, "QS")


def test_C3_across_is_half_of_those_still_in_or_the_setting() -> None:
    for players in range(3, 12):
        decks = 1 if players < 7 else 2
        across = Rules(players=players, decks=decks).array[0].across
        assert across[2 : players + 1].tolist() == [n // 2 for n in range(2, players + 1)]
        given = Rules(players=players, decks=decks, across_seats=players - 1).array[0].across
        assert given[2 : players + 1].tolist() == [*(n // 2 for n in range(2, players)), players - 1]


def test_nothing_is_told_of_seats_that_cannot_be() -> None:
    record = Rules(players=4).array[0]
    for name in ("deck", "hand_size", "across", "deal_points"):
        assert not np.delete(record[name], range(2, 5), axis=0).any()
