# ruff: noqa: N802 - names carry the numbers of rules
"""Section G of the rules page, and its worked example 17: revokes, prevented or not, and replayed hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, IllegalActionError, Phase, Rules, cards
from tests.generators import NUMBER_OF, act, hands_of, hold_hand, scaled

BOTH = pytest.mark.parametrize("revokes", ["corrected", "exposed"])

# Seat 3 opens with 2C. Seat 0 takes three tricks with its clubs, in them four hearts, and then has low cards only.
FOUR_HEARTS = [
    "AC KC QC 2D 3D 4D 5D 6D 2S 3S 4S 5S 6S",
    "3C 2H 3H 7D 8D QS KS AS 4H 5H 6H 7H 8H",
    "4C 9H 10H 9D 10D 7S 8S 9S JH QH KH AH JD",
    "2C 5C 6C 7C 8C 9C 10C JC QD KD AD 10S JS",
]
CLUBS_OF_SEAT_3 = {"5C", "6C", "7C", "8C", "9C", "10C", "JC"}

SHOOTER = "AC KC QC JC 10C 9C 8C 7C 6C 5C 4C AS KS"
FOLLOWER = "2C 3C 2S 3S 4S 5S 6S 2D 3D 4D 5D 6D 7D"


def shooter_deal(follower: int) -> list[str]:
    """Return a deal in which seat 0 takes all tricks; one other seat has clubs, opens with 2C and can follow once."""
    hands = ["7S 8S 9S 10S JS QS 8D 9D 10D JD QD KD AD", "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"]
    hands.insert(follower - 1, FOLLOWER)
    return [SHOOTER, *hands]


def names_of(mask: Any) -> set[str]:
    names = list(NUMBER_OF)
    return {names[number] for number in np.flatnonzero(mask)}


def accepted(engine: Engine) -> set[str]:
    return names_of(engine.action_mask()[0])


def by_the_book(engine: Engine) -> set[str]:
    return names_of(engine.action_mask(revokes=False)[0])


def found(engine: Engine) -> list[int]:
    return engine.games[0].revokes[: engine.rules.players].tolist()


def finish(engine: Engine, orders: Sequence[Sequence[str]]) -> None:
    """Play to the end of the hand; each seat plays the first card of its list that the rules allow."""
    while engine.phase[0] == Phase.PLAY:
        act(engine, next(card for card in orders[int(engine.turn[0])] if card in by_the_book(engine)))


def at_random(engine: Engine, rng: np.random.Generator) -> None:
    """Do one action in each game of a batch."""
    weights = engine.action_mask() * rng.random((len(engine), 54))
    engine.step(np.where(engine.turn >= 0, weights.argmax(axis=1), -1))


def seat_3_to_follow(**settings: Any) -> tuple[Engine, list[list[str]]]:
    """Return the game of `FOUR_HEARTS` at the last play of trick two, in which KC was led: seat 3 holds clubs."""
    engine, hands = hold_hand(FOUR_HEARTS, **settings)
    act(engine, "2C AC 3C 4C", "KC 2H 9H")
    return engine, hands


# G1: what is accepted


def test_G1_a_revoke_is_refused_by_default() -> None:
    engine, _ = seat_3_to_follow()
    before = engine.games.tobytes()
    assert accepted(engine) == by_the_book(engine) == CLUBS_OF_SEAT_3
    with pytest.raises(IllegalActionError, match="seat 3, phase PLAY: QD is not legal; legal: 5C, 6C"):
        act(engine, "QD")
    assert engine.games.tobytes() == before


@BOTH
def test_G1_a_seat_that_can_follow_may_play_any_card_all_the_same(revokes: str) -> None:
    engine, _ = seat_3_to_follow(revokes=revokes)
    assert by_the_book(engine) == CLUBS_OF_SEAT_3
    assert accepted(engine) == set(hands_of(engine)[3])


@BOTH
def test_G1_leads_and_discards_stay_as_they_are(revokes: str) -> None:
    engine, _ = hold_hand(["AC 4H", "3C", "4C", "2C 5D AH"], revokes=revokes)
    assert accepted(engine) == {"2C"}  # D1
    act(engine, "2C AC 3C 4C")
    assert accepted(engine) == by_the_book(engine) == set(hands_of(engine)[0]) - {"4H"}  # E3
    engine, _ = hold_hand(["2C", "QS 5H 9D KS 2D 3D 4D 5D 6D 7D 8D 10D JD", "", ""], revokes=revokes)
    act(engine, "2C")
    assert accepted(engine) == by_the_book(engine) == set(hands_of(engine)[1]) - {"QS", "5H"}  # D6, void
    with pytest.raises(IllegalActionError, match="QS is not legal"):
        act(engine, "QS")


@pytest.mark.parametrize(
    ("first_trick", "banned"), [("every", True), ("only_2c", True), ("strict", True), ("off", False)]
)
@BOTH
def test_G1_D6_no_revoke_with_a_penalty_card_on_trick_one(revokes: str, first_trick: str, banned: bool) -> None:
    hand = "4C QS 5H 9D KS 2D 3D 4D 5D 6D 7D 8D 2S"
    engine, _ = hold_hand(["2C", hand, "", ""], revokes=revokes, first_trick=first_trick)
    act(engine, "2C")
    assert by_the_book(engine) == {"4C"}
    assert accepted(engine) == set(hand.split()) - ({"QS", "5H"} if banned else set())


@BOTH
def test_G1_D9_D10_penalty_cards_on_a_heart_led_to_trick_one(revokes: str) -> None:
    only_penalty = "4H 5H 6H 7H 8H 9H 10H QS"
    with_harmless = "4H 5H 6H 7H 8H 9H 3D QS"
    for hand, expected in ((only_penalty, only_penalty), (with_harmless, "4H 5H 6H 7H 8H 9H 3D")):
        engine, _ = hold_hand(["", "3H", hand, "", "", ""], revokes=revokes, open_with_heart=True)
        act(engine, "3H")
        assert by_the_book(engine) == {card for card in hand.split() if card[-1] == "H"}
        assert accepted(engine) == set(expected.split())


@BOTH
def test_G1_D8_following_with_the_queen_under_strict_is_no_revoke(revokes: str) -> None:
    hand = "QS AS 4H 6D 8C 3C 4C 5C 6C 7C"
    engine, _ = hold_hand(["", "9S", hand, "", ""], revokes=revokes, first_trick="strict")
    act(engine, "9S")
    assert by_the_book(engine) == {"AS"}
    assert accepted(engine) == set(hand.split()) - {"QS", "4H"}


# G2: seen at once


def test_G2_the_card_goes_back_and_the_same_seat_plays_by_the_book() -> None:
    engine, _ = seat_3_to_follow(revokes="corrected")
    before = engine.games[0].copy()
    act(engine, "JS")
    game = engine.games[0]
    assert found(engine) == [0, 0, 0, 1]
    for field in (
        "hands",
        "table",
        "n_table",
        "n_plays",
        "turn",
        "voids",
        "hearts_broken",
        "plays",
        "points",
        "totals",
    ):
        assert (game[field] == before[field]).all(), field
    assert accepted(engine) == by_the_book(engine) == CLUBS_OF_SEAT_3
    with pytest.raises(IllegalActionError, match="JS is not legal"):
        act(engine, "JS")
    act(engine, "5C")
    assert (engine.games[0].winners[1], engine.turn[0]) == (0, 0)
    assert found(engine) == [0, 0, 0, 1]
    assert engine.hand_scores[0].tolist() == [2, 0, 0, 13]
    assert engine.captured_points[0].tolist() == [2, 0, 0, 0]  # G5


def test_G2_everybody_has_seen_the_card_that_was_taken_back() -> None:
    engine, _ = seat_3_to_follow(revokes="corrected")
    act(engine, "JS 5C")
    for seat in range(4):
        shown = engine.view(seat)[0].took_back
        assert {int(i): cards.card_text(int(shown[i])) for i in np.flatnonzero(shown >= 0)} == {7: "JS"}  # play 7 is 5C


def test_G2_a_heart_taken_back_breaks_nothing() -> None:
    for revokes, broken in (("corrected", 0), ("exposed", 1)):  # G3: what is exposed counts as played
        engine, _ = hold_hand(["AC KC", "3C 5C 2H", "4C", "2C"], revokes=revokes)
        act(engine, "2C AC 3C 4C", "KC 2H")
        assert engine.games[0].hearts_broken == broken
        assert (engine.games[0].n_table, engine.turn[0]) == ((1, 1) if revokes == "corrected" else (2, 2))


def test_G2_G6_a_seat_may_revoke_again_in_another_turn() -> None:
    engine, hands = seat_3_to_follow(revokes="corrected")
    act(engine, "JS 5C", "QC 3H 10H", "10S 6C", "2D 7D 9D", "JC QD")
    assert found(engine) == [0, 0, 0, 3]
    finish(engine, hands)
    assert engine.hand_scores[0].tolist() == (engine.captured_points[0] + [0, 0, 0, 39]).tolist()


# G3: seen later


def test_G3_an_exposed_revoke_stands_until_it_is_found() -> None:
    engine, _ = seat_3_to_follow(revokes="exposed")
    act(engine, "JS")
    game = engine.games[0]
    assert (game.winners[1], game.trick, engine.turn[0]) == (0, 2, 0)
    assert "JS" not in hands_of(engine)[3]
    assert cards.parse_card("JS") in game.plays.tolist()
    assert game.voids[:4].tolist() == [0, 1, 1, 1]  # bit 0: clubs
    assert found(engine) == [0, 0, 0, 0]
    assert engine.hand_scores[0].tolist() == [2, 0, 0, 0]
    assert (game.took_back == -1).all()


@pytest.mark.parametrize(
    ("then", "voids"),
    [("QC 3H 10H 5C", 0), ("2D 7D 9D AD 5C", 0), ("2D 7D 9D 5C", 2)],  # bit 1: diamonds, not followed by 5C
    ids=["follow", "lead", "discard"],
)
def test_G3_a_card_of_the_suit_not_followed_shows_the_revoke(then: str, voids: int) -> None:
    engine, hands = seat_3_to_follow(revokes="exposed")
    act(engine, "JS", then.removesuffix(" 5C"))
    assert found(engine) == [0, 0, 0, 0]
    act(engine, "5C")
    assert found(engine) == [0, 0, 0, 1]
    assert engine.games[0].voids[3] == voids
    assert (engine.games[0].redeal, engine.games[0].n_plays) == (0, 8 + len(then.split()))  # "play_on"
    finish(engine, hands)
    fines = [0, 0, 0, 26 if voids else 13]  # the diamonds come out too
    assert engine.hand_scores[0].tolist() == (engine.captured_points[0] + fines).tolist()


def test_G3_who_has_no_card_of_the_suit_has_not_revoked() -> None:
    scores = []
    for revokes in ("prevented", "corrected", "exposed"):
        engine, hands = hold_hand(FOUR_HEARTS, revokes=revokes)
        finish(engine, hands)
        assert found(engine) == [0, 0, 0, 0]
        scores.append(engine.hand_scores[0].tolist())
    assert scores[0] == scores[1] == scores[2]


def test_G3_all_revokes_are_found_before_the_hand_is_over() -> None:
    """A seat revoked as often as it failed to follow a suit of which it played a card later."""
    engine = Engine(Rules(revokes="exposed", passing="none"), num_games=scaled(200), seed=1)
    rng = np.random.default_rng(1)
    while (engine.turn >= 0).any():
        at_random(engine, rng)
    for game in engine.games:
        plays = [(int(seat), int(card) // 13) for seat, card in zip(game.play_seats[:52], game.plays[:52], strict=True)]
        revoked = [0, 0, 0, 0]
        for i, (seat, suit) in enumerate(plays):
            led = plays[i - i % 4][1]
            revoked[seat] += suit != led and (seat, led) in plays[i + 1 :]
        assert game.revokes[:4].tolist() == revoked
    assert engine.games["revokes"].sum() > len(engine)


# G4: replays


def test_G3_G4_a_replayed_hand_is_dealt_again_and_keeps_the_fines() -> None:
    engine, _ = seat_3_to_follow(revokes="exposed", late_revoke="replay", dealer=2, totals=[10, 20, 30, 40])
    act(engine, "JS", "QC 3H 10H 5C")
    game = engine.games[0]
    assert (game.redeal, game.dealer, game.hand_number, game.pass_seats) == (1, 2, 4, 0)
    assert (engine.phase[0], game.n_plays, game.trick, game.n_table, game.hearts_broken) == (Phase.PLAY, 0, 0, 0, 0)
    assert sorted(len(hand) for hand in hands_of(engine)) == [13, 13, 13, 13]
    assert engine.captured_points[0].tolist() == [0, 0, 0, 0]
    assert game.voids[:4].tolist() == [0, 0, 0, 0]
    assert found(engine) == [0, 0, 0, 1]
    assert engine.totals[0].tolist() == [10, 20, 30, 40]
    finish(engine, hands_of(engine))
    scores = engine.captured_points[0] + [0, 0, 0, 13]
    assert engine.games[0].shooter == -1
    assert engine.hand_scores[0].tolist() == scores.tolist()
    assert engine.totals[0].tolist() == np.add(scores, [10, 20, 30, 40]).tolist()
    engine.next_hand()
    assert found(engine) == [0, 0, 0, 0]


def test_G4_a_replayed_hand_is_passed_again_the_same_way() -> None:
    engine = Engine(Rules(revokes="exposed", late_revoke="replay", first_dealer=1), seed=3)
    engine.deal(hands_of(engine), dealer=2, hand_number=2)
    rng = np.random.default_rng(3)
    while engine.games[0].redeal == 0:
        at_random(engine, rng)
    game = engine.games[0]
    assert (engine.phase[0], engine.turn[0], game.n_picks) == (Phase.PASS, 3, 0)
    assert (game.dealer, game.hand_number, game.pass_seats) == (2, 2, 3)


def test_G4_the_last_card_of_a_hand_can_have_it_replayed() -> None:
    for late_revoke in ("play_on", "replay"):
        engine, hands = hold_hand(shooter_deal(3), revokes="exposed", late_revoke=late_revoke)
        act(engine, "2C AC 7S 2H")
        for _ in range(11):
            finish_but_seat_3(engine, hands)
            act(engine, next(card for card in hands[3] if card in hands_of(engine)[3] and card != "3C"))
        finish_but_seat_3(engine, hands)
        assert (engine.games[0].n_plays, found(engine)) == (51, [0, 0, 0, 0])
        act(engine, "3C")
        assert found(engine) == [0, 0, 0, 10]  # G6: KC to 4C not followed
        if late_revoke == "play_on":
            assert engine.hand_scores[0].tolist() == [0, 26, 26, 26 + 130]
        else:
            assert (engine.phase[0], engine.games[0].n_plays, engine.games[0].redeal) == (Phase.PLAY, 0, 1)
            assert engine.totals[0].tolist() == [0, 0, 0, 0]


def finish_but_seat_3(engine: Engine, hands: list[list[str]]) -> None:
    while engine.turn[0] != 3:
        act(engine, next(card for card in hands[int(engine.turn[0])] if card in by_the_book(engine)))


def test_G4_after_ten_replays_play_goes_on() -> None:
    engine = Engine(Rules(revokes="exposed", late_revoke="replay"), num_games=scaled(50), seed=5)
    engine.redeal()  # misdeals are among the ten
    engine.redeal()
    rng = np.random.default_rng(5)
    before = engine.games.copy()
    while (engine.turn >= 0).any():
        at_random(engine, rng)
        more = engine.games["revokes"].sum(axis=1, dtype=int) > before["revokes"].sum(axis=1, dtype=int)
        again = engine.games["redeal"] > before["redeal"]
        assert (again == (more & (before["redeal"] < 10))).all()
        before = engine.games.copy()
    assert engine.games["redeal"].max() == 10
    played_on = engine.games["redeal"] == 10
    assert played_on.any()
    assert engine.games["revokes"][played_on].sum(axis=1, dtype=int).min() >= 8


def test_G4_B6_fines_outlast_a_misdeal_but_not_the_hand() -> None:
    engine, _ = seat_3_to_follow(revokes="corrected")
    act(engine, "JS")
    engine.redeal()
    assert found(engine) == [0, 0, 0, 1]
    assert (engine.games[0].took_back == -1).all()
    finish(engine, hands_of(engine))
    assert engine.hand_scores[0].tolist() == (engine.captured_points[0] + [0, 0, 0, 13]).tolist()
    engine, hands = seat_3_to_follow(revokes="corrected")
    act(engine, "JS")
    engine.deal(hands, hand_number=4)  # another game
    assert found(engine) == [0, 0, 0, 0]
    act(engine, "2C AC 3C 4C", "KC 2H 9H", "JS")
    engine.reset(seed=1)
    assert found(engine) == [0, 0, 0, 0]


# G5 to G7: what a fine is


def test_example_17_G2_captured_points_and_a_fine() -> None:
    engine, hands = hold_hand(FOUR_HEARTS, revokes="corrected")
    act(engine, "2C", "2D")
    finish(engine, hands)
    assert engine.captured_points[0, 0] == 4
    assert engine.hand_scores[0, 0] == 17


@BOTH
def test_example_17_G5_a_shooter_and_another_who_revoked(revokes: str) -> None:
    engine, hands = hold_hand(shooter_deal(1), revokes=revokes)
    act(engine, "2C 7S 2H AC", "KC", "2S")
    finish(engine, hands)
    assert engine.hand_scores[0].tolist() == [0, 39, 26, 26]
    assert engine.totals[0].tolist() == [0, 39, 26, 26]


def test_example_17_G5_a_shooter_who_revoked() -> None:
    engine, hands = hold_hand(shooter_deal(1), revokes="corrected")
    act(engine, "2C 7S 2H", "KS")
    finish(engine, hands)
    assert engine.games[0].shooter == 0
    assert engine.hand_scores[0].tolist() == [13, 26, 26, 26]


@pytest.mark.parametrize(("choice", "scores"), [("moon+", [13, 26, 26, 26]), ("moon-", [-13, 0, 0, 0])])
def test_G5_the_fine_is_added_after_the_new_moon(choice: str, scores: list[int]) -> None:
    engine, hands = hold_hand(shooter_deal(1), revokes="corrected", moon="new")
    act(engine, "2C 7S 2H", "KS")
    finish(engine, hands)
    assert engine.phase[0] == Phase.MOON
    act(engine, choice)
    assert engine.hand_scores[0].tolist() == scores
    assert abs(engine.payoffs[0].sum()) < 1e-9


def test_G6_a_revoke_costs_13_in_black_jack_too() -> None:
    engine, hands = hold_hand(FOUR_HEARTS, revokes="corrected", black_card="JS")
    act(engine, "2C", "2D")
    finish(engine, hands)
    assert engine.captured_points[0, 0] == 4
    assert engine.hand_scores[0, 0] == 17


@pytest.mark.parametrize(("total", "phase"), [(82, Phase.HAND_OVER), (83, Phase.GAME_OVER)])
def test_G7_a_fine_can_end_the_game(total: int, phase: Phase) -> None:
    engine, hands = hold_hand(FOUR_HEARTS, revokes="corrected", totals=[total, 0, 60, 60])
    act(engine, "2C", "2D")
    finish(engine, hands)
    assert engine.totals[0, 0] == total + 17
    assert engine.phase[0] == phase
