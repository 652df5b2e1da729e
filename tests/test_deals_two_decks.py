# ruff: noqa: N802 - names carry the numbers of rules
"""Given deals of two decks: the forms they may have, the kitty, and what is refused (X2)."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import CardError, DealError, Engine, MisdealError, Phase, Rules
from tests.generators import NUMBER_OF, hands_of, kitty_of, random_cards
from tests.playing import assert_refuses, play_lowest, play_on

SIX = Rules(players=6, decks=2)


def planes(hand: list[str]) -> list[int]:
    """A hand as two bitboards: the cards of which there is a copy, and those of which there are both."""
    once = twice = 0
    for card in hand:
        bit = 1 << NUMBER_OF[card]
        twice |= once & bit
        once |= bit
    return [once, twice]


def a_deal(players: int, seed: int = 0, **settings: Any) -> tuple[list[list[str]], list[str]]:
    return random_cards(Random(seed), {"players": players, "decks": 2, **settings})


def by_number(hands: list[list[str]]) -> list[list[str]]:
    return [sorted(hand, key=NUMBER_OF.__getitem__) for hand in hands]


@pytest.mark.parametrize("players", range(6, 12))
def test_a_deal_as_text_as_lists_as_numbers_and_as_planes(players: int) -> None:
    hands, kitty = a_deal(players)
    arrays = np.array([planes(hand) for hand in hands], np.uint64)
    forms: list[Any] = [
        hands,
        [" ".join(hand) for hand in hands],
        [[NUMBER_OF[card] for card in hand] for hand in hands],
        arrays,
        np.tile(arrays, (2, 1, 1)),
    ]
    kitties: list[Any] = ["", kitty, " ".join(kitty), [NUMBER_OF[card] for card in kitty]]
    kitties += [np.array(planes(kitty), np.uint64), np.tile(np.array(planes(kitty), np.uint64), (2, 1))]
    results = set()
    for form in forms:
        for given in kitties:
            engine = Engine(Rules(players=players, decks=2), num_games=3, seed=1)
            play_on(engine, np.random.default_rng(0), 20)
            untouched = engine.games[1].tobytes()
            engine.deal(form, dealer=[1, 3], hand_number=4, kitty=given, totals=[7] * players, games=[0, 2])
            assert engine.games[1].tobytes() == untouched
            assert engine.turn.tolist()[::2] == [2, 4]  # eldest (X9)
            results.add(engine.games.tobytes())
    assert len(results) == 1
    assert [sorted(hand, key=NUMBER_OF.__getitem__) for hand in hands_of(engine)] == by_number(hands)
    assert sorted(kitty_of(engine)) == sorted(kitty)


@pytest.mark.parametrize("players", range(6, 12))
def test_a_stripped_deck_leaves_nothing_over(players: int) -> None:
    hands, kitty = a_deal(players, leftover="strip")
    assert kitty == []
    engine = Engine(Rules(players=players, decks=2, leftover="strip"), seed=1)
    engine.deal(hands, hand_number=4)
    assert by_number(hands_of(engine)) == by_number(hands)
    assert (kitty_of(engine), engine.games[0].kitty_taker) == ([], -1)
    play_lowest(engine)
    assert engine.games[0].kitty_taker == -1
    if players != 8:
        refused = [*hands[:-1], ["2D", "2D", *hands[-1][2:]]]
        assert_refuses(engine, DealError, lambda: engine.deal(refused), f"seat {players - 1}: 2D is not in the deck")


def test_X2_X3_a_given_kitty_goes_to_the_winner_of_the_first_trick() -> None:
    hands, kitty = a_deal(7, seed=3)
    engine = Engine(Rules(players=7, decks=2), seed=1)
    engine.deal(hands, hand_number=4, kitty=kitty)
    play_lowest(engine)
    game = engine.games[0]
    taker = int(game.kitty_taker)
    assert taker == next(int(winner) for winner in game.winners if winner >= 0)
    assert not game.kitty.any()
    assert engine.captured_points.sum() == 52


def test_a_deal_keeps_the_seed_and_so_the_later_hands() -> None:
    given_hand, plain = Engine(SIX, seed=1), Engine(SIX, seed=1)
    given_hand.deal(a_deal(6)[0], dealer=int(plain.games["dealer"][0]))
    for engine in (given_hand, plain):
        play_on(engine, np.random.default_rng(0))
        engine.next_hand()
    for field in ("hands", "kitty", "dealer"):
        assert given_hand.games[field].tobytes() == plain.games[field].tobytes()


# What is refused


HANDS, KITTY = a_deal(6, seed=1)
ARRAYS = np.array([planes(hand) for hand in HANDS], np.uint64)


def three_of(card: str) -> list[list[str]]:
    """The deal, but one seat more has a card of which other seats have both copies."""
    holders = [seat for seat, hand in enumerate(HANDS) if card in hand]
    other = next(seat for seat in range(5, -1, -1) if seat not in holders)
    changed = [hand.copy() for hand in HANDS]
    changed[other][0] = card
    return changed


def with_planes(seat: int, plane: int, bits: int) -> NDArray[np.uint64]:
    changed = ARRAYS.copy()
    changed[seat, plane] |= np.uint64(bits)
    return changed


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hands": [HANDS[0][:-1], *HANDS[1:]]}, MisdealError, "deal 0, seat 0 has 16 cards; 6 players get 17 each"),
        ({"hands": HANDS[:5]}, MisdealError, "5 hands given; 6 players need 6"),
        ({"hands": [*HANDS, KITTY]}, MisdealError, "7 hands given"),
        ({"hands": three_of("5H")}, DealError, "5H is dealt to another seat too, and the deck has no more of it"),
        ({"hands": [["2C"] * 3 + HANDS[0][3:], *HANDS[1:]]}, DealError, "seat 0: 2C is given three times"),
        ({"hands": ["1C", *HANDS[1:]]}, DealError, "seat 0: '1C' is no card"),
        ({"hands": ARRAYS[:, 0]}, DealError, r"hands have shape \(6,\); \(6, 2\) or \(2, 6, 2\) is needed"),
        ({"hands": ARRAYS[:5]}, DealError, r"shape \(5, 2\)"),
        ({"hands": np.tile(ARRAYS, (3, 1, 1))}, DealError, r"shape \(3, 6, 2\)"),
        ({"hands": ARRAYS.T.copy()}, DealError, r"shape \(2, 6\)"),
        ({"hands": with_planes(0, 0, 1 << 60)}, DealError, "seat 0: a bit beyond the 52 cards is not in the deck"),
        ({"hands": with_planes(0, 1, 1 << 60)}, DealError, "seat 0: a bit beyond the 52 cards is on plane 1"),
        (
            {"hands": with_planes(2, 1, ~int(ARRAYS[2, 0]) & 1023)},
            DealError,
            r"seat 2: .* is on plane 1 \(both copies\)",
        ),
        ({"hands": HANDS, "kitty": KITTY[:1]}, DealError, "deal 0: kitty=.*, but the hands leave .* over"),
        ({"hands": HANDS, "kitty": [HANDS[0][0], HANDS[1][0]]}, DealError, "but the hands leave"),
        ({"hands": HANDS, "kitty": [*KITTY, "QS"]}, DealError, "but the hands leave"),
        ({"hands": HANDS, "kitty": "QS QS QS"}, DealError, "kitty: QS is given three times"),
        ({"hands": HANDS, "kitty": "1X 2C"}, DealError, "kitty: '1X' is no card"),
        ({"hands": HANDS, "kitty": [None, 1]}, DealError, "kitty: None is no card"),
        ({"hands": HANDS, "kitty": 5}, DealError, "kitty=5: a text or a sequence of cards"),
        ({"hands": HANDS, "kitty": None}, DealError, "kitty=None"),
        ({"hands": HANDS, "kitty": np.zeros((3, 2), np.uint64)}, DealError, r"kitty has shape \(3, 2\); two planes"),
        ({"hands": HANDS, "kitty": np.zeros(2, np.uint64)}, DealError, "but the hands leave"),
        ({"hands": HANDS, "dealer": 6}, DealError, "dealer=6: allowed: 0 to 5"),
        ({"hands": HANDS, "totals": [0] * 4}, DealError, "6 whole numbers, one a seat"),
    ],
)
def test_bad_deals(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    engine = Engine(SIX, num_games=2, seed=1)
    play_on(engine, np.random.default_rng(0), 20)
    assert_refuses(engine, error, lambda: engine.deal(**arguments), message)
    assert issubclass(error, ValueError) and not issubclass(error, CardError)


def test_a_kitty_that_does_not_fit_names_what_the_hands_leave() -> None:
    engine = Engine(Rules(players=8, decks=2), seed=1)
    with pytest.raises(DealError, match="kitty='QS', but the hands leave no cards over"):
        engine.deal(a_deal(8)[0], kitty="QS")
    engine = Engine(seed=1)
    with pytest.raises(DealError, match="kitty='QS', but the hands leave no cards over"):
        engine.deal(hands_of(engine), kitty="QS")


def test_both_copies_in_one_hand_stay_two_cards() -> None:
    hands, _ = a_deal(6, seed=1)
    engine = Engine(SIX, seed=1)
    pair = next((seat, card) for seat, hand in enumerate(hands) for card in hand if hand.count(card) == 2)
    engine.deal(hands)
    first, second = engine.games[0].hands[pair[0]]
    bit = np.uint64(1 << NUMBER_OF[pair[1]])
    assert first & bit and second & bit
    assert engine.phase[0] == Phase.PASS
