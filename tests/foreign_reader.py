"""What a program reads from the lines of `agents/FOREIGN.md`, put back into rules and records.

It shares no code with what writes them.
"""

from __future__ import annotations

import ast
import dataclasses
import re
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import GAME, Rules
from tests.generators import NUMBER_OF
from tests.unseen import planes_of

PHASES = {"pass": 0, "play": 1, "moon": 2}
Line = tuple[str, list[str]]


def split(text: str) -> list[Line]:
    """Return keyword and words of each line; "-" is no word, but where it stands for a seat or for suits."""
    rows = [line.split(" ") for line in text.splitlines()]
    return [(row[0], [] if row[1:] == ["-"] else row[1:]) for row in rows]


def rules_read(text: str) -> Rules:
    """Return the rules that a `rules` block tells."""
    (head, _), *rest = split(text)
    assert head == "rules" and all(keyword == "rule" for keyword, _ in rest)
    values = {words[0]: words[1:] for _, words in rest}
    assert [*values] == [field.name for field in dataclasses.fields(Rules)]
    return Rules(**{name: value_read(name, words) for name, words in values.items()})


def value_read(name: str, words: list[str]) -> Any:
    if name == "bonus_cards":
        return () if words == ["-"] else tuple(words)
    (word,) = words
    if word in ("-", "on", "off"):
        return {"-": None, "on": True, "off": False}[word]
    return ast.literal_eval(word) if re.fullmatch(r"-?\d+", word) else word


class Read:
    """One decision as a program reads it.

    Attributes:
        view: the record, of the fields that the text tells of.
        seed: the decision's.
        legal: texts of actions.
        revoking: texts of cards.
        deck: numbers of the cards dealt in this hand, kitty included.
        pass_to: the seat that gets the cards passed; None in a hold hand.
        pass_from: the seat whose cards this one gets; None in a hold hand.
    """

    def __init__(self, text: str) -> None:
        lines = split(text)
        assert lines[0] == ("decision", [])
        self.facts = {keyword: words for keyword, words in lines[1:] if keyword not in ("trick", "took_back")}
        self.view: Any = np.zeros(1, GAME)[0]
        for name in ("turn", "leader", "led_suit", "table", "plays", "play_seats", "took_back", "winners"):
            self.view[name] = -1
        self.view["passed"] = -1
        self.seed = int(self.facts["seed"][0])
        self.legal, self.revoking = self.facts["legal"], self.facts["revoking"]
        self.deck = numbers(self.facts["deck"])
        self.pass_to, self.pass_from = (seat_of(self.facts[name]) for name in ("pass_to", "pass_from"))
        self._read_numbers()
        self._read_cards(lines)
        self._read_tricks(lines)

    def _read_numbers(self) -> None:
        view, facts = self.view, self.facts
        view.observer = view.turn = int(facts["seat"][0])
        view.phase = PHASES[facts["phase"][0]]
        view.in_play, view.n_in_play = sum(1 << int(seat) for seat in facts["in_play"]), len(facts["in_play"])
        for name in ("dealer", "hand_number", "first_hand", "redeal", "playoff", "pass_seats"):
            view[name] = int(facts[name][0])
        view.n_picks = int(facts["picks_made"][0])
        for name in ("totals", "places", "revokes", "points"):
            view[name][: len(facts[name])] = [int(word) for word in facts[name]]
        for name in ("hearts_broken", "opened_with_2c"):
            view[name] = {"yes": 1, "no": 0}[facts[name][0]]
        for name in ("kitty_taker", "shooter"):
            view[name] = -1 if not facts[name] else int(facts[name][0])
        voids = [sum(1 << "CDSH".index(suit) for suit in word.replace("-", "")) for word in facts["voids"]]
        view.voids[: len(voids)] = voids

    def _read_cards(self, lines: list[Line]) -> None:
        view, facts = self.view, self.facts
        view.hands[view.observer] = planes_of(numbers(facts["hand"]))
        view.waiting, view.kitty = planes_of(numbers(facts["waiting"])), planes_of(numbers(facts["kitty"]))
        for keyword, words in lines:
            if keyword == "captured":
                view.captured[int(words[0])] = planes_of(numbers(words[1:]))
        assert not facts["picks"] or not facts["passed"], "a pick is not passed yet"
        own = numbers(facts["picks"] or facts["passed"])
        view.passed[view.observer, : len(own)] = own
        if facts["received"]:
            view.passed[self.pass_from] = numbers(facts["received"])

    def _read_tricks(self, lines: list[Line]) -> None:
        view, leader, first = self.view, None, 0
        for keyword, words in lines:
            if keyword == "took_back":
                view.took_back[first + self.order(leader).index(int(words[0]))] = NUMBER_OF[words[1]]
            elif keyword == "leader":
                leader = seat_of(words)
            elif keyword in ("trick", "table"):
                first = int(view.n_plays)
                leader = int(words[0]) if keyword == "trick" else leader
                cards = numbers(words[2:] if keyword == "trick" else words)
                seats = self.order(leader)[: len(cards)]
                view.plays[first : first + len(cards)] = cards
                view.play_seats[first : first + len(cards)] = seats
                view.n_plays += len(cards)
                if keyword == "trick":
                    view.winners[view.trick] = -1 if words[1] == "-" else int(words[1])
                    view.trick += 1
        view.leader, view.n_table = -1 if leader is None else leader, len(cards)
        view.led_suit = cards[0] // 13 if cards else -1
        view.table[seats] = cards

    def order(self, leader: int | None) -> list[int]:
        """Return the seats in play, the leader first."""
        seats = [int(seat) for seat in self.facts["in_play"]]
        at = seats.index(leader) if leader is not None else 0
        return seats[at:] + seats[:at]


def seat_of(words: list[str]) -> int | None:
    return int(words[0]) if words else None


def numbers(cards: list[str]) -> list[int]:
    return [NUMBER_OF[card] for card in cards]


def mask_texts(mask: NDArray[np.int8]) -> list[str]:
    """Return the texts of a mask's actions."""
    return [text for text, number in NUMBER_OF.items() if mask[number]]


def counts(cards: list[int]) -> Counter[int]:
    return Counter(cards)
