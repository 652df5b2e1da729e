# ruff: noqa: N802 - names carry the numbers of rules
"""`Rules`: what each field allows, what the kernels get of it, and ways to store it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, Rules, RulesError
from tests import generators
from tests.all_pairs import setting_values
from tests.playing import play_games


def test_defaults_are_those_of_the_rules_page() -> None:
    assert Rules().to_dict() == {
        "players": 4,
        "decks": 1,
        "first_dealer": "draw",
        "remove_for_three": "2D",
        "opening": "standard",
        "open_with_heart": False,
        "first_trick": "every",
        "queen_breaks_hearts": False,
        "heart_instead_of_queen": False,
        "passing": "cycle",
        "across_seats": None,
        "moon": "old",
        "moon_value": "deal",
        "moon_needs_bonus": False,
        "bonus_cards": [],
        "black_card": "QS",
        "revokes": "prevented",
        "late_revoke": "play_on",
        "target": 100,
        "ties": "playoff",
        "playoff_compare": "score",
        "playoff_pass": "continue",
        "two_hand_deal": 26,
        "max_hands": None,
        "leftover": "kitty",
    }


def test_every_value_of_every_field_is_accepted(table: Rules) -> None:
    values = setting_values(table.players, table.decks)
    assert set(values) == {field.name for field in dataclasses.fields(Rules)} - {"players", "decks"}
    for field in values:
        for value in values[field]:
            extra = {"bonus_cards": ("JD",)} if field == "moon_needs_bonus" else {}
            assert getattr(dataclasses.replace(table, **{field: value, **extra}), field) == value


def test_K1_settings_that_do_not_apply_are_accepted_and_change_nothing() -> None:
    for idle in ({"late_revoke": "replay"}, {"leftover": "strip"}, {"remove_for_three": "2C"}):
        engines = [Engine(Rules(max_hands=2, **fields), num_games=4, seed=1) for fields in ({}, idle)]
        for engine in engines:
            play_games(engine, np.random.default_rng(0))
        assert engines[0].games.tobytes() == engines[1].games.tobytes()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", 2),
        ("players", 7),
        ("players", 11),
        ("players", 4.0),
        ("players", True),
        ("players", "4"),
        ("players", None),
        ("players", 12),
        ("players", 0),
        ("decks", 0),
        ("decks", 3),
        ("decks", True),
        ("decks", 2.0),
        ("decks", "2"),
        ("decks", None),
        ("first_dealer", "lowest"),
        ("first_dealer", -1),
        ("first_dealer", 4),
        ("first_dealer", True),
        ("first_dealer", None),
        ("remove_for_three", "2H"),
        ("remove_for_three", "3D"),
        ("remove_for_three", None),
        ("opening", "Standard"),
        ("opening", "eldest"),
        ("open_with_heart", 1),
        ("open_with_heart", "on"),
        ("first_trick", "only_2C"),
        ("first_trick", False),
        ("queen_breaks_hearts", None),
        ("heart_instead_of_queen", 0),
        ("passing", "right"),
        ("passing", None),
        ("across_seats", 0),
        ("across_seats", 4),
        ("across_seats", -1),
        ("across_seats", True),
        ("across_seats", 1.0),
        ("moon", "both"),
        ("moon_value", 26),
        ("moon_value", "fixed25"),
        ("moon_needs_bonus", "on"),
        ("bonus_cards", "JD"),
        ("bonus_cards", ("QD",)),
        ("bonus_cards", ("JD", "JD")),
        ("bonus_cards", ("JX",)),
        ("bonus_cards", None),
        ("bonus_cards", {"JD"}),
        ("black_card", "KS"),
        ("black_card", "Qs"),
        ("target", 0),
        ("target", -100),
        ("target", 1_000_001),
        ("target", 99.5),
        ("target", "100"),
        ("target", True),
        ("target", None),
        ("ties", "play-off"),
        ("ties", "shared"),
        ("ties", True),
        ("ties", None),
        ("leftover", "widow"),
        ("leftover", False),
        ("late_revoke", "abandon"),
        ("late_revoke", None),
        ("playoff_compare", "points"),
        ("playoff_compare", 0),
        ("playoff_pass", "left"),
        ("playoff_pass", None),
        ("two_hand_deal", 0),
        ("two_hand_deal", 14),
        ("two_hand_deal", 52),
        ("two_hand_deal", 26.0),
        ("two_hand_deal", "13"),
        ("two_hand_deal", True),
        ("two_hand_deal", None),
        ("max_hands", 0),
        ("max_hands", -1),
        ("max_hands", 2.0),
        ("max_hands", True),
        ("max_hands", 1_000_001),
        ("revokes", "allowed"),
        ("revokes", False),
        ("revokes", None),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_value(field: str, value: Any) -> None:
    with pytest.raises(RulesError) as error:
        Rules(**{field: value})
    assert str(error.value).startswith(f"{field}={value!r}")
    assert "allowed" in str(error.value) or "is no card; a card is" in str(error.value)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("players", "decks", "message"),
    [
        (7, 1, "players=7 is not allowed with decks=1; allowed: 3 to 6, or decks=2"),
        (11, 1, "players=11 is not allowed with decks=1; allowed: 3 to 6, or decks=2"),
        (5, 2, "players=5 is not allowed with decks=2; allowed: 6 to 11, or decks=1"),
        (3, 2, "players=3 is not allowed with decks=2; allowed: 6 to 11, or decks=1"),
        (2, 1, "players=2 is not allowed; allowed: 3, 4, 5, 6"),
        (12, 1, "players=12 is not allowed; allowed: 3, 4, 5, 6"),
        (12, 2, "players=12 is not allowed; allowed: 6, 7, 8, 9, 10, 11"),
        (2, 2, "players=2 is not allowed; allowed: 6, 7, 8, 9, 10, 11"),
        (6, 3, "decks=3 is not allowed; allowed: 1, 2"),
    ],
)
def test_A1_X1_one_deck_is_for_3_to_6_and_two_are_for_6_to_11(players: int, decks: int, message: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules(players=players, decks=decks)
    assert str(error.value) == message


def test_two_decks_need_as_many_players_as_they_are_for() -> None:
    with pytest.raises(RulesError, match="players=4 is not allowed with decks=2"):
        Rules(decks=2)
    assert Rules(players=6, decks=2) != Rules(players=6)


def test_seat_fields_depend_on_the_number_of_players(table: Rules) -> None:
    players = table.players
    dataclasses.replace(table, first_dealer=players - 1, across_seats=players - 1)
    with pytest.raises(RulesError, match="first_dealer"):
        dataclasses.replace(table, first_dealer=players)
    with pytest.raises(RulesError, match="across_seats"):
        dataclasses.replace(table, across_seats=players)


def test_a_moon_that_needs_bonus_cards_needs_some() -> None:
    with pytest.raises(RulesError, match="moon_needs_bonus=True needs bonus_cards"):
        Rules(moon_needs_bonus=True)
    assert Rules(moon_needs_bonus=True, bonus_cards=("10D",)).moon_needs_bonus


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(TypeError):
        Rules(colour="red")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Rules(4)  # type: ignore[misc]
    with pytest.raises(RulesError, match=r"unknown fields \['colour'\]"):
        Rules.from_dict({"colour": "red"})


def test_bonus_cards_are_kept_in_one_order_and_spelling() -> None:
    expected = Rules(bonus_cards=("JD", "10D"))
    assert expected.bonus_cards == ("JD", "10D")
    assert Rules(bonus_cards=("10D", "JD")) == expected
    assert Rules(bonus_cards=["TD", "j♦"]) == expected  # type: ignore[arg-type]


def test_rules_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().players = 5  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        Rules().array["target"] = 50


@pytest.mark.parametrize("decks", [1, 2])
def test_rules_round_trip_through_json_dict_pickle_copy_and_repr(decks: int) -> None:
    rng = Random(5)
    for _ in range(100):
        rules = Rules(**generators.random_settings(rng, decks=decks))
        _ = rules.array  # a cached array must not spoil pickles or copies
        assert "\n" not in rules.to_json()
        for again in (
            Rules.from_json(rules.to_json()),
            Rules.from_dict(rules.to_dict()),
            pickle.loads(pickle.dumps(rules)),
            copy.deepcopy(rules),
            dataclasses.replace(rules),
            eval(repr(rules), {"Rules": Rules}),
        ):
            assert again == rules
            assert hash(again) == hash(rules)
            assert again.array.tobytes() == rules.array.tobytes()


def test_repr_shows_the_fields_that_are_not_the_default() -> None:
    assert repr(Rules()) == "Rules()"
    assert repr(Rules(players=4, ties="playoff", two_hand_deal=26)) == "Rules()"
    assert repr(Rules(target=50, moon="new", players=5)) == "Rules(players=5, moon='new', target=50)"
    assert repr(Rules(players=8, decks=2, bonus_cards=("JD",))) == "Rules(players=8, decks=2, bonus_cards=('JD',))"
    for field, values in setting_values(4).items():
        for value in values:
            extra = {"bonus_cards": ("JD",)} if field == "moon_needs_bonus" else {}
            is_default = value == getattr(Rules(), field)
            assert (f"{field}={value!r}" in repr(Rules(**{field: value, **extra}))) == (not is_default)


@pytest.mark.parametrize("decks", [1, 2])
def test_the_sheet_names_every_setting_that_is_not_the_default(decks: int) -> None:
    rng = Random(6)
    for _ in range(100):
        rules = Rules(**generators.random_settings(rng, decks=decks))
        sheet = rules.sheet()
        assert str(rules) == sheet
        assert f"{rules.players} players" in sheet.splitlines()[0]
        for field in dataclasses.fields(rules):
            value = getattr(rules, field.name)
            is_said = f"{field.name}={value!r}" in sheet
            assert is_said == (value != field.default and field.name != "players"), field.name
        assert max(map(len, sheet.splitlines())) <= 160
        assert all(not line.strip().endswith(",") and line == line.rstrip() for line in sheet.splitlines())
    assert "The standard rules." in Rules(players=3).sheet()


def test_json_may_leave_fields_out() -> None:
    assert Rules.from_json('{"players": 5, "bonus_cards": ["JD"]}') == Rules(players=5, bonus_cards=("JD",))
    assert Rules.from_json("{}") == Rules()


@pytest.mark.parametrize("text", ["", "{", "players=5", "[]", "4", "null", '"players"'])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"players": 9}',
        '{"colour": "red"}',
        '{"target": "100"}',
        '{"bonus_cards": "JD"}',
        '{"ties": "draw"}',
        '{"two_hand_deal": 26.0}',
        '{"decks": 2}',
    ],
)
def test_json_with_a_wrong_field_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match=r"players|colour|target|bonus_cards|ties|two_hand_deal|decks"):
        Rules.from_json(text)


def test_rules_that_differ_in_one_field_are_not_equal() -> None:
    values = {field: values for field, values in setting_values(4).items() if field != "moon_needs_bonus"}
    different = {Rules(**{field: value}) for field in values for value in values[field]}
    assert len(different) == 1 + sum(len(allowed) - 1 for allowed in values.values())
    assert Rules(bonus_cards=("JD",)) != Rules(bonus_cards=("JD",), moon_needs_bonus=True)
    assert Rules() != Rules(players=3)


def test_rules_array_is_one_record() -> None:
    assert Rules().array.shape == (1,)
    assert Rules().array is not Rules(players=5).array
    assert isinstance(Rules().array, np.ndarray)


def test_every_value_of_every_field_reaches_the_kernels() -> None:
    for field, values in setting_values(7, decks=2).items():
        extra = {"bonus_cards": ("JD",)} if field == "moon_needs_bonus" else {}
        other = [value for value in values if (field, value) != ("across_seats", 3)]  # what None is at seven
        records = {Rules(players=7, decks=2, **{field: value, **extra}).array.tobytes() for value in other}
        assert len(records) == len(other), field
