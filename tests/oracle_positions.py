"""Positions of the oracle, for tests that work out by hand what it should answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.generators import full_cards
from tests.oracle import PLAY, OracleGame


def hold(
    hands: Sequence[str],
    dealer: int = 0,
    hand_number: int = 4,
    totals: Sequence[int] | None = None,
    in_play: Sequence[int] | None = None,
    **settings: Any,
) -> OracleGame:
    """Return a game at the first lead of a hand, by default one without a pass."""
    deal, kitty = full_cards(hands, in_play, **settings)
    return OracleGame(settings | {"players": len(hands)}, deal, dealer, hand_number, totals, kitty)


def act(game: OracleGame, actions: str) -> None:
    """Do actions, given as text, one after another."""
    for action in actions.split():
        game.apply(action)


def play_out(game: OracleGame, tricks: int | None = None) -> None:
    """Play tricks, to the end if no number is given; each seat plays the first legal card of its hand as dealt."""
    orders = [list(hand) for hand in game.hands]
    while game.phase() == PLAY and (tricks is None or len(game.tricks) < tricks):
        legal = game.legal()
        game.apply(next(card for card in orders[game.to_act()] if card in legal))


def holds(game: OracleGame, *hands: str, first: int = 0) -> None:
    """Cut hands down to what an example shows, from one seat on."""
    for seat, hand in enumerate(hands, first):
        game.hands[seat] = hand.split()
