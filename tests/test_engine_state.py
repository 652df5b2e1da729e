# ruff: noqa: N802 - names carry the numbers of rules
"""What `Engine` shows of its games: who is in play, places, points, payoffs, and masks with and without revokes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, IllegalActionError, Phase, Rules
from rk_env.cards import JACK_OF_DIAMONDS, QUEEN_OF_SPADES
from tests.generators import scaled
from tests.playing import play_on, random_actions, tied_hand


@pytest.mark.parametrize(("players", "seats"), [(4, [1, 2]), (6, [0, 2, 5]), (8, [3, 4, 5, 6]), (11, [*range(4, 11)])])
def test_next_hand_leads_into_a_play_off_and_out_of_it(players: int, seats: list[int]) -> None:
    rules = Rules(players=players, decks=1 if players < 7 else 2)
    engine = tied_hand(rules, seats, n=3)
    engine.games["dealer"] = 0
    engine.reset([2], seeds=[5])
    assert engine.in_play.all() and not engine.places.any()
    main = engine.games[2].tobytes()
    engine.next_hand([1, 2, 3])
    assert engine.games[2].tobytes() == main
    assert engine.in_play.tolist() == [[seat in seats for seat in range(players)]] * 2 + [[True] * players]
    assert engine.in_play.dtype == np.bool_
    dealer = next(seat for seat in seats if seat > 0)
    assert (engine.games["dealer"][:2] == dealer).all()
    assert (engine.turn[:2] == seats[(seats.index(dealer) + 1) % len(seats)]).all()
    rng, n_hands = np.random.default_rng(0), 1
    while (engine.phase[:2] != Phase.GAME_OVER).any():
        play_on(engine, rng)
        engine.next_hand()
        n_hands += 1
        assert n_hands < 50
    assert ((engine.win_shares[:2] == 1) == (engine.places[:2] == 1)).all()
    assert engine.winner[:2].tolist() == engine.places[:2].argmin(axis=1).tolist()
    assert set(engine.winner[:2].tolist()) <= set(seats)
    totals = engine.totals[:2].tolist()
    assert totals == [[0 if seat in seats else 100 for seat in range(players)]] * 2
    engine.reset(seeds=[1, 2, 3])
    assert engine.games.tobytes() == Engine(rules, seeds=[1, 2, 3]).games.tobytes()


def test_payoffs_of_a_play_off_are_among_those_in_it() -> None:
    engine = tied_hand(Rules(players=6), [1, 4, 5], n=20)
    engine.next_hand()
    play_on(engine, np.random.default_rng(1))
    scores, payoffs = engine.hand_scores, engine.payoffs
    assert not payoffs[:, [0, 2, 3]].any()
    for seat in (1, 4, 5):
        others = [other for other in (1, 4, 5) if other != seat]
        np.testing.assert_allclose(payoffs[:, seat], scores[:, others].mean(axis=1) - scores[:, seat])


def test_places_are_zero_until_the_end_and_then_count_those_ahead() -> None:
    engine = Engine(Rules(ties="share", max_hands=1), num_games=200, seed=3)
    assert engine.places.tolist() == [[0] * 4] * 200
    play_on(engine, np.random.default_rng(2))
    ahead = (engine.totals[:, None, :] < engine.totals[:, :, None]).sum(axis=2)
    assert (engine.places == ahead + 1).all()
    assert engine.places.dtype == np.int64
    assert (engine.win_shares == (ahead == 0) / (ahead == 0).sum(axis=1, keepdims=True)).all()


def bits_of(planes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many copies of each card there are in sets of planes, (..., 2) to (..., 52)."""
    return ((planes[..., None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)).astype(np.int64).sum(axis=-2)


@pytest.mark.parametrize("players", range(6, 12))
def test_X3_points_of_the_kitty_count_from_the_moment_it_is_taken(players: int) -> None:
    """The record leaves them out until the hand is over; what the engine shows has them."""
    rules, n = Rules(players=players, decks=2, passing="none", bonus_cards=("JD",)), scaled(300)
    engine = Engine(rules, num_games=n, seed=1)
    points_of, bonus_of = np.array([0] * 39 + [1] * 13), np.zeros(52, int)
    points_of[QUEEN_OF_SPADES], bonus_of[JACK_OF_DIAMONDS] = 13, -10
    kitty = engine.games["kitty"].copy()
    points, bonus = bits_of(kitty) @ points_of, bits_of(kitty) @ bonus_of
    assert players == 8 or points.max() > 0
    assert players == 8 or bonus.min() < 0 or n < 300
    rng = np.random.default_rng(0)
    while (engine.turn >= 0).any():
        engine.step(random_actions(engine, rng))
        going_on = engine.turn >= 0
        captured = bits_of(engine.games["captured"][:, :players])
        is_taker = (np.arange(players) == engine.games["kitty_taker"][:, None]) & going_on[:, None]
        assert (engine.games["points"][:, :players] == captured @ points_of).all()
        assert (engine.captured_points == captured @ points_of + points[:, None] * is_taker).all()
        so_far = engine.captured_points + captured @ bonus_of + bonus[:, None] * is_taker
        assert (engine.hand_scores == so_far)[going_on].all()
        assert (engine.games["kitty"] == kitty * going_on[:, None].astype(np.uint64)).all()
    assert (engine.captured_points.sum(axis=1) == 52).all()


@pytest.mark.parametrize("revokes", ["corrected", "exposed"])
def test_G1_the_mask_shows_what_step_accepts_or_what_the_book_allows(revokes: Any) -> None:
    engine, strict = (Engine(Rules(revokes=some), num_games=40, seed=1) for some in (revokes, "prevented"))
    rng, n_revokes = np.random.default_rng(0), 0
    for _ in range(12 + 52):
        accepted, legal = engine.action_mask(), engine.action_mask(revokes=False)
        assert (accepted == engine.action_mask(revokes=True)).all()
        assert accepted.dtype == legal.dtype == np.int8
        assert (legal <= accepted).all()
        n_revokes += int((accepted != legal).any(axis=1).sum())
        assert (strict.action_mask() == strict.action_mask(revokes=False)).all()
        assert (legal == strict.action_mask()).all()
        actions = (rng.random(legal.shape) * legal).argmax(axis=1)
        for one in (engine, strict):
            one.step(actions)
    assert n_revokes > 500
    assert not engine.action_mask().any()
    assert not engine.games["revokes"].any()


def test_G1_other_illegal_plays_are_refused_with_revokes_too() -> None:
    for revokes in ("corrected", "exposed"):
        engine = Engine(Rules(revokes=revokes), num_games=2, seed=1)
        rng = np.random.default_rng(0)
        for _ in range(12 + 52):
            mask = engine.action_mask()
            for action in np.flatnonzero(mask[0] == 0):
                actions = [int(action), int(mask[1].argmax())]
                with pytest.raises(IllegalActionError, match=r"game 0, seat .* is not legal; legal: "):
                    engine.step(actions)
            engine.step((rng.random(mask.shape) * mask).argmax(axis=1))
            if not (engine.turn >= 0).all():
                break
