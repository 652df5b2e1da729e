"""Faults that other Hearts programs had, by the numbers of the reports page: legal cards and passing.

Those about scores and games are in `test_reports_games.py`; `test_sources.py` says where each number is tested.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, IllegalActionError, Phase, Rules, cards
from tests.generators import act, full_cards, full_deal, hands_of, hold_hand, legal_of, play_tricks
from tests.playing import play_on, tied_hand

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"

# The first trick


def test_report_01_no_queen_and_no_heart_on_trick_one() -> None:
    engine, _ = hold_hand([ALL_CLUBS, "3D QS AH 2S 2H 3H 4H 5H 6H 7H 8H 9H 10H", "", ""])
    act(engine, "2C")
    assert legal_of(engine) == {"3D", "2S"}


def test_report_04_twelve_hearts_and_the_queen_may_play_any() -> None:
    hand = "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH"
    engine, _ = hold_hand([ALL_CLUBS, hand, "", ""])
    act(engine, "2C")
    assert legal_of(engine) == set(hand.split())


def test_report_06_the_only_harmless_card_is_forced() -> None:
    engine, _ = hold_hand([ALL_CLUBS, "QS 4D 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH", "", ""])
    act(engine, "2C")
    assert legal_of(engine) == {"4D"}


def test_report_08_first_trick_rules_are_in_force() -> None:
    engine, _ = hold_hand(["2C AC KS AH", "KH 3D 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH", "", ""])
    assert legal_of(engine) == {"2C"}
    act(engine, "2C")
    assert legal_of(engine) == {"3D"}


@pytest.mark.parametrize("settings", [{}, {"opening": "two_of_clubs", "remove_for_three": "2C", "leftover": "strip"}])
@pytest.mark.parametrize(("players", "decks"), [(3, 1), (5, 1), (6, 1), (7, 2)])
def test_report_66_eldest_leads_where_no_card_must_be(players: int, decks: int, settings: dict[str, Any]) -> None:
    for dealer in range(players):
        engine = Engine(Rules(players=players, decks=decks, **settings), seed=1)
        engine.deal(hands_of(engine), dealer=dealer, hand_number=4)
        assert engine.turn[0] == engine.games[0].leader == (dealer + 1) % players


def test_report_66_eldest_leads_where_the_kitty_has_the_card_and_in_play_offs_of_three_and_five() -> None:
    hands, kitty = full_cards(["3D", "4D", "5D", "6D", "7D", "8D"], decks=2)
    holder = next(seat for seat, hand in enumerate(hands) if "2C" in hand)
    engine = Engine(Rules(players=6, decks=2, opening="two_of_clubs"), seed=1)
    engine.deal(hands, dealer=(holder + 2) % 6, hand_number=4, kitty=kitty)
    assert engine.turn[0] == holder
    for hand in hands:
        for n, card in enumerate(hand):
            hand[n] = kitty.pop() if card == "2C" else card
    engine.deal(hands, dealer=3, hand_number=4, kitty="2C 2C")
    assert engine.turn[0] == 4
    for n in (3, 5):
        engine = tied_hand(Rules(players=6, playoff_pass="none"), range(1, n + 1))
        engine.games["dealer"] = 1
        engine.next_hand()
        assert (engine.games[0].dealer, engine.turn[0]) == (2, 3)


# Broken hearts, leads and following suit


def test_report_13_the_queen_on_a_diamond_does_not_break_hearts() -> None:
    engine, _ = hold_hand(
        [
            "AS AD KD 2C 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
            "KS QS 3S 4S 5S 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
            "2S 6S 7S 8S 9S 10S JS 3D 4D 5D 6D 7D 8D 9D 10D JD QD",
        ]
    )
    act(engine, "KS 2S AS", "AD QS 3D", "KD 3C 4D")
    assert not engine.games[0].hearts_broken
    assert legal_of(engine) == {"2C"}


def test_report_16_a_bare_queen_led_does_not_break_hearts() -> None:
    engine, hands = hold_hand(["", "QS AS", "3S", "KS AH 7H 9C", "", "4S"])
    play_tricks(engine, hands, tricks=1)
    assert (engine.games[0].winners[0], engine.captured_points[0, 3]) == (3, 13)
    assert not engine.games[0].hearts_broken
    assert "9C" in legal_of(engine)
    assert {"AH", "7H"}.isdisjoint(legal_of(engine))


def test_report_17_a_void_hand_may_discard_a_heart_after_trick_one() -> None:
    engine, _ = hold_hand(
        [
            "AC KC 6S 2S 3S 4S 5S 7S 8S 9S 10S JS QS",
            "3C 4C 2H 9D 2D 3D 4D 5D 6D 7D 8D 10D JD",
            "5C 6C KS AS 3H 4H 5H 6H 7H 8H 9H 10H JH",
            "2C 7C 8C 9C 10C JC QC QD KD AD QH KH AH",
        ]
    )
    act(engine, "2C AC 3C 5C", "KC 4C 6C 7C", "6S")
    assert {"2H", "9D"} <= legal_of(engine) == set(hands_of(engine)[1])


def test_report_20_a_leader_with_hearts_only_leads_one_and_breaks_them() -> None:
    engine, hands = hold_hand(
        [
            "3C 4C 5C 6C 7C 8C 3H 4H",
            "AC KC QC JC 10C 9C 5H KH",
            "3D 4D 5D 6D 7D 8D 6H 7H",
            "9D 10D JD QD KD AD 8H 9H",
            "3S 4S 5S 6S 7S 8S 10H JH",
            "9S 10S JS QS KS AS QH AH",
        ]
    )
    play_tricks(engine, [sorted(hand, key=lambda card: card[-1] == "H") for hand in hands], tricks=6)
    assert not engine.games[0].hearts_broken
    assert legal_of(engine) == {"5H", "KH"}
    act(engine, "5H")
    assert engine.games[0].hearts_broken


def test_report_32_the_two_of_clubs_is_forced_as_the_first_lead_only() -> None:
    engine, _ = hold_hand(["3H AS", "2C 5H AD", "4H 3D"], open_with_heart=True)
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hands_of(engine)[1])  # eldest holds 2C and need not lead it
    act(engine, "5H", "4H", "3H")
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hands_of(engine)[1])
    act(engine, "AD", "3D")
    assert "2C" not in legal_of(engine)


def test_report_32_a_follower_holding_the_two_of_clubs_follows_suit() -> None:
    hearts = "4H 6H 8H 9H 10H JH KH"
    engine, _ = hold_hand([f"2H {hearts}", "AH 3H QH", "2C 5H 7H"], open_with_heart=True)
    act(engine, "AH 7H 2H", "3H")
    assert engine.games[0].trick == 1
    assert "2C" in hands_of(engine)[2]
    assert legal_of(engine) == {"5H"}


# Passing


def pass_three(engine: Engine) -> list[list[str]]:
    """Let each seat in play pass its three lowest cards; return what each passed."""
    passed: list[list[str]] = [[] for _ in range(engine.rules.players)]
    for _ in range(3 * int(engine.games[0].n_in_play)):
        card = min(legal_of(engine), key=cards.parse_card)
        passed[int(engine.turn[0])].append(card)
        act(engine, card)
    return passed


def test_report_24_the_direction_goes_by_hand() -> None:
    engine = Engine(Rules(target=10_000), seed=1)
    targets = []
    for _ in range(4):
        if engine.phase[0] == Phase.PASS:
            passed = pass_three(engine)
            targets.append(next(seat for seat, hand in enumerate(hands_of(engine)) if set(passed[0]) <= set(hand)))
        else:
            targets.append(-1)
        play_on(engine, np.random.default_rng(1))
        engine.next_hand()
    assert targets == [1, 3, 2, -1]


@pytest.mark.parametrize(
    ("players", "seats"), [(3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (9, 4), (10, 5), (11, 5)]
)
def test_report_26_across_is_the_table_of_the_rules_page(players: int, seats: int) -> None:
    engine = Engine(Rules(players=players, decks=1 if players < 7 else 2), seed=1)
    engine.deal(hands_of(engine), hand_number=3)
    assert engine.games[0].pass_seats == seats


@pytest.mark.parametrize("second", ["AC", "2C"])
def test_report_28_a_card_is_passed_once_and_only_from_the_own_hand(second: str) -> None:
    engine = Engine(seed=1)
    engine.deal(full_deal(["2C", "AC", "", ""]))  # seat 1, left of the dealer, picks first
    act(engine, "AC")
    before = engine.games.copy()
    with pytest.raises(IllegalActionError, match=f"seat 1, phase PASS: {second} is not legal") as error:
        act(engine, second)
    assert (error.value.game, error.value.seat, error.value.action) == (0, 1, cards.parse_card(second))
    assert engine.games.tobytes() == before.tobytes()


def test_report_30_exactly_three_cards_are_passed(table: Rules) -> None:
    players = table.players
    engine = Engine(dataclasses.replace(table, first_dealer=0), seed=1)
    turns = []
    while engine.phase[0] == Phase.PASS:
        turns.append(int(engine.turn[0]))
        act(engine, next(iter(legal_of(engine))))
    assert turns == [seat % players for seat in range(1, players + 1) for _ in range(3)]


@pytest.mark.parametrize("hand_number", [1, 2, 3])
def test_report_35_36_38_all_pass_at_once_and_hands_add_up(table: Rules, hand_number: int) -> None:
    players = table.players
    engine = Engine(table, seed=2)
    dealt = hands_of(engine)
    engine.deal(dealt, hand_number=hand_number)
    passed = pass_three(engine)
    assert passed == [sorted(hand, key=cards.parse_card)[:3] for hand in dealt]
    seats_left = {1: 1, 2: players - 1, 3: players // 2}[hand_number]
    for seat, hand in enumerate(hands_of(engine)):
        received = passed[(seat - seats_left) % players]
        assert Counter(hand) == Counter(dealt[seat]) - Counter(passed[seat]) + Counter(received)
        assert [cards.card_text(card) for card in engine.games[0].passed[seat]] == passed[seat]


def test_report_29_two_copies_of_a_card_are_two_cards_to_pass() -> None:
    hands, kitty = full_cards(["", "AC AC KC", "QD QD JD", "", "", ""], decks=2)
    engine = Engine(Rules(players=6, decks=2), seed=1)
    engine.deal(hands, kitty=kitty)
    act(engine, "AC AC")
    assert "AC" not in legal_of(engine)
    with pytest.raises(IllegalActionError, match="seat 1, phase PASS: AC is not legal"):
        act(engine, "AC")
    act(engine, "KC", "QD", "JD", "QD")
    assert engine.turn[0] == 3
    assert [cards.card_text(card) for card in engine.games[0].passed[2]] == ["QD", "JD", "QD"]


def test_report_26_35_in_a_play_off_cards_go_round_those_in_it() -> None:
    engine = tied_hand(Rules(players=6), [0, 2, 3, 5])
    for hand_number, seats_left in ((1, 3), (2, 2), (3, 0), (4, 1)):  # the play-off is the next hand
        engine.games["hand_number"] = hand_number
        engine.next_hand()
        seats = [0, 2, 3, 5]
        assert engine.games[0].pass_seats == seats_left
        if seats_left:
            passed = pass_three(engine)
            for place, seat in enumerate(seats):
                to = seats[(place + seats_left) % 4]
                assert set(passed[seat]) <= set(hands_of(engine)[to])
            assert not passed[1] and not passed[4]
        engine.games["phase"], engine.games["turn"] = Phase.HAND_OVER, -1
