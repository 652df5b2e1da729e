"""Given deals: hands, dealer, hand number and totals that a caller sets up, checked before anything changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env import cards
from rk_env.errors import CardError, DealError, MisdealError
from rk_env.rules import Rules
from rk_env.state import HAND_OVER

_INT32 = np.iinfo(np.int32)


def set_up(
    games: NDArray[np.void],
    rules: Rules,
    hands: Sequence[Any] | NDArray[np.uint64],
    dealer: ArrayLike,
    hand_number: ArrayLike,
    kitty: Sequence[Any],
    totals: ArrayLike | None,
) -> None:
    """Write a given deal into copies of games, shape (N,); arguments as for `Engine.deal`.

    Raises:
        MisdealError, DealError, CardError: as for `Engine.deal`; the copies may then be half written.
    """
    n = len(games)
    bitboards = hands_bitboards(hands, rules, n)
    if len(kitty):
        raise DealError("kitty must be empty: a one-deck deal leaves no cards over")
    games["hands"] = 0
    games["hands"][:, : rules.players, 0] = bitboards
    games["n_in_play"] = rules.players
    games["in_play"] = (1 << rules.players) - 1
    games["dealer"] = _numbers("dealer", dealer, n, 0, rules.players - 1)
    games["hand_number"] = _numbers("hand_number", hand_number, n, 1, _INT32.max // 2)
    games["first_hand"] = 1
    games["redeal"] = 0
    games["totals"] = 0
    if totals is not None:
        games["totals"][:, : rules.players] = _totals(totals, n, rules.players)


def hands_bitboards(hands: Sequence[Any] | NDArray[np.uint64], rules: Rules, n: int) -> NDArray[np.uint64]:
    """Return given hands as bitboards, (N, P) uint64, once they are known to be a deal.

    Raises:
        MisdealError, DealError, CardError: as for `Engine.deal`.
    """
    players = rules.players
    if isinstance(hands, np.ndarray) and hands.dtype == np.uint64:
        if hands.shape not in ((players,), (n, players)):
            raise DealError(f"hands have shape {hands.shape}; ({players},) or ({n}, {players}) is needed")
        bitboards = np.broadcast_to(hands, (n, players))
    else:
        if isinstance(hands, str) or not hasattr(hands, "__len__"):
            raise DealError(f"hands={hands!r}: {players} hands needed, each a text or a sequence of cards")
        if len(hands) != players:
            raise MisdealError(f"{len(hands)} hands given; {players} players need {players}")
        bitboards = np.broadcast_to(np.array([_hand_bitboard(hand, s) for s, hand in enumerate(hands)]), (n, players))
    check_deal(bitboards, rules)
    return bitboards


def _hand_bitboard(hand: Any, seat: int) -> np.uint64:
    try:
        return cards.bitboard(hand)
    except (CardError, TypeError) as error:
        raise DealError(f"seat {seat}: {error}") from error


def check_deal(bitboards: NDArray[np.uint64], rules: Rules) -> None:
    """Check that hands, (N, P) bitboards, are a deal of the whole deck.

    Raises:
        DealError: when a card is foreign to the deck, or dealt to two seats.
        MisdealError: when a seat has the wrong number of cards.
    """
    deck = rules.deck_bb(rules.players)
    dealt = np.zeros(len(bitboards), np.uint64)
    for seat in range(rules.players):
        hand = bitboards[:, seat]
        _refuse_cards(hand & ~deck, seat, "not in the deck of these rules")
        _refuse_cards(hand & dealt, seat, "dealt to another seat too")
        dealt |= hand
    counts = np.bitwise_count(bitboards)
    for game, seat in np.argwhere(counts != rules.hand_size)[:1]:
        raise MisdealError(
            f"deal {game}, seat {seat} has {counts[game, seat]} cards; {rules.players} players get {rules.hand_size}"
            " each. A misdeal is void: the same dealer deals again (B6)"
        )


def _refuse_cards(bad: NDArray[np.uint64], seat: int, why: str) -> None:
    for game in np.flatnonzero(bad)[:1]:
        named = cards.bitboard_text(bad[game] & cards.FULL_DECK_BB) or "a bit beyond the 52 cards"
        raise DealError(f"deal {game}, seat {seat}: {named} is {why}")


def _numbers(name: str, given: ArrayLike, n: int, low: int, high: int) -> NDArray[np.int64]:
    array = np.asarray(given)
    if array.shape not in ((), (n,)) or array.dtype.kind not in "iu":
        raise DealError(f"{name}={given!r}: one whole number, or {n}, needed")
    if array.size and (array.min() < low or array.max() > high):
        raise DealError(f"{name}={given!r}: allowed: {low} to {high}")
    return np.broadcast_to(array, (n,)).astype(np.int64)


def _totals(given: ArrayLike, n: int, players: int) -> NDArray[np.int64]:
    array = np.asarray(given)
    if array.shape not in ((players,), (n, players)) or array.dtype.kind not in "iu":
        raise DealError(f"totals={given!r}: {players} whole numbers, one a seat, needed")
    if array.size and (array.min() < _INT32.min // 2 or array.max() > _INT32.max // 2):
        raise DealError(f"totals={given!r}: too large")
    return np.broadcast_to(array, (n, players)).astype(np.int64)


def as_cuts(cuts: ArrayLike | None, n: int, n_cards: int) -> NDArray[np.int64]:
    """Return where the deck is cut for n deals, (n,) int64; 0 stands for a random cut.

    Raises:
        DealError: when a cut is not 1 to n_cards - 1.
    """
    return np.zeros(n, np.int64) if cuts is None else _numbers("cuts", cuts, n, 1, n_cards - 1)


def check_not_over(games: NDArray[np.void], index: NDArray[np.int64]) -> None:
    """Check that the hands of chosen games are still going on.

    Raises:
        DealError: when one is over.
    """
    over = index[games["phase"][index] >= HAND_OVER]
    if len(over):
        raise DealError(f"game {over[0]}: the hand is over and scored; a misdeal can only be declared before")
