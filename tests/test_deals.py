"""Given deals: the forms they may have, what they keep, and what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import DealError, Engine, MisdealError, Rules
from rk_env.cards import bitboard
from tests.generators import random_deal
from tests.playing import HANDS, assert_refuses, play_on


def test_a_deal_as_text_as_lists_and_as_bitboards() -> None:
    lists = [hand.split() for hand in HANDS]
    bitboards = np.array([bitboard(hand) for hand in HANDS])
    numbers = [list(range(13 * suit, 13 * suit + 13)) for suit in (0, 1, 2, 3)]
    results = []
    for hands in (HANDS, lists, bitboards, numbers, np.tile(bitboards, (2, 1))):
        engine = Engine(num_games=3, seed=1)
        play_on(engine, np.random.default_rng(0), 20)
        untouched = engine.games[1].tobytes()
        engine.deal(hands, dealer=[1, 3], hand_number=4, totals=[5, 6, 7, 8], games=[0, 2])
        assert engine.games[1].tobytes() == untouched
        assert engine.games["dealer"].tolist()[::2] == [1, 3]
        assert engine.totals.tolist()[::2] == [[5, 6, 7, 8]] * 2
        assert engine.turn.tolist()[::2] == [0, 0]
        results.append(engine.games.tobytes())
    assert len(set(results)) == 1


def test_a_deal_keeps_the_seed_and_so_the_later_hands() -> None:
    given_hand, plain = Engine(seed=1), Engine(seed=1)
    given_hand.deal(HANDS, dealer=int(plain.games["dealer"][0]))
    for engine in (given_hand, plain):
        play_on(engine, np.random.default_rng(0))
        engine.next_hand()
    assert given_hand.games["hands"].tobytes() == plain.games["hands"].tobytes()


BITBOARDS = np.array([bitboard(hand) for hand in HANDS])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"hands": [HANDS[0][:-3], *HANDS[1:]]}, MisdealError, "deal 0, seat 0 has 12 cards; 4 players get 13 each"),
        ({"hands": HANDS[:3]}, MisdealError, "3 hands given; 4 players need 4"),
        ({"hands": []}, MisdealError, "0 hands given"),
        ({"hands": [HANDS[0], HANDS[0], *HANDS[2:]]}, DealError, "seat 1: 2C .*dealt to another seat"),
        ({"hands": ["2C 2C 4C", *HANDS[1:]]}, DealError, "seat 0: 2C is given twice"),
        ({"hands": ["1C", *HANDS[1:]]}, DealError, "seat 0: '1C' is no card"),
        ({"hands": [[99], *HANDS[1:]]}, DealError, "seat 0: 99 is no card"),
        ({"hands": [7, *HANDS[1:]]}, DealError, "seat 0"),
        ({"hands": "2C 3C 4C 5C"}, DealError, "4 hands needed"),
        ({"hands": 5}, DealError, "4 hands needed"),
        ({"hands": BITBOARDS[:3]}, DealError, r"shape \(3,\)"),
        ({"hands": np.tile(BITBOARDS, (3, 1))}, DealError, r"shape \(3, 4\)"),
        ({"hands": BITBOARDS | np.uint64(1 << 60)}, DealError, "beyond the 52 cards"),
        ({"hands": HANDS, "dealer": 4}, DealError, "dealer=4: allowed: 0 to 3"),
        ({"hands": HANDS, "dealer": -1}, DealError, "dealer=-1"),
        ({"hands": HANDS, "dealer": 1.0}, DealError, "dealer=1.0"),
        ({"hands": HANDS, "dealer": [0, 1, 2]}, DealError, "dealer"),
        ({"hands": HANDS, "hand_number": 0}, DealError, "hand_number=0"),
        ({"hands": HANDS, "hand_number": 2**40}, DealError, "hand_number"),
        ({"hands": HANDS, "totals": [0, 0, 0]}, DealError, "4 whole numbers, one a seat"),
        ({"hands": HANDS, "totals": [0.5, 0, 0, 0]}, DealError, "totals"),
        ({"hands": HANDS, "totals": [2**31, 0, 0, 0]}, DealError, "too large"),
        ({"hands": HANDS, "kitty": ["2C"]}, DealError, "kitty"),
    ],
)
def test_bad_deals(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    engine = Engine(num_games=2, seed=1)
    play_on(engine, np.random.default_rng(0), 20)
    assert_refuses(engine, error, lambda: engine.deal(**arguments), message)


def test_foreign_cards(players: int) -> None:
    rules = Rules(players=players)
    engine = Engine(rules, seed=1)
    if players != 4:
        hands = [list(hand) for hand in random_deal(Random(0), {"players": players})]
        hands[1][0] = {3: "2D", 5: "2C", 6: "2H"}[players]
        assert_refuses(engine, DealError, lambda: engine.deal(hands), "seat 1: 2. is not in the deck")
