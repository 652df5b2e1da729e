"""The log of the hand that a game's record holds: a record keeps all of its current hand."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import decks
from rk_env.cards import CARDS_BB, NO_CARD, bitboard_cards
from rk_env.errors import GameRecordError
from rk_env.inputs import checked_rules
from rk_env.kernels.batch import redeal_hands
from rk_env.kernels.revokes import find_revokes
from rk_env.kernels.scoring import extra_points
from rk_env.notation.log import Cards, GameLog, HandLog, Numbers, Play, Trick
from rk_env.records import checked_games
from rk_env.rules import Rules
from rk_env.state import GAME_OVER, HAND_OVER, NO_SEAT, PASS


def hand_log(record: Any, rules: Rules) -> GameLog:
    """Return the hand that a record holds, finished or not, as a log of one hand.

    How the cards were cut a record does not tell: the log has the least cut with which its seed deals these cards.

    Args:
        record: one full game, such as `engine.games[0]`, to which play by the rules has led.
        rules: its rules.

    Raises:
        GameRecordError: when it is no full game of these rules.
    """
    if not isinstance(record, np.void):
        raise GameRecordError(f"one record of dtype rk_env.state.GAME is needed, not {type(record).__name__}")
    game = checked_games(np.array([record]), checked_rules(rules))[0]
    return GameLog(
        rules=rules,
        totals=_totals_before(game, rules),
        hands=(_hand_of(game, rules),),
        seed=int(game.seed),
        first_hand=int(game.first_hand),
        places_before=_places_before(game, rules),
        places=_by_seat(game.places, rules, add=1) if game.phase == GAME_OVER else (),
    )


def _totals_before(game: Any, rules: Rules) -> Numbers:
    is_counted = game.phase >= HAND_OVER and game.playoff == 0
    return _by_seat(game.totals - game.scores if is_counted else game.totals, rules)


def _places_before(game: Any, rules: Rules) -> Numbers:
    """Return the places before the hand, where there are any that do not follow from the totals (H6)."""
    if game.playoff < 2:
        return ()
    in_play = _seats_in_play(game, rules)
    return tuple(1 if seat in in_play else place for seat, place in enumerate(_by_seat(game.places, rules, add=1)))


def _by_seat(numbers: NDArray[Any], rules: Rules, add: int = 0) -> Numbers:
    return tuple(int(number) + add for number in numbers[: rules.players])


def _seats_in_play(game: Any, rules: Rules) -> tuple[int, ...]:
    return tuple(seat for seat in range(rules.players) if int(game.in_play) >> seat & 1)


def _hand_of(game: Any, rules: Rules) -> HandLog:
    plays = _plays(game, rules)
    hand = HandLog(
        number=int(game.hand_number),
        dealer=int(game.dealer),
        seats=_seats_in_play(game, rules),
        pass_seats=int(game.pass_seats),
        hands=(),
        redeal=int(game.redeal),
        playoff=int(game.playoff),
        revokes_before=_revokes_before(game, rules, plays),
        tricks=_tricks(game, plays),
        shooter=int(game.shooter),
        subtracts=_choice(game, rules),
    )
    hand = dataclasses.replace(hand, passes=_passes(game, hand))
    return _with_end(_with_deal(hand, game, rules), game, rules)


def _with_end(hand: HandLog, game: Any, rules: Rules) -> HandLog:
    if game.phase < HAND_OVER:
        return hand
    return dataclasses.replace(
        hand,
        revokes=revokes_of(game, rules),
        scores=_by_seat(game.scores, rules),
        totals=_by_seat(game.totals, rules),
    )


def revokes_of(game: Any, rules: Rules) -> Numbers:
    """Return the revokes that a record has of each seat; () when there are none."""
    return _by_seat(game.revokes, rules) if any(game.revokes) else ()


# The deal.


def planes_of(cards: Cards) -> NDArray[np.uint64]:
    """Return cards as a set of two planes, shape (2,)."""
    planes = np.zeros(2, np.uint64)
    for card in cards:
        planes[1] |= planes[0] & CARDS_BB[card]
        planes[0] |= CARDS_BB[card]
    return planes


def _passes(game: Any, hand: HandLog) -> tuple[Cards, ...]:
    passed = [tuple(int(card) for card in game.passed[seat] if card != NO_CARD) for seat in hand.order]
    return tuple(picks for picks in passed if picks)


def _with_deal(hand: HandLog, game: Any, rules: Rules) -> HandLog:
    hands = _dealt_hands(game, rules, hand)
    left = decks.deck_cards(rules.deck_planes(len(hand.seats)))
    for card in (card for cards in hands for card in cards):
        left.remove(card)
    kitty = tuple(sorted(left))
    return dataclasses.replace(hand, hands=hands, kitty=kitty, cut=_cut_of(game, rules, hands, kitty))


def _dealt_hands(game: Any, rules: Rules, hand: HandLog) -> tuple[Cards, ...]:
    """Return the hands as dealt: what is held and what was played, with the pass undone."""
    held = [_cards_of(planes) for planes in game.hands[: rules.players]]
    for card, seat in zip(game.plays[: game.n_plays], game.play_seats[: game.n_plays], strict=True):
        held[seat].append(int(card))
    if game.phase != PASS:
        passed = list(zip(hand.order, hand.passes, strict=False))
        for seat, picks in passed:
            held[seat] += picks
        for seat, picks in passed:
            for card in picks:
                held[hand.receiver(seat)].remove(card)
    return tuple(tuple(sorted(cards)) for cards in held)


def _cards_of(planes: NDArray[np.uint64]) -> list[int]:
    """Return the cards of a set of two planes, lowest first."""
    return sorted(bitboard_cards(planes[0]) + bitboard_cards(planes[1]))


def _cut_of(game: Any, rules: Rules, hands: tuple[Cards, ...], kitty: Cards) -> int | None:
    """Return at which cut the game's seed deals these cards, 0 for its own; None when it does not."""
    n_cards = sum(map(len, hands)) + len(kitty)
    held, left = np.array([planes_of(cards) for cards in hands]), planes_of(kitty)
    for cuts in (np.zeros(1, np.int64), np.arange(1, n_cards)):
        deals = np.repeat(np.array([game]), len(cuts))
        deals["redeal"] -= 1  # dealing again counts it up
        redeal_hands(deals, rules.array, np.arange(len(cuts)), cuts)
        is_same = (deals["hands"][:, : rules.players] == held).all(axis=(1, 2)) & (deals["kitty"] == left).all(axis=1)
        if is_same.any():
            return int(cuts[is_same.argmax()])
    return None


# The play.


def _plays(game: Any, rules: Rules) -> list[Play]:
    """Return the plays in order, with a last one for a card that was taken back when no other has been played yet."""
    past = np.array([game])[0]
    plays = []
    for n in range(int(game.n_plays)):
        card, found = int(game.plays[n]), 0
        if rules.revokes == "exposed":
            past.n_plays, past.turn = n, game.play_seats[n]
            found = int(find_revokes(past, card))
        plays.append(Play(card, int(game.took_back[n]), found))
    if game.n_table and game.took_back[game.n_plays] != NO_CARD:
        plays.append(Play(NO_CARD, int(game.took_back[game.n_plays])))
    return plays


def _tricks(game: Any, plays: list[Play]) -> tuple[Trick, ...]:
    size = int(game.n_in_play)
    starts = range(0, len(plays), size)
    winners = [int(game.winners[number]) if number < game.trick else None for number in range(len(starts))]
    return tuple(
        Trick(int(game.play_seats[start]), tuple(plays[start : start + size]), winner)
        for start, winner in zip(starts, winners, strict=True)
    )


def _revokes_before(game: Any, rules: Rules, plays: list[Play]) -> Numbers:
    """Return the revokes found in earlier deals of the hand: all that are found, less those of these plays."""
    before = list(_by_seat(game.revokes, rules))
    for seat, play in zip([*game.play_seats[: game.n_plays], game.turn], plays, strict=False):
        before[seat] -= play.found + (play.took_back != NO_CARD)
    return tuple(before) if any(before) else ()


def _choice(game: Any, rules: Rules) -> bool | None:
    """F6: tell whether the shooter subtracted; None when nobody was asked, or the choice is still to come."""
    if game.shooter == NO_SEAT or rules.moon != "new" or game.playoff or game.phase < HAND_OVER:
        return None
    return bool(game.scores[game.shooter] < extra_points(game, rules.array[0], game.shooter))
