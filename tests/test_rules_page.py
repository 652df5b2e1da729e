"""The rules page and the table of the settings' tests against `Rules`: nothing missing, nothing untrue."""

from __future__ import annotations

import ast
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from rk_env import PRESETS, Rules, RulesError

TESTS = Path(__file__).resolve().parent
PACKAGE = TESTS.parent / "rk_env"
PAGE = (PACKAGE / "RULES.md").read_text(encoding="utf-8")
SETTINGS = (TESTS / "SETTINGS.md").read_text(encoding="utf-8")

NUMBERS_WRITTEN_OUT = """
A1 A2 A3 A4 A5 A6
B1 B2 B3 B4 B5 B6
C1 C2 C3 C4 C5 C6 C7 C8
D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11
E1 E2 E3 E4 E5 E6 E7 E8
F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11
G1 G2 G3 G4 G5 G6 G7
H1 H2 H3 H4 H5 H6 H7 H8 H9
V1 V2 V3 V4 V5 V6 V7 V8
X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11 X12 X13 X14
K1 K2 K3 K4 K5 K6
"""
NUMBERS = NUMBERS_WRITTEN_OUT.split()
WORDS = """
trick; lead; led suit; follow suit; discard; void; revoke; Rickety Kate; black card; penalty card; bonus card; moon;
shooter; old moon; new moon; hearts broken; eldest; hand; game; play-off; kitty; hold hand
""".replace("\n", " ").strip()
FIELDS = {field.name: field.default for field in dataclasses.fields(Rules)}
NEEDED: dict[str, dict[str, Any]] = {
    "decks=2": {"players": 8},
    "moon_needs_bonus=True": {"bonus_cards": ("JD",)},
    **{f"players={n}": {"decks": 2} for n in range(7, 12)},
}
"""What else a value needs to make a game (K2)."""


def section(text: str, title: str) -> str:
    """Return what stands under a heading."""
    return re.split(r"^## ", text, flags=re.MULTILINE)[_headings(text).index(title) + 1]


def _headings(text: str) -> list[str]:
    return re.findall(r"^## (.+)$", text, re.MULTILINE)


def table(text: str) -> list[list[str]]:
    """Return the rows of the only table in a text, without its heading."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def code(cell: str) -> list[str]:
    """Return what a cell sets as code."""
    return re.findall(r"`([^`]+)`", cell)


def items(page: str) -> dict[str, str]:
    """Return the numbered rules of the page, each with its text."""
    return dict(re.findall(r"^- \*\*([A-Z]\d+)\*\* (.+?)(?=\n- |\n\n|\Z)", page, re.MULTILINE | re.DOTALL))


def listed(cell: str) -> list[str]:
    """Return the values that a cell lists, each as the page writes it: `3`, or `1` to `9`."""
    return re.findall(r"`[^`]+`(?: to (?:`[^`]+`|players - 1))?", cell)


def values_of(written: str) -> list[Any]:
    """Return the values that one of `listed` stands for; of a long range its ends and a few between."""
    first, _, last = written.partition(" to ")
    low = ast.literal_eval(first.strip("`"))
    if not last:
        return [low]
    high = Rules().players - 1 if last == "players - 1" else ast.literal_eval(last.strip("`"))
    return list(range(low, high + 1)) if high < 100 else [low, low + 1, (low + high) // 2, high - 1, high]


ROWS = {code(row[0])[0]: row for row in table(section(PAGE, "Settings"))}
OTHERS = {field: listed(row[2]) for field, row in ROWS.items()}
ALLOWED = {field: [v for written in OTHERS[field] for v in values_of(written)] for field in OTHERS}
CODE_WORDS = re.findall(r'"(\w+)"', (PACKAGE / "settings.py").read_text(encoding="utf-8"))
NO_VALUES = [None, True, False, 26.0, 1_000_001, "", "on", (), ("QS",), ("JD", "JD"), *range(-1, 30), *CODE_WORDS]


def made(field: str, value: Any) -> Rules:
    """Return rules in which one field has a value."""
    return Rules(**{field: value, **NEEDED.get(f"{field}={value}", {})})


# Numbers


def test_every_rule_stands_once_under_its_number() -> None:
    assert re.findall(r"^- \*\*([A-Z]\d+)\*\* ", PAGE, re.MULTILINE) == NUMBERS
    assert list(items(PAGE)) == NUMBERS


def test_numbers_that_page_and_code_cite_exist() -> None:
    for path in [PACKAGE / "RULES.md", *PACKAGE.rglob("*.py")]:
        cited = set(re.findall(r"\b[A-HKVX][1-9]\d?\b", path.read_text(encoding="utf-8")))
        assert cited <= set(NUMBERS), path


def test_the_examples_are_those_of_1_to_20() -> None:
    examples = re.findall(r"^- \*\*(\d+) [^*]+\*\* \(", section(PAGE, "Worked examples"), re.MULTILINE)
    assert examples == [str(number) for number in range(1, 21)]


def test_the_advice_and_the_words_are_there() -> None:
    assert re.findall(r"^(\d)\. ", section(PAGE, "Advice"), re.MULTILINE) == ["1", "2", "3", "4", "5"]
    explained = re.findall(r"\*\*([^*]+)\*\*", section(PAGE, "Words"))
    assert set(WORDS.split("; ")) <= set(explained)
    assert len(set(explained)) == len(explained)


def test_links_lead_to_headings_and_lines_are_short() -> None:
    anchors = {heading.lower().replace(".", "").replace(" ", "-") for heading in _headings(PAGE)}
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
    assert max(map(len, PAGE.splitlines())) <= 120


# Settings


def test_every_field_has_a_row_in_its_place_with_its_default() -> None:
    assert list(ROWS) == [code(row[0])[0] for row in table(section(PAGE, "Settings"))] == list(FIELDS)
    for field, row in ROWS.items():
        default = ast.literal_eval(code(row[1])[0])
        assert (type(default), default) == (type(FIELDS[field]), FIELDS[field])
        assert default not in ALLOWED[field] or field in ("target", "first_dealer")


@pytest.mark.parametrize(
    ("field", "value"), [(field, value) for field, values in ALLOWED.items() for value in values], ids=repr
)
def test_every_value_of_the_table_makes_a_game(field: str, value: Any) -> None:
    rules = made(field, value)
    assert getattr(rules, field) == value
    assert rules != Rules() or value == FIELDS[field]


@pytest.mark.parametrize("field", FIELDS)
def test_values_that_the_table_does_not_list_are_refused(field: str) -> None:
    """Tried are the values of all fields, every word among the settings, and some that no field has."""
    allowed = {repr(value) for value in [FIELDS[field], *ALLOWED[field]]}
    is_count = field in ("target", "max_hands")
    tried = [*NO_VALUES, *FIELDS.values(), *(value for values in ALLOWED.values() for value in values)]
    refused = [v for v in tried if repr(v) not in allowed and not (is_count and type(v) is int and 1 <= v <= 1_000_000)]
    assert len(refused) > 50
    for value in refused:
        with pytest.raises(RulesError, match=rf"{field}=|decks="):
            made(field, value)


def test_seats_of_the_table_go_to_players_less_one() -> None:
    for players in range(3, 12):
        decks = 1 if players <= 6 else 2
        for field in ("first_dealer", "across_seats"):
            Rules(players=players, decks=decks, **{field: players - 1})
            with pytest.raises(RulesError, match=f"{field}={players}"):
                Rules(players=players, decks=decks, **{field: players})


@pytest.mark.parametrize("field", FIELDS)
def test_the_rules_that_a_row_names_tell_of_the_field(field: str) -> None:
    """The rules named speak of the field, and of each of its values that are words."""
    rules = items(PAGE)
    cited = [number for part in ROWS[field][3].split(", ") for number in _numbers_of(part)]
    told = " ".join(" ".join(rules[number].split()) for number in cited)
    assert f"`{field}" in told
    for value in ALLOWED[field]:
        if isinstance(value, str):
            assert f'"{value}"' in told


def _numbers_of(part: str) -> list[str]:
    """Return the rules that "D4", "D1-D3" or "X" stands for."""
    first, _, last = part.partition("-")
    if not first[1:]:
        return [number for number in NUMBERS if number[0] == first]
    return NUMBERS[NUMBERS.index(first) : NUMBERS.index(last or first) + 1]


def test_players_and_decks_must_fit() -> None:
    fits = {(players, decks) for players in range(1, 14) for decks in (1, 2) if _makes(players=players, decks=decks)}
    assert fits == {(n, 1) for n in (3, 4, 5, 6)} | {(n, 2) for n in (6, 7, 8, 9, 10, 11)}
    assert not _makes(moon_needs_bonus=True)


def _makes(**fields: Any) -> bool:
    try:
        Rules(**fields)
    except RulesError:
        return False
    return True


# Presets


def test_every_preset_stands_on_the_page_with_its_fields() -> None:
    rows = table(section(PAGE, "Presets"))
    fields = {
        code(name)[0]: {f: ast.literal_eval(v) for f, v in (text.split("=") for text in code(cell))}
        for name, cell, _ in rows
    }
    assert len(fields) == len(rows)
    assert fields == PRESETS
    assert all(code(cell) or cell == "none" for _, cell, _ in rows)
    assert all(sentence.endswith(".") for _, _, sentence in rows)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_its_fields(name: str) -> None:
    assert Rules.preset(name) == Rules(**PRESETS[name])
    assert Rules.preset(name, bonus_cards=("JD", "10D")) == Rules(**PRESETS[name] | {"bonus_cards": ("JD", "10D")})


# The table of tests


def named_tests(cell: str) -> list[tuple[str, str]]:
    """Return file and function of each test that a cell names."""
    return [tuple(name.split("::")) for name in code(cell)]  # type: ignore[misc]


def test_every_value_of_every_setting_has_its_tests() -> None:
    rows = [(code(field)[0], value) for field, value, _ in table(SETTINGS)]
    assert rows == [(field, written) for field in FIELDS for written in OTHERS[field]]


@pytest.mark.parametrize("row", table(SETTINGS), ids=lambda row: f"{row[0]} {row[1]}".replace("`", ""))
def test_the_tests_of_a_setting_exist(row: list[str]) -> None:
    tests = named_tests(row[2])
    assert tests
    for file, function in tests:
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        assert function.startswith("test_")
        assert function in [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
