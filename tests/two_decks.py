"""Deals from two decks, for tests of single rules: hands that a test names, completed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rk_env import Engine, Rules
from tests.generators import CARD_TEXTS, NUMBER_OF

TWO_DECKS = Counter(dict.fromkeys(CARD_TEXTS, 2))

# Six players. Seats 1 and 2 hold the same, so do 3 and 4, and 5 and 0: every trick cancels. AH twice is left over.
PAIR_A = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D 3D 4D 5D"
PAIR_B = "6D 7D 8D 9D 10D JD QD KD AD 2S 3S 4S 5S 6S 7S 8S 9S"
PAIR_C = "10S JS QS KS AS 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
ALL_CANCEL = [PAIR_C, PAIR_A, PAIR_A, PAIR_B, PAIR_B, PAIR_C]


def completed(hands: Sequence[str], size: int, kitty: str) -> list[list[str]]:
    """Return hands given as text, each completed with the lowest cards left when the kitty's are kept back.

    A hand that says "-D" gets no more diamonds; such hands are completed first.
    """
    parts = [hand.partition("-") for hand in hands]
    given = [part[0].split() for part in parts]
    left = TWO_DECKS - Counter(kitty.split()) - Counter(card for hand in given for card in hand)
    for seat in sorted(range(len(hands)), key=lambda seat: not parts[seat][1]):
        for card in sorted(left.elements(), key=NUMBER_OF.__getitem__):
            if len(given[seat]) < size and card[-1] != parts[seat][2]:
                given[seat].append(card)
                left[card] -= 1
    return given


def hold(
    hands: Sequence[str], kitty: str = "", dealer: int = 0, totals: Sequence[int] | None = None, **settings: Any
) -> tuple[Engine, list[list[str]]]:
    """Return an engine at the first lead of a two-deck hand without a pass, and its hands, completed, as written."""
    engine = Engine(Rules(players=len(hands), decks=2, **settings), seed=0)
    deal = completed(hands, engine.rules.hand_size, kitty)
    engine.deal(deal, dealer=dealer, hand_number=4, kitty=kitty, totals=totals)
    return engine, deal
