# ruff: noqa: N802 - names carry the numbers of rules
"""What holds in every game, under whatever rules: tried on random settings of every table, deals and ways to play."""

from __future__ import annotations

import functools
from random import Random

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import Engine, IllegalActionError
from rk_env.kernels import batch
from rk_env.state import ACTION_MOON_SUBTRACT, GAME_OVER, HAND_OVER
from tests import generators, oracle
from tests.generators import Settings, kitty_of, texts_of_planes
from tests.playing import assert_refuses
from tests.random_games import (
    CARD_SETS,
    any_seed,
    any_settings,
    course,
    deck_counts,
    in_copies,
    some_settings,
    started,
    tried,
)

MOST_HANDS = 1000
"""Hands that no game at random needs, by far."""

# Cards, masks and points.


@tried(some=any_settings, seed=any_seed)
def test_cards_are_conserved(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    decks = {n: deck_counts(some, n) for n in range(2, engine.rules.players + 1)}
    for _ in course(engine, rng):
        games = engine.games
        sets = np.concatenate([games[name].reshape(len(games), -1, 2) for name in CARD_SETS], axis=1)
        expected = [decks[in_play] for in_play in games["n_in_play"].tolist()]
        np.testing.assert_array_equal(in_copies(sets).sum(axis=1) + on_table(games), expected)
        assert not (sets[..., 1] & ~sets[..., 0]).any()


def on_table(games: NDArray[np.void]) -> NDArray[np.int64]:
    """Return how often each card is on the table, (B, 52)."""
    return (games["table"][:, :, None] == np.arange(52)).sum(axis=1)


@tried(some=any_settings, seed=any_seed)
def test_a_mask_is_empty_at_the_end_and_never_before(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    for _ in course(engine, rng):
        accepted, by_the_book = engine.action_mask(), engine.action_mask(revokes=False)
        going_on = engine.phase < HAND_OVER
        assert (accepted.any(axis=1) == going_on).all()
        assert (by_the_book.any(axis=1) == going_on).all()
        assert ((engine.turn >= 0) == going_on).all()
        assert (by_the_book <= accepted).all()
        assert some["revokes"] != "prevented" or (by_the_book == accepted).all()


@tried(some=any_settings, seed=any_seed, stop=st.integers(0, 40))
def test_what_is_accepted_can_be_done_and_nothing_else(some: Settings, seed: int, stop: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    for step, _ in enumerate(course(engine, rng, n_hands=1)):
        if step % 40 != stop:
            continue
        for index, mask in enumerate(engine.action_mask()):
            game = engine.games[index : index + 1]
            accepted = np.flatnonzero(mask)
            many = Engine.from_games(np.repeat(game, len(accepted)), engine.rules)
            many.step(accepted)
            Engine.from_games(many.games, engine.rules)
            allowed = accepted.tolist() or [-1]
            others = np.array([action for action in range(-2, 56) if action not in allowed])
            assert not batch.are_legal(np.repeat(game, len(others)), engine.rules.array, others).any()
            both = Engine.from_games(np.repeat(game, 2), engine.rules)
            one_illegal = [rng.choice(allowed), int(rng.choice(others))]
            assert_refuses(both, IllegalActionError, functools.partial(both.step, one_illegal))


@tried(some=any_settings, seed=any_seed)
def test_F1_points_sum_to_what_was_dealt(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    worth = np.array([oracle.penalty_points(oracle.DEFAULTS | some, card) for card in generators.CARD_TEXTS])
    dealt = dealt_counts(engine) @ worth
    for _ in course(engine, rng, n_hands=1):
        if engine.games["redeal"].any():
            break
        left = in_copies(engine.games["hands"]).sum(axis=1) + in_copies(engine.games["waiting"])
        left += on_table(engine.games)
        nobodys = (engine.games["kitty_taker"] < 0) & engine.rules.array[0].gives_kitty[engine.games["n_in_play"]]
        left += in_copies(engine.games["kitty"]) * nobodys[:, None]
        np.testing.assert_array_equal(engine.captured_points.sum(axis=1) + left @ worth, dealt)


def dealt_counts(engine: Engine) -> NDArray[np.int64]:
    """Return how often each card is in what is dealt to be played or taken, (B, 52): all but cards set aside (H7)."""
    games = engine.games
    held = in_copies(games["hands"]).sum(axis=1)
    has_kitty = [oracle.has_two_decks({"decks": engine.rules.decks}, n) for n in games["n_in_play"].tolist()]
    return held + in_copies(games["kitty"]) * np.array(has_kitty)[:, None]


@tried(some=any_settings, seed=any_seed)
def test_F3_F6_F10_G5_hand_scores_sum_to_what_was_dealt(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    full = oracle.DEFAULTS | some
    worth = np.array([oracle.penalty_points(full, card) for card in generators.CARD_TEXTS])
    bonus = np.array([-10 * (card in some["bonus_cards"]) for card in generators.CARD_TEXTS])
    subtracts = np.zeros(len(engine), bool)
    dealt = dealt_counts(engine)
    for actions in course(engine, rng, n_hands=1):
        subtracts |= actions == ACTION_MOON_SUBTRACT
        again = engine.games["n_plays"] == 0
        dealt[again] = dealt_counts(engine)[again]
    value = np.full(len(engine), 26) if some["moon_value"] == "fixed26" else dealt @ worth
    moon = np.where(subtracts, -value, value * (engine.games["n_in_play"] - 1))
    points = np.where(engine.games["shooter"] >= 0, moon, dealt @ worth)
    fines = 13 * engine.games["revokes"].sum(axis=1, dtype=np.int64)
    np.testing.assert_array_equal(engine.hand_scores.sum(axis=1), points + dealt @ bonus + fines)
    assert not engine.hand_scores[~engine.in_play].any()
    np.testing.assert_allclose(engine.payoffs.sum(axis=1), 0, atol=1e-9)


@tried(some=any_settings, seed=any_seed)
def test_E2_X6_captured_is_what_the_plays_tell(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    kitties = [kitty_of(engine, index) for index in range(len(engine))]
    for _ in course(engine, rng, n_hands=1):
        for index in np.flatnonzero(engine.games["n_plays"] == 0):
            kitties[index] = kitty_of(engine, index)
    for game, kitty in zip(engine.games, kitties, strict=True):
        taken: list[list[str]] = [[] for _ in range(engine.rules.players)]
        waiting: list[str] = []
        n = int(game.n_in_play)
        for trick in range(game.trick):
            waiting += [generators.CARD_TEXTS[card] for card in game.plays[n * trick : n * trick + n]]
            if game.winners[trick] >= 0:
                taken[game.winners[trick]] += waiting
                waiting = []
        if game.kitty_taker >= 0:
            taken[game.kitty_taker] += kitty
        assert waiting == []
        for seat, cards in enumerate(taken):
            assert sorted(cards) == sorted(texts_of_planes(game.captured[seat]))


# From hand to hand.


@tried(some=any_settings, seed=any_seed)
def test_H6_totals_change_by_the_scores_and_not_in_a_play_off(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    before, was_over = engine.totals, engine.phase >= HAND_OVER
    for _ in course(engine, rng, n_hands=4):
        is_over = engine.phase >= HAND_OVER
        counts = is_over & ~was_over & (engine.games["playoff"] == 0)
        np.testing.assert_array_equal(engine.totals, before + engine.hand_scores * counts[:, None])
        before, was_over = engine.totals, is_over


@tried(some=any_settings, seed=any_seed)
def test_B5_C4_H4_H8_the_next_hand(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    players = engine.rules.players
    for n, _ in enumerate(course(engine, rng, n_hands=1)):
        assert n < 1200
    for _ in range(4):
        before = engine.games.copy()
        engine.next_hand()
        for was, now in zip(before, engine.games, strict=True):
            if was.phase == GAME_OVER:
                assert was.tobytes() == now.tobytes()
                continue
            seats = [seat for seat in range(players) if int(now.in_play) >> seat & 1]
            assert now.in_play & ~was.in_play == 0
            assert seats == [seat for seat in range(players) if was.places[seat] == 0]
            assert now.dealer == min(seats, key=lambda seat, was=was: (seat - was.dealer - 1) % players)  # type: ignore[misc]
            assert (now.hand_number, now.redeal) == (was.hand_number + 1, 0)
            assert now.playoff == was.playoff + (max(was.totals[:players]) >= engine.rules.target)
            assert len(seats) == players or now.playoff > 0
        for _ in course(engine, rng, n_hands=1):
            pass


@tried(some=some_settings(target=26), seed=any_seed, long=st.booleans())
def test_H1_H9_games_end(some: Settings, seed: int, long: bool) -> None:
    rng = Random(seed)
    engine = started(some | {"max_hands": None} if long else some, rng)
    choose_state = np.uint64(rng.getrandbits(64))
    for n_hands in range(MOST_HANDS):
        going_on = np.flatnonzero(engine.phase != GAME_OVER)
        if not len(going_on):
            break
        part = engine.games[going_on]
        batch.play_random_hands(part, engine.rules.array, 1, choose_state + np.uint64(n_hands))
        engine.games[going_on] = part
    limit = engine.rules.max_hands or MOST_HANDS
    assert (engine.phase == GAME_OVER).all()
    assert (engine.games["hand_number"] <= np.maximum(limit, 8)).all()
    np.testing.assert_allclose(engine.win_shares.sum(axis=1), 1)
    assert (engine.places.min(axis=1) == 1).all()
    assert ((engine.winner >= 0) == (engine.win_shares.max(axis=1) == 1)).all()
