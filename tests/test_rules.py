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

from rk_env import Rules, RulesError, cards
from tests import generators, oracle


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
        "target": 100,
        "ties": "share",
        "max_hands": None,
        "revokes": "prevented",
    }


def test_every_value_of_every_field_is_accepted(players: int) -> None:
    for field, values in generators.setting_values(players).items():
        for value in values:
            extra = {"bonus_cards": ("JD",)} if field == "moon_needs_bonus" else {}
            assert getattr(Rules(**{"players": players, field: value, **extra}), field) == value


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("players", 2),
        ("players", 7),
        ("players", 4.0),
        ("players", True),
        ("players", "4"),
        ("players", None),
        ("decks", 2),
        ("decks", 0),
        ("decks", True),
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
        ("ties", "playoff"),
        ("max_hands", 0),
        ("max_hands", -1),
        ("max_hands", 2.0),
        ("max_hands", True),
        ("revokes", "corrected"),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_value(field: str, value: Any) -> None:
    with pytest.raises(RulesError) as error:
        Rules(**{field: value})
    assert str(error.value).startswith(f"{field}={value!r}")
    assert isinstance(error.value, ValueError)


def test_seat_fields_depend_on_the_number_of_players(players: int) -> None:
    Rules(players=players, first_dealer=players - 1, across_seats=players - 1)
    with pytest.raises(RulesError, match="first_dealer"):
        Rules(players=players, first_dealer=players)
    with pytest.raises(RulesError, match="across_seats"):
        Rules(players=players, across_seats=players)


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


def test_rules_round_trip_through_json_dict_pickle_and_copy() -> None:
    rng = Random(5)
    for _ in range(100):
        rules = Rules(**generators.random_settings(rng))
        _ = rules.array  # a cached array must not spoil pickles or copies
        for again in (
            Rules.from_json(rules.to_json()),
            Rules.from_dict(rules.to_dict()),
            pickle.loads(pickle.dumps(rules)),
            copy.deepcopy(rules),
            dataclasses.replace(rules),
        ):
            assert again == rules
            assert hash(again) == hash(rules)
            assert again.array.tobytes() == rules.array.tobytes()


def test_json_may_leave_fields_out() -> None:
    assert Rules.from_json('{"players": 5, "bonus_cards": ["JD"]}') == Rules(players=5, bonus_cards=("JD",))
    assert Rules.from_json("{}") == Rules()


@pytest.mark.parametrize("text", ["", "{", "players=5", "[]", "4", "null", '"players"'])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(text)


@pytest.mark.parametrize("text", ['{"players": 9}', '{"colour": "red"}', '{"target": "100"}', '{"bonus_cards": "JD"}'])
def test_json_with_a_wrong_field_is_refused(text: str) -> None:
    with pytest.raises(RulesError, match=r"players|colour|target|bonus_cards"):
        Rules.from_json(text)


def test_rules_that_differ_in_one_field_are_not_equal() -> None:
    values = {field: values for field, values in generators.setting_values(4).items() if field != "moon_needs_bonus"}
    different = {Rules(**{field: value}) for field in values for value in values[field]}
    assert len(different) == 1 + sum(len(allowed) - 1 for allowed in values.values())
    assert Rules(bonus_cards=("JD",)) != Rules(bonus_cards=("JD",), moon_needs_bonus=True)
    assert Rules() != Rules(players=3)


def test_example_10_A2_A5_decks_and_hand_sizes() -> None:
    expected = {3: ("2D", 17, 51), 4: ("", 13, 52), 5: ("2C 2S", 10, 50), 6: ("2C 2D 2S 2H", 8, 48)}
    for players, (removed, hand_size, n_cards) in expected.items():
        rules = Rules(players=players)
        assert rules.hand_size == hand_size
        assert len(rules.deck) == n_cards
        assert sorted(set(range(52)) - set(rules.deck)) == sorted(cards.parse_cards(removed))


@pytest.mark.parametrize("removed", ["2D", "2C", "2S"])
def test_A2_the_card_left_out_for_three_is_a_setting(removed: str) -> None:
    rules = Rules(players=3, remove_for_three=removed)
    assert set(range(52)) - set(rules.deck) == {cards.parse_card(removed)}
    for others in (4, 5, 6):
        assert Rules(players=others, remove_for_three=removed).deck == Rules(players=others).deck


def test_decks_are_those_of_the_oracle() -> None:
    rng = Random(6)
    for _ in range(100):
        settings = generators.random_settings(rng)
        assert [cards.card_text(card) for card in Rules(**settings).deck] == oracle.deck(oracle.DEFAULTS | settings)


def test_H7_the_deck_of_two_seats_is_the_full_one() -> None:
    assert Rules(players=3).deck_bb(2) == Rules(players=6).deck_bb(2) == cards.FULL_DECK_BB


def test_rules_array_is_one_record() -> None:
    assert Rules().array.shape == (1,)
    assert Rules().array is not Rules(players=5).array
    assert isinstance(Rules().array, np.ndarray)
