# ruff: noqa: N802 - names carry the numbers of rules
"""Rules H4 to H6, and worked example 18: who plays off a tie, what decides, and the places of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rk_env import DealError, MisdealError, Phase
from tests.generators import act, hands_of, hold_hand
from tests.playoffs import (
    ALL_26,
    ALL_CLUBS,
    ALL_DIAMONDS,
    ALL_HEARTS,
    ALL_SPADES,
    NINE,
    NOTHING,
    SEVENTEEN,
    TAKES_1_25_0_0,
    TIED,
    call_it_over,
    deal,
    finish,
    finish_trick,
    in_play,
    places,
    played,
    sizes,
)

# Worked example 18


@pytest.mark.parametrize(("dealer", "next_dealer"), [(0, 2), (1, 2), (2, 3), (3, 2)])
def test_example_18_H1_H4_H7_H8_a_tie_is_played_off_by_the_tied(dealer: int, next_dealer: int) -> None:
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[98, 62, 60, 60], dealer=dealer)
    finish(engine, TAKES_1_25_0_0)
    assert engine.totals[0].tolist() == [99, 87, 60, 60]
    assert engine.phase[0] == Phase.HAND_OVER
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60], dealer=dealer)
    finish(engine, TAKES_1_25_0_0)
    assert engine.hand_scores[0].tolist() == [1, 25, 0, 0]
    assert engine.totals[0].tolist() == TIED
    assert (engine.phase[0], engine.winner[0], engine.games[0].playoff) == (Phase.HAND_OVER, -1, 0)
    assert places(engine) == engine.win_shares[0].tolist() == [0, 0, 0, 0]
    engine.next_hand()
    game = engine.games[0]
    assert in_play(engine) == [2, 3]
    assert sizes(engine) == [0, 0, 26, 26]
    assert sorted(hands_of(engine)[2] + hands_of(engine)[3]) == sorted(f"{ALL_26} {NOTHING}".split())
    assert (game.playoff, game.hand_number, game.dealer) == (1, 5, next_dealer)
    assert engine.totals[0].tolist() == TIED


def test_example_18_H5_H6_the_fewer_points_win_and_totals_stay() -> None:
    engine = played(["", "", NINE, SEVENTEEN])
    assert engine.captured_points[0].tolist() == engine.hand_scores[0].tolist() == [0, 0, 9, 17]
    assert engine.totals[0].tolist() == TIED
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, 2)
    assert engine.win_shares[0].tolist() == [0, 0, 1, 0]
    assert places(engine) == [3, 4, 1, 2]
    assert engine.payoffs[0].tolist() == [0, 0, 8, -8]
    engine.next_hand()
    assert engine.phase[0] == Phase.GAME_OVER


@pytest.mark.parametrize(("playoff_compare", "winner"), [("score", 3), ("captured", 2)])
def test_example_18_H5_a_shooter_scores_0_and_wins(playoff_compare: str, winner: int) -> None:
    engine = played(["", "", NOTHING, ALL_26], playoff_compare=playoff_compare)
    assert engine.captured_points[0].tolist() == [0, 0, 0, 26]
    assert engine.hand_scores[0].tolist() == [0, 0, 26, 0]
    assert engine.winner[0] == winner
    assert places(engine) == ([3, 4, 2, 1] if winner == 3 else [3, 4, 1, 2])
    assert engine.totals[0].tolist() == TIED


def test_example_18_H4_without_play_offs_the_win_is_shared() -> None:
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 60], ties="share")
    finish(engine, TAKES_1_25_0_0)
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, -1)
    assert engine.win_shares[0].tolist() == [0, 0, 0.5, 0.5]
    assert places(engine) == [3, 4, 1, 1]
    engine.next_hand()
    assert engine.phase[0] == Phase.GAME_OVER


# H4: who plays on


def test_H4_one_lowest_total_needs_no_play_off() -> None:
    engine, _ = hold_hand(TAKES_1_25_0_0, totals=[99, 87, 60, 61])
    finish(engine, TAKES_1_25_0_0)
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, 2)
    assert places(engine) == [3, 4, 1, 2]


def test_H4_H6_those_still_tied_play_on_and_the_rest_drop_out() -> None:
    engine = played([*TAKES_1_25_0_0, ""], [100, 100, 100, 100, 120])
    assert engine.hand_scores[0].tolist() == [1, 25, 0, 0, 0]
    assert (engine.phase[0], engine.winner[0], engine.games[0].playoff) == (Phase.HAND_OVER, -1, 1)
    assert places(engine) == [0, 0, 0, 0, 0]
    engine.next_hand()
    assert (in_play(engine), sizes(engine)) == ([2, 3], [0, 0, 26, 26, 0])
    assert (engine.games[0].playoff, engine.games[0].hand_number, engine.games[0].dealer) == (2, 5, 2)
    while engine.phase[0] < Phase.HAND_OVER:
        engine.step(engine.action_mask().argmax(axis=1))
    first, second = np.argsort(engine.hand_scores[0, 2:4]) + 2
    assert engine.hand_scores[0, first] < engine.hand_scores[0, second]
    assert engine.winner[0] == first
    assert engine.places[0, [first, second, 0, 1, 4]].tolist() == [1, 2, 3, 4, 5]
    assert engine.totals[0].tolist() == [100, 100, 100, 100, 120]


def test_H4_H5_of_three_the_two_with_fewest_points_may_be_tied_again() -> None:
    shooter = f"{ALL_CLUBS} AS KS QS JS"
    others = ["3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD 2S 3S 4S 5S 6S", f"{ALL_HEARTS} 7S 8S 9S 10S"]
    engine = played(["", shooter, *others], [112, 60, 60, 60], playoff_compare="captured")
    assert engine.captured_points[0].tolist() == [0, 26, 0, 0]
    assert engine.hand_scores[0].tolist() == [0, 0, 26, 26]  # who sits out is no opponent of the shooter
    assert engine.payoffs[0].tolist() == [0, 26, -13, -13]
    engine.next_hand()
    assert (in_play(engine), sizes(engine)) == ([2, 3], [0, 0, 26, 26])


def test_H4_a_play_off_may_be_tied_again_and_again() -> None:
    """Without penalty cards a hand of 13 cards each is a draw."""
    engine = played(["", "", ALL_CLUBS, ALL_DIAMONDS], two_hand_deal=13)
    assert engine.hand_scores[0].tolist() == [0, 0, 0, 0]
    for playoff in (2, 3, 4):
        assert (engine.phase[0], engine.winner[0]) == (Phase.HAND_OVER, -1)
        engine.next_hand()
        assert (engine.games[0].playoff, in_play(engine)) == (playoff, [2, 3])
        call_it_over(engine)


def test_H4_a_given_deal_with_totals_of_a_tie_is_a_play_off() -> None:
    engine = deal(["", "", NINE, SEVENTEEN], TIED, dealer=1)
    assert (engine.games[0].playoff, in_play(engine), sizes(engine)) == (1, [2, 3], [0, 0, 26, 26])
    engine = deal(TAKES_1_25_0_0, [99, 40, 40, 40])
    assert (engine.games[0].playoff, in_play(engine)) == (0, [0, 1, 2, 3])
    with pytest.raises(MisdealError, match="seat 0 has 13 cards"):
        deal(TAKES_1_25_0_0, TIED)
    with pytest.raises(DealError, match="the game is over"):
        deal(TAKES_1_25_0_0, [100, 40, 41, 42])
    with pytest.raises(DealError, match="the game is over"):
        deal(TAKES_1_25_0_0, TIED, ties="share")


# H5: what is compared


@pytest.mark.parametrize(
    ("settings", "scores"),
    [({"bonus_cards": ("JD",)}, [9, 7]), ({"bonus_cards": ("JD", "10D")}, [9, -3]), ({"black_card": "JS"}, [9, 14])],
)
def test_H5_bonus_cards_count_in_the_score_alone(settings: dict[str, Any], scores: list[int]) -> None:
    for playoff_compare, winner in (("score", 3 if scores[1] < scores[0] else 2), ("captured", 2)):
        engine = played(["", "", NINE, SEVENTEEN], playoff_compare=playoff_compare, **settings)
        assert engine.hand_scores[0].tolist() == [0, 0, *scores]
        assert engine.winner[0] == winner


@pytest.mark.parametrize(("playoff_compare", "winner"), [("score", 3), ("captured", 2)])
def test_H5_G7_fines_count_in_the_score_alone(playoff_compare: str, winner: int) -> None:
    hands = ["", "", NINE.replace(" JH", "") + " JH", SEVENTEEN]
    engine = deal(hands, TIED, revokes="corrected", playoff_compare=playoff_compare)
    while engine.games[0].trick < 21:
        finish_trick(engine, hands)
    act(engine, "QS", "JH")  # seat 2 still has spades
    finish(engine, hands)
    assert engine.captured_points[0].tolist() == [0, 0, 9, 17]
    assert engine.hand_scores[0].tolist() == [0, 0, 22, 17]
    assert engine.winner[0] == winner


def test_H5_nobody_is_asked_under_the_new_moon() -> None:
    engine = played(["", "", NOTHING, ALL_26], moon="new")
    assert (engine.phase[0], engine.winner[0]) == (Phase.GAME_OVER, 3)
    assert engine.hand_scores[0].tolist() == [0, 0, 26, 0]
    hands = [ALL_CLUBS, ALL_DIAMONDS, ALL_SPADES, ALL_HEARTS]
    assert played(hands, [0, 0, 0, 0], moon="new").phase[0] == Phase.MOON  # the main game


def test_H5_G4_a_play_off_may_be_replayed_for_a_revoke() -> None:
    hands = ["", "", NINE, SEVENTEEN]
    engine = deal(hands, TIED, revokes="exposed", late_revoke="replay", dealer=3)
    while engine.games[0].trick < 13:
        finish_trick(engine, hands)
    act(engine, "2D", "10S", "2S", "7D")  # 10S: seat 3 holds diamonds
    game = engine.games[0]
    assert (game.redeal, game.playoff, game.hand_number, game.dealer, game.revokes[3]) == (1, 1, 4, 3, 1)
    assert (in_play(engine), sizes(engine)) == ([2, 3], [0, 0, 26, 26])


# H6: places


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ([99, 35, 60, 60], [4, 1, 1, 1]),
        ([99, 30, 70, 70], [4, 1, 2, 2]),
        ([99, 75, 60, 59], [3, 3, 2, 1]),
        ([99, 45, 70, 60], [4, 2, 2, 1]),
        ([99, 60, -5, 90], [4, 2, 1, 3]),
    ],
)
def test_H6_equal_totals_share_a_place_and_the_next_is_left_out(before: list[int], expected: list[int]) -> None:
    for ties in ("share", "playoff"):
        engine, _ = hold_hand(TAKES_1_25_0_0, totals=before, ties=ties)
        assert places(engine) == [0, 0, 0, 0]
        finish(engine, TAKES_1_25_0_0)
        assert places(engine) == (expected if ties == "share" or expected.count(1) == 1 else [0, 0, 0, 0])
