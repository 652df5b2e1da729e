# ruff: noqa: N802 - names carry the numbers of rules
"""The oracle against what was worked out by hand where the rules page has no example: revokes, kitties, play-offs."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tests import oracle
from tests.generators import full_cards
from tests.oracle import DEAL_AGAIN, GAME_OVER, HAND_OVER, PASS, PLAY, OracleGame
from tests.oracle_positions import act, hold, holds, play_out

SUITS_DEALT = [
    "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC 2D",
    "AC 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD",
    "2S 3S 4S 5S 6S 7S 8S 9S 10S JS KS AS 2H",
    "QS 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
]


def test_oracle_shares_no_code_with_the_engine() -> None:
    folder = Path(oracle.__file__).parent
    for name in ("oracle.py", "oracle_cards.py", "oracle_hand.py"):
        tree = ast.parse((folder / name).read_text())
        names = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert names <= {
            "__future__",
            "collections",
            "collections.abc",
            "typing",
            "tests.oracle_cards",
            "tests.oracle_hand",
        }


# Revokes


def revoked(**settings: Any) -> OracleGame:
    """Seat 1 has failed to follow clubs with its AC in hand; seat 0 leads on."""
    game = hold(SUITS_DEALT, **settings)
    act(game, "2C 3D 3S QS" if settings.get("first_trick") == "off" else "2C 3D 3S 3H")
    return game


def test_G1_prevented_revokes_are_refused() -> None:
    game = hold(SUITS_DEALT)
    act(game, "2C")
    assert game.accepted() == game.legal() == ["AC"]


def test_G3_a_revoke_stands_until_the_suit_is_played() -> None:
    game = revoked(revokes="exposed")
    assert (game.to_act(), game.revokes, game.hidden_revokes) == (0, [0] * 4, [(1, "C")])
    act(game, "3C 4D 4S 4H 4C")
    assert game.legal() == ["AC"]
    act(game, "5D 5S 5H 5C AC")
    assert (game.revokes, game.hidden_revokes) == ([0, 3, 0, 0], [])  # G6
    assert game.hand_scores() == [3, 39, 0, 0]  # 3H 4H 5H so far
    act(game, "6S 6H")
    assert game.to_act() == 1
    play_out(game)
    assert game.captured_points() == [3, 23, 0, 0]
    assert game.hand_scores() == [3, 23 + 39, 0, 0]


@pytest.mark.parametrize("way", ["lead", "follow", "discard"])
def test_G3_a_lead_a_follow_and_a_discard_show_a_revoke(way: str) -> None:
    game = hold(["", "", "", ""], revokes="exposed")
    act(game, "2C")
    game.hands = [hand.split() for hand in ("5C 6C 2D 9D", "KD 7D AC 3C", "3D 4D 5D 6D", "8D 10D JD QD")]
    game.leader, game.table = 0, []
    act(game, "5C KD 3D 8D")
    assert game.hidden_revokes == [(1, "C")]
    if way == "lead":
        act(game, "2D 7D 4D QD")
        holds(game, "AC 3C", first=1)
        game.leader = 1
        act(game, "AC")
    elif way == "follow":
        act(game, "6C AC")
    else:
        holds(game, "AC 3C", first=1)
        act(game, "2D AC")
    assert game.revokes == [0, 1, 0, 0]


def test_G4_a_replay_keeps_the_13_the_dealer_and_the_pass() -> None:
    game = revoked(revokes="exposed", late_revoke="replay", passing="none")
    act(game, "3C AC")
    assert (game.phase(), game.to_act(), game.accepted()) == (DEAL_AGAIN, -1, [])
    game.deal_again([hand.split() for hand in SUITS_DEALT])
    assert (game.phase(), game.dealer, game.hand_number, game.hearts_broken) == (PLAY, 0, 4, False)
    assert (game.captured_points(), game.hand_scores()) == ([0] * 4, [0, 13, 0, 0])
    play_out(game)
    assert game.captured_points() == [0, 26, 0, 0]
    assert game.hand_scores() == game.totals == [26, 13, 26, 26]


def test_G4_play_goes_on_after_ten_replays() -> None:
    game = hold(SUITS_DEALT, revokes="exposed", late_revoke="replay", passing="none")
    for _ in range(10):
        act(game, "2C 3D 3S 3H 3C AC")
        assert game.phase() == DEAL_AGAIN
        game.deal_again([hand.split() for hand in SUITS_DEALT])
    act(game, "2C 3D 3S 3H 3C AC")
    assert (game.phase(), game.revokes) == (PLAY, [0, 11, 0, 0])


def test_G1_D6_a_revoke_on_trick_one_is_no_penalty_card() -> None:
    for hand, setting, revokes in (
        ("AC QS 5H 9D", "every", "9D"),
        ("AC QS 5H", "every", ""),
        ("AC QS 5H", "off", "QS 5H"),
    ):
        game = hold(["2C", hand, "", ""], revokes="corrected", first_trick=setting)
        holds(game, hand, first=1)
        act(game, "2C")
        assert game.revoking() == revokes.split()
    game = hold(["", "9S", "QS 5H", "", ""], revokes="corrected")
    holds(game, "QS 5H", first=2)
    act(game, "9S")
    assert (game.legal(), game.revoking()) == (["QS"], ["5H"])  # D9: the whole hand is penalty cards


def test_B6_a_misdeal_keeps_fines_too() -> None:
    game = hold(SUITS_DEALT, revokes="corrected", passing="none")
    act(game, "2C 3D AC")
    game.deal_again([hand.split() for hand in SUITS_DEALT])
    assert (game.phase(), game.revokes, game.number_of_plays()) == (PLAY, [0, 1, 0, 0], 0)


# Two decks


@pytest.mark.parametrize(
    ("players", "size", "kitty", "strip_size", "stripped"),
    [
        (6, 17, 2, 17, "2D 2D"),
        (7, 14, 6, 14, "2D 2D 2S 2S 2C 2C"),
        (8, 13, 0, 13, ""),
        (9, 11, 5, 11, "2D 2D 2S 2S 2C"),
        (10, 10, 4, 10, "2D 2D 2S 2S"),
        (11, 9, 5, 9, "2D 2D 2S 2S 2C"),
    ],
)
def test_X2_hands_kitty_and_strip(players: int, size: int, kitty: int, strip_size: int, stripped: str) -> None:
    hands, left = full_cards([""] * players, decks=2)
    assert ({len(hand) for hand in hands}, len(left)) == ({size}, kitty)
    hands, left = full_cards([""] * players, decks=2, leftover="strip")
    assert ({len(hand) for hand in hands}, left) == ({strip_size}, [])
    dealt = [card for hand in hands for card in hand]
    assert all(dealt.count(card) == 2 - stripped.split().count(card) for card in oracle.deck(oracle.DEFAULTS))


def test_X2_X3_X6_the_kitty_goes_to_the_first_winner() -> None:
    game = hold([""] * 6, decks=2, first_trick="off")
    assert game.kitty == ["AH", "AH"]
    holds(game, "QS 6S 9C", "KD 4S 8C", "KD 5S 9C", "3H 7S 9C", "4H 8S 9C", "5H 9S 7C")
    act(game, "KD KD 3H 4H 5H QS")
    assert (game.trick_winners, game.kitty_taker, game.first_trick()) == ([None], None, False)
    assert (game.captured_points(), game.to_act()) == ([0] * 6, 1)
    act(game, "4S 5S 7S 8S 9S 6S")
    assert (game.trick_winners, game.kitty_taker) == ([None, 5], 5)
    assert game.captured_points() == [0, 0, 0, 0, 0, 18]  # 3 hearts, QS, and two aces of hearts in the kitty


def test_X7_the_leader_takes_a_cancelled_last_trick_and_all_that_waits() -> None:
    game = hold([""] * 6, decks=2, first_trick="off")
    holds(game, "3H 3H", "KD KC", "KD KC", "4H QS", "5H 6H", "7H 8H")
    act(game, "KD KD 4H 5H 7H 3H")
    assert game.trick_winners == [None]
    act(game, "KC KC QS 6H 8H 3H")
    assert (game.trick_winners, game.kitty_taker) == ([None, 1], 1)
    assert game.captured_points()[1] == 7 + 13 + 2  # and the kitty's two aces
    assert game.phase() in (HAND_OVER, GAME_OVER)


def test_X8_F4_a_moon_of_52_takes_the_kitty_too() -> None:
    for black, value, fixed in (("QS", 52, 26), ("JS", 46, 26)):
        for setting, others in (("deal", value), ("fixed26", fixed)):
            game = hold([""] * 6, decks=2, black_card=black, moon_value=setting)
            rest = [card for hand in game.hands for card in hand]
            game.taken[2], game.kitty_taker, game.hands = rest, 2, [[] for _ in range(6)]
            assert game.shooter() == 2
            game.finish_hand()
            assert game.scores == [others, others, 0, others, others, others]
            game.kitty_taker = 3
            assert game.shooter() is None


def test_X9_of_two_holders_the_first_from_the_dealers_left_leads() -> None:
    hands = ["2C", "", "2C", "3D", "", ""]
    for dealer, leader in ((0, 2), (1, 2), (2, 0), (5, 0)):
        game = hold(hands, dealer=dealer, decks=2, opening="two_of_clubs")
        assert (game.to_act(), game.legal()) == (leader, ["2C"])
    assert hold(hands, dealer=2, decks=2).to_act() == 3
    game = hold([""] * 6, decks=2, opening="two_of_clubs", dealer=3)
    game.hands = [[card for card in hand if card != "2C"] for hand in game.hands]
    assert game.first_leader() == 4


def test_C1_two_copies_are_two_cards_to_pass() -> None:
    game = hold(["", "AS AS KS", "", "", "", ""], decks=2, hand_number=1)
    act(game, "AS AS")
    assert "AS" not in game.legal()
    act(game, "KS")
    assert (game.picks[1], game.to_act()) == (["AS", "AS", "KS"], 2)
    while game.phase() == PASS:
        game.apply(game.legal()[0])
    assert game.hands[2].count("AS") == 2


def test_X13_a_leader_with_hearts_and_two_queens_leads_a_queen() -> None:
    game = hold([""] * 6, decks=2)
    holds(game, "QS 4H QS", first=1)
    game.tricks = [["3D"] * 6]
    assert set(game.legal()) == {"QS"}
    game.settings = {**game.settings, "heart_instead_of_queen": True}
    assert set(game.legal()) == {"QS", "4H"}


# Play-offs


def playoff(seats: list[int], players: int = 6, hand_number: int = 6, **settings: Any) -> OracleGame:
    """Return the first hand of a play-off among some seats."""
    totals = [20 if seat in seats else 100 for seat in range(players)]
    if len(seats) == players:
        totals = [100] * players
    return hold([""] * players, seats[0], hand_number, totals, seats, **settings)


def test_X14_two_decks_only_if_six_or_more_are_tied() -> None:
    for n_seats, n_cards in ((2, 52), (3, 51), (4, 52), (5, 50), (6, 104), (7, 104)):
        game = playoff(list(range(n_seats)), players=8, decks=2)
        assert sum(map(len, game.hands)) + len(game.kitty) == n_cards


def test_H7_the_holder_of_2c_leads_with_the_full_deck_eldest_otherwise() -> None:
    for seats, leads in (([1, 4], True), ([0, 1, 2, 5], True), ([1, 3, 4], False), ([1, 2, 3, 4, 5], False)):
        game = playoff(seats, passing="none")
        assert (game.legal() == ["2C"]) == leads
        assert leads or game.to_act() == game.eldest() == seats[1]


def test_H7_thirteen_cards_each_and_the_rest_set_aside() -> None:
    game = playoff([1, 4], two_hand_deal=13, passing="none")
    assert [len(hand) for hand in game.hands] == [0, 13, 0, 0, 13, 0]
    assert (len(game.set_aside), game.kitty, game.to_act()) == (26, [], 4)
    assert game.legal() != ["2C"]
    play_out(game)
    assert (game.captured_points(), game.shooter(), game.phase()) == ([0] * 6, None, HAND_OVER)  # no penalty card dealt
    assert game.seats_of_next_hand() == [1, 4]


def test_H7_F4_a_moon_of_thirteen_cards_is_worth_what_was_dealt() -> None:
    for setting, value in (("deal", 15), ("fixed26", 26)):
        deal, aside = full_cards(["AC KC 2H", "3C QS 4H"], [0, 1], two_hand_deal=13)
        settings = {"players": 3, "two_hand_deal": 13, "passing": "none", "moon_value": setting}
        game = OracleGame(settings, [*deal, []], 1, 6, [50, 50, 100], aside)
        assert oracle.total_points(settings | {"black_card": "QS"}, game.dealt) == 15
        game.taken[0], game.hands = game.dealt, [[], [], []]
        game.finish_hand()
        assert game.scores == [0, value, 0]


@pytest.mark.parametrize(
    ("settings", "distances"),
    [
        ({}, [1, 2, 1, 0, 1, 2, 1, 0]),
        ({"playoff_pass": "restart"}, [1] * 8),
        ({"playoff_pass": "none"}, [0] * 8),
        ({"passing": "left"}, [1] * 8),
        ({"passing": "left", "playoff_pass": "none"}, [0] * 8),
        ({"passing": "none", "playoff_pass": "restart"}, [0] * 8),
        ({"across_seats": 3}, [1, 2, 1, 0, 1, 2, 1, 0]),
    ],
)
def test_C8_the_pass_of_a_play_off_of_three(settings: dict[str, Any], distances: list[int]) -> None:
    games = [playoff([0, 2, 5], hand_number=number, **settings) for number in range(1, 9)]
    assert [game.distance for game in games] == distances


def test_C3_across_seats_holds_when_all_play_off() -> None:
    assert playoff(list(range(6)), hand_number=3, across_seats=2).distance == 2
    assert playoff([0, 1, 2, 3, 4], hand_number=3, across_seats=3).distance == 2


def test_H4_H6_those_still_tied_play_on_and_the_rest_drop_out() -> None:
    game = hold([""] * 4, totals=[100] * 4, passing="none")
    assert (game.playoff, game.seats) == (1, [0, 1, 2, 3])
    game.taken = [["2H"], ["3H", "4H"], ["5H"], ["QS", "6H"]]
    game.hands = [[] for _ in range(4)]
    game.finish_hand()
    assert (game.places, game.phase(), game.seats_of_next_hand()) == ([0, 2, 0, 3], HAND_OVER, [0, 2])
    deal, _ = full_cards(["", "", "", ""], [0, 2])
    game.next_hand(deal)
    assert (game.playoff, game.dealer, game.hand_number, game.totals) == (2, 2, 5, [100] * 4)
    game.taken, game.hands = [["2H"], [], ["3H"], []], [[] for _ in range(4)]
    game.finish_hand()
    assert (game.places, game.phase()) == ([0, 2, 0, 3], HAND_OVER)


def test_H9_the_limit_cuts_a_play_off_and_the_win_is_shared() -> None:
    game = playoff([0, 2, 5], hand_number=6, max_hands=6)
    game.taken, game.hands, game.exchanged = [["2H"], [], ["3H"], [], [], ["4H", "5H"]], [[] for _ in range(6)], True
    game.finish_hand()
    assert (game.phase(), game.winners(), game.winner()) == (GAME_OVER, [0, 2], -1)
    assert game.places == [0, 3, 0, 3, 3, 2]


def test_H5_the_new_moon_of_a_play_off_asks_nobody() -> None:
    game = playoff([0, 1], moon="new", passing="none")
    game.taken[0], game.hands = game.dealt, [[] for _ in range(6)]
    assert not game.asks_shooter()
    game.finish_hand()
    assert (game.scores, game.winner()) == ([0, 26, 0, 0, 0, 0], 0)
