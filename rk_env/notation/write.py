"""Logs as text. There is one text for a log: `parse` refuses any other, spaces, blank lines and comments aside."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final

from rk_env.cards import N_RANKS, NO_CARD, RANK_TEXTS, SUIT_LETTERS, card_text, cards_text
from rk_env.notation.log import GameLog, HandLog, Play, Trick
from rk_env.settings import N_PASSED
from rk_env.state import NO_SEAT

VERSION: Final = 1
"""Number of the format; the package's page says when it grows."""
FORMAT_NAME: Final = "Rickety Kate notation"
SITS_OUT: Final = "-"


def write(log: GameLog) -> str:
    """Return a log as text, with a line break at the end.

    Raises:
        CardError: when the log holds a number that is no card.
    """
    return "".join(f"{line}\n" for line in lines_of(log))


def lines_of(log: GameLog) -> list[str]:
    """Return the lines of a log's text."""
    lines = [f"{FORMAT_NAME} {VERSION}", *_head_lines(log)]
    for hand in log.hands:
        lines += ["", *hand_lines(hand, log.seed is not None)]
    if log.places:
        name = "winner" if len(log.winners) == 1 else "winners"
        lines += ["", f"{name}: {_numbers_text(log.winners)}", f"places: {_numbers_text(log.places)}"]
    return lines


def _head_lines(log: GameLog) -> Iterator[str]:
    for setting in dataclasses.fields(log.rules):
        value = getattr(log.rules, setting.name)
        if value != setting.default:
            yield f"{setting.name}: {setting_text(value)}"
    if log.seed is not None:
        yield f"seed: {log.seed}"
    if log.first_hand != 1:
        yield f"first hand: {log.first_hand}"
    if any(log.totals):
        yield f"totals: {_numbers_text(log.totals)}"
    if log.places_before:
        yield f"places: {_numbers_text(log.places_before)}"


def setting_text(value: Any) -> str:
    """Return the value of a field of the rules as text.

    >>> setting_text(True), setting_text(("JD", "10D")), setting_text("new")
    ('on', 'JD 10D', 'new')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return " ".join(value) if isinstance(value, tuple) else str(value)


# A hand.


def hand_lines(hand: HandLog, has_seed: bool) -> list[str]:
    """Return the lines of one hand; without a known seed there is nothing to say about where its cards come from."""
    lines = [header_line(hand, has_seed)]
    if hand.revokes_before:
        lines.append(f"revokes before: {_numbers_text(hand.revokes_before)}")
    lines += [f"seat {seat}: {suits_text(hand.hands[seat])}" for seat in hand.seats]
    if hand.kitty:
        lines.append(f"{'set aside' if len(hand.seats) == 2 else 'kitty'}: {suits_text(hand.kitty)}")
    lines += [_pass_line(hand, seat, picks) for seat, picks in zip(hand.order, hand.passes, strict=False)]
    width = len(str(len(hand.hands) - 1))
    lines += [_trick_line(number, trick, width) for number, trick in enumerate(hand.tricks, 1)]
    if hand.shooter != NO_SEAT:
        choice = {None: "", False: " and adds", True: " and subtracts"}[hand.subtracts]
        lines.append(f"{hand.shooter} shoots the moon{choice}")
    return lines + _end_lines(hand)


def header_line(hand: HandLog, has_seed: bool) -> str:
    """Return the line with which a hand begins."""
    parts = [f"dealer {hand.dealer}", _pass_text(hand)]
    if hand.playoff:
        parts.insert(0, f"play-off {hand.playoff} of seats {_numbers_text(hand.seats)}")
    if has_seed and hand.cut != 0:
        parts.insert(-1, "cards given" if hand.cut is None else f"cut at {hand.cut}")
    deal = f", deal {hand.redeal + 1}" if hand.redeal else ""
    return f"hand {hand.number}{deal}: {', '.join(parts)}"


def _pass_text(hand: HandLog) -> str:
    if hand.pass_seats == 0:
        return "no pass"
    if hand.pass_seats == 1:
        return "pass left"
    if hand.pass_seats == len(hand.seats) - 1:
        return "pass right"
    return f"pass {hand.pass_seats} seats left"


def suits_text(cards: Sequence[int]) -> str:
    """Return cards suit by suit: a suit's letter, then ranks.

    >>> suits_text([0, 8, 36, 36])
    'C 2 10  S Q Q'
    """
    suits = []
    for suit, letter in enumerate(SUIT_LETTERS):
        ranks = [RANK_TEXTS[card % N_RANKS] for card in cards if card // N_RANKS == suit]
        if ranks:
            suits.append(" ".join([letter, *ranks]))
    return "  ".join(suits)


def _pass_line(hand: HandLog, seat: int, picks: Sequence[int]) -> str:
    to = f" to {hand.receiver(seat)}" if len(picks) == N_PASSED else ""
    return f"{seat} passes {cards_text(picks)}{to}"


def _trick_line(number: int, trick: Trick, width: int) -> str:
    plays = "".join(f" {play_text(play):>3}" for play in trick.plays)
    return f"{number:2}. {trick.leader:{width}} leads {plays}{_taker_text(trick.winner)}"


def _taker_text(winner: int | None) -> str:
    if winner is None:
        return ""
    return ", cancelled" if winner == NO_SEAT else f", taken by {winner}"


def play_text(play: Play) -> str:
    """Return a play: a card taken back in brackets before the card played, and a `!` for each revoke that it shows.

    >>> play_text(Play(0)), play_text(Play(0, took_back=21)), play_text(Play(36, found=2))
    ('2C', '(10D) 2C', 'QS!!')
    """
    back = "" if play.took_back == NO_CARD else f"({card_text(play.took_back)})"
    card = "" if play.card == NO_CARD else card_text(play.card) + "!" * play.found
    return f"{back} {card}".strip()


def _end_lines(hand: HandLog) -> list[str]:
    lines = [f"revokes: {_numbers_text(hand.revokes)}"] if hand.revokes else []
    if hand.void:
        lines.append(hand.void)
    if hand.scores:
        scores = [str(score) if seat in hand.seats else SITS_OUT for seat, score in enumerate(hand.scores)]
        lines.append("scores:" + "".join(f" {score:>3}" for score in scores))
        lines.append("totals:" + "".join(f" {total:>3}" for total in hand.totals))
    return lines


def _numbers_text(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
