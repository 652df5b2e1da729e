"""The engine against OpenSpiel's Hearts, under the "openspiel" preset and the options that have an equal here.

Equal at every decision: seat to act, legal cards, broken hearts and points; after the pass: all hands; at the end:
points, returns, payoffs and who shares the win. The last tests show what has no equal, and is stepped round:

- `pass_cards=false`: "no pass" is the only legal first action, but the chance node still draws among all four, and
  whoever follows it plays a pass. It is held against `passing="none"` by taking the legal action.
- `can_lead_any_club`: the holder of the two of clubs may lead another club. `must_break_hearts=false`: hearts may be
  led at once. `avoid_all_tricks_bonus`: -5 without a trick, unless there is a moon. `Rules` has no such fields.

A moon with the jack of diamonds needs no step: with `jd_bonus` too, a moon is about the 26 penalty points alone, and
the bonus goes to whoever has the jack (F10).
"""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import Engine, Rules
from rk_env.jit import JIT_DISABLED
from tests.generators import NUMBER_OF, needs_compiled, scaled
from tests.openspiel_hearts import (
    Choice,
    choose_any,
    choose_with_shooter,
    deal_skewed,
    held_cards,
    legal_cards,
    load,
    play_hands,
    rules_for,
)

pytest.importorskip("pyspiel")

BATCH = 250
NAMES = ("pass_cards", "no_pts_on_first_trick", "jd_bonus", "qs_breaks_hearts", "can_lead_hearts_instead_of_qs")
"""The options that have an equal here."""
ALL_OPTIONS = [dict(zip(NAMES, values, strict=True)) for values in itertools.product([False, True], repeat=len(NAMES))]
CHOICES = (choose_any, choose_with_shooter)
ALIKE: list[dict[str, Any]] = [
    {"first_trick": "only_2c"},
    {"first_trick": "strict"},
    {"opening": "two_of_clubs"},
    {"opening": "lowest_club"},
    {"open_with_heart": True},
    {"moon_value": "fixed26"},
    {"target": 1},
]
"""Fields that change nothing in a hand of four players that the two of clubs opens."""

each_choice = pytest.mark.parametrize("choose", CHOICES)


def compare(
    n_hands: int, choose: Choice, seed: int, *, skewed: bool = False, rules: Rules | None = None, **options: bool
) -> Counter[str]:
    """Compare hands under options, or our rules for the default ones; return what occurred.

    Deals, dealers and pass directions are random; skewed deals are first hands, which pass left unless nobody passes.
    """
    seen: Counter[str] = Counter()
    rng = np.random.default_rng(seed)
    for first in range(0, n_hands, BATCH):
        n = min(BATCH, n_hands - first)
        engine = Engine(rules or rules_for(options), n, seed=int(rng.integers(2**32)), episode="hand")
        if skewed:
            deal_skewed(engine, rng)
        play_hands(engine, load(**options), choose, rng, seen)
    assert seen["hands"] == n_hands and seen["plays"] == 52 * n_hands
    assert seen["picks"] == 12 * (n_hands - seen["pass 0"])
    return seen


def assert_occurred(seen: Counter[str], *names: str) -> None:
    """Check that hands were as varied as they should; there are too few where kernels run as plain Python."""
    missed = [name for name in names if seen[name] == 0]
    assert JIT_DISABLED or not missed, f"{missed} never occurred in {dict(seen)}"


@each_choice
def test_random_deals_are_played_alike(choose: Choice) -> None:
    seen = compare(scaled(500), choose, seed=1)
    assert_occurred(seen, "pass 0", "pass 1", "pass 2", "pass 3", "moons", "shared wins", "D7", "E3", "E4", "E7")


@each_choice
def test_skewed_deals_are_played_alike(choose: Choice) -> None:
    assert_occurred(compare(scaled(500), choose, seed=2, skewed=True), "moons", "D7", "E3", "E4", "E5", "E6", "E7")


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=lambda options: "-".join(name for name in NAMES if options[name]))
def test_options_are_played_alike(options: dict[str, bool]) -> None:
    for choose, skewed in itertools.product(CHOICES, [False, True]):
        compare(scaled(50), choose, seed=3, skewed=skewed, **options)


@pytest.mark.parametrize("fields", ALIKE, ids=str)
def test_fields_that_change_nothing_here(fields: dict[str, Any]) -> None:
    for skewed in (False, True):
        compare(scaled(50), choose_with_shooter, seed=4, skewed=skewed, rules=Rules.preset("openspiel", **fields))


@each_choice
def test_only_penalty_cards_on_trick_one_d9(choose: Choice) -> None:
    assert_occurred(compare(scaled(250), choose, seed=5, skewed=True, pass_cards=False), "D9")


def test_moon_and_jack_of_diamonds_f10() -> None:
    seen = compare(scaled(500), choose_with_shooter, seed=6, skewed=True, jd_bonus=True)
    assert_occurred(seen, "moons with jack")
    assert JIT_DISABLED or seen["moons with jack"] < seen["moons"]  # somebody else had it, and was paid


@pytest.mark.slow
@needs_compiled
@each_choice
def test_20_000_random_deals_are_played_alike(choose: Choice) -> None:
    seen = compare(20_000, choose, seed=7)
    assert_occurred(seen, "moons", "moons with jack", "D7", "E3", "E4", "E5", "E6", "E7")


@pytest.mark.slow
@needs_compiled
@each_choice
def test_20_000_deals_of_all_options_are_played_alike(choose: Choice) -> None:
    seen: Counter[str] = Counter()
    for seed, (options, skewed) in enumerate(itertools.product(ALL_OPTIONS, [False, True])):
        seen += compare(20_000 // 64 + 1, choose, seed, skewed=skewed, **options)
    assert_occurred(seen, "moons", "moons with jack", "D7", "D9", "E3", "E4", "E5", "E6", "E7")


# What has no equal


def dealt(direction: int, seed: int, **options: bool) -> Any:
    """Return a state of OpenSpiel after a random deal."""
    state = load(**options).new_initial_state()
    for outcome in [direction, *Random(seed).sample(range(52), 52)]:
        state.apply_action(outcome)
    return state


def final_points(state: Any, seed: int) -> list[int]:
    """Play a hand of OpenSpiel to its end at random; return the points of the seats."""
    rng = Random(seed)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return [state.points(seat) for seat in range(4)]


def test_pass_cards_false_still_draws_a_direction() -> None:
    first = load(pass_cards=False).new_initial_state()
    assert first.legal_actions() == [0]
    assert first.chance_outcomes() == [(direction, 0.25) for direction in range(4)]
    state = dealt(1, seed=1, pass_cards=False)
    for seat in range(4):
        assert state.current_player() == seat
        for _ in range(3):
            state.apply_action(state.legal_actions()[0])
    assert len(state.legal_actions()) == 1  # only now the two of clubs


def test_can_lead_any_club_frees_the_first_lead() -> None:
    for seed in range(20):
        state = dealt(0, seed, can_lead_any_club=True)
        hand = held_cards([state])[0, state.current_player()]
        leads = legal_cards([state])[0]
        assert leads[NUMBER_OF["2C"]]
        np.testing.assert_array_equal(leads, hand & (np.arange(52) < NUMBER_OF["2D"]))


def test_must_break_hearts_false_frees_hearts_at_once() -> None:
    assert not dealt(0, seed=1).hearts_broken()
    assert dealt(0, seed=1, must_break_hearts=False).hearts_broken()


def test_avoid_all_tricks_bonus_is_five_points() -> None:
    paid = set()
    for seed in range(100):
        plain = final_points(dealt(0, seed), seed)
        with_bonus = final_points(dealt(0, seed, avoid_all_tricks_bonus=True), seed)
        paid |= {more - less for more, less in zip(with_bonus, plain, strict=True)}
    assert paid == {0, -5}
