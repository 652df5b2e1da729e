# ruff: noqa: N802 - names carry the numbers of rules
"""Rules H7 to H9 and C8: cards, lead, dealer and pass of a play-off, and where a game ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rk_env import Phase
from tests.generators import act, hands_of, hold_hand
from tests.playoffs import (
    ALL_26,
    ALL_CLUBS,
    ALL_DIAMONDS,
    NINE,
    NOTHING,
    SEVENTEEN,
    TAKES_1_25_0_0,
    TIED,
    call_it_over,
    deal,
    finish,
    legal,
    places,
    played,
    sizes,
    tied,
)

# H7 and H8: cards, lead and dealer


@pytest.mark.parametrize(
    ("n", "size", "left_out"),
    [(2, 26, ""), (3, 17, "2S"), (4, 13, ""), (5, 10, "2C 2S"), (6, 8, "2C 2D 2S 2H")],
)
def test_H7_the_deck_is_that_of_the_number_still_in(n: int, size: int, left_out: str) -> None:
    engine = tied([100] * n + [120] * (6 - n), remove_for_three="2S")
    assert sizes(engine) == [size] * n + [0] * (6 - n)
    missing = set(f"{ALL_26} {NOTHING}".split()) - {card for hand in hands_of(engine) for card in hand}
    assert missing == set(left_out.split())


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_H7_the_lead_is_that_of_the_number_still_in(n: int) -> None:
    leaders = set()
    for seed in range(12):
        engine = tied([100] * n + [120] * (6 - n), dealer=n - 1, seed=seed, playoff_pass="none")
        assert engine.games[0].dealer == 0
        leaders.add(int(engine.turn[0]))
        if n in (2, 4):
            assert legal(engine) == {"2C"}
    assert leaders == (set(range(n)) if n in (2, 4) else {1})


@pytest.mark.parametrize(("moon_value", "value"), [("deal", 3), ("fixed26", 26)])
def test_H7_F2_F4_of_13_cards_each_the_moon_is_what_was_dealt(moon_value: str, value: int) -> None:
    hands = ["", "", ALL_CLUBS, "2H 3H 4H 2D 3D 4D 5D 6D 7D 8D 9D 10D JD"]
    engine = deal(hands, TIED, dealer=3, two_hand_deal=13, moon_value=moon_value)
    game = engine.games[0]
    assert (sizes(engine), engine.turn[0]) == ([0, 0, 13, 13], 2)
    assert (np.bitwise_count(game.kitty).sum(), game.kitty_taker) == (26, -1)
    assert not engine.view(2)[0].kitty.any()
    finish(engine, hands)
    assert engine.captured_points[0].tolist() == [0, 0, 3, 0]
    assert engine.hand_scores[0].tolist() == [0, 0, 0, value]
    assert engine.winner[0] == 2


def test_H7_F2_without_penalty_cards_there_is_no_moon() -> None:
    for settings in ({}, {"moon_needs_bonus": True, "bonus_cards": ("JD",)}):
        engine = played(["", "", ALL_CLUBS, ALL_DIAMONDS], two_hand_deal=13, dealer=3, moon_value="fixed26", **settings)
        assert engine.games[0].shooter == -1
        assert engine.hand_scores[0].tolist() == [0, 0, -10 if settings else 0, 0]


def test_H7_F10_a_moon_needs_the_bonus_cards_that_were_dealt() -> None:
    without_jack = ["", "", ALL_CLUBS, "2H 3H 4H 2D 3D 4D 5D 6D 7D 8D 9D 10D QD"]
    settings: dict[str, Any] = {"two_hand_deal": 13, "bonus_cards": ("JD",), "moon_needs_bonus": True, "dealer": 3}
    assert played(without_jack, **settings).hand_scores[0].tolist() == [0, 0, 0, 3]


@pytest.mark.parametrize("dealer", [2, 3])
@pytest.mark.parametrize("opening", ["standard", "two_of_clubs", "lowest_club"])
def test_H7_eldest_leads_any_of_13_cards_whatever_opens_elsewhere(opening: str, dealer: int) -> None:
    hands = ["", "", ALL_DIAMONDS, ALL_CLUBS]
    engine = deal(hands, TIED, dealer=dealer, two_hand_deal=13, opening=opening)
    eldest = 5 - dealer
    assert engine.turn[0] == eldest
    assert legal(engine) == set(hands[eldest].split())


@pytest.mark.parametrize("dealer", range(5))
def test_H8_the_deal_moves_to_the_next_seat_that_is_in(dealer: int) -> None:
    engine = tied([120, 100, 120, 100, 100], dealer=dealer)
    assert engine.games[0].dealer == {0: 1, 1: 3, 2: 3, 3: 4, 4: 1}[dealer]
    assert engine.turn[0] == {1: 3, 3: 4, 4: 1}[int(engine.games[0].dealer)]  # hand 5 passes, eldest first


# H9: limits


@pytest.mark.parametrize(("max_hands", "is_over"), [(4, True), (5, False), (None, False)])
def test_H9_the_limit_ends_the_game_before_a_play_off(max_hands: int | None, is_over: bool) -> None:
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60], max_hands=max_hands)
    finish(engine, TAKES_1_25_0_0)
    assert engine.phase[0] == (Phase.GAME_OVER if is_over else Phase.HAND_OVER)
    assert engine.win_shares[0].tolist() == ([0, 0, 0.5, 0.5] if is_over else [0, 0, 0, 0])
    assert places(engine) == ([3, 4, 1, 1] if is_over else [0, 0, 0, 0])


def test_H9_the_limit_counts_where_no_total_has_reached_the_target() -> None:
    for before, shares in (([10, 20, 30, 30], [1, 0, 0, 0]), ([29, 20, 30, 30], [1 / 3, 0, 1 / 3, 1 / 3])):
        engine, _ = hold_hand(TAKES_1_25_0_0, totals=before, max_hands=4)
        finish(engine, TAKES_1_25_0_0)
        assert engine.phase[0] == Phase.GAME_OVER
        assert engine.win_shares[0].tolist() == pytest.approx(shares)


@pytest.mark.parametrize(("max_hands", "is_over"), [(4, True), (5, False)])
def test_H9_play_offs_count_as_hands_and_those_still_tied_share(max_hands: int, is_over: bool) -> None:
    engine = played(TAKES_1_25_0_0, [100, 100, 100, 100], max_hands=max_hands)
    assert engine.phase[0] == (Phase.GAME_OVER if is_over else Phase.HAND_OVER)
    assert engine.win_shares[0].tolist() == ([0, 0, 0.5, 0.5] if is_over else [0, 0, 0, 0])
    assert places(engine) == ([3, 4, 1, 1] if is_over else [0, 0, 0, 0])
    decided = played(["", "", NINE, SEVENTEEN], max_hands=max_hands)
    assert (decided.phase[0], decided.winner[0]) == (Phase.GAME_OVER, 2)


def test_H9_a_deal_beyond_the_limit_is_the_last_hand() -> None:
    engine = deal(TAKES_1_25_0_0, [0, 0, 0, 0], hand_number=8, max_hands=4)
    finish(engine, TAKES_1_25_0_0)
    assert (engine.phase[0], engine.places[0].tolist()) == (Phase.GAME_OVER, [3, 4, 1, 1])


@pytest.mark.parametrize(
    ("target", "total", "is_over"), [(50, 48, False), (50, 49, True), (200, 198, False), (200, 199, True)]
)
def test_H1_V7_the_target_is_a_setting(target: int, total: int, is_over: bool) -> None:
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[total, 0, 10, 20], target=target)
    finish(engine, TAKES_1_25_0_0)
    assert engine.totals[0].tolist() == [total + 1, 25, 10, 20]
    assert (engine.phase[0], engine.winner[0]) == ((Phase.GAME_OVER, 2) if is_over else (Phase.HAND_OVER, -1))


# C8: passing


@pytest.mark.parametrize(
    ("playoff_pass", "hand_number", "seats_left"),
    [
        ("continue", 4, [1, 2, 1, 0, 1]),
        ("continue", 6, [1, 0, 1, 2, 1]),
        ("restart", 4, [1, 2, 1, 0, 1]),
        ("restart", 6, [1, 2, 1, 0, 1]),
        ("restart", 7, [1, 2, 1, 0, 1]),
        ("none", 4, [0, 0, 0, 0, 0]),
    ],
)
def test_C8_the_pass_of_three_in_a_play_off(playoff_pass: str, hand_number: int, seats_left: list[int]) -> None:
    engine = tied([100, 100, 120, 100], hand_number, playoff_pass=playoff_pass)
    for number, seats in enumerate(seats_left, 1):
        game = engine.games[0]
        assert (game.playoff, game.pass_seats) == (number, seats)
        assert engine.phase[0] == (Phase.PASS if seats else Phase.PLAY)
        call_it_over(engine)
        engine.next_hand()


@pytest.mark.parametrize(
    ("playoff_pass", "seats_left"), [("continue", [1, 1, 1, 0]), ("restart", [1, 1, 1, 1]), ("none", [0, 0, 0, 0])]
)
def test_C8_the_first_play_off_of_two_by_the_number_of_the_hand(playoff_pass: str, seats_left: list[int]) -> None:
    hands = ["", "", NINE, SEVENTEEN]
    for hand_number, seats in zip((5, 6, 7, 8), seats_left, strict=True):
        assert deal(hands, TIED, hand_number, playoff_pass=playoff_pass).games[0].pass_seats == seats


@pytest.mark.parametrize("playoff_pass", ["continue", "restart", "none"])
@pytest.mark.parametrize("passing", ["left", "none"])
def test_C8_C6_C7_left_and_none_beat_the_cycle(passing: str, playoff_pass: str) -> None:
    for hand_number in (4, 5, 6, 7):
        engine = tied([100, 100, 120, 100], hand_number, passing=passing, playoff_pass=playoff_pass)
        assert engine.games[0].pass_seats == (1 if passing == "left" and playoff_pass != "none" else 0)


@pytest.mark.parametrize(("n", "seats"), [(5, 4), (4, 2), (3, 1), (2, 1)])
def test_C8_C3_across_in_a_play_off_is_half_of_those_still_in(n: int, seats: int) -> None:
    engine = tied([100] * n + [120] * (5 - n), hand_number=6, across_seats=4)
    assert (engine.games[0].hand_number, engine.games[0].pass_seats) == (7, seats)


def test_C8_cards_go_to_the_next_seat_that_is_in() -> None:
    engine = tied([100, 120, 100, 120, 100], hand_number=4, dealer=4)  # dealer 0, hand 5: left
    dealt = hands_of(engine)
    passed: dict[int, list[str]] = {}
    for seat in (2, 4, 0):
        assert engine.turn[0] == seat
        passed[seat] = dealt[seat][:3]
        act(engine, *passed[seat])
    after = hands_of(engine)
    for giver, receiver in ((0, 2), (2, 4), (4, 0)):
        assert set(after[receiver]) == set(dealt[receiver]) - set(passed[receiver]) | set(passed[giver])
    assert sizes(engine) == [17, 0, 17, 0, 17]
