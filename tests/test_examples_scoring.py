# ruff: noqa: N802 - names carry the numbers of rules
"""The worked examples 12 to 19 of the rules page (its section 3): moons, scores, revokes, play-offs and Cancellation.

Positions are reached by real play of full deals. Where an example gives a part of a hand, the rest is chosen so that
it cannot change the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from rk_env import Engine, Phase, Rules
from tests.generators import (
    NUMBER_OF,
    act,
    hands_of,
    hold_hand,
    kitty_of,
    legal_of,
    play_tricks,
    texts_of_planes,
)

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
ALL_DIAMONDS, ALL_SPADES, ALL_HEARTS = (ALL_CLUBS.replace("C", suit) for suit in "DSH")
TOP_CLUBS_AT_SIX = "AC KC QC JC 10C 9C 8C 7C"


def scores_of(engine: Engine) -> list[int]:
    assert engine.phase[0] in (Phase.HAND_OVER, Phase.GAME_OVER)
    return engine.hand_scores[0].tolist()


def play_by_the_book(engine: Engine, hands: Sequence[Sequence[str]]) -> None:
    """Play to the end of the hand; each seat plays the first card of its list that is legal and no revoke."""
    while engine.phase[0] == Phase.PLAY:
        mask = engine.action_mask(revokes=False)[0]
        act(engine, next(card for card in hands[int(engine.turn[0])] if mask[NUMBER_OF[card]]))


def test_example_12_F3_F8_H2_an_old_moon_ends_the_game_and_the_shooter_loses() -> None:
    engine, hands = hold_hand(["", ALL_CLUBS, "", ""], totals=[40, 62, 81, 20])
    play_tricks(engine, hands)
    assert engine.captured_points[0].tolist() == [0, 26, 0, 0]
    assert scores_of(engine) == [26, 0, 26, 26]
    assert engine.totals[0].tolist() == [66, 62, 107, 46]
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.winner[0] == 3
    assert engine.win_shares[0].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize(
    ("choice", "scores", "totals", "phase"),
    [
        ("moon+", [26, 0, 26, 26], [66, 62, 107, 46], Phase.GAME_OVER),
        ("moon-", [0, -26, 0, 0], [40, 36, 81, 20], Phase.HAND_OVER),
    ],
)
def test_example_13_F6_F7_the_shooter_chooses_under_the_new_moon(
    choice: str, scores: list[int], totals: list[int], phase: Phase
) -> None:
    engine, hands = hold_hand(["", ALL_CLUBS, "", ""], totals=[40, 62, 81, 20], moon="new")
    play_tricks(engine, hands)
    assert (engine.phase[0], engine.turn[0]) == (Phase.MOON, 1)
    assert legal_of(engine) == {"moon+", "moon-"}
    assert engine.totals[0].tolist() == [40, 62, 81, 20]
    act(engine, choice)
    assert scores_of(engine) == scores
    assert engine.totals[0].tolist() == totals
    assert engine.phase[0] == phase
    assert engine.winner[0] == (3 if phase == Phase.GAME_OVER else -1)


@pytest.mark.parametrize(("moon_value", "value"), [("deal", 25), ("fixed26", 26)])
def test_example_14_F2_F4_F5_a_moon_at_six(moon_value: str, value: int) -> None:
    engine, hands = hold_hand(["", TOP_CLUBS_AT_SIX, "", "", "", ""], moon_value=moon_value)
    play_tricks(engine, hands)
    assert scores_of(engine) == [value, 0, value, value, value, value]


def test_example_14_F9_one_heart_elsewhere_is_no_moon() -> None:
    engine, hands = hold_hand(
        [
            "4H 5H 3S 4S 5S 6S 7S 8S",
            "AC KC QC JC 10C 9C 8C 3D",
            "6H 7H 8H 3C 4C 5C 6C 4D",
            "QS 9H 10H JH 5D 6D 7D 3H",
            "QH KH 8D 9D 10D JD QD 9S",
            "AH KD AD JS KS AS 7C 10S",
        ]
    )
    play_tricks(engine, hands)
    assert scores_of(engine) == [0, 24, 1, 0, 0, 0]


SHOOTER_LOSES_JD = [
    "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D",
    "2C 2H 3H 4H 3D 4D 5D 6D 7D 8D 9D 10D JD",
    "QS 5H 6H 7H 8H QD KD AD 2S 3S 4S 5S 6S",
    "9H 10H JH QH KH AH 7S 8S 9S 10S JS KS AS",
]


def test_example_15_F10_moon_and_jack_of_diamonds() -> None:
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""], bonus_cards=("JD",))
    play_tricks(engine, hands)
    assert scores_of(engine) == [-10, 26, 26, 26]
    engine, hands = hold_hand(SHOOTER_LOSES_JD, bonus_cards=("JD",))
    play_tricks(engine, hands)
    assert scores_of(engine) == [0, 16, 26, 26]


def test_example_15_F10_a_moon_may_need_the_bonus_cards() -> None:
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""], bonus_cards=("JD",), moon_needs_bonus=True)
    play_tricks(engine, hands)
    assert scores_of(engine) == [-10, 26, 26, 26]
    engine, hands = hold_hand(SHOOTER_LOSES_JD, bonus_cards=("JD",), moon_needs_bonus=True)
    play_tricks(engine, hands)
    assert scores_of(engine) == [26, -10, 0, 0]


def test_example_15_F11_new_moon_subtracted_with_jack_of_diamonds() -> None:
    engine, hands = hold_hand([ALL_CLUBS, "", "", ""], bonus_cards=("JD",), moon="new")
    play_tricks(engine, hands)
    act(engine, "moon-")
    assert scores_of(engine) == [-36, 0, 0, 0]
    assert engine.totals[0].tolist() == [-36, 0, 0, 0]


def test_example_15_V4_both_bonus_cards_without_a_moon() -> None:
    engine, hands = hold_hand(
        [
            "AC KC QC JC 5S 8C 9C 10C 2D 3D 4D 5D 6D",
            "3C 5C 6C 7C AS KS QS JS 10S 9S 8S 7S 6S",
            "4C JD 2H 3H 4H 5H 6H 7H 8H 7D 8D 9D QD",
            "2C 10D 9H KD 10H JH QH KH AH 2S 3S 4S AD",
        ],
        bonus_cards=("JD", "10D"),
    )
    act(engine, "2C AC 3C 4C", "KC 5C JD 10D", "QC 6C 2H 9H", "JC 7C 3H KD")
    play_tricks(engine, hands)
    assert scores_of(engine) == [-17, 23, 0, 0]


def test_example_16_V5_black_jack_scores() -> None:
    engine, hands = hold_hand(
        [
            "AC KC QC JC 5S 8C 9C 10C 2D 3D 4D 5D 6D",
            "3C 5C 6C 7C AS KS QS 10S 9S 8S 7S 6S 7D",
            "4C JS 2H 3H 4H 5H 6H 7H 8D 9D 10D JD QD",
            "2C 8H 9H KD 10H JH QH KH AH 2S 3S 4S AD",
        ],
        black_card="JS",
    )
    act(engine, "2C AC 3C 4C", "KC 5C JS 8H", "QC 6C 2H 9H", "JC 7C 3H 10H")
    play_tricks(engine, hands)
    assert scores_of(engine) == [15, 8, 0, 0]


def test_example_16_V5_black_jack_moon() -> None:
    engine, hands = hold_hand(["", "", ALL_CLUBS, ""], black_card="JS")
    play_tricks(engine, hands)
    assert scores_of(engine) == [23, 23, 0, 23]


def test_example_16_V5_every_rule_of_the_queen_moves_to_the_jack() -> None:
    hand = "QS JS 4H 9D 2H 3H 5H 6H 7H 8H 9H 10H JH"
    engine, _ = hold_hand([ALL_CLUBS, hand, "", ""], black_card="JS")
    act(engine, "2C")
    assert legal_of(engine) == {"QS", "9D"}


# Example 17

TAKES_4_22_0_0 = [
    "AC KC QC JC 5S 8C 9C 10C 2D 3D 4D 5D 6D",
    "3C 5C 6C 7C AS KS QS 10S 9S 8S 7S 6S 7D",
    "4C JS 2H 3H 4H 5H 6H 7H 8D 9D 10D JD QD",
    "2C 8H 9H KD 10H JH QH KH AH 2S 3S 4S AD",
]


def test_example_17_G2_a_corrected_revoke_costs_13() -> None:
    engine, hands = hold_hand(TAKES_4_22_0_0, revokes="corrected")
    act(engine, "2C", "5S")
    assert (engine.turn[0], engine.games[0].revokes[0], engine.games[0].n_table) == (0, 1, 1)
    assert "5S" in hands_of(engine)[0]
    assert legal_of(engine) == {"AC", "KC", "QC", "JC", "8C", "9C", "10C"}  # corrected: now by the book
    act(engine, "AC 3C 4C", "KC 5C JS KD", "QC 6C 2H 9H", "JC 7C 3H 10H")
    play_by_the_book(engine, hands)
    assert engine.captured_points[0].tolist() == [4, 22, 0, 0]
    assert scores_of(engine) == [17, 22, 0, 0]


SHOOTS = [
    "AC KC QC JC 10C 9C 8C 7C 6C 5C 4C AD KD",
    "2C 3C 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD",
    ALL_SPADES,
    ALL_HEARTS,
]


@pytest.mark.parametrize(
    ("revoking", "scores"), [("", [0, 26, 26, 26]), ("B", [0, 39, 26, 26]), ("A", [13, 26, 26, 26])]
)
def test_example_17_G5_a_fine_is_added_after_the_moon(revoking: str, scores: list[int]) -> None:
    engine, hands = hold_hand(SHOOTS, revokes="corrected")
    act(engine, "2C 2S 2H", *["AD"] * (revoking == "A"), "AC")
    act(engine, "KC", *["2D"] * (revoking == "B"), "3C")
    play_by_the_book(engine, hands)
    assert engine.captured_points[0].tolist() == [26, 0, 0, 0]
    assert scores_of(engine) == scores


# Example 18

TAKES_1_25_0_0 = [
    "2C 2H 3H 4H 4D 5D 6D 7D 8D 9D 10D JD 3D",
    "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D",
    "QS 5H 6H 7H 8H QD KD AD 2S 3S 4S 5S AH",
    "9H 10H JH QH KH 7S 8S 9S 10S JS KS AS 6S",
]
TAKES_9 = f"{ALL_CLUBS} 2D JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S"
TAKES_17 = "3D 2H 3H 4H 5H 6H 7H 8H 9H 10H 4D 5D 6D AD KD QD JD 10D 9D 8D 7D QS AS KS JS 10S"


def test_example_18_H1_H4_the_end_and_a_tie() -> None:
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[98, 62, 60, 60])
    play_tricks(engine, hands)
    assert scores_of(engine) == [1, 25, 0, 0]
    assert engine.totals[0].tolist() == [99, 87, 60, 60]
    assert engine.phase[0] == Phase.HAND_OVER
    engine.next_hand()
    assert engine.in_play[0].tolist() == [True, True, True, True]  # no end: all play on
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60])
    play_tricks(engine, hands)
    assert engine.totals[0].tolist() == [100, 112, 60, 60]
    assert (engine.phase[0], engine.winner[0]) == (Phase.HAND_OVER, -1)  # the main game is over, the play-off is not
    engine.next_hand()
    assert engine.in_play[0].tolist() == [False, False, True, True]
    assert [len(hand) for hand in hands_of(engine)] == [0, 0, 26, 26]
    assert engine.games[0].playoff == 1


@pytest.mark.parametrize(("dealer", "next_dealer"), [(3, 2), (0, 2), (1, 2), (2, 3)])
def test_example_18_H8_the_first_tied_seat_clockwise_deals(dealer: int, next_dealer: int) -> None:
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60], dealer=dealer)
    play_tricks(engine, hands)
    engine.next_hand()
    assert engine.games[0].dealer == next_dealer


def play_off(hands: Sequence[str], **settings: Any) -> Engine:
    """Return a game after the play-off of the example, with given hands."""
    engine = Engine(Rules(**settings), seed=0)
    engine.deal(hands, dealer=2, hand_number=4, totals=[100, 112, 60, 60])
    play_by_the_book(engine, [hand.split() for hand in hands])
    return engine


def test_example_18_H5_H6_the_fewer_points_win_and_totals_stay() -> None:
    engine = play_off(["", "", TAKES_9, TAKES_17])
    assert engine.captured_points[0].tolist() == [0, 0, 9, 17]
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, 2)
    assert engine.totals[0].tolist() == [100, 112, 60, 60]
    assert engine.places[0].tolist() == [3, 4, 1, 2]


@pytest.mark.parametrize(("playoff_compare", "winner"), [("score", 3), ("captured", 2)])
def test_example_18_H5_a_shooter_scores_0_and_wins(playoff_compare: str, winner: int) -> None:
    hands = ["", "", f"{ALL_SPADES} {ALL_HEARTS}", f"{ALL_CLUBS} {ALL_DIAMONDS}"]
    engine = play_off(hands, playoff_compare=playoff_compare)
    assert engine.captured_points[0].tolist() == [0, 0, 0, 26]
    assert scores_of(engine) == [0, 0, 26, 0]
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, winner)
    assert engine.totals[0].tolist() == [100, 112, 60, 60]


def test_example_18_H4_a_shared_win() -> None:
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60], ties="share")
    play_tricks(engine, hands)
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, -1)
    assert engine.win_shares[0].tolist() == [0, 0, 0.5, 0.5]


# Example 19


def cards_in(engine: Engine, field: str, *seat: int) -> Counter[str]:
    planes: Any = engine.games[0][field]
    for index in seat:
        planes = planes[index]
    return Counter(texts_of_planes(planes))


def test_example_19_X4_X6_cancelled_cards_wait_for_the_next_winner() -> None:
    engine, _ = hold_hand(
        [
            "AC KD 3C",
            "2C 9D 5C",
            "2C KD 5C",
            "QS 8C 3C 2S 2S 3S 4S 4S 5S 5S 6S 6S 7S",
            "4C AD 10C",
            "9D 2H 3S 3H 3H 5H 5H 6H 6H 7H 7H 8H 8H",
            "6C AD 10C",
            "4H 6C 7C 8S 8S 9S 9S 10S 10S JS JS KS KS",
        ],
        dealer=7,
        decks=2,
    )
    act(engine, "AC 2C 2C 3C 4C 3S 6C 7C")
    assert engine.turn[0] == engine.games[0].winners[0] == 0
    trick = "KD 9D KD QS AD 9D AD 4H"
    act(engine, trick)
    assert (engine.games[0].winners[1], engine.turn[0]) == (-1, 0)
    assert cards_in(engine, "waiting") == Counter(trick.split())
    assert not engine.captured_points.any()
    act(engine, "3C 5C 5C 8C 10C 2H 10C 6C")
    assert engine.turn[0] == engine.games[0].winners[2] == 3
    assert engine.captured_points[0].tolist() == [0, 0, 0, 15, 0, 0, 0, 0]
    assert cards_in(engine, "captured", 3) == Counter(f"{trick} 3C 5C 5C 8C 10C 2H 10C 6C".split())
    assert not cards_in(engine, "waiting")


def test_example_19_X5_two_queens_in_one_trick_cost_26() -> None:
    engine, _ = hold_hand(
        [
            "6S",
            "QS",
            "KS",
            "QS 6H 6H 5H 5H 4H 4H 3H 3H 2H 2H",
            "2S AH AH KH KH QH QH JH JH 10H 10H 9H 9H 8H 8H 7H 7H",
            "4D 2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 7C 7C 8C 8C 9C 9C",
        ],
        dealer=5,
        decks=2,
    )
    assert kitty_of(engine) == ["AS", "AS"]
    act(engine, "6S QS KS QS 2S 4D")
    assert engine.turn[0] == engine.games[0].winners[0] == 2
    assert engine.captured_points[0].tolist() == [0, 0, 26, 0, 0, 0]


def test_example_19_X4_X5_a_pair_off_suit_cannot_win_but_counts() -> None:
    engine, _ = hold_hand(
        [
            "AC QS",
            "2C QS",
            "2C 3S",
            "3C 5H 2H 2H 3H 3H 4H 4H 6H 6H 7H 7H 8H 8H 9H 9H 10H",
            "4C 5H 10H JH JH QH QH KH KH AH AH AD AD KD KD QD QD",
            "3C KS",
        ],
        dealer=5,
        decks=2,
    )
    act(engine, "AC 2C 2C 3C 4C 3C", "QS QS 3S 5H 5H KS")
    assert engine.turn[0] == engine.games[0].winners[1] == 5
    assert engine.captured_points[0].tolist() == [0, 0, 0, 0, 0, 28]
