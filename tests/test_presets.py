"""Rules known by a name."""

from __future__ import annotations

import pytest

import rk_env
from rk_env import PRESETS, Rules, RulesError

NAMES = [
    *("standard", "short", "no_pass", "jack_of_diamonds", "omnibus", "black_jack", "new_moon", "cancellation"),
    *("openspiel", "microsoft"),
]
REPRS = {
    "standard": "Rules()",
    "short": "Rules(target=50)",
    "no_pass": "Rules(passing='none')",
    "jack_of_diamonds": "Rules(bonus_cards=('JD',))",
    "omnibus": "Rules(bonus_cards=('10D',))",
    "black_jack": "Rules(black_card='JS')",
    "new_moon": "Rules(moon='new')",
    "cancellation": "Rules(players=8, decks=2)",
    "openspiel": "Rules(queen_breaks_hearts=True, ties='share', max_hands=1)",
    "microsoft": "Rules(ties='share')",
}


def test_the_presets_are_those_that_people_ask_for() -> None:
    assert list(PRESETS) == NAMES == list(REPRS)
    assert rk_env.PRESETS is PRESETS


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_its_fields(name: str) -> None:
    rules = Rules.preset(name)
    assert repr(rules) == REPRS[name]
    assert rules == Rules(**PRESETS[name])
    assert Rules.from_json(rules.to_json()) == rules


@pytest.mark.parametrize("name", NAMES)
def test_fields_may_be_changed(name: str) -> None:
    players = 11 if name == "cancellation" else 3
    rules = Rules.preset(name, players=players, target=26)
    assert (rules.players, rules.target) == (players, 26)
    assert rules == Rules(**PRESETS[name] | {"players": players, "target": 26})
    assert Rules.preset("short", target=100) == Rules()


@pytest.mark.parametrize("name", ["", "Standard", "black jack", "pagat", None, 0])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(RulesError, match=f"no preset is called {name!r}; presets are standard, short, no_pass, jack"):
        Rules.preset(name)


def test_bad_fields_are_refused() -> None:
    with pytest.raises(RulesError, match=r"unknown fields \['colour'\]"):
        Rules.preset("short", colour="red")
    with pytest.raises(RulesError, match="players=4 is not allowed with decks=2"):
        Rules.preset("cancellation", players=4)
    with pytest.raises(RulesError, match="players=7 is not allowed with decks=1"):
        Rules.preset("short", players=7)


def test_presets_cannot_be_spoiled_by_a_caller() -> None:
    Rules.preset("short", players=5)
    assert PRESETS["short"] == {"target": 50}
