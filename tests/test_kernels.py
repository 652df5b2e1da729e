"""The rules as functions over records: what holds in every game, compiled or as plain Python.

Quick enough to run with NUMBA_DISABLE_JIT=1, where the same functions are plain Python.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rk_env import RULES_VERSION, Engine, Phase, Rules
from rk_env.kernels import bits, chance
from tests.generators import random_deal, random_settings, rules_of

SEEDS = st.integers(0, 2**32 - 1)


def a_game(seed: int) -> tuple[Engine, Random]:
    """An engine of one game under random settings."""
    rng = Random(seed)
    settings = random_settings(rng)
    return Engine(rules_of(settings), seeds=[seed], episode=rng.choice(["game", "hand"])), rng


def cards_in(game: Any, field: str, players: int) -> int:
    """The cards of all seats in one field, none twice."""
    seen = 0
    for bb in game[field][:players, 0].tolist():
        assert not seen & bb
        seen |= bb
    return seen


@given(SEEDS)
def test_cards_are_conserved_and_masks_never_empty(seed: int) -> None:
    engine, rng = a_game(seed)
    players = engine.rules.players
    game = engine.games[0]
    for _ in range(2):
        n_decisions = 0
        while engine.turn[0] >= 0:
            held, taken = cards_in(game, "hands", players), cards_in(game, "captured", players)
            table = sum(1 << int(card) for card in game.table[:players] if card >= 0)
            assert held | taken | table == int(engine.rules.deck_bb(players))
            assert held & taken == held & table == taken & table == 0
            legal = np.flatnonzero(engine.action_mask()[0])
            assert len(legal) >= 1
            engine.step([rng.choice(legal.tolist())])
            n_decisions += 1
            assert engine.payoffs.sum() == pytest.approx(0)
        assert n_decisions <= 3 * players + 53
        assert not engine.action_mask().any()
        engine.next_hand()


@given(SEEDS)
def test_points_add_up(seed: int) -> None:
    engine, rng = a_game(seed)
    rules, players = engine.rules, engine.rules.players
    before = engine.totals
    while engine.turn[0] >= 0:
        engine.step([rng.choice(np.flatnonzero(engine.action_mask()[0]).tolist())])
    dealt = int(rules.array[0].deal_points[players])
    assert engine.captured_points.sum() == dealt
    assert engine.totals.tolist() == (before + engine.hand_scores).tolist()
    is_over = engine.phase[0] == Phase.GAME_OVER
    assert engine.win_shares.sum() == pytest.approx(float(is_over))
    if engine.games["shooter"][0] < 0:
        assert engine.hand_scores.sum() == dealt - 10 * len(rules.bonus_cards)


@given(SEEDS, st.integers(1, 5))
def test_seats_are_alike(seed: int, turn_by: int) -> None:
    """The same game with everybody some seats further on has the same course, some seats further on."""
    rng = Random(seed)
    settings = random_settings(rng)
    rules, players = rules_of(settings), settings["players"]
    turn_by %= players
    hands = random_deal(rng, settings)
    dealer, number = rng.randrange(players), rng.randint(1, 4)
    totals = [rng.randint(0, rules.target - 1) for _ in range(players)]
    one, other = Engine(rules, seeds=[1]), Engine(rules, seeds=[1])
    one.deal(hands, dealer, number, totals=totals)
    turned = [hands[(seat - turn_by) % players] for seat in range(players)]
    other.deal(turned, (dealer + turn_by) % players, number, totals=np.roll(totals, turn_by))
    while one.turn[0] >= 0:
        assert other.turn[0] == (one.turn[0] + turn_by) % players
        np.testing.assert_array_equal(one.action_mask(), other.action_mask())
        seat = int(one.turn[0])
        np.testing.assert_array_equal(one.observe(seat), other.observe((seat + turn_by) % players))
        action = rng.choice(np.flatnonzero(one.action_mask()[0]).tolist())
        one.step([action])
        other.step([action])
    for name in ("hand_scores", "totals", "payoffs", "win_shares", "captured_points"):
        np.testing.assert_array_equal(np.roll(getattr(one, name)[0], turn_by), getattr(other, name)[0])


# The same games for the same seeds, whatever compiles them.

COURSES = {
    3: "db844370771fe36c",
    4: "fcdfa07eb39cb3ca",
    5: "be0f7eb4dd4dbe5f",
    6: "a2612e3a0c6e11a1",
}


def course(rules: Rules) -> str:
    """A digest of some games: what was dealt, played, taken and scored."""
    digest = hashlib.sha256()
    engine = Engine(rules, seeds=[7, 2**64 - 1])
    for _ in range(3):
        digest.update(engine.games["hands"][:, : rules.players, 0].tobytes() + engine.games["dealer"].tobytes())
        while (engine.turn >= 0).any():
            mask = engine.action_mask()
            engine.step(np.where(mask.any(axis=1), mask.argmax(axis=1), -1))
        digest.update(engine.games["plays"][:, :52].tobytes() + engine.hand_scores.tobytes())
        engine.next_hand()
    return digest.hexdigest()[:16]


def test_seeds_lead_to_the_same_games_as_ever(players: int) -> None:
    assert RULES_VERSION == 1
    assert course(Rules(players=players)) == COURSES[players], (
        "the same seeds lead to other games: if that is meant, let rk_env.rules.RULES_VERSION grow, say so in the "
        "changelog, and put the new digests here"
    )


# Bits and chance.


@given(st.integers(1, 2**64 - 1))
def test_bits(number: int) -> None:
    bb = np.uint64(number)
    members = [bit for bit in range(64) if number >> bit & 1]
    assert bits.nth(bb, 0) == members[0]
    assert bits.nth(bb, len(members) - 1) == members[-1]
    assert [bits.popcount(bb), bits.lowest(bb), bits.highest(bb)] == [len(members), members[0], members[-1]]


def test_the_mixing_function_is_splitmix64() -> None:
    """The first numbers of SplitMix64 from state 0, as in its authors' published C code."""
    state, numbers = np.uint64(0), []
    for _ in range(3):
        state = np.uint64(chance.advance(state))  # compiled functions return plain integers
        numbers.append(int(chance.mix(state)))
    assert numbers == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_numbers_below_a_bound_are_even() -> None:
    counts = np.zeros(7, int)
    for number in range(7000):
        state = np.uint64(chance.stream(np.uint64(1), chance.FOR_DEAL, number))
        counts[chance.below(np.uint64(chance.mix(state)), 7)] += 1
    assert ((counts - 1000) ** 2 / 1000).sum() < 28  # chi-square of 6 degrees of freedom: p < 1e-4
