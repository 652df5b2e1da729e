"""The rules in force, as a sheet to read: what `print(rules)` shows.

Each section is a function of the rules that yields lines. A line names the settings it depends on, so that lines which
differ from the standard are marked, and settings that no line depends on are those without effect.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from rk_env.cards import N_CARDS, NO_CARD, TWO_OF_CLUBS, card_text, cards_text
from rk_env.decks import deck_cards, opening_card
from rk_env.settings import BLACK_POINTS, BONUS_POINTS, N_PASSED, REVOKE_POINTS

_MARK: Final = "*"
_TWO_DECKS: Final = 2


class _Line:
    """A statement, and the settings it depends on."""

    def __init__(self, text: str, *settings: str) -> None:
        self.text = text
        self.settings = settings


Lines = Iterator[_Line]


def sheet_text(rules: Any) -> str:
    """Return all rules of a game, section by section, with their numbers in the rules page.

    Args:
        rules: a `Rules` object.
    """
    defaults = {field.name: field.default for field in dataclasses.fields(rules)}
    changed = {name for name, default in defaults.items() if getattr(rules, name) != default} - {"players"}
    text = []
    used: set[str] = set()
    for title, section in _SECTIONS.items():
        lines = list(section(rules))
        used |= {name for line in lines for name in line.settings}
        text += [title, *(_marked(line, rules, changed) for line in lines)] if lines else []
    idle = [name for name in defaults if name in changed - used]
    if idle:
        text += ["Set, but without effect in this game (K1)", f"  {_MARK} {_values(rules, idle)}"]
    return "\n".join([*_title(rules, changed), *text])


def _title(rules: Any, changed: set[str]) -> list[str]:
    decks = "two decks (Cancellation)" if rules.decks == _TWO_DECKS else "one deck"
    note = f"{_MARK} marks what differs from the standard rules." if changed else "The standard rules."
    return [f"Rickety Kate for {rules.players} players, {decks}", note, ""]


def _marked(line: _Line, rules: Any, changed: set[str]) -> str:
    differ = [name for name in line.settings if name in changed]
    return f"  {_MARK} {line.text}  [{_values(rules, differ)}]" if differ else f"    {line.text}"


def _values(rules: Any, names: list[str]) -> str:
    return ", ".join(f"{name}={getattr(rules, name)!r}" for name in names)


# What several sections need.


def _n_left_over(rules: Any, in_play: int) -> int:
    return len(deck_cards(rules.deck_planes(in_play))) - in_play * rules.hand_size_of(in_play)


def _opening_card(rules: Any, in_play: int) -> int:
    return opening_card(rules.deck_planes(in_play), in_play, rules.opening, rules.two_hand_deal)


def _tables(rules: Any) -> range:
    """Return how many seats may be in play."""
    return range(2 if rules.ties == "playoff" else rules.players, rules.players + 1)


def _has_cycle(rules: Any) -> bool:
    return bool(rules.passing == "cycle")


# The sections, in the order of a game.


def _deck(rules: Any) -> Lines:
    yield _two_deck_line(rules) if rules.decks == _TWO_DECKS else _one_deck_line(rules)
    yield _Line("Aces are high, twos low. There are no trumps (A6).")
    dealer = {
        "draw": "Everybody draws a card, and the lowest deals first; those tied draw again (B1, B2).",
        "random": "Chance names the first dealer (B1).",
    }
    yield _Line(dealer.get(rules.first_dealer, f"Seat {rules.first_dealer} deals first (B1)."), "first_dealer")
    yield _Line("The deal moves one seat to the left each hand; after a misdeal the same dealer deals again (B5, B6).")


def _one_deck_line(rules: Any) -> _Line:
    number = {3: "A2", 4: "A5", 5: "A3", 6: "A4"}[rules.players]
    text = f"{len(rules.deck)} cards{_left_out(rules)}, {rules.hand_size} each ({number})."
    return _Line(text, *(["remove_for_three"] if rules.players == 3 else []))


def _two_deck_line(rules: Any) -> _Line:
    left = _n_left_over(rules, rules.players)
    kitty = f"; {left} lie in a kitty, for who takes the first trick" if left else ""
    text = f"{len(rules.deck)} cards of two decks{_left_out(rules)}, {rules.hand_size} each{kitty} (X1-X3)."
    return _Line(text, "decks", "leftover")


def _left_out(rules: Any) -> str:
    out = Counter(rules.decks * list(range(N_CARDS))) - Counter(rules.deck)
    return f" without {cards_text(sorted(out.elements()))}" if out else ""


def _pass(rules: Any) -> Lines:
    texts = {
        "cycle": f"{N_PASSED} cards each, by the number of the hand: left, right, across, none, and so on (C1, C2).",
        "left": f"{N_PASSED} cards each, to the left in every hand (C1, C6).",
        "none": "Nobody passes cards (C7).",
    }
    yield _Line(texts[rules.passing], "passing")
    if _has_cycle(rules):
        seats = rules.across_seats or rules.players // 2
        yield _Line(f"Across is {seats} seat{'s' * (seats > 1)} to the left (C3).", "across_seats")


def _lead(rules: Any) -> Lines:
    yield _Line(_lead_text(rules), "opening")
    if any(_opening_card(rules, n) == NO_CARD or _n_left_over(rules, n) for n in _tables(rules)):
        texts = (
            "Eldest on lead may lead no heart, unless the hand is all hearts (D4).",
            "Eldest on lead may lead any heart (D4).",
        )
        yield _Line(texts[rules.open_with_heart], "open_with_heart")


def _lead_text(rules: Any) -> str:
    card = _opening_card(rules, rules.players)
    if card == NO_CARD:
        return "Eldest, the seat to the dealer's left, leads to trick one (D2, X9)."
    what = card_text(card) if card == TWO_OF_CLUBS else f"{card_text(card)}, the lowest club,"
    if rules.decks == _TWO_DECKS:
        return f"The first from eldest on who holds {what} leads it to trick one; if nobody does, eldest leads (X9)."
    return f"Who holds {what} leads it to trick one (D1-D3)."


def _first_trick(rules: Any) -> Lines:
    ban = "no penalty card is discarded while the hand holds a harmless one (D6, D9)."
    texts = {
        "every": f"In every hand {ban}",
        "only_2c": f"When 2C was led {ban}",
        "off": "Penalty cards may be discarded, and count (V6).",
        "strict": f"In every hand {ban}",
    }
    yield _Line(texts[rules.first_trick], "first_trick")
    black = rules.black_card
    if rules.first_trick == "strict":
        yield _Line(f"{black} is led or followed with only if no other card is legal (D5, D8).", "first_trick")
    else:
        yield _Line(f"{black} may be led, and played on a spade (D5, D8).")


def _play(rules: Any) -> Lines:
    yield _Line("Follow suit if you can; the highest card of the led suit takes the trick and leads next (E1, E2).")
    if rules.decks == _TWO_DECKS:
        yield _Line("Two cards of the led suit that are alike cancel each other; they still score (X4, X5).", "decks")
        yield _Line("If all are cancelled the cards wait for the next winner, and the same player leads (X6).", "decks")
        yield _Line("If that is the last trick, its leader takes all that waits (X7).", "decks")


def _hearts(rules: Any) -> Lines:
    black = rules.black_card
    yield _Line("Hearts are not led until one has been played, unless the hand is all hearts (E3, E5).")
    breaks = (f"{black} does not break hearts (E4).", f"{black} breaks hearts too (E4).")
    yield _Line(breaks[rules.queen_breaks_hearts], "queen_breaks_hearts")
    only = f"With nothing but hearts and {black}, hearts unbroken,"
    texts = (f"{only} {black} must be led (E6).", f"{only} any card may be led (E6).")
    yield _Line(texts[rules.heart_instead_of_queen], "heart_instead_of_queen")


def _scoring(rules: Any) -> Lines:
    black = rules.black_card
    points = int(rules.array[0].deal_points[rules.players])
    ordinary = "" if black == "QS" else "; QS is an ordinary card (V5)"
    yield _Line(
        f"A heart costs 1, {black} {BLACK_POINTS[black]}: {points} points in the deal (F1){ordinary}.", "black_card"
    )
    bonus = " and ".join(rules.bonus_cards)
    text = f"{bonus}: {BONUS_POINTS} each for who takes it (V2-V4)." if bonus else "There are no bonus cards (V2-V4)."
    yield _Line(text, "bonus_cards")


def _moon(rules: Any) -> Lines:
    who = "Who takes every penalty card of the deal, the shooter,"
    texts = {
        "old": f"{who} scores 0, each other player V (F2, F3).",
        "new": f"{who} chooses: V to each other player, or V off their own score (F2, F6).",
    }
    yield _Line(texts[rules.moon], "moon")
    points = int(rules.array[0].deal_points[rules.players])
    fixed = rules.moon_value == "fixed26"
    yield _Line(f"V is {'always 26' if fixed else f'what the deal is worth, {points}'} (F4).", "moon_value")
    if rules.bonus_cards:
        needed = ("The bonus cards are not needed for it (F10).", "The bonus cards are needed for it too (F10).")
        yield _Line(needed[rules.moon_needs_bonus], "moon_needs_bonus")


def _revokes(rules: Any) -> Lines:
    fine = f"the fine is {REVOKE_POINTS}"
    texts = {
        "prevented": "They cannot happen: such a card is refused (G1).",
        "corrected": f"Seen at once: the card goes back, another is played, and {fine} (G2, G5).",
        "exposed": f"Found when the suit not followed is played by the same player; {fine} (G3, G5, G6).",
    }
    yield _Line(texts[rules.revokes], "revokes")
    if rules.revokes == "exposed":
        late = {
            "play_on": "Play goes on after it (G3).",
            "replay": "The hand is then dealt again; fines stay (G3, G4).",
        }
        yield _Line(late[rules.late_revoke], "late_revoke")


def _end(rules: Any) -> Lines:
    yield _Line(
        f"The game ends after a hand that brings a total to {rules.target} or more; the lowest total wins (H1, H2).",
        "target",
    )
    limit = "There is no limit of hands (H9)."
    if rules.max_hands is not None:
        limit = f"It ends after hand {rules.max_hands} at the latest; the lowest share the win (H9)."
    yield _Line(limit, "max_hands")


def _ties(rules: Any) -> Lines:
    if rules.ties == "share":
        yield _Line("Equal lowest totals share the win (H4).", "ties")
        return
    yield _Line("Those with equal lowest totals play off; the others sit out, and totals stay (H4, H6).", "ties")
    compare = {
        "score": "The lowest score of the hand wins (H5).",
        "captured": "The fewest penalty points captured in the hand win (H5).",
    }
    yield _Line(compare[rules.playoff_compare], "playoff_compare")
    if rules.moon == "new":
        yield _Line("A moon scores as an old one there, and nobody chooses (H5).", "moon")
    yield from _playoff_pass(rules)
    yield from _playoff_decks(rules)


def _playoff_pass(rules: Any) -> Lines:
    texts = {
        "continue": "The pass goes on by the number of the hand (C8).",
        "restart": "The pass begins again: left in the first hand of the play-off (C8).",
        "none": "There is no pass in a play-off (C8).",
    }
    which = rules.playoff_pass
    if _has_cycle(rules) or (rules.passing == "left" and which == "none"):
        yield _Line(texts[which], "playoff_pass")


def _playoff_decks(rules: Any) -> Lines:
    yield _Line("Deck and lead are those for the number still in (H7).")
    if rules.decks == _TWO_DECKS:
        yield _Line("Six or more who play off have two decks, fewer have one (X14).", "decks")
    if rules.players > 3:
        yield _Line(f"Three who play off leave out {rules.remove_for_three} (A2).", "remove_for_three")
    aside = "" if rules.two_hand_deal == 26 else "; the other 26 are set aside, and eldest leads"
    yield _Line(f"Two who play off have {rules.two_hand_deal} cards each{aside} (H7).", "two_hand_deal")


_SECTIONS: Final[dict[str, Callable[[Any], Lines]]] = {
    "Deck and deal": _deck,
    "Pass": _pass,
    "Lead": _lead,
    "Trick one": _first_trick,
    "Play": _play,
    "Hearts": _hearts,
    "Scoring": _scoring,
    "Moon": _moon,
    "Revokes": _revokes,
    "End": _end,
    "Ties": _ties,
}
