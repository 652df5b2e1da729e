# ruff: noqa: N802 - names carry the numbers of rules
"""Rules X9 to X14: the first lead, trick one, passing, the target and play-offs with two decks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from rk_env import Engine, IllegalActionError, Phase, Rules
from tests.generators import NUMBER_OF, act, hands_of, hold_hand, kitty_of, legal_of, play_tricks
from tests.two_decks import ALL_CANCEL, completed, hold

# X9 to X13: the lead, trick one, passing, the target


@pytest.mark.parametrize("dealer", range(8))
def test_X9_D4_eldest_leads_any_card_but_a_heart(dealer: int) -> None:
    engine, hands = hold([f"{n}H {n}C QS" if n < 4 else f"{n}H {n}C" for n in range(2, 10)], dealer=dealer)
    eldest = (dealer + 1) % 8
    assert engine.turn[0] == eldest
    assert legal_of(engine) == {card for card in hands[eldest] if card[-1] != "H"}


@pytest.mark.parametrize("opening", ["two_of_clubs", "lowest_club"])
@pytest.mark.parametrize(("dealer", "leader"), [(0, 1), (1, 5), (3, 5), (4, 5), (5, 1), (7, 1)])
def test_X9_the_first_holder_of_a_two_of_clubs_may_have_to_lead_it(opening: str, dealer: int, leader: int) -> None:
    engine, _ = hold(["3C", "2C", "3C", "4C", "4C", "2C", "5C", "5C"], dealer=dealer, opening=opening)
    assert engine.turn[0] == leader
    assert legal_of(engine) == {"2C"}


def test_X9_X6_the_other_two_of_clubs_may_cancel_it() -> None:
    engine, _ = hold(["5D -C", "2C", "6D -C", "2D -C", "3D -C", "2C", "4D -C", "7D -C"], opening="two_of_clubs")
    act(engine, "2C 6D 2D 3D 2C 4D 7D 5D")
    assert (engine.games[0].winners[0], engine.turn[0]) == (-1, 1)


@pytest.mark.parametrize("opening", ["two_of_clubs", "lowest_club"])
def test_X9_eldest_leads_when_the_opening_card_is_in_the_kitty(opening: str) -> None:
    engine, hands = hold(["3C", "3C 2H"] + [""] * 4, kitty="2C 2C", opening=opening)
    assert engine.turn[0] == 1
    assert legal_of(engine) == {card for card in hands[1] if card[-1] != "H"}
    engine, _ = hold(["2C", "3C"] + [""] * 4, kitty="2C 3C", opening=opening)
    assert (engine.turn[0], legal_of(engine)) == (0, {"2C"})


@pytest.mark.parametrize(("opening", "leader", "led"), [("two_of_clubs", 1, None), ("lowest_club", 3, {"3C"})])
def test_X9_X2_without_a_two_of_clubs_in_the_deck(opening: str, leader: int, led: set[str] | None) -> None:
    hands = ["4C", "5C", "4C", "3C 3C", "5C", "6C", "6C"]
    engine, deal = hold_hand(hands, decks=2, leftover="strip", opening=opening)
    assert engine.turn[0] == leader
    assert legal_of(engine) == (led or {card for card in deal[leader] if card[-1] != "H"})


@pytest.mark.parametrize(
    ("settings", "may_discard_penalty"),
    [
        ({}, False),
        ({"first_trick": "off"}, True),
        ({"first_trick": "only_2c"}, True),  # eldest led 3C
        ({"first_trick": "only_2c", "opening": "two_of_clubs"}, False),
    ],
    ids=str,
)
def test_X10_D6_the_restriction_of_trick_one(settings: dict[str, Any], may_discard_penalty: bool) -> None:
    engine, hands = hold(["2C", "3C 2C", "QS QS 5H 9D -C"] + [""] * 5, **settings)
    act(engine, "2C" if "opening" in settings else "3C")
    harmless = {card for card in hands[2] if card[-1] != "H" and card != "QS"}
    assert legal_of(engine) == (set(hands[2]) if may_discard_penalty else harmless)


def test_X11_C1_both_copies_of_a_card_may_be_passed() -> None:
    engine = Engine(Rules(players=8, decks=2), seed=0)
    engine.deal(completed(["KS", "AS AS QS 2C"] + [""] * 6, 13, ""), dealer=0)
    act(engine, "AS")
    assert {"AS", "QS", "2C"} <= legal_of(engine)
    act(engine, "AS")
    assert "AS" not in legal_of(engine)
    with pytest.raises(IllegalActionError, match="AS is not legal"):
        act(engine, "AS")
    act(engine, "QS")
    while engine.phase[0] == Phase.PASS:
        act(engine, min(legal_of(engine), key=NUMBER_OF.__getitem__))
    after = [Counter(hand) for hand in hands_of(engine)]
    assert after[1]["AS"] == 0
    assert (after[2]["AS"], after[2]["QS"]) == (2, 1)
    assert [hand.total() for hand in after] == [13] * 8


@pytest.mark.parametrize(("players", "across"), [(6, 3), (7, 3), (8, 4), (9, 4), (10, 5), (11, 5)])
def test_X11_C2_C3_the_pass_goes_round_as_with_one_deck(players: int, across: int) -> None:
    engine = Engine(Rules(players=players, decks=2), seed=1)
    seats = []
    for hand_number in range(1, 6):
        engine.deal(engine.games["hands"][0, :players].copy(), hand_number=hand_number)
        seats.append(int(engine.games[0].pass_seats))
    assert seats == [1, players - 1, across, 0, 1]
    engine = Engine(Rules(players=players, decks=2, passing="none"), seed=1)
    assert engine.phase[0] == Phase.PLAY


@pytest.mark.parametrize(("total", "phase"), [(47, Phase.HAND_OVER), (48, Phase.GAME_OVER)])
def test_X12_the_target_is_100(total: int, phase: Phase) -> None:
    engine, hands = hold(ALL_CANCEL, kitty="AH AH", totals=[total, 0, 0, 0, 0, 0])
    play_tricks(engine, hands)
    assert engine.totals[0].tolist() == [total + 52, 0, 52, 52, 52, 52]
    assert engine.phase[0] == phase


@pytest.mark.parametrize(("heart_instead_of_queen", "any_card"), [(False, False), (True, True)])
@pytest.mark.parametrize("queens", ["QS", "QS QS"])
def test_X13_E6_a_leader_with_hearts_and_queens_leads_a_queen(
    queens: str, heart_instead_of_queen: bool, any_card: bool
) -> None:
    hand = f"{queens} 2H 2H 3H 3H 4H 4H 5H 5H 6H 6H 7H" + (" 7H" if queens == "QS" else "")
    engine, _ = hold(["", hand] + [""] * 6, heart_instead_of_queen=heart_instead_of_queen)
    assert engine.turn[0] == 1
    assert legal_of(engine) == (set(hand.split()) if any_card else {"QS"})


def test_X13_E5_a_leader_with_nothing_but_hearts_leads_one() -> None:
    hand = "2H 2H 3H 3H 4H 4H 5H 5H 6H 6H 7H 7H 8H"
    engine, _ = hold(["", hand] + [""] * 6)
    assert legal_of(engine) == set(hand.split())


# X14: play-offs


@pytest.mark.parametrize(
    ("n", "size", "n_over"), [(2, 26, 0), (3, 17, 0), (4, 13, 0), (5, 10, 0), (6, 17, 2), (7, 14, 6), (8, 13, 0)]
)
def test_X14_two_decks_when_six_or_more_are_tied(n: int, size: int, n_over: int) -> None:
    for leftover in ("kitty", "strip"):
        engine = play_off(n, leftover=leftover)
        assert [len(hand) for hand in hands_of(engine)] == [size] * n + [0] * (8 - n)
        assert len(kitty_of(engine)) == (n_over if leftover == "kitty" else 0)
        dealt = Counter(kitty_of(engine) + [card for hand in hands_of(engine) for card in hand])
        assert max(dealt.values()) == (1 if n < 6 else 2)


def play_off(n: int, **settings: Any) -> Engine:
    """Return an engine at the start of a play-off of the first n of eight players."""
    engine = Engine(Rules(players=8, decks=2, **settings), seed=3)
    totals = [100] * n + [120] * (8 - n)
    game = engine.games[0]
    game.totals[:8], game.places[:8] = totals, [0 if total == 100 else n for total in totals]
    game.phase, game.turn = Phase.HAND_OVER, -1
    engine.next_hand()
    return engine


def test_X14_H7_a_play_off_of_one_deck_is_played_by_its_rules() -> None:
    engine = play_off(4, playoff_pass="none")
    assert legal_of(engine) == {"2C"}  # D1
    while engine.turn[0] >= 0:
        engine.step(engine.action_mask().argmax(axis=1))
    assert engine.captured_points.sum() == 26
    assert (engine.games[0].winners[:13] >= 0).all()


def test_X14_H7_cards_set_aside_are_no_kitty() -> None:
    engine = play_off(2, two_hand_deal=13, playoff_pass="none")
    assert len(kitty_of(engine)) == 26
    while engine.turn[0] >= 0:
        engine.step(engine.action_mask().argmax(axis=1))
    assert (engine.games[0].kitty_taker, len(kitty_of(engine))) == (-1, 26)
