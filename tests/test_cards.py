"""Cards as numbers, text and bitboards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rk_env import CardError, cards
from tests.generators import CARD_TEXTS

ALL_CARDS = st.integers(0, 51)
CARD_SETS = st.sets(ALL_CARDS)


def test_card_numbers_are_13_times_suit_plus_rank() -> None:
    assert [cards.parse_card(text) for text in CARD_TEXTS] == list(range(52))
    assert [cards.card_text(card) for card in range(52)] == CARD_TEXTS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2C", 0),
        ("AC", 12),
        ("2D", 13),
        ("2S", 26),
        ("QS", 36),
        ("AH", 51),
        ("10D", 21),
        ("TD", 21),
        ("td", 21),
        ("qs", 36),
        (" QS ", 36),
        ("Q♠", 36),
        ("Q♤", 36),
        ("10♦", 21),
        ("2♣", 0),
        ("A♥", 51),
        ("A♥\ufe0f", 51),
    ],
)
def test_parse_card_reads_every_way_to_write_one(text: str, expected: int) -> None:
    assert cards.parse_card(text) == expected


@pytest.mark.parametrize(
    "text", ["", " ", "Q", "S", "SQ", "1S", "11S", "0C", "10", "QSS", "Q S", "QX", "2 C", "joker", "♠"]
)
def test_parse_card_refuses_text_and_says_what_a_card_is(text: str) -> None:
    with pytest.raises(CardError) as error:
        cards.parse_card(text)
    assert str(error.value).startswith(f"{text!r} is no card; a card is a rank (2-10, T, J, Q, K, A), then a suit")


@pytest.mark.parametrize("wrong", [None, 36, 3.5, b"QS", ["QS"]])
def test_parse_card_refuses_what_is_no_text(wrong: Any) -> None:
    with pytest.raises(CardError, match="is no card"):
        cards.parse_card(wrong)


@pytest.mark.parametrize("card", [-1, 52, 53, 1_000])
def test_card_text_refuses_numbers_out_of_range(card: int) -> None:
    with pytest.raises(CardError, match=f"{card} is no card; give text such as 'QS' or an index 0 to 51"):
        cards.card_text(card)


@pytest.mark.parametrize("card", [None, "QS", 3.0, True, [1]])
def test_card_text_refuses_what_is_no_number(card: Any) -> None:
    with pytest.raises(CardError, match="is no card; give text"):
        cards.card_text(card)


@pytest.mark.parametrize("items", [None, 5, 3.5])
def test_cards_are_a_sequence(items: Any) -> None:
    with pytest.raises(CardError, match=f"{items} is no sequence of cards"):
        cards.parse_cards(items)
    with pytest.raises(CardError, match=f"{items} is no sequence of cards"):
        cards.cards_text(items)


def test_card_text_takes_numpy_numbers() -> None:
    assert cards.card_text(np.int8(36)) == "QS"


def test_parse_cards_keeps_order_and_copies() -> None:
    assert cards.parse_cards("QS 2C QS") == [36, 0, 36]
    assert cards.parse_cards("QS, 2C,10D") == [36, 0, 21]
    assert cards.parse_cards(["QS", 0, np.int64(21)]) == [36, 0, 21]
    assert cards.parse_cards("") == cards.parse_cards([]) == []


@pytest.mark.parametrize("items", [["QS", 52], [-1], [True], [np.True_], [None], [3.0], ["QS 2C"]])
def test_parse_cards_refuses_items_that_are_no_card(items: list[Any]) -> None:
    with pytest.raises(CardError, match="is no card"):
        cards.parse_cards(items)


@given(st.lists(ALL_CARDS))
def test_text_of_cards_reads_back(numbers: list[int]) -> None:
    assert cards.parse_cards(cards.cards_text(numbers)) == numbers


@given(CARD_SETS)
def test_bitboards_hold_exactly_the_cards_given(numbers: set[int]) -> None:
    bb = cards.bitboard(numbers)
    assert isinstance(bb, np.uint64)
    assert int(bb) == sum(2**card for card in numbers)
    assert cards.bitboard_cards(bb) == sorted(numbers)
    assert cards.bitboard(cards.bitboard_text(bb)) == bb


def test_bitboard_refuses_a_card_twice() -> None:
    with pytest.raises(CardError, match="QS is given twice"):
        cards.bitboard("QS 2C QS")


def test_constants_name_their_cards() -> None:
    named = [
        cards.QUEEN_OF_SPADES,
        cards.JACK_OF_SPADES,
        cards.JACK_OF_DIAMONDS,
        cards.TEN_OF_DIAMONDS,
        cards.TWO_OF_CLUBS,
    ]
    assert cards.cards_text(named) == "QS JS JD 10D 2C"
    assert cards.bitboard_cards(cards.FULL_DECK_BB) == list(range(52))
    assert [cards.bitboard_cards(bb) for bb in cards.SUITS_BB] == [list(range(13 * s, 13 * s + 13)) for s in range(4)]
    assert cards.bitboard_text(cards.HEARTS_BB) == "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    assert [int(bb) for bb in cards.CARDS_BB] == [2**card for card in range(52)]
