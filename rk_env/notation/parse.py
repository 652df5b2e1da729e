"""Text as logs. What is read is one log's own text or refused; whether it keeps to the rules is for `replay` to see."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from rk_env.errors import NotationError, RulesError
from rk_env.notation.log import GameLog, HandLog, Numbers, places_by_total
from rk_env.notation.parse_hand import HAND, LARGEST_TOTAL, read_hand, take_numbers
from rk_env.notation.reader import Reader, notation_error
from rk_env.notation.write import FORMAT_NAME, VERSION, write
from rk_env.rules import Rules

_DEFAULTS: Final = {field.name: field.default for field in dataclasses.fields(Rules)}
_EXAMPLES: Final = {
    "[0-9]+\\. ": "a trick, such as '4. 2 leads 9S KS 4S QS, taken by 3'",
    "[0-9]+ passes ": "a pass, such as '3 passes QS KS AS to 0'",
    "scores": "scores, such as 'scores: 5 0 13 8'",
}


def parse(text: str) -> GameLog:
    r"""Return the log that a text holds.

    Raises:
        NotationError: when the text is not that of a log; it names the line, what stands there, and what should.

    >>> parse("Rickety Kate notation 2")
    Traceback (most recent call last):
    rk_env.errors.NotationError: line 1: found 'Rickety Kate notation 2', expected 'Rickety Kate notation 1' or older
    """
    if not isinstance(text, str):
        raise NotationError(f"line 1: found {type(text).__name__}, expected text", 1)
    reader = Reader(text)
    _read_format(reader)
    log = _read_head(reader, _read_rules(reader))
    while not log.hands or reader.looks_like("hand ") or log.hands[-1].void:
        if not log.hands and not reader.looks_like("hand "):
            reader.fail(f"a setting, seed, totals, or {HAND}")
        here = reader.here
        hand = read_hand(reader, log.rules, has_seed=log.seed is not None)
        fault = "" if log.hands else _fault_of_start(log, hand)
        if fault:
            raise notation_error(here, fault)
        log = dataclasses.replace(log, hands=(*log.hands, hand))
    log = dataclasses.replace(log, places=_read_places(reader, log.rules))
    if reader.here[1] is not None:
        reader.fail("the end of the text" if log.places else _likely(reader))
    return dataclasses.replace(log, lines=reader.compare(write(log)))


def _likely(reader: Reader) -> str:
    """Return what a line that fits nowhere was likely to be, or could be."""
    for start, what in _EXAMPLES.items():
        if reader.looks_like(start):
            return f"{what}, or something else to come next"
    return "what comes next in the hand (a pass, a trick, the moon, revokes, scores), or another hand"


def _read_format(reader: Reader) -> None:
    name = f"'{FORMAT_NAME} {VERSION}'"
    version = int(reader.need(f"{FORMAT_NAME} ([0-9]{{1,9}})", name)[1])
    if version > VERSION:
        reader.refuse(f"{name} or older")
    if version < 1:
        reader.refuse(name)


def _read_rules(reader: Reader) -> Rules:
    fields: dict[str, Any] = {}
    lines = {}
    start = reader.here
    here = start
    while match := reader.take(f"({'|'.join(_DEFAULTS)}): ([!-~]+(?: [!-~]+)*)"):
        name = match[1]
        if name in fields:
            reader.refuse(f"one line only for {name}")
        fields[name], lines[name] = _setting(name, match[2]), here
        if fields[name] == _DEFAULTS[name]:
            reader.refuse(f"settings that differ from the default only, and {name} does not")
        here = reader.here
    try:
        return Rules.from_dict(fields)
    except RulesError as error:
        where = lines.get(str(error).partition("=")[0], start)
        raise notation_error(where, f"rules of a game: {error}") from error


def _setting(name: str, text: str) -> Any:
    if name == "bonus_cards":
        return tuple(text.split())
    if isinstance(_DEFAULTS[name], bool) and text in ("on", "off"):
        return text == "on"
    return int(text) if text.isdigit() and len(text) < 10 else text


def _read_head(reader: Reader, rules: Rules) -> GameLog:
    """Return a log without hands: what stands before the first."""
    seed = reader.take("seed: ([0-9]{1,20})")
    if seed and int(seed[1]) >= 2**64:
        reader.refuse("a seed below 2**64")
    first = reader.take("first hand: ([0-9]{1,9})")
    return GameLog(
        rules=rules,
        seed=int(seed[1]) if seed else None,
        first_hand=int(first[1]) if first else 1,
        totals=take_numbers(reader, "totals", rules, -LARGEST_TOTAL, LARGEST_TOTAL) or (0,) * rules.players,
        places_before=take_numbers(reader, "places", rules, 1, rules.players),
        hands=(),
    )


def _fault_of_start(log: GameLog, hand: HandLog) -> str:
    """Return what would have to be true for a first hand to follow on what stands before it; "" when it does (H4)."""
    if not 1 <= log.first_hand <= hand.number:
        return f"a hand that does not come before the first hand of the game, {log.first_hand}"
    has_ended = max(log.totals) >= log.rules.target
    if hand.playoff == 0:
        is_open = not has_ended and not log.places_before
        return "" if is_open else f"a hand of a play-off, as a total has reached {log.rules.target} or places are given"
    if not has_ended or log.rules.ties != "playoff":
        return f"a hand of the main game, as no total has reached {log.rules.target} or ties share the win"
    if (hand.playoff == 1) == bool(log.places_before):
        return "places before the first hand when it is play-off 2 or later, and only then"
    return _fault_of_places(log, hand)


def _fault_of_places(log: GameLog, hand: HandLog) -> str:
    by_total = places_by_total(log.totals)
    places = log.places_before or by_total
    are_kept = all(total == place for total, place in zip(by_total, places, strict=True) if total > 1)
    if places_by_total(places) != places or not are_kept:
        return "places that follow from the totals, but for those who were tied"
    first = tuple(seat for seat, place in enumerate(places) if place == 1)
    if hand.seats != first or len(first) < 2:
        return f"a play-off of two or more seats, those in first place: {' '.join(map(str, first))}"
    return ""


def _read_places(reader: Reader, rules: Rules) -> Numbers:
    """Return the places at the end of a game; () when it goes on."""
    if not reader.take("winners?: [0-9 ]+"):  # they follow from the places
        return ()
    return take_numbers(reader, "places", rules, 1, rules.players) or reader.fail("'places: ...', one for each seat")
