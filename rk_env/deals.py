"""Given deals: hands, dealer, hand number and totals that a caller sets up, checked before anything changes.

Hands are kept as two planes a seat (see `rk_env.state`), shape (N, P, 2), uint64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rk_env import cards
from rk_env.arguments import as_array
from rk_env.errors import CardError, DealError, MisdealError
from rk_env.rules import Rules
from rk_env.state import HAND_OVER

Planes = NDArray[np.uint64]

_LARGEST: Final = np.iinfo(np.int32).max // 2
_MOST_REDEALS: Final = np.iinfo(np.int16).max - 1


def set_up(
    games: NDArray[np.void],
    rules: Rules,
    hands: Sequence[Any] | Planes,
    dealer: ArrayLike,
    hand_number: ArrayLike,
    kitty: str | Sequence[Any] | Planes,
    totals: ArrayLike | None,
) -> None:
    """Write a given deal into copies of games, shape (N,); arguments as for `Engine.deal`.

    Raises:
        MisdealError, DealError, CardError: as for `Engine.deal`; the copies may then be half written.
    """
    n, players = len(games), rules.players
    games["totals"] = 0
    if totals is not None:
        games["totals"][:, :players] = _totals(totals, n, players)
    games["dealer"] = _numbers("dealer", dealer, n, 0, players - 1)
    games["hand_number"] = _numbers("hand_number", hand_number, n, 1, _LARGEST)
    games["first_hand"] = 1
    games["redeal"] = 0
    games["revokes"] = 0
    _seat_players(games, rules)
    games["hands"] = 0
    games["hands"][:, :players] = _hands_planes(hands, rules, n)
    _check_hands(games, rules)
    games["kitty"] = _left_over(games, rules)
    _check_kitty(games, rules, kitty)


def _seat_players(games: NDArray[np.void], rules: Rules) -> None:
    """H4: seat all players, or, when the totals end the game in a tie for the lowest, those tied."""
    totals = games["totals"][:, : rules.players]
    has_ended = totals.max(axis=1, initial=-_LARGEST) >= rules.target
    ahead = (totals[:, None, :] < totals[:, :, None]).sum(axis=2)
    n_first = (ahead == 0).sum(axis=1)
    is_over = has_ended & ((n_first == 1) | (rules.ties != "playoff"))
    for game in np.flatnonzero(is_over)[:1]:
        raise DealError(
            f"deal {game}: totals {totals[game].tolist()} have reached the target {rules.target}; the game is over"
        )
    games["places"] = 0
    games["places"][:, : rules.players] = np.where(has_ended[:, None], ahead, 0)
    games["playoff"] = has_ended
    in_play = games["places"][:, : rules.players] == 0
    games["in_play"] = (in_play << np.arange(rules.players)).sum(axis=1)
    games["n_in_play"] = in_play.sum(axis=1)


# Cards.


def _hands_planes(hands: Sequence[Any] | Planes, rules: Rules, n: int) -> Planes:
    """Return given hands as planes, broadcast to (N, P, 2); whether they are a deal is not checked."""
    players = rules.players
    if isinstance(hands, np.ndarray) and hands.dtype == np.uint64:
        one_plane, two_planes = ((players,), (n, players)), ((players, 2), (n, players, 2))
        if hands.shape in one_plane and rules.decks == 1:
            hands = np.stack([hands, np.zeros_like(hands)], axis=-1)
        if hands.shape not in two_planes:
            allowed = " or ".join(map(str, one_plane if rules.decks == 1 else two_planes))
            raise DealError(f"hands have shape {hands.shape}; {allowed} is needed")
        return np.broadcast_to(hands, (n, players, 2))
    if isinstance(hands, str) or _length(hands) is None:
        raise DealError(f"hands={hands!r}: {players} hands needed, each a text or a sequence of cards")
    if len(hands) != players:
        raise MisdealError(f"{len(hands)} hands given; {players} players need {players}")
    planes = [_planes_of(hand, rules.decks, f"seat {seat}") for seat, hand in enumerate(hands)]
    return np.broadcast_to(np.array(planes, np.uint64), (n, players, 2))


def _length(given: Any) -> int | None:
    """Return how many items there are, None when there is nothing to count."""
    try:
        return len(given)
    except TypeError:
        return None


def _planes_of(given: str | Iterable[str | int], decks: int, where: str) -> Planes:
    """Return cards as planes, (2,), each at most once a deck."""
    once, twice = 0, 0
    try:
        for card in cards.parse_cards(given):
            bit = 1 << card
            if (twice if decks == 2 else once) & bit:
                raise CardError(f"{cards.card_text(card)} is given {'three times' if decks == 2 else 'twice'}")
            twice |= once & bit
            once |= bit
    except (CardError, TypeError) as error:
        raise DealError(f"{where}: {error}") from error
    return np.array([once, twice], np.uint64)


def _decks(games: NDArray[np.void], rules: Rules) -> Planes:
    """Return the deck of each game's hand, (N, 2)."""
    decks: Planes = rules.array["deck"][0][games["n_in_play"]]
    return decks


def _dealt(games: NDArray[np.void], seats: int) -> tuple[Planes, Planes, Planes]:
    """Return the cards that the first seats hold one, two and three copies of, each (N,)."""
    once, twice, thrice = (np.zeros(len(games), np.uint64) for _ in range(3))
    for seat in range(seats):
        for plane in games["hands"][:, seat].T:
            thrice |= twice & plane
            twice |= once & plane
            once |= plane
    return once, twice, thrice


def _check_hands(games: NDArray[np.void], rules: Rules) -> None:
    """Check that the hands are a deal: cards of the deck, no more than it has, and the right number for each seat."""
    deck, deck_twice = _decks(games, rules).T
    for seat in range(rules.players):
        once, twice, thrice = _dealt(games, seat + 1)
        both = games["hands"][:, seat, 1] & ~games["hands"][:, seat, 0]
        _refuse_cards(both, seat, "on plane 1 (both copies) but not on plane 0")
        _refuse_cards(once & ~deck, seat, "not in the deck of these rules")
        _refuse_cards((twice & ~deck_twice) | thrice, seat, "dealt to another seat too, and the deck has no more of it")
    counts = np.bitwise_count(games["hands"][:, : rules.players]).sum(axis=2)
    in_play = games["places"][:, : rules.players] == 0
    sizes = rules.array["hand_size"][0][games["n_in_play"]][:, None] * in_play
    for game, seat in np.argwhere(counts != sizes)[:1]:
        n = games["n_in_play"][game]
        who = f"{n} players get {sizes[game].max()} each" if in_play[game, seat] else "it sits out this play-off"
        raise MisdealError(
            f"deal {game}, seat {seat} has {counts[game, seat]} cards; {who}."
            " A misdeal is void: the same dealer deals again (B6)"
        )


def _left_over(games: NDArray[np.void], rules: Rules) -> Planes:
    """Return the cards that the hands leave of the deck, (N, 2)."""
    deck, deck_twice = _decks(games, rules).T
    once, twice, _ = _dealt(games, rules.players)
    return np.stack([(deck & ~once) | (deck_twice & ~twice), deck_twice & ~once], axis=1)


def _check_kitty(games: NDArray[np.void], rules: Rules, kitty: str | Sequence[Any] | Planes) -> None:
    """X2: check that a kitty, where one is given, is what the hands leave over."""
    if _length(kitty) is None:
        raise DealError(f"kitty={kitty!r}: a text or a sequence of cards is needed")
    if not len(kitty):
        return
    if isinstance(kitty, np.ndarray) and kitty.dtype == np.uint64:
        if kitty.shape not in ((2,), (len(games), 2)):
            raise DealError(f"kitty has shape {kitty.shape}; two planes, (2,) or ({len(games)}, 2), are needed")
        planes = kitty
    else:
        planes = _planes_of(kitty, rules.decks, "kitty")
    for game in np.flatnonzero((games["kitty"] != planes).any(axis=1))[:1]:
        left = " ".join(filter(None, map(cards.bitboard_text, games["kitty"][game]))) or "no cards"
        raise DealError(f"deal {game}: kitty={kitty!r}, but the hands leave {left} over")


def _refuse_cards(bad: Planes, seat: int, why: str) -> None:
    for game in np.flatnonzero(bad)[:1]:
        named = cards.bitboard_text(bad[game] & cards.FULL_DECK_BB) or "a bit beyond the 52 cards"
        raise DealError(f"deal {game}, seat {seat}: {named} is {why}")


# Numbers.


def _numbers(name: str, given: ArrayLike, n: int, low: int, high: int) -> NDArray[np.int64]:
    array = as_array(name, given, DealError)
    if array.shape not in ((), (n,)) or array.dtype.kind not in "iu":
        raise DealError(f"{name}={given!r}: one whole number, or {n}, needed")
    if array.size and (array.min() < low or array.max() > high):
        raise DealError(f"{name}={given!r}: allowed: {low} to {high}")
    return np.broadcast_to(array, (n,)).astype(np.int64)


def _totals(given: ArrayLike, n: int, players: int) -> NDArray[np.int64]:
    array = as_array("totals", given, DealError)
    if array.shape not in ((players,), (n, players)) or array.dtype.kind not in "iu":
        raise DealError(f"totals={given!r}: {players} whole numbers, one a seat, needed")
    if array.size and (array.min() < -_LARGEST or array.max() > _LARGEST):
        raise DealError(f"totals={given!r}: too large")
    return np.broadcast_to(array, (n, players)).astype(np.int64)


def as_cuts(cuts: ArrayLike | None, games: NDArray[np.void], rules: Rules, *, next_hand: bool) -> NDArray[np.int64]:
    """Return where the deck is cut for games to be dealt, (N,) int64; 0 stands for a random cut.

    Args:
        cuts: one number, or one a game; None cuts at random.
        games: the games, (N,).
        rules: their rules.
        next_hand: the hand to be dealt is the next one, among those in first place; else the same again.

    Raises:
        DealError: when a cut is not 1 to n - 1 for a deck of n cards.
    """
    if cuts is None:
        return np.zeros(len(games), np.int64)
    seats = games["n_in_play"]
    if next_hand:
        n_first = (games["places"][:, : rules.players] == 0).sum(axis=1)
        seats = np.where(games["phase"] == HAND_OVER, n_first, seats)
    sizes = np.bitwise_count(rules.array["deck"][0][seats]).sum(axis=1).astype(np.int64)
    cut_at = _numbers("cuts", cuts, len(games), 1, int(sizes.max()) - 1 if len(games) else 103)
    for game in np.flatnonzero(cut_at >= sizes)[:1]:
        raise DealError(f"cuts={cuts!r}: allowed where {sizes[game]} cards are dealt: 1 to {sizes[game] - 1}")
    return cut_at


def check_not_over(games: NDArray[np.void], index: NDArray[np.int64]) -> None:
    """Check that the hands of chosen games are still going on, and can be dealt again.

    Raises:
        DealError: when one is over, or has been dealt again too often.
    """
    over = index[games["phase"][index] >= HAND_OVER]
    if len(over):
        raise DealError(f"game {over[0]}: the hand is over and scored; a misdeal can only be declared before")
    full = index[games["redeal"][index] >= _MOST_REDEALS]
    if len(full):
        raise DealError(f"game {full[0]}: the hand has been dealt again {_MOST_REDEALS} times, which is the most")
