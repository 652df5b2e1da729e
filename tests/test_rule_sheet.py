"""The rule sheet: every setting in force is on it, and what differs from the standard is marked."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rk_env import PRESETS, Rules
from tests.all_pairs import all_pairs, player_counts, setting_values

ROOT = Path(__file__).resolve().parent.parent
COUNTS = [(players, decks) for decks in (1, 2) for players in player_counts(decks)]

STANDARD = """\
Rickety Kate for 4 players, one deck
The standard rules.

Deck and deal
    52 cards, 13 each (A5).
    Aces are high, twos low. There are no trumps (A6).
    Everybody draws a card, and the lowest deals first; those tied draw again (B1, B2).
    The deal moves one seat to the left each hand; after a misdeal the same dealer deals again (B5, B6).
Pass
    3 cards each, by the number of the hand: left, right, across, none, and so on (C1, C2).
    Across is 2 seats to the left (C3).
Lead
    Who holds 2C leads it to trick one (D1-D3).
    Eldest on lead may lead no heart, unless the hand is all hearts (D4).
Trick one
    In every hand no penalty card is discarded while the hand holds a harmless one (D6, D9).
    QS may be led, and played on a spade (D5, D8).
Play
    Follow suit if you can; the highest card of the led suit takes the trick and leads next (E1, E2).
Hearts
    Hearts are not led until one has been played, unless the hand is all hearts (E3, E5).
    QS does not break hearts (E4).
    With nothing but hearts and QS, hearts unbroken, QS must be led (E6).
Scoring
    A heart costs 1, QS 13: 26 points in the deal (F1).
    There are no bonus cards (V2-V4).
Moon
    Who takes every penalty card of the deal, the shooter, scores 0, each other player V (F2, F3).
    V is what the deal is worth, 26 (F4).
Revokes
    They cannot happen: such a card is refused (G1).
End
    The game ends after a hand that brings a total to 100 or more; the lowest total wins (H1, H2).
    There is no limit of hands (H9).
Ties
    Those with equal lowest totals play off; the others sit out, and totals stay (H4, H6).
    The lowest score of the hand wins (H5).
    The pass goes on by the number of the hand (C8).
    Deck and lead are those for the number still in (H7).
    Three who play off leave out 2D (A2).
    Two who play off have 26 cards each (H7)."""


def lines_of(rules: Rules) -> list[str]:
    return rules.sheet().split("\n")


def marked_lines(rules: Rules) -> list[str]:
    """The lines with a mark, the one that explains it left out."""
    return [line for line in lines_of(rules)[2:] if line.startswith("  *")]


def changes() -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Every value of every setting other than the default, with every number of players."""
    defaults = vars(Rules())
    for players, decks in COUNTS:
        for name, values in setting_values(players, decks).items():
            for value in values:
                if value != defaults[name]:
                    more = {"bonus_cards": ("JD",)} if name == "moon_needs_bonus" else {}
                    yield name, value, {"players": players, "decks": decks, **more, name: value}


def test_the_standard_rules_read_so() -> None:
    assert Rules().sheet() == STANDARD


def test_printing_rules_shows_their_sheet_and_repr_their_fields() -> None:
    for row in [*PRESETS.values(), *all_pairs(1)[:10], *all_pairs(2)[:10]]:
        rules = Rules(**row)
        assert str(rules) == f"{rules}" == rules.sheet()
        assert eval(repr(rules), {"Rules": Rules}) == rules
        assert "\n" not in repr(rules)


@pytest.mark.parametrize("players", [3, 5, 6])
def test_the_standard_rules_with_other_players_have_no_marks(players: int) -> None:
    assert lines_of(Rules(players=players))[:2] == [
        f"Rickety Kate for {players} players, one deck",
        "The standard rules.",
    ]
    assert "*" not in Rules(players=players).sheet()


def test_every_value_of_every_setting_is_shown_and_marked() -> None:
    """Either a line depends on it, or it stands among those without effect."""
    n = 0
    for name, value, fields in changes():
        sheet = Rules(**fields).sheet()
        shown = [line for line in marked_lines(Rules(**fields)) if f"{name}={value!r}" in line]
        assert len(shown) == (2 if value in ("strict", "new") else 1), (fields, sheet)  # each has two lines
        n += 1
    assert n > 300


def test_every_value_of_every_setting_changes_a_text() -> None:
    """Where it has an effect; the notes of the settings left out."""
    seen: dict[str, set[Any]] = {}
    for name, value, fields in changes():
        rules, without = Rules(**fields), Rules(**(fields | {name: getattr(Rules(), name)}))
        is_idle = f"{name}={value!r}" in rules.sheet().partition("Set, but without effect")[2]
        if bare_lines(rules) != bare_lines(without):
            assert not is_idle
            seen.setdefault(name, set()).add(value)
        else:
            assert is_idle or name in ("opening", "leftover", "across_seats"), (fields, rules.sheet())
    for name, values in setting_values(3, 1).items():
        assert set(values) - {getattr(Rules(), name)} <= seen.get(name, set()) or name == "late_revoke", name


def bare_lines(rules: Rules) -> list[str]:
    """The statements of a sheet, without marks and the settings behind them."""
    statements = rules.sheet().partition("\nSet, but without effect")[0].split("\n")[2:]
    return [re.sub(r"  \[.*]$|^  [ *]", "", line).strip() for line in statements]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({"players": 3}, "    51 cards without 2D, 17 each (A2)."),
        ({"players": 3, "remove_for_three": "2S"}, "  * 51 cards without 2S, 17 each (A2).  [remove_for_three='2S']"),
        ({"players": 5}, "    50 cards without 2C 2S, 10 each (A3)."),
        ({"players": 6}, "    48 cards without 2C 2D 2S 2H, 8 each (A4)."),
        ({"players": 6}, "    A heart costs 1, QS 13: 25 points in the deal (F1)."),
        (
            {"players": 7, "decks": 2},
            "  * 104 cards of two decks, 14 each; 6 lie in a kitty, for who takes the first trick (X1-X3).  [decks=2]",
        ),
        ({"players": 8, "decks": 2}, "  * 104 cards of two decks, 13 each (X1-X3).  [decks=2]"),
        (
            {"players": 9, "decks": 2, "leftover": "strip"},
            "  * 99 cards of two decks without 2C 2D 2D 2S 2S, 11 each (X1-X3).  [decks=2, leftover='strip']",
        ),
        (
            {"players": 8, "decks": 2, "black_card": "JS"},
            "  * A heart costs 1, JS 10: 46 points in the deal (F1); QS is an ordinary card (V5).  [black_card='JS']",
        ),
        ({"players": 6, "moon_value": "fixed26"}, "  * V is always 26 (F4).  [moon_value='fixed26']"),
        (
            {"players": 3, "opening": "lowest_club"},
            "  * Who holds 2C leads it to trick one (D1-D3).  [opening='lowest_club']",
        ),
        (
            {"players": 5, "opening": "lowest_club"},
            "  * Who holds 3C, the lowest club, leads it to trick one (D1-D3).  [opening='lowest_club']",
        ),
        (
            {"players": 5, "opening": "two_of_clubs"},
            "  * Eldest, the seat to the dealer's left, leads to trick one (D2, X9).  [opening='two_of_clubs']",
        ),
        ({"first_dealer": 2}, "  * Seat 2 deals first (B1).  [first_dealer=2]"),
        ({"max_hands": 4}, "  * It ends after hand 4 at the latest; the lowest share the win (H9).  [max_hands=4]"),
        (
            {"bonus_cards": ("JD", "10D")},
            "  * JD and 10D: -10 each for who takes it (V2-V4).  [bonus_cards=('JD', '10D')]",
        ),
        ({"late_revoke": "replay", "across_seats": 1, "passing": "none"}, "  * across_seats=1, late_revoke='replay'"),
        (
            {"passing": "left", "playoff_pass": "none"},
            "  * There is no pass in a play-off (C8).  [playoff_pass='none']",
        ),
        ({"passing": "left", "playoff_pass": "restart"}, "  * playoff_pass='restart'"),
        (
            {"two_hand_deal": 13},
            (
                "  * Two who play off have 13 cards each; the other 26 are set aside, and eldest leads (H7)."
                "  [two_hand_deal=13]"
            ),
        ),
        (
            {"revokes": "exposed", "late_revoke": "replay"},
            "  * The hand is then dealt again; fines stay (G3, G4).  [late_revoke='replay']",
        ),
        (
            {"players": 6, "decks": 2, "opening": "two_of_clubs"},
            (
                "  * The first from eldest on who holds 2C leads it to trick one; if nobody does, eldest leads (X9)."
                "  [opening='two_of_clubs']"
            ),
        ),
        ({"moon": "new"}, "  * A moon scores as an old one there, and nobody chooses (H5).  [moon='new']"),
    ],
)
def test_lines_of_single_settings(settings: dict[str, Any], line: str) -> None:
    assert line in lines_of(Rules(**settings))


def test_a_line_that_cannot_apply_is_left_out() -> None:
    assert "Eldest on lead" not in Rules(ties="share").sheet()
    assert "play off" not in Rules(ties="share").sheet()
    assert "Across" not in Rules(passing="left").sheet()
    assert "cancel" not in Rules(players=6).sheet()


def test_the_rules_that_sheets_name_are_on_the_rules_page() -> None:
    page = (ROOT / "rk_env" / "RULES.md").read_text(encoding="utf-8")
    sheets = "\n".join(Rules(**row).sheet() for decks in (1, 2) for row in all_pairs(decks))
    named = {number for group in re.findall(r"\(([A-Z][^()]*)\)", sheets) for number in re.split("[, -]+", group)}
    named -= {"Cancellation"}
    assert len(named) > 50
    for number in named:
        assert f"- **{number}** " in page, number


def f_string_values(path: Path) -> Iterator[tuple[int, str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FormattedValue):
            yield node.lineno, ast.unparse(node.value), node.conversion


@pytest.mark.parametrize("package", ["rk_env", "agents", "training"])
def test_no_message_has_a_whole_sheet_in_it(package: str) -> None:
    """Messages show rules by their `repr`: a sheet has forty lines."""
    for path in sorted((ROOT / package).rglob("*.py")):
        for line, value, conversion in f_string_values(path):
            is_rules = re.fullmatch(r"(.*[._])?rules", value) is not None
            assert not is_rules or conversion == ord("r"), f"{path.relative_to(ROOT)}:{line}: write {{{value}!r}}"
