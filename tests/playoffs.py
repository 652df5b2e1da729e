"""Play-offs, for tests of single rules: deals with known results, and ways to come to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rk_env import Engine, Phase, Rules
from tests.generators import NUMBER_OF, act, hands_of

ALL_CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC"
ALL_DIAMONDS = ALL_CLUBS.replace("C", "D")
ALL_SPADES = ALL_CLUBS.replace("C", "S")
ALL_HEARTS = ALL_CLUBS.replace("C", "H")

# Four players: seat 1 takes QS and 12 hearts, seat 0 one heart.
TAKES_1_25_0_0 = [
    "2C 2H 3H 4H 4D 5D 6D 7D 8D 9D 10D JD 3D",
    "3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC 2D",
    "QS 5H 6H 7H 8H QD KD AD 2S 3S 4S 5S AH",
    "9H 10H JH QH KH 7S 8S 9S 10S JS KS AS 6S",
]
# Two players: the first takes 13 tricks with clubs and in them 9 hearts, the second the rest: QS and 4 hearts.
NINE = f"{ALL_CLUBS} 2D JH QH KH AH 2S 3S 4S 5S 6S 7S 8S 9S"
SEVENTEEN = "3D 2H 3H 4H 5H 6H 7H 8H 9H 10H 4D 5D 6D AD KD QD JD 10D 9D 8D 7D QS AS KS JS 10S"
# Two players: the one with the first hand takes every trick.
ALL_26 = f"{ALL_CLUBS} {ALL_DIAMONDS}"
NOTHING = f"{ALL_SPADES} {ALL_HEARTS}"
TIED = [100, 112, 60, 60]


def deal(hands: Sequence[str], totals: Sequence[int], hand_number: int = 4, dealer: int = 0, **settings: Any) -> Engine:
    """Return an engine at the start of a given deal; with totals that end the game it is the first of the play-off."""
    engine = Engine(Rules(players=len(hands), **settings), seed=0)
    engine.deal(hands, dealer=dealer, hand_number=hand_number, totals=totals)
    return engine


def finish(engine: Engine, hands: Sequence[str]) -> None:
    """Play to the end of the hand; each seat plays the first card of its hand, as written, that the rules allow."""
    while engine.phase[0] == Phase.PLAY:
        play_first(engine, hands)


def finish_trick(engine: Engine, hands: Sequence[str]) -> None:
    """Play one trick in the same way."""
    trick = engine.games[0].trick
    while engine.games[0].trick == trick:
        play_first(engine, hands)


def play_first(engine: Engine, hands: Sequence[str]) -> None:
    mask = engine.action_mask(revokes=False)[0]
    act(engine, next(card for card in hands[int(engine.turn[0])].split() if mask[NUMBER_OF[card]]))


def played(hands: Sequence[str], totals: Sequence[int] = TIED, **settings: Any) -> Engine:
    """Return an engine after a given hand has been played."""
    engine = deal(hands, totals, **settings)
    finish(engine, hands)
    return engine


def call_it_over(engine: Engine) -> None:
    """Write into the record that the hand is over, with the places as they are: nobody needs to have played it."""
    engine.games[0].phase, engine.games[0].turn = Phase.HAND_OVER, -1


def tied(totals: Sequence[int], hand_number: int = 4, dealer: int = 0, seed: int = 2, **settings: Any) -> Engine:
    """Return an engine at the start of the play-off that `next_hand` deals after a hand that ended so."""
    engine = Engine(Rules(players=len(totals), **settings), seed=seed)
    game = engine.games[0]
    game.totals[: len(totals)] = totals
    game.places[: len(totals)] = [sum(other < total for other in totals) for total in totals]
    game.hand_number, game.dealer = hand_number, dealer
    call_it_over(engine)
    engine.next_hand()
    return engine


def in_play(engine: Engine) -> list[int]:
    return np.flatnonzero(engine.in_play[0]).tolist()


def sizes(engine: Engine) -> list[int]:
    return [len(hand) for hand in hands_of(engine)]


def legal(engine: Engine) -> set[str]:
    return {card for card, number in NUMBER_OF.items() if engine.action_mask()[0, number]}


def places(engine: Engine) -> list[int]:
    return engine.places[0].tolist()
