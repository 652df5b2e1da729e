# ruff: noqa: N802 - names carry the numbers of rules
"""Rules X1 to X8, and worked example 19: two decks, the kitty, cards that cancel each other, and the moon of 52."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rk_env import DealError, Engine, Phase, Rules, RulesError
from tests.generators import act, hands_of, hold_hand, kitty_of, legal_of, play_tricks, texts_of_planes
from tests.two_decks import ALL_CANCEL, TWO_DECKS, completed, hold


def waiting(engine: Engine) -> Counter[str]:
    return Counter(texts_of_planes(engine.games[0].waiting))


def captured(engine: Engine, seat: int) -> Counter[str]:
    return Counter(texts_of_planes(engine.games[0].captured[seat]))


def all_held(engine: Engine) -> Counter[str]:
    return Counter(card for hand in hands_of(engine) for card in hand)


def points(engine: Engine) -> list[int]:
    return engine.captured_points[0].tolist()


# Worked example 19

TRICK = ["KD", "9D", "KD", "QS", "AD", "9D", "AD", "4H"]
NEXT = ["3C", "5C", "5C", "8C", "10C", "2H", "10C", "6C"]


def test_example_19_X4_X6_all_diamonds_cancel_and_the_next_winner_takes_both_tricks() -> None:
    engine, _ = hold(
        [
            "4C 4H 6C -D",
            "AC KD 3C",
            "2C 9D 5C",
            "2C KD 5C",
            "4C QS 8C -D",
            "7C AD 10C",
            "7C 9D 2H -C",
            "JC AD 10C",
        ]
    )
    act(engine, "AC 2C 2C 4C 7C 7C JC 4C")
    assert (engine.turn[0], engine.games[0].winners[0]) == (1, 1)
    act(engine, *TRICK)
    assert (engine.games[0].winners[1], engine.games[0].trick, engine.turn[0]) == (-1, 2, 1)
    assert waiting(engine) == Counter(TRICK)
    assert points(engine) == [0] * 8
    act(engine, *NEXT)
    assert (engine.games[0].winners[2], engine.turn[0]) == (4, 4)
    assert points(engine) == [0, 0, 0, 0, 15, 0, 0, 0]
    assert captured(engine, 4) == Counter([*TRICK, *NEXT])
    assert waiting(engine) == Counter()


def test_example_19_X5_two_queens_in_one_trick_cost_26() -> None:
    engine, _ = hold(["4D -S", "6S", "QS", "KS", "QS", "2S"], kitty="2C 3C")
    act(engine, "6S QS KS QS 2S 4D")
    assert engine.turn[0] == 3
    assert points(engine) == [0, 0, 0, 26, 0, 0]


def test_example_19_X4_X5_an_off_suit_pair_cannot_win_but_counts() -> None:
    engine, _ = hold(["2C KS", "AC QS", "3C QS", "4C 3S", "5C 5H -S", "6C 5H -S"], kitty="2D 3D")
    act(engine, "AC 3C 4C 5C 6C 2C", "QS QS 3S 5H 5H KS")
    assert engine.turn[0] == 0
    assert points(engine) == [28, 0, 0, 0, 0, 0]


# X1 to X3: players, cards and the kitty


def test_X1_six_to_eleven_play_with_two_decks() -> None:
    for players in range(6, 12):
        assert len(Rules(players=players, decks=2).deck) == 104
    for players in (3, 4, 5, 12):
        with pytest.raises(RulesError, match=f"players={players}"):
            Rules(players=players, decks=2)
    for players in (7, 8, 11):
        with pytest.raises(RulesError, match=f"players={players} is not allowed with decks=1.*decks=2"):
            Rules(players=players)
    assert len(Rules(players=6).deck) == 48


@pytest.mark.parametrize(
    ("players", "size", "n_over"), [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)]
)
def test_X2_all_get_the_same_number_and_the_rest_is_the_kitty_or_stripped(players: int, size: int, n_over: int) -> None:
    engine = Engine(Rules(players=players, decks=2), seed=1)
    assert [len(hand) for hand in hands_of(engine)] == [size] * players
    assert len(kitty_of(engine)) == n_over
    assert Counter(kitty_of(engine)) + all_held(engine) == TWO_DECKS
    engine = Engine(Rules(players=players, decks=2, leftover="strip"), seed=1)
    assert [len(hand) for hand in hands_of(engine)] == [size] * players
    assert kitty_of(engine) == []
    stripped = ["2D", "2D", "2S", "2S", "2C", "2C"][:n_over]
    assert Counter(stripped) + all_held(engine) == TWO_DECKS


def test_X2_the_winner_of_the_first_trick_takes_the_kitty() -> None:
    engine, hands = hold(["2C", "3C", "4C", "AC 5C", "6C", "7C"], kitty="QS 9H")
    assert (sorted(kitty_of(engine)), engine.games[0].kitty_taker) == (["9H", "QS"], -1)
    act(engine, "3C 4C AC 6C 7C")
    assert points(engine) == [0] * 6
    act(engine, "2C")
    assert engine.games[0].kitty_taker == 3
    assert points(engine) == engine.hand_scores[0].tolist() == [0, 0, 0, 14, 0, 0]
    play_tricks(engine, hands, tricks=2)
    assert engine.games[0].winners[1] != 3
    assert engine.games[0].kitty_taker == 3
    play_tricks(engine, hands)
    assert {"QS", "9H"} <= set(captured(engine, 3))
    assert (kitty_of(engine), sum(points(engine))) == ([], 52)
    assert sum(map(Counter, (captured(engine, seat) for seat in range(6))), Counter()) == TWO_DECKS


def test_X3_the_kitty_breaks_no_hearts_and_only_its_taker_sees_it() -> None:
    engine, _ = hold(["2C", "3C", "4C", "AC 5C 2H", "6C", "7C"], kitty="QS 9H")
    before = [engine.view(seat)[0].kitty.any() for seat in range(6)]
    act(engine, "3C 4C AC 6C 7C 2C")
    seen = [texts_of_planes(engine.view(seat)[0].kitty) for seat in range(6)]
    assert not any(before)
    assert seen == [[], [], [], ["QS", "9H"], [], []]
    assert all(view.points[3] == 0 for view in (engine.view(seat)[0] for seat in range(6)))
    assert engine.games[0].hearts_broken == 0
    assert "2H" not in legal_of(engine)
    assert {"QS", "9H"}.isdisjoint(hands_of(engine)[3])


def test_X3_bonus_cards_in_the_kitty_count_for_its_taker() -> None:
    engine, hands = hold(["2C", "3C", "4C", "AC", "6C", "7C"], kitty="JD 9H", bonus_cards=("JD",))
    act(engine, "3C 4C AC 6C 7C 2C")
    assert engine.hand_scores[0].tolist() == [0, 0, 0, -9, 0, 0]
    play_tricks(engine, hands)
    assert (engine.games[0].shooter, captured(engine, 3)["JD"]) == (-1, 1)
    bonus = [-10 * captured(engine, seat)["JD"] for seat in range(6)]
    assert sum(bonus) == -20
    assert engine.hand_scores[0].tolist() == (engine.captured_points[0] + bonus).tolist()


def test_X2_a_stripped_deal_has_no_kitty_to_take() -> None:
    engine, _ = hold_hand(["2C", "3C", "4C", "AC", "6C", "7C"], decks=2, leftover="strip")
    act(engine, "3C 4C AC 6C 7C 2C")
    assert (engine.games[0].winners[0], engine.games[0].kitty_taker) == (3, -1)
    assert points(engine) == [0] * 6


def test_X2_a_given_kitty_is_what_the_hands_leave_over() -> None:
    with pytest.raises(DealError, match="kitty"):
        Engine(Rules(players=6, decks=2)).deal(completed([""] * 6, 17, "QS 9H"), kitty="QS 8H")


# X4 to X7: what cancels


def test_X4_the_highest_card_left_of_the_led_suit_wins() -> None:
    engine, _ = hold(["AC", "9C", "AC", "KC", "3C", "KC"], kitty="2D 2D")
    act(engine, "9C AC KC 3C KC AC")
    assert (engine.games[0].winners[0], engine.turn[0]) == (1, 1)


def test_X4_a_cancelled_lead_still_sets_the_suit() -> None:
    engine, hands = hold(["4C", "AC", "AC", "3C 3D 3S", "KD KD -C", "8C"], kitty="2D 2D")
    act(engine, "AC AC")
    assert legal_of(engine) == {card for card in hands[3] if card[-1] == "C"}
    act(engine, "3C KD 8C 4C")
    assert engine.turn[0] == 5


def test_X6_X10_a_cancelled_trick_one_is_over_and_its_rules_with_it() -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH")
    act(engine, "2C 2C 6D 6D")
    assert engine.turn[0] == 5
    assert {"QS", "2H"}.isdisjoint(legal_of(engine))
    act(engine, "10S 10S")
    assert (engine.games[0].winners[0], engine.games[0].kitty_taker, engine.turn[0]) == (-1, -1, 1)
    act(engine, "AC AC 7D 7D")
    assert {"QS", "2H"} <= legal_of(engine) == set(hands[5]) - {"10S"}
    act(engine, "QS QS")
    assert waiting(engine) == Counter(["2C", "6D", "10S", "AC", "7D", "QS"] * 2)


def test_X6_the_kitty_waits_for_the_first_trick_that_is_won() -> None:
    engine, _ = hold(["KC 2C", "KC 3C", "4C 5C", "4C 6C", "9C 7C", "9C QC"], kitty="2H 3H", dealer=2)
    act(engine, "4C 9C 9C KC KC 4C")
    assert engine.games[0].kitty_taker == -1
    act(engine, "6C 7C QC 2C 3C 5C")
    assert engine.games[0].kitty_taker == 5
    assert points(engine) == [0, 0, 0, 0, 0, 2]


def test_X7_X8_the_leader_of_a_cancelled_last_trick_takes_all_that_waits() -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH")
    play_tricks(engine, hands, tricks=16)
    assert (engine.games[0].winners[:16] == -1).all()
    assert points(engine) == [0] * 6
    play_tricks(engine, hands)
    assert engine.games[0].winners[16] == engine.games[0].kitty_taker == 1
    assert captured(engine, 1) == TWO_DECKS
    assert points(engine) == [0, 52, 0, 0, 0, 0]
    assert engine.hand_scores[0].tolist() == [52, 0, 52, 52, 52, 52]
    assert waiting(engine) == Counter()


# X8: points and the moon


@pytest.mark.parametrize(
    ("settings", "value"), [({}, 52), ({"black_card": "JS"}, 46), ({"moon_value": "fixed26"}, 26)], ids=str
)
def test_X8_F4_what_a_moon_is_worth(settings: dict[str, Any], value: int) -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH", **settings)
    play_tricks(engine, hands)
    assert engine.hand_scores[0].tolist() == [0 if seat == 1 else value for seat in range(6)]


@pytest.mark.parametrize(("choice", "scores"), [("moon+", [52, 0, 52, 52, 52, 52]), ("moon-", [0, -52, 0, 0, 0, 0])])
def test_X8_F6_the_new_moon_of_52(choice: str, scores: list[int]) -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH", moon="new")
    play_tricks(engine, hands)
    assert (engine.phase[0], engine.turn[0]) == (Phase.MOON, 1)
    act(engine, choice)
    assert engine.hand_scores[0].tolist() == scores


# Seat 1 leads and takes every trick with diamonds, except one in which its AS is cancelled and KS wins.
DIAMONDS = "AD AD KD KD QD QD JD 10D 10D 9D 9D 8D 8D 7D 7D"


@pytest.mark.parametrize(
    ("first", "scores"), [("AS AS KS 3S 4S 5S", [0, 51, 0, 1, 0, 0]), ("AD", [52, 0, 52, 52, 52, 52])]
)
def test_X8_a_moon_needs_what_is_in_the_kitty(first: str, scores: list[int]) -> None:
    engine, hands = hold(["5S", f"AS JD {DIAMONDS}", "AS", "KS 2D", "3S", "4S"], kitty="9H 2C")
    act(engine, first)
    if first != "AD":
        assert engine.turn[0] == 3
        act(engine, "2D")
    play_tricks(engine, [hand[2:] + hand[:2] if seat == 1 else hand for seat, hand in enumerate(hands)])
    assert engine.hand_scores[0].tolist() == scores


@pytest.mark.parametrize(
    ("moon_needs_bonus", "scores"), [(False, [52, -10, 52, 42, 52, 52]), (True, [0, 42, 0, -10, 0, 0])]
)
def test_X8_F10_each_copy_of_a_bonus_card_counts(moon_needs_bonus: bool, scores: list[int]) -> None:
    engine, hands = hold(
        ["5S", f"AS 6D {DIAMONDS}", "AS", "KS 2D", "3S", "4S"],
        kitty="JD 6D",
        bonus_cards=("JD",),
        moon_needs_bonus=moon_needs_bonus,
    )
    act(engine, "AS AS KS 3S 4S 5S", "2D")
    play_tricks(engine, [hand[2:] + hand[:2] if seat == 1 else hand for seat, hand in enumerate(hands)])
    assert engine.captured_points[0].tolist() == [0, 52, 0, 0, 0, 0]
    assert engine.hand_scores[0].tolist() == scores


def test_X8_K4_both_copies_of_a_bonus_card_and_of_the_black_jack() -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH", bonus_cards=("JD", "10D"), black_card="JS")
    play_tricks(engine, hands, tricks=16)
    assert engine.hand_scores[0].tolist() == [0] * 6
    play_tricks(engine, hands)
    assert points(engine) == [0, 46, 0, 0, 0, 0]
    assert engine.hand_scores[0].tolist() == [46, -40, 46, 46, 46, 46]
