"""The oracle's deck, values and passes: what the settings mean for a hand, written from the rules page alone.

A card is its text ("QS"); a pack of two decks holds each text twice. `in_play` is how many seats are in the hand: all
of them, or in a play-off those that are still in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Settings = Mapping[str, Any]

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "S", "H")
HEIGHT = {rank: height for height, rank in enumerate(RANKS)}

DEFAULTS: dict[str, Any] = {
    "players": 4,
    "first_dealer": "draw",
    "decks": 1,
    "remove_for_three": "2D",
    "opening": "standard",
    "open_with_heart": False,
    "first_trick": "every",
    "queen_breaks_hearts": False,
    "heart_instead_of_queen": False,
    "passing": "cycle",
    "across_seats": None,
    "moon": "old",
    "moon_value": "deal",
    "moon_needs_bonus": False,
    "bonus_cards": (),
    "black_card": "QS",
    "target": 100,
    "ties": "playoff",
    "max_hands": None,
    "revokes": "prevented",
    "late_revoke": "play_on",
    "playoff_compare": "score",
    "playoff_pass": "continue",
    "two_hand_deal": 26,
    "leftover": "kitty",
}

STRIPPED = ("2D", "2D", "2S", "2S", "2C", "2C")


# Cards


def suit(card: str) -> str:
    """Return the suit letter of a card."""
    return card[-1]


def height(card: str) -> int:
    """Return how high a card's rank is: A high to 2 low, no trump (A6)."""
    return HEIGHT[card[:-1]]


def is_penalty(settings: Settings, card: str) -> bool:
    """Tell whether a card is a penalty card: a heart or the black card (F1, V5)."""
    return suit(card) == "H" or card == settings["black_card"]


def penalty_points(settings: Settings, card: str) -> int:
    """Return what a card costs: a heart 1, the Queen of spades 13, or in Black Jack its Jack 10 (F1, V5)."""
    if suit(card) == "H":
        return 1
    if card == settings["black_card"]:
        return {"QS": 13, "JS": 10}[card]
    return 0


def total_points(settings: Settings, cards: Sequence[str]) -> int:
    """Return what cards cost together."""
    return sum(penalty_points(settings, card) for card in cards)


# Deck and deal


def has_two_decks(settings: Settings, in_play: int) -> bool:
    """Tell whether a hand is dealt from two decks: in Cancellation, while six or more are in (X1, X14)."""
    return settings["decks"] == 2 and in_play >= 6


def deck(settings: Settings, in_play: int | None = None) -> list[str]:
    """Return the pack of a hand, lowest first (A2-A5, X2; for two seats all 52: H7)."""
    in_play = settings["players"] if in_play is None else in_play
    if has_two_decks(settings, in_play):
        return two_decks(settings, in_play)
    removed = {2: [], 3: [settings["remove_for_three"]], 4: [], 5: ["2C", "2S"], 6: ["2C", "2D", "2S", "2H"]}
    return [r + s for s in SUITS for r in RANKS if r + s not in removed[in_play]]


def two_decks(settings: Settings, in_play: int) -> list[str]:
    """Return two decks of 52, or what is left of them once the cards that cannot be dealt evenly are out (X1, X2)."""
    cards = [r + s for s in SUITS for r in RANKS for _ in range(2)]
    if settings["leftover"] == "strip":
        for card in STRIPPED[: len(cards) % in_play]:
            cards.remove(card)
    return cards


def hand_size(settings: Settings, in_play: int | None = None) -> int:
    """Return how many cards each seat gets: an equal share (B3, X2); two seats get 26, or 13 by setting (H7)."""
    in_play = settings["players"] if in_play is None else in_play
    if in_play == 2:
        return int(settings["two_hand_deal"])
    return len(deck(settings, in_play)) // in_play


def opening_card(settings: Settings, in_play: int | None = None) -> str | None:
    """Return the card whose holder must lead it to trick one; None when eldest leads (D1-D3, H7, X9)."""
    in_play = settings["players"] if in_play is None else in_play
    if in_play == 2 and settings["two_hand_deal"] == 13:
        return None
    cards = deck(settings, in_play)
    if settings["opening"] == "lowest_club":
        return min((card for card in cards if suit(card) == "C"), key=height)
    if settings["opening"] == "two_of_clubs":
        return "2C" if "2C" in cards else None
    return "2C" if in_play in (2, 4) else None


def lowest_drawers(drawn: Mapping[int, str]) -> list[int]:
    """Return which seats drew the lowest rank for the first deal; suits are equal, the ace is high (B1, B2)."""
    lowest = min(height(card) for card in drawn.values())
    return [seat for seat, card in drawn.items() if height(card) == lowest]


def first_dealer(players: int, cards: Sequence[str]) -> int:
    """Return who deals first when cards are dealt one each: the lowest; those tied for it draw again (B1, B2)."""
    drawers, left = list(range(players)), list(cards)
    while len(drawers) > 1:
        drawers = lowest_drawers({seat: left.pop(0) for seat in drawers})
    return drawers[0]


# Passing


def pass_distance(settings: Settings, hand_number: int, in_play: int | None = None, playoff: int = 0) -> int:
    """Return how many seats to the left everybody passes in a hand, counting seats in play; 0 is no pass (C2-C8).

    Args:
        settings: the settings.
        hand_number: 1 for the first hand of the game.
        in_play: seats in the hand; None is all.
        playoff: 1 for the first hand of a play-off, 0 for a hand of the main game.
    """
    in_play = settings["players"] if in_play is None else in_play
    if settings["passing"] == "none" or (playoff and settings["playoff_pass"] == "none"):
        return 0
    if settings["passing"] == "left":
        return 1
    across = in_play // 2
    if settings["across_seats"] is not None and in_play == settings["players"]:
        across = settings["across_seats"]
    turn = playoff if playoff and settings["playoff_pass"] == "restart" else hand_number
    return [1, in_play - 1, across, 0][(turn - 1) % 4]


# Tricks


def winning_card(table: Sequence[str]) -> str | None:
    """Return the card that wins a trick: the highest of the led suit that no second copy cancels (E2, X4, X6)."""
    led = [card for card in table if suit(card) == suit(table[0])]
    alone = [card for card in led if led.count(card) == 1]
    return max(alone, key=height) if alone else None
