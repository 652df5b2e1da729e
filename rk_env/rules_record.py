"""The rules as compiled code reads them: one record of numbers, made of the fields of `Rules`."""

from __future__ import annotations

from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from rk_env import cards, settings
from rk_env.decks import Planes, deck_cards, hand_size, opening_card, uses_two_decks
from rk_env.settings import BLACK_POINTS, DEALER_DRAW, DEALER_RANDOM, MAX_SEATS

_BY_SEATS: Final = (MAX_SEATS + 1,)

RULES: Final = np.dtype(
    (
        np.record,
        [
            ("players", "i1"),
            ("decks", "i1"),
            ("first_dealer", "i1"),  # a seat, DEALER_DRAW or DEALER_RANDOM
            ("deck", "u8", (*_BY_SEATS, 2)),  # the deck as two planes, by seats in play (A2-A5, H7, X2)
            ("hand_size", "i1", _BY_SEATS),  # cards a seat is dealt, by seats in play
            ("gives_kitty", "u1", _BY_SEATS),  # cards are left over, and a trick's winner takes them (X2)
            ("opening_card", "i1", _BY_SEATS),  # card whose holder must lead it, or -1: eldest (D1-D3)
            ("across", "i1", _BY_SEATS),  # seats to the left that "across" passes (C3)
            ("deal_points", "i2", _BY_SEATS),  # penalty points in the deck
            ("penalty", "u8"),  # every card that can be a penalty card: all hearts and the black card
            ("black", "u8"),  # bitboard of the black card
            ("black_points", "i2"),
            ("bonus", "u8"),  # bitboard of the bonus cards
            ("open_with_heart", "u1"),
            ("first_trick", "i1"),
            ("queen_breaks_hearts", "u1"),
            ("heart_instead_of_queen", "u1"),
            ("passing", "i1"),
            ("playoff_pass", "i1"),
            ("moon", "i1"),
            ("fixed_moon", "i2"),  # what a moon is worth (F4); 0: the penalty points dealt
            ("moon_needs_bonus", "u1"),
            ("target", "i4"),
            ("max_hands", "i4"),  # 0: no limit
            ("ties", "i1"),
            ("playoff_compare", "i1"),
            ("revokes", "i1"),
            ("late_revoke", "i1"),
        ],
    )
)
"""What the kernels read of `Rules`. What depends on how many seats are in play is indexed by their number."""

_CODED: Final = {
    "first_trick": settings.FirstTrick,
    "passing": settings.Passing,
    "playoff_pass": settings.PlayoffPass,
    "moon": settings.Moon,
    "ties": settings.Ties,
    "playoff_compare": settings.PlayoffCompare,
    "revokes": settings.Revokes,
    "late_revoke": settings.LateRevoke,
}
_COPIED: Final = (
    *("players", "decks", "target", "open_with_heart", "queen_breaks_hearts", "heart_instead_of_queen"),
    "moon_needs_bonus",
)


def record_array(rules: Any) -> NDArray[np.void]:
    """Return the record of a `Rules` object as an array of shape (1,)."""
    array = np.zeros(1, RULES)
    record = array[0]
    for name in _COPIED:
        record[name] = getattr(rules, name)
    for name, values in _CODED.items():
        record[name] = get_args(values).index(getattr(rules, name))
    named_dealers: dict[str | int, str | int] = {"draw": DEALER_DRAW, "random": DEALER_RANDOM}
    record.first_dealer = named_dealers.get(rules.first_dealer, rules.first_dealer)
    black = cards.bitboard(rules.black_card)
    record.penalty = cards.HEARTS_BB | black
    record.black = black
    record.black_points = BLACK_POINTS[rules.black_card]
    record.bonus = cards.bitboard(rules.bonus_cards)
    record.fixed_moon = 26 if rules.moon_value == "fixed26" else 0
    record.max_hands = rules.max_hands or 0
    for in_play in range(2, rules.players + 1):
        _fill_for_seats_in_play(record, rules, in_play)
    return array


def _fill_for_seats_in_play(record: Any, rules: Any, in_play: int) -> None:
    planes = rules.deck_planes(in_play)
    size = hand_size(planes, in_play, rules.two_hand_deal)
    is_over = len(deck_cards(planes)) > in_play * size
    record.deck[in_play] = planes
    record.hand_size[in_play] = size
    record.gives_kitty[in_play] = is_over and uses_two_decks(rules.decks, in_play)
    record.opening_card[in_play] = opening_card(planes, in_play, rules.opening, rules.two_hand_deal)
    record.across[in_play] = (rules.across_seats or in_play // 2) if in_play == rules.players else in_play // 2
    record.deal_points[in_play] = penalty_points(planes, rules.black_card)


def penalty_points(planes: Planes, black_card: str) -> int:
    """F1: return the penalty points of a set of cards.

    >>> from rk_env.decks import deck_planes
    >>> [penalty_points(deck_planes(n, decks=d), "QS") for n, d in ((4, 1), (6, 1), (6, 2))]
    [26, 25, 52]
    """
    black = cards.bitboard(black_card)
    hearts = sum(int(plane & cards.HEARTS_BB).bit_count() for plane in planes)
    return hearts + BLACK_POINTS[black_card] * sum(bool(plane & black) for plane in planes)
