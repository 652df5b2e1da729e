"""One hand of a text."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Final

from rk_env.cards import N_RANKS, NO_CARD, RANK_TEXTS, SUIT_LETTERS, parse_card
from rk_env.decks import deck_cards
from rk_env.notation.log import Cards, HandLog, Numbers, Play, Trick
from rk_env.notation.reader import Reader
from rk_env.notation.write import SITS_OUT
from rk_env.rules import Rules
from rk_env.settings import N_PASSED
from rk_env.state import NO_SEAT

# No game reaches these numbers, nor can play from them on lead to any that a record has no room for.
LARGEST_TOTAL: Final = 2_000_000_000
_LAST_HAND: Final = 1_000_000_000
_LAST_DEAL: Final = 30_000
_LAST_PLAYOFF: Final = 10_000
_MOST_REVOKES: Final = 2_000

HAND: Final = "a hand, such as 'hand 1: dealer 0, pass left'"
_N: Final = "([0-9]{1,10})"
_SEAT: Final = "[0-9]{1,2}"
_RANK: Final = "|".join(RANK_TEXTS)
_CARD: Final = f"(?:{_RANK})[{SUIT_LETTERS}]"
_SUITS: Final = f"((?:{_RANK}|[{SUIT_LETTERS}])(?: (?:{_RANK}|[{SUIT_LETTERS}]))*)"
_HEADER: Final = (
    f"hand {_N}(?:, deal {_N})?: (?:play-off {_N} of seats ({_SEAT}(?: {_SEAT})*), )?dealer {_N}, "
    f"(?:cut at {_N}, |(cards given), )?(no pass|pass left|pass right|pass {_N} seats left)"
)
_PASS: Final = f"{_SEAT} passes ({_CARD}(?: {_CARD}){{0,{N_PASSED - 1}}})(?: to {_SEAT})?"
_PLAY: Final = f"(?:\\({_CARD}\\) )?{_CARD}!*"
_TRICK: Final = (
    f"{_SEAT}\\. ({_SEAT}) leads ({_PLAY}(?: {_PLAY})*(?: \\({_CARD}\\))?)(?:, (?:taken by ({_SEAT})|(cancelled)))?"
)
_MOON: Final = f"({_SEAT}) shoots the moon(?: and (adds|subtracts))?"
_SCORE: Final = f"(?:{SITS_OUT}|-?[0-9]{{1,10}})"


def read_hand(reader: Reader, rules: Rules, *, has_seed: bool) -> HandLog:
    """Return the hand that begins in the current line.

    Raises:
        NotationError: when a line is not what it must be.
    """
    hand = _read_header(reader, rules, has_seed)
    before = take_numbers(reader, "revokes before", rules, 0, _MOST_REVOKES)
    hand = _read_deal(reader, rules, dataclasses.replace(hand, revokes_before=before))
    hand = dataclasses.replace(hand, passes=_read_passes(reader, hand), tricks=_read_tricks(reader))
    if moon := reader.take(_MOON):
        subtracts = None if moon[2] is None else moon[2] == "subtracts"
        hand = dataclasses.replace(hand, shooter=int(moon[1]), subtracts=subtracts)
    hand = dataclasses.replace(hand, revokes=take_numbers(reader, "revokes", rules, 0, _MOST_REVOKES))
    if reader.take("misdeal"):
        return dataclasses.replace(hand, void="misdeal")
    if reader.take("replay"):
        return dataclasses.replace(hand, void="replay")
    return _read_scores(reader, rules, hand)


def take_numbers(reader: Reader, name: str, rules: Rules, low: int, high: int) -> Numbers:
    """Return the numbers of a line, one for each seat; () when it is another line.

    Raises:
        NotationError: when they are too many or too few, or one is out of range.
    """
    match = reader.take(f"{name}: (-?[0-9]+(?: -?[0-9]+)*)")
    if match is None:
        return ()
    texts = match[1].split()
    if len(texts) != rules.players:
        reader.refuse(f"{rules.players} numbers, one for each seat")
    numbers = tuple(int(text) if len(text) <= len(str(-LARGEST_TOTAL)) else high + 1 for text in texts)
    if not all(low <= number <= high for number in numbers):
        reader.refuse(f"numbers from {low} to {high}")
    return numbers


def _number(reader: Reader, text: str | None, low: int, high: int, default: int = 0) -> int:
    """Return a number of the line that was taken last; a default where it is left out."""
    if text is None:
        return default
    if not low <= int(text) <= high:
        reader.refuse(f"a number from {low} to {high}, not {text}")
    return int(text)


def _read_header(reader: Reader, rules: Rules, has_seed: bool) -> HandLog:
    match = reader.need(_HEADER, HAND)
    number, deal, playoff, seats, dealer, cut, given, passing, pass_seats = match.groups()
    in_play = tuple(map(int, seats.split())) if seats else tuple(range(rules.players))
    if sorted(set(in_play)) != list(in_play) or in_play[-1] >= rules.players or len(in_play) < 2:
        reader.refuse(f"two or more of the seats 0 to {rules.players - 1}, lowest first")
    right = len(in_play) - 1
    seats_left = {"no pass": 0, "pass left": 1, "pass right": right}.get(passing)
    return HandLog(
        number=_number(reader, number, 1, _LAST_HAND),
        redeal=_number(reader, deal, 2, _LAST_DEAL, default=1) - 1,
        playoff=_number(reader, playoff, 1, _LAST_PLAYOFF),
        seats=in_play,
        dealer=_number(reader, dealer, 0, rules.players - 1),
        cut=None if given or not has_seed else _number(reader, cut, 1, _n_cards(rules, in_play) - 1),
        pass_seats=_number(reader, pass_seats, 2, right) if seats_left is None else seats_left,
        hands=(),
    )


def _n_cards(rules: Rules, in_play: Cards) -> int:
    return len(deck_cards(rules.deck_planes(len(in_play))))


# The deal and the pass.


def _read_deal(reader: Reader, rules: Rules, hand: HandLog) -> HandLog:
    """Read the hands that are dealt, which must be a deal of the deck, and what they leave over."""
    left = Counter(deck_cards(rules.deck_planes(len(hand.seats))))
    size = rules.hand_size_of(len(hand.seats))
    hands: list[Cards] = [()] * rules.players
    for seat in hand.seats:
        match = reader.need(
            f"seat {seat}: {_SUITS}", f"the cards dealt to seat {seat}, such as 'seat {seat}: C 2 10 S Q'"
        )
        hands[seat] = _suits_cards(reader, match[1])
        if len(hands[seat]) != size:
            reader.refuse(f"{size} cards, not {len(hands[seat])}")
        _take_out(reader, left, hands[seat])
    kitty: Cards = ()
    if left.total():
        match = reader.need(f"(?:kitty|set aside): {_SUITS}", f"the {left.total()} cards that are left over")
        kitty = _suits_cards(reader, match[1])
        _take_out(reader, left, kitty)
    if left.total():
        reader.refuse(f"all cards that are left over, {left.total()} more")
    return dataclasses.replace(hand, hands=tuple(hands), kitty=kitty)


def _suits_cards(reader: Reader, text: str) -> Cards:
    """Return cards that stand suit by suit, lowest first."""
    found: list[int] = []
    suit = -1
    for token in text.split():
        if token in SUIT_LETTERS:
            suit = SUIT_LETTERS.index(token)
        elif suit < 0:
            reader.refuse("a suit (C, D, S, H) before the ranks")
        else:
            found.append(N_RANKS * suit + RANK_TEXTS.index(token))
    return tuple(sorted(found))


def _take_out(reader: Reader, left: Counter[int], cards: Cards) -> None:
    left.subtract(cards)
    if min(left.values()) < 0:
        reader.refuse("cards of the deck that are not dealt already")


def _read_passes(reader: Reader, hand: HandLog) -> tuple[Cards, ...]:
    passes: list[Cards] = []
    while len(passes) < len(hand.seats) and (match := reader.take(_PASS)):
        passes.append(tuple(map(parse_card, match[1].split())))
    return tuple(passes)


# The play and the end.


def _read_tricks(reader: Reader) -> tuple[Trick, ...]:
    tricks = []
    while match := reader.take(_TRICK):
        leader, plays, taker, cancelled = match.groups()
        winner = int(taker) if taker else NO_SEAT if cancelled else None
        tricks.append(Trick(int(leader), _plays(plays), winner))
    return tuple(tricks)


def _plays(text: str) -> tuple[Play, ...]:
    plays = []
    took_back = NO_CARD
    for token in text.split():
        if token.startswith("("):
            took_back = parse_card(token[1:-1])
        else:
            card = token.rstrip("!")
            plays.append(Play(parse_card(card), took_back, len(token) - len(card)))
            took_back = NO_CARD
    if took_back != NO_CARD:
        plays.append(Play(NO_CARD, took_back))
    return tuple(plays)


def _read_scores(reader: Reader, rules: Rules, hand: HandLog) -> HandLog:
    """Read scores and totals, where the hand is over."""
    match = reader.take(f"scores: ({_SCORE}(?: {_SCORE})*)")
    if match is None:
        return hand
    scores = tuple(0 if text == SITS_OUT else int(text) for text in match[1].split())
    if len(scores) != rules.players:
        reader.refuse(f"{rules.players} scores, one for each seat")
    totals = take_numbers(reader, "totals", rules, -LARGEST_TOTAL, LARGEST_TOTAL)
    return dataclasses.replace(hand, scores=scores, totals=totals or reader.fail("'totals: ...', one for each seat"))
