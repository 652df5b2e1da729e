# ruff: noqa: N802 - names carry the numbers of rules
"""The worked examples 1 to 18 of the rules page (its section 3); example 20 is in `test_dealing.py`.

Positions are reached by real play of full deals. Where an example gives a part of a hand, the rest is chosen so that
it cannot change the answer: hearts where penalty cards are banned, harmless cards where they are not.
"""

from __future__ import annotations

import pytest

from rk_env import Engine, Phase, Rules
from tests.generators import act, hands_of, hold_hand, legal_of, play_tricks

ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
TOP_CLUBS_AT_SIX = "AC KC QC JC 10C 9C 8C 7C"


def scores_of(engine: Engine) -> list[int]:
    assert engine.phase[0] in (Phase.HAND_OVER, Phase.GAME_OVER)
    return engine.hand_scores[0].tolist()


def seat_of(engine: Engine, card: str) -> int:
    return next(seat for seat, hand in enumerate(hands_of(engine)) if card in hand)


def test_example_01_D1_the_two_of_clubs_is_the_only_opening_lead() -> None:
    engine, _ = hold_hand(["", "", "2C 9C AD KH", ""])
    assert engine.turn[0] == 2
    assert legal_of(engine) == {"2C"}


@pytest.mark.parametrize(("first_trick", "expected"), [("every", "9D KS"), ("only_2c", "9D KS"), ("off", None)])
def test_example_02_D6_no_penalty_card_is_discarded_on_trick_one(first_trick: str, expected: str | None) -> None:
    hand = "QS 5H 9D KS 2H 3H 4H 6H 7H 8H 9H 10H JH"
    engine, _ = hold_hand([ALL_CLUBS, hand, "", ""], first_trick=first_trick)
    act(engine, "2C")
    assert legal_of(engine) == set((expected or hand).split())


@pytest.mark.parametrize("card", ["3H", "QS"])
def test_example_03_D9_D11_a_hand_of_penalty_cards_has_free_choice_and_breaks_hearts(card: str) -> None:
    hand = "QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    engine, _ = hold_hand(["3C AC 2H", hand, "4C", "2C"])
    act(engine, "2C AC")
    assert legal_of(engine) == set(hand.split())
    act(engine, card, "4C")
    assert engine.turn[0] == 0
    assert bool(engine.games[0].hearts_broken) == (card == "3H")
    assert ("2H" in legal_of(engine)) == (card == "3H")


def test_example_04_D2_D4_D5_eldest_leads_any_card_but_a_heart() -> None:
    hand = "4C 10C KS QS 6S 7H 9H AD 3D JD"
    engine, _ = hold_hand(["", hand, "", "", ""])
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hand.split()) - {"7H", "9H"}
    engine, _ = hold_hand(["", hand, "", "", ""], open_with_heart=True)
    assert legal_of(engine) == set(hand.split())
    engine, _ = hold_hand(["", hand, "", "", ""], first_trick="strict")
    assert legal_of(engine) == set(hand.split()) - {"7H", "9H", "QS"}


def test_example_05_D7_D8_following_suit_is_not_restricted() -> None:
    engine, _ = hold_hand(["", "9S", "QS AS 4H 6D 8C 3C 4C 5C 6C 7C", "", ""])
    act(engine, "9S")
    assert legal_of(engine) == {"QS", "AS"}
    engine, _ = hold_hand(["", "9S", "QS AS 4H 6D 8C 3C 4C 5C 6C 7C", "", ""], first_trick="strict")
    act(engine, "9S")
    assert legal_of(engine) == {"AS"}
    engine, _ = hold_hand(["", "9S", "QS 2H 4H 6D 8C 3C 4C 5C 6C 7C", "", ""], first_trick="strict")
    act(engine, "9S")
    assert legal_of(engine) == {"QS"}


@pytest.mark.parametrize(
    ("first_trick", "penalties"), [("every", False), ("strict", False), ("only_2c", True), ("off", True)]
)
def test_example_05_D6_the_restriction_holds_whatever_card_opened(first_trick: str, penalties: bool) -> None:
    hand = "4H JH 6D 8C QD 2H 3H 5H 6H 7H"
    engine, _ = hold_hand(["", "9S", hand, "", ""], first_trick=first_trick)
    act(engine, "9S")
    assert legal_of(engine) == (set(hand.split()) if penalties else {"6D", "8C", "QD"})


def test_example_06_D4_D10_a_hand_of_hearts_leads_one_and_the_queen_stays() -> None:
    hand = "3H 5H 6H 9H JH QH KH AH"
    harmless = "4D 5D 9C 3D 6D 7D 8D"
    engine, _ = hold_hand(["", hand, f"QS {harmless}", "7H 8H", "", ""])
    assert engine.turn[0] == 1
    assert legal_of(engine) == set(hand.split())
    act(engine, "3H")
    assert engine.games[0].hearts_broken
    assert legal_of(engine) == set(harmless.split())
    act(engine, "4D")
    assert legal_of(engine) == {"7H", "8H"}


@pytest.mark.parametrize(("heart_instead_of_queen", "expected"), [(False, {"QS"}), (True, {"QS", "4H", "9H"})])
def test_example_07_E6_leader_with_hearts_and_queen(heart_instead_of_queen: bool, expected: set[str]) -> None:
    others = [
        "JS 10S 9S 8S 7S 6S 3H 5H",
        "3C 4C 5C 6C 7C 8C 6H 7H",
        "3D 4D 5D 6D 7D 8D 8H 10H",
        "9D 10D JD QD KD AD JH QH",
        "9C 3S 4S 5S KS AS KH AH",
    ]
    engine, hands = hold_hand(
        [others[0], "AC KC QC JC 10C QS 4H 9H", *others[1:]], heart_instead_of_queen=heart_instead_of_queen
    )
    play_tricks(engine, hands, tricks=5)
    assert engine.turn[0] == 1
    assert not engine.games[0].hearts_broken
    assert legal_of(engine) == expected
    if heart_instead_of_queen:
        act(engine, "4H")
        assert engine.games[0].hearts_broken


@pytest.mark.parametrize(("queen_breaks_hearts", "expected"), [(False, {"8D"}), (True, {"8D", "3H", "5H"})])
def test_example_08_E4_the_queen_does_not_break_hearts(queen_breaks_hearts: bool, expected: set[str]) -> None:
    others = [
        "JS 10S 9S QS 7S 6S 4H 6H",
        "3C 4C 5C 6C 7C 8C 7H 8H",
        "3D 4D 5D 6D 7D 8S 9H 10H",
        "9D 10D JD QD KD AD JH QH",
        "9C 3S 4S 5S KS AS KH AH",
    ]
    engine, hands = hold_hand(
        [others[0], "AC KC QC JC 10C 8D 3H 5H", *others[1:]], queen_breaks_hearts=queen_breaks_hearts
    )
    play_tricks(engine, hands, tricks=5)
    assert engine.captured_points[0, 1] == 13
    assert legal_of(engine) == expected


def test_example_09_E2_the_highest_card_of_the_led_suit_wins() -> None:
    diamonds = "3D 4D 5D 6D 7D 8D 9D 10D JD QD KD"
    engine, _ = hold_hand(["AC 10S", "3C QS", "4C AS", f"2C 5H {diamonds}"])
    act(engine, "2C AC 3C 4C", "10S QS AS 5H")
    assert engine.turn[0] == engine.games[0].winners[1] == 2
    assert engine.captured_points[0].tolist() == [0, 0, 14, 0]


def test_example_09_E2_off_suit_cards_do_not_win() -> None:
    spades, hearts = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS", "2H 3H 4H 5H 6H 7H 8H 10H JH QH KH"
    engine, _ = hold_hand(["AC 4D", f"3C QS {spades}", f"4C 9H {hearts}", "2C 3D"])
    act(engine, "2C AC 3C 4C", "4D QS 9H 3D")
    assert engine.turn[0] == engine.games[0].winners[1] == 0
    assert engine.captured_points[0].tolist() == [14, 0, 0, 0]


@pytest.mark.parametrize(
    ("players", "hand_size", "points", "points_black_jack"),
    [(3, 17, 26, 23), (4, 13, 26, 23), (5, 10, 26, 23), (6, 8, 25, 22)],
)
def test_example_10_A2_A5_F1_V5_decks_and_points(
    players: int, hand_size: int, points: int, points_black_jack: int
) -> None:
    for black_card, expected in (("QS", points), ("JS", points_black_jack)):
        engine = Engine(Rules(players=players, black_card=black_card, passing="none"), num_games=20, seed=1)
        hands = hands_of(engine)
        assert {len(hand) for hand in hands} == {hand_size}
        missing = {3: {"2D"}, 4: set(), 5: {"2C", "2S"}, 6: {"2C", "2D", "2S", "2H"}}[players]
        assert missing.isdisjoint(card for hand in hands for card in hand)
        for _ in range(hand_size * players):
            engine.step(engine.action_mask().argmax(axis=1))
        assert (engine.captured_points.sum(axis=1) == expected).all()


def pass_targets(rules: Rules, hand_number: int) -> list[int]:
    """Return to whom each seat passes in a hand of a number: the seat itself when nobody passes."""
    engine = Engine(rules, seed=3)
    deal = hands_of(engine)
    engine.deal(deal, hand_number=hand_number)
    if engine.phase[0] == Phase.PLAY:
        assert hands_of(engine) == deal
        return list(range(rules.players))
    for _ in range(rules.players):
        act(engine, *deal[int(engine.turn[0])][:3])
    assert engine.phase[0] == Phase.PLAY
    after = hands_of(engine)
    targets = []
    for seat, hand in enumerate(deal):
        holders = {seat_of(engine, card) for card in hand[:3]}
        assert len(holders) == 1
        assert set(hand[3:]) <= set(after[seat])
        targets.append(holders.pop())
    assert sorted(targets) == list(range(rules.players))
    return targets


@pytest.mark.parametrize(
    ("players", "hand_number", "seats_left"),
    [
        (5, 1, 1),
        (5, 2, 4),
        (5, 3, 2),
        (5, 4, 0),
        (5, 5, 1),
        (5, 7, 2),
        (5, 8, 0),
        (6, 1, 1),
        (6, 2, 5),
        (6, 3, 3),
        (6, 4, 0),
        (4, 1, 1),
        (4, 2, 3),
        (4, 3, 2),
        (4, 4, 0),
        (4, 101, 1),
        (3, 1, 1),
        (3, 2, 2),
        (3, 3, 1),
        (3, 4, 0),
    ],
)
def test_example_11_C2_C3_C5_pass_directions(players: int, hand_number: int, seats_left: int) -> None:
    expected = [(seat + seats_left) % players for seat in range(players)]
    assert pass_targets(Rules(players=players), hand_number) == expected


def test_example_11_C6_C7_C3_pass_settings(players: int) -> None:
    left = [(seat + 1) % players for seat in range(players)]
    nobody = list(range(players))
    for hand_number in range(1, 6):
        assert pass_targets(Rules(players=players, passing="left"), hand_number) == left
        assert pass_targets(Rules(players=players, passing="none"), hand_number) == nobody
    for across in range(1, players):
        expected = [(seat + across) % players for seat in range(players)]
        assert pass_targets(Rules(players=players, across_seats=across), 3) == expected
        assert pass_targets(Rules(players=players, across_seats=across), 1) == left


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


TAKES_1_25_0_0 = [
    "2C 2H 3H 4H 4D 5D 6D 7D 8D 9D 10D JD 3D",
    "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D",
    "QS 5H 6H 7H 8H QD KD AD 2S 3S 4S 5S AH",
    "9H 10H JH QH KH 7S 8S 9S 10S JS KS AS 6S",
]


def test_example_18_H1_H4_the_end_and_a_tie_that_shares_the_win() -> None:
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[98, 62, 60, 60])
    play_tricks(engine, hands)
    assert scores_of(engine) == [1, 25, 0, 0]
    assert engine.totals[0].tolist() == [99, 87, 60, 60]
    assert engine.phase[0] == Phase.HAND_OVER
    assert engine.win_shares[0].tolist() == [0, 0, 0, 0]
    engine, hands = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60])
    play_tricks(engine, hands)
    assert engine.totals[0].tolist() == [100, 112, 60, 60]
    assert engine.phase[0] == Phase.GAME_OVER
    assert engine.winner[0] == -1
    assert engine.win_shares[0].tolist() == [0, 0, 0.5, 0.5]
