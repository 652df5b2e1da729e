"""The rules as functions over records: what holds in every game, compiled or as plain Python.

Quick enough to run with NUMBA_DISABLE_JIT=1, where the same functions are plain Python.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import RULES_VERSION, Engine, Phase, Rules
from rk_env.kernels import bits, chance
from tests.generators import random_cards, random_settings, rules_of, texts_of_planes
from tests.playing import play_lowest, tied_hand

SEEDS = st.integers(0, 2**32 - 1)


def a_game(seed: int) -> tuple[Engine, Random]:
    """An engine of one game under random settings, at the start of a main game or of a play-off."""
    rng = Random(seed)
    settings = random_settings(rng, decks=rng.choice([1, 2]))
    if rng.random() < 0.3:
        rules = rules_of(settings | {"ties": "playoff", "max_hands": None})
        seats = rng.sample(range(rules.players), rng.randint(2, rules.players))
        engine = tied_hand(rules, seats, seed)
        engine.next_hand()
        return engine, rng
    return Engine(rules_of(settings), seeds=[seed], episode=rng.choice(["game", "hand"])), rng


def cards_of(game: Any, players: int) -> list[int]:
    """The cards of which there are one, two and three copies, wherever they lie, as bitboards."""
    sets = np.concatenate([game.hands[:players], game.captured[:players], [game.waiting, game.kitty]]).tolist()
    sets += [[1 << int(card), 0] for card in game.table[:players] if card >= 0]
    once = twice = thrice = 0
    for first, second in sets:
        assert not second & ~first
        for plane in (first, second):
            thrice |= twice & plane
            twice |= once & plane
            once |= plane
    return [once, twice, thrice]


def act_at_random(engine: Engine, rng: Random) -> None:
    engine.step([rng.choice(np.flatnonzero(engine.action_mask()[0]).tolist())])


@given(SEEDS)
def test_cards_are_conserved_and_masks_never_empty(seed: int) -> None:
    engine, rng = a_game(seed)
    rules, game = engine.rules, engine.games[0]
    for _ in range(2):
        n_decisions = 0
        while engine.turn[0] >= 0:
            n = int(game.n_in_play)
            assert cards_of(game, rules.players) == [*map(int, rules.deck_planes(n)), 0]
            legal = engine.action_mask(revokes=False)[0]
            assert legal.any()
            assert not (legal & ~engine.action_mask()[0]).any()
            act_at_random(engine, rng)
            n_decisions += 1
            assert engine.payoffs.sum() == pytest.approx(0)
        most = 3 * n + 1 + n * rules.hand_size_of(n) * (1 + (rules.revokes == "corrected"))
        assert n_decisions <= most * 11  # ten replays (G3)
        assert not engine.action_mask().any()
        engine.next_hand()


@given(SEEDS)
def test_points_add_up(seed: int) -> None:
    engine, rng = a_game(seed)
    rules, game = engine.rules, engine.games[0]
    before, in_play = engine.totals, engine.in_play[0]
    while engine.turn[0] >= 0:
        act_at_random(engine, rng)
    aside = Counter(texts_of_planes(game.kitty))  # of 13 cards each, what was set aside
    dealt = Counter(texts_of_planes(rules.deck_planes(int(game.n_in_play)))) - aside
    value = {card: 1 for card in dealt if card[-1] == "H"}
    value[rules.black_card] = 13 if rules.black_card == "QS" else 10
    points = sum(value.get(card, 0) * n for card, n in dealt.items())
    assert engine.captured_points.sum() == points
    assert not engine.captured_points[0, ~in_play].any()
    assert not engine.hand_scores[0, ~in_play].any()
    assert engine.totals.tolist() == (before + engine.hand_scores * (game.playoff == 0)).tolist()
    is_over = engine.phase[0] == Phase.GAME_OVER
    assert engine.win_shares.sum() == pytest.approx(float(is_over))
    if game.shooter < 0:
        bonus = -10 * sum(dealt[card] for card in rules.bonus_cards)
        assert engine.hand_scores.sum() == points + bonus + 13 * int(game.revokes.sum())


@given(SEEDS, st.integers(1, 10))
def test_seats_are_alike(seed: int, turn_by: int) -> None:
    """The same game with everybody some seats further on has the same course, some seats further on."""
    rng = Random(seed)
    settings = random_settings(rng, decks=rng.choice([1, 2])) | {"late_revoke": "play_on"}  # a replay deals by seats
    rules, players = rules_of(settings), settings["players"]
    turn_by %= players
    seats = list(range(players))
    totals = [rng.randint(0, rules.target - 1) for _ in seats]
    if rules.ties == "playoff" and rng.random() < 0.5:
        seats = sorted(rng.sample(seats, rng.randint(2, players)))
        totals = [rules.target + (seat not in seats) for seat in range(players)]
    hands, _ = random_cards(rng, settings, seats)
    dealer, number = rng.randrange(players), rng.randint(1, 4)
    one, other = Engine(rules, seeds=[1]), Engine(rules, seeds=[1])
    one.deal(hands, dealer, number, totals=totals)
    turned = [hands[(seat - turn_by) % players] for seat in range(players)]
    other.deal(turned, (dealer + turn_by) % players, number, totals=np.roll(totals, turn_by))
    while one.turn[0] >= 0:
        assert other.turn[0] == (one.turn[0] + turn_by) % players
        np.testing.assert_array_equal(one.action_mask(), other.action_mask())
        seat = int(one.turn[0])
        if one.games["n_plays"][0] % 5 == 0:
            np.testing.assert_array_equal(one.observe(seat), other.observe((seat + turn_by) % players))
        action = rng.choice(np.flatnonzero(one.action_mask()[0]).tolist())
        one.step([action])
        other.step([action])
    for name in ("hand_scores", "totals", "payoffs", "win_shares", "captured_points", "places", "in_play"):
        np.testing.assert_array_equal(np.roll(getattr(one, name)[0], turn_by), getattr(other, name)[0])


# The same games for the same seeds, whatever compiles them.

COURSES: list[tuple[Rules, tuple[int, ...], str]] = [
    (Rules(players=3), (), "a2a78fcb0e935b77"),
    (Rules(players=4), (), "dbb74e84ace08d2d"),
    (Rules(players=5), (), "ec3e25a33c8a655e"),
    (Rules(players=6), (), "9353433bf8f17f70"),
    (Rules(players=6, decks=2), (), "711e857a32932537"),
    (Rules(players=7, decks=2), (), "5221d96e10124a29"),
    (Rules(players=8, decks=2), (), "dcf013e81077d4dc"),
    (Rules(players=9, decks=2), (), "9250415c2210e911"),
    (Rules(players=10, decks=2), (), "10bfc9e58da1ee7b"),
    (Rules(players=11, decks=2), (), "9f9a1393b6148bab"),
    (Rules(players=7, decks=2, leftover="strip"), (), "d83cf7c3ceb3f9ec"),
    (Rules(revokes="corrected", bonus_cards=("JD",)), (), "800978a9f88bcee8"),
    (Rules(revokes="exposed", late_revoke="replay", black_card="JS"), (), "73e9a020f2bcb723"),
    (Rules(moon="new", first_dealer="random", passing="left"), (), "693c7371996f6109"),
    (Rules(), (0, 2), "c4294d4b6512d41b"),
    (Rules(players=5, two_hand_deal=13, playoff_pass="restart"), (1, 4), "d1fd5838d0105c90"),
    (Rules(players=10, decks=2), (0, 1, 2, 4, 5, 7, 9), "0c8bf44fd1a17f72"),
]
"""Rules, the seats that are tied for the lowest total (none: a game from its first hand on), and a digest."""


def course(rules: Rules, tied: tuple[int, ...]) -> str:
    """A digest of some games: what was dealt, played, taken and scored."""
    digest, step = hashlib.sha256(), 0
    engine = tied_hand(rules, tied, seed=7, n=2) if tied else Engine(rules, seeds=[7, 2**64 - 1])
    for _ in range(3):
        engine.next_hand()
        for name in ("hands", "kitty", "dealer", "in_play"):
            digest.update(engine.games[name].tobytes())
        while (engine.turn >= 0).any():
            engine.step([nth_action(mask, step) for mask in engine.action_mask()])
            step += 1
        for name in ("plays", "winners", "totals", "places", "revokes", "redeal"):
            digest.update(engine.games[name].tobytes())
        digest.update(engine.hand_scores.tobytes())
    return digest.hexdigest()[:16]


def nth_action(mask: NDArray[np.int8], n: int) -> int:
    """An action that is accepted, another one at every step; -1 where there is none."""
    accepted = np.flatnonzero(mask)
    return int(accepted[n * n % len(accepted)]) if len(accepted) else -1


@pytest.mark.parametrize(("rules", "tied", "expected"), COURSES, ids=repr)
def test_seeds_lead_to_the_same_games_as_ever(rules: Rules, tied: tuple[int, ...], expected: str) -> None:
    assert RULES_VERSION == 2
    assert course(rules, tied) == expected, (
        "the same seeds lead to other games: if that is meant, let rk_env.rules.RULES_VERSION grow, say so in the "
        "changelog, and put the new digests here"
    )


VERSION_1 = {3: "db844370771fe36c", 4: "fcdfa07eb39cb3ca", 5: "be0f7eb4dd4dbe5f", 6: "a2612e3a0c6e11a1"}


def test_one_deck_deals_and_plays_are_those_of_version_1(players: int) -> None:
    """Version 2 brought play-offs, revokes and two decks; what one deck deals, and how it is played, it left alone."""
    engine, digest = Engine(Rules(players=players), seeds=[7, 2**64 - 1]), hashlib.sha256()
    for _ in range(3):
        digest.update(engine.games["hands"][:, :players, 0].tobytes() + engine.games["dealer"].tobytes())
        play_lowest(engine)
        digest.update(engine.games["plays"][:, :52].tobytes() + engine.hand_scores.tobytes())
        engine.next_hand()
    assert digest.hexdigest()[:16] == VERSION_1[players]


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
