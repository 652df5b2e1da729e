"""Rules A, H7 and X2: which cards are dealt, by the number of seats in play.

A set of cards with copies is two bitboard planes: plane 0 holds the cards of which there is a copy, plane 1 those of
which there are both.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rk_env.cards import FULL_DECK_BB, NO_CARD, TWO_OF_CLUBS, bitboard, bitboard_cards, parse_cards

Planes = tuple[np.uint64, np.uint64]

_REMOVED: Final = {5: "2C 2S", 6: "2C 2D 2S 2H"}
_STRIPPED: Final = parse_cards("2D 2D 2S 2S 2C 2C")
_NONE: Final = np.uint64(0)
TWO_DECKS_FROM: Final = 6
"""Fewer seats in play than this use one deck in a two-deck game's play-off (X14)."""


def uses_two_decks(decks: int, in_play: int) -> bool:
    """X14: tell whether a hand is dealt from two decks."""
    return decks == 2 and in_play >= TWO_DECKS_FROM


def deck_planes(in_play: int, *, decks: int = 1, remove_for_three: str = "2D", leftover: str = "kitty") -> Planes:
    """Return the deck for a number of seats in play (A2-A5, H7, X2), as two planes.

    >>> [sum(int(plane).bit_count() for plane in deck_planes(n)) for n in (2, 3, 4, 5, 6)]
    [52, 51, 52, 50, 48]
    >>> [sum(int(plane).bit_count() for plane in deck_planes(n, decks=2, leftover="strip")) for n in (6, 7, 9)]
    [102, 98, 99]
    """
    if not uses_two_decks(decks, in_play):
        removed = remove_for_three if in_play == 3 else _REMOVED.get(in_play, "")
        return FULL_DECK_BB & ~bitboard(removed), _NONE
    n_stripped = 2 * 52 % in_play if leftover == "strip" else 0
    first, second = FULL_DECK_BB, FULL_DECK_BB
    for card in _STRIPPED[:n_stripped]:
        first &= ~bitboard([card]) | second  # the second copy goes first
        second &= ~bitboard([card])
    return first, second


def deck_cards(planes: Planes) -> list[int]:
    """Return the card indices of a deck, lowest first, those of a second copy behind the rest."""
    return bitboard_cards(planes[0]) + bitboard_cards(planes[1])


def hand_size(planes: Planes, in_play: int, two_hand_deal: int = 26) -> int:
    """Return the cards a seat is dealt (A2-A5, H7, X2)."""
    if in_play == 2:
        return two_hand_deal
    return len(deck_cards(planes)) // in_play


def opening_card(planes: Planes, in_play: int, opening: str, two_hand_deal: int = 26) -> int:
    """Return the card whose holder must lead it to trick one, or NO_CARD when eldest leads (D1-D3, H7, X9)."""
    if in_play == 2 and two_hand_deal != 26:
        return NO_CARD
    if opening == "lowest_club":
        return bitboard_cards(planes[0])[0]
    wants_two = opening == "two_of_clubs" or in_play in (2, 4)
    return TWO_OF_CLUBS if wants_two and planes[0] & bitboard([TWO_OF_CLUBS]) else NO_CARD
