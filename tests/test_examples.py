# ruff: noqa: N802 - names carry the numbers of rules
"""The worked examples 1 to 11 of the rules page (its section 3): decks, legal cards, tricks and passing.

The others are in `test_examples_scoring.py`, example 20 in `test_dealing.py`.

Positions are reached by real play of full deals. Where an example gives a part of a hand, the rest is chosen so that
it cannot change the answer: hearts where penalty cards are banned, harmless cards where they are not.
"""

from __future__ import annotations

import pytest

from rk_env import Engine, Phase, Rules
from tests.generators import act, hands_of, hold_hand, legal_of, play_tricks
from tests.playing import lowest_actions, tied_hand

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"


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


@pytest.mark.parametrize(("black_card", "points"), [("QS", 26), ("JS", 23)])
def test_example_10_H7_F1_a_play_off_of_two_has_52_cards(black_card: str, points: int) -> None:
    engine = tied_hand(Rules(players=5, black_card=black_card, playoff_pass="none"), [1, 3], n=20)
    engine.next_hand()
    hands = hands_of(engine)
    assert [len(hand) for hand in hands] == [0, 26, 0, 26, 0]
    assert len(set(hands[1] + hands[3])) == 52
    for _ in range(52):
        engine.step(lowest_actions(engine))
    assert (engine.captured_points.sum(axis=1) == points).all()


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
