"""Cards as numbers, text and bitboards.

A card is `13 * suit + rank`: suits C D S H are 0 1 2 3, ranks 2 to A are 0 to 12. A set of cards is a 64-bit
bitboard with bit `card` set. Text is rank then suit: "QS", "10D" (also "TD", "Q♠").
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from rk_env.errors import CardError

N_CARDS: Final = 52
N_RANKS: Final = 13
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUIT_LETTERS: Final = "CDSH"
SUIT_SYMBOLS: Final = "♣♦♠♥"
RANK_TEXTS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

NO_CARD: Final = -1
"""Stands where a record or an array holds no card."""

_SUIT_OF_TEXT: Final = {text: suit for texts in (SUIT_LETTERS, SUIT_SYMBOLS, "♧♢♤♡") for suit, text in enumerate(texts)}
_RANK_OF_TEXT: Final = {text: rank for rank, text in enumerate(RANK_TEXTS)} | {"T": 8}


def parse_card(text: str) -> int:
    """Return the index of the card that `text` names.

    Raises:
        CardError: when `text` names no card.

    >>> parse_card("2C"), parse_card("QS"), parse_card("10d"), parse_card("Q♠")
    (0, 36, 21, 36)
    >>> parse_card("1S")
    Traceback (most recent call last):
    rk_env.errors.CardError: '1S' is no card; a card is a rank (2-10, T, J, Q, K, A), then a suit (C, D, S, H)
    """
    if isinstance(text, str):
        stripped = text.strip().replace("\ufe0f", "").upper()
        rank = _RANK_OF_TEXT.get(stripped[:-1])
        suit = _SUIT_OF_TEXT.get(stripped[-1:])
        if rank is not None and suit is not None:
            return N_RANKS * suit + rank
    raise CardError(f"{text!r} is no card; a card is a rank (2-10, T, J, Q, K, A), then a suit (C, D, S, H)")


def card_text(card: int) -> str:
    """Return the text of a card index.

    Raises:
        CardError: when `card` is not in 0..51.

    >>> card_text(36), card_text(21)
    ('QS', '10D')
    """
    suit, rank = divmod(_checked_index(card), N_RANKS)
    return RANK_TEXTS[rank] + SUIT_LETTERS[suit]


def parse_cards(cards: str | Iterable[str | int]) -> list[int]:
    """Return card indices, in the order given, of text ("2C 9C AD"), texts, or indices.

    Raises:
        CardError: when an item is no card.

    >>> parse_cards("2C QS"), parse_cards(["2C", 36])
    ([0, 36], [0, 36])
    """
    items = cards.replace(",", " ").split() if isinstance(cards, str) else _checked_items(cards)
    return [parse_card(item) if isinstance(item, str) else _checked_index(item) for item in items]


def _checked_items(cards: object) -> list[Any]:
    try:
        return list(cards)  # type: ignore[call-overload]  # what cannot be gone through is what is to be found out
    except TypeError as error:
        raise CardError(f"{cards!r} is no sequence of cards") from error


def _checked_index(item: object) -> int:
    if isinstance(item, (int, np.integer)) and not isinstance(item, (bool, np.bool_)) and 0 <= item < N_CARDS:
        return int(item)
    raise CardError(f"{item!r} is no card; give text such as 'QS' or an index 0 to {N_CARDS - 1}")


def cards_text(cards: Iterable[int]) -> str:
    """Return the texts of cards, in the order given, separated by spaces.

    >>> cards_text([36, 0])
    'QS 2C'
    """
    return " ".join(card_text(card) for card in _checked_items(cards))


def bitboard(cards: str | Iterable[str | int]) -> np.uint64:
    """Return the bitboard of distinct cards.

    Raises:
        CardError: when an item is no card, or a card is given twice.

    >>> int(bitboard("2C 3C"))
    3
    """
    bb = 0
    for card in parse_cards(cards):
        if bb >> card & 1:
            raise CardError(f"{card_text(card)} is given twice")
        bb |= 1 << card
    return np.uint64(bb)


def bitboard_cards(bb: int | np.uint64) -> list[int]:
    """Return the card indices of a bitboard, lowest first.

    Raises:
        CardError: when `bb` has other bits than those of the 52 cards, or is no whole number.

    >>> bitboard_cards(bitboard("QS 2C"))
    [0, 36]
    """
    if isinstance(bb, bool) or not isinstance(bb, (int, np.integer)) or not 0 <= bb < 1 << N_CARDS:
        raise CardError(f"{bb!r} is no bitboard of cards; a whole number 0 to 2**{N_CARDS} - 1 is needed")
    bits = int(bb)
    return [card for card in range(N_CARDS) if bits >> card & 1]


def bitboard_text(bb: int | np.uint64) -> str:
    """Return the cards of a bitboard as text, lowest first; errors as for `bitboard_cards`.

    >>> bitboard_text(bitboard("QS 2C"))
    '2C QS'
    """
    return cards_text(bitboard_cards(bb))


QUEEN_OF_SPADES: Final = parse_card("QS")
JACK_OF_SPADES: Final = parse_card("JS")
JACK_OF_DIAMONDS: Final = parse_card("JD")
TEN_OF_DIAMONDS: Final = parse_card("10D")
TWO_OF_CLUBS: Final = parse_card("2C")

FULL_DECK_BB: Final = np.uint64((1 << N_CARDS) - 1)
SUITS_BB: Final = np.array([((1 << N_RANKS) - 1) << (N_RANKS * suit) for suit in range(4)], dtype=np.uint64)  # (4,)
CARDS_BB: Final = np.array([1 << card for card in range(N_CARDS)], dtype=np.uint64)  # (C,)
HEARTS_BB: Final = SUITS_BB[HEARTS]
