"""Views: nothing that a seat may not know is left in its record, and nothing that it may know is lost."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import GAME, Engine, Phase, Rules, SeatError
from rk_env.cards import bitboard, bitboard_cards
from rk_env.kernels import batch
from tests.generators import random_settings, rules_of
from tests.playing import play_on, random_actions

# Every field of a record belongs to one of these. A new field that is not listed fails a test: think of who may see it.
HIDDEN = {"seed", "hands", "kitty", "passed", "observer"}
PUBLIC = {
    *("totals", "hand_number", "first_hand", "redeal", "dealer", "in_play", "n_in_play"),
    *("phase", "turn", "pass_seats", "n_picks", "leader", "trick", "n_table", "led_suit", "table"),
    *("hearts_broken", "opened_with_2c", "n_plays", "plays", "play_seats", "winners", "voids"),
    *("captured", "waiting", "points", "revokes", "shooter", "scores"),
}


def test_every_field_is_either_hidden_or_public() -> None:
    assert GAME.names is not None
    assert set(GAME.names) == HIDDEN | PUBLIC
    assert not HIDDEN & PUBLIC


def giver_of(game: Any, seat: int, players: int) -> int:
    """Whose cards a seat has received; the seat itself while nobody knows, or when nothing is passed."""
    is_known = game.phase != Phase.PASS and game.pass_seats > 0
    return (seat - int(game.pass_seats)) % players if is_known else seat


def check_view(views: NDArray[np.void], games: NDArray[np.void], seat: int, players: int) -> None:
    """Compare the view of one game with the game: first the hidden fields, then all others at once."""
    view, game = views[0], games[0]
    assert (view.seed, view.observer) == (0, seat)
    assert not view.kitty.any()
    own_hand = np.zeros_like(game.hands)
    own_hand[seat] = game.hands[seat]
    assert view.hands.tobytes() == own_hand.tobytes()
    known = [other in (seat, giver_of(game, seat, players)) for other in range(len(game.passed))]
    assert view.passed.tobytes() == np.where(np.array(known)[:, None], game.passed, np.int8(-1)).tobytes()
    for field in HIDDEN:
        views[field] = games[field]
    assert views.tobytes() == games.tobytes()


@given(st.integers(0, 2**32 - 1))
def test_views_of_every_seat_at_every_decision(seed: int) -> None:
    rng = Random(seed)
    rules = rules_of(random_settings(rng))
    engine = Engine(rules, seeds=[seed + 1], episode="hand")
    while True:
        engine.games["kitty"] = 5  # one-deck games have no kitty, but a view must not let one through
        before = engine.games.tobytes()
        for seat in range(rules.players):
            check_view(engine.view(seat), engine.games, seat, rules.players)
        assert engine.games.tobytes() == before
        legal = np.flatnonzero(engine.action_mask()[0])
        if not len(legal):
            return
        engine.step([rng.choice(legal.tolist())])


def test_picks_stay_secret_until_all_have_picked(players: int) -> None:
    engine = Engine(Rules(players=players), seed=4)
    while engine.phase[0] == Phase.PASS:
        engine.step(engine.action_mask().argmax(axis=1))
        passed = engine.games["passed"][0]
        is_over = engine.phase[0] != Phase.PASS
        for seat in range(players):
            view = engine.view(seat)[0]
            assert view.passed[seat].tolist() == passed[seat].tolist()
            giver = (seat - 1) % players
            assert view.passed[giver].tolist() == (passed[giver].tolist() if is_over else [-1, -1, -1])
            if is_over:
                received = {card for card in bitboard_cards(view.hands[seat, 0]) if card in passed[giver]}
                assert received == set(passed[giver].tolist())


# Deals that a seat cannot tell apart.


def redealt(game: Any, rules: Rules, seat: int, rng: Random) -> NDArray[np.void]:
    """The same game, (1,), with all that `seat` cannot know dealt anew; what it has passed stays with the receiver."""
    new = np.array([game], dtype=GAME)
    record, players = new[0], rules.players
    receiver = (seat + int(game.pass_seats)) % players
    stay = 0
    if receiver != seat and game.phase != Phase.PASS:
        stay = int(game.hands[receiver, 0]) & int(bitboard(c for c in game.passed[seat].tolist() if c >= 0))
    others = [other for other in range(players) if other != seat]
    pool = [c for o in others for c in bitboard_cards(game.hands[o, 0]) if not (o == receiver and stay >> c & 1)]
    rng.shuffle(pool)
    for other in others:
        kept = bitboard_cards(stay) if other == receiver else []
        n_new = len(bitboard_cards(game.hands[other, 0])) - len(kept)
        record.hands[other, 0] = bitboard(kept + [pool.pop() for _ in range(n_new)])
        if other != giver_of(game, seat, players):
            n_picked = int((game.passed[other] >= 0).sum())
            choice = bitboard_cards(record.hands[other, 0]) if game.phase == Phase.PASS else rules.deck
            record.passed[other, :n_picked] = rng.sample(choice, n_picked)
    record.seed = rng.getrandbits(64)
    return new


def mask_of(games: NDArray[np.void], rules: Rules) -> NDArray[np.int8]:
    masks = np.empty((len(games), 54), np.int8)
    batch.fill_masks(games, rules.array, masks)
    return masks


@given(st.integers(0, 2**32 - 1))
def test_redealing_unseen_cards_changes_no_view_and_no_observation(seed: int) -> None:
    rng = Random(seed)
    rules = rules_of(random_settings(rng))
    engine = Engine(rules, seeds=[seed], episode="hand")
    while True:
        seat = rng.choice([rng.randrange(rules.players), max(0, int(engine.turn[0]))])
        other = Engine.from_games(redealt(engine.games[0], rules, seat, rng), rules)
        view = engine.view(seat)
        assert other.view(seat).tobytes() == view.tobytes()
        seats = np.array([seat])
        observation = engine.observe(seat)
        np.testing.assert_array_equal(other.observe(seat), observation)
        np.testing.assert_array_equal(engine.layout.encode(view, rules, seats), observation)
        if engine.turn[0] in (seat, -1):
            np.testing.assert_array_equal(other.action_mask(), engine.action_mask())
            np.testing.assert_array_equal(mask_of(view, rules), engine.action_mask())
        legal = np.flatnonzero(engine.action_mask()[0])
        if not len(legal):
            return
        engine.step([rng.choice(legal.tolist())])


def test_redealing_does_change_the_game() -> None:
    """The test above would pass if nothing were dealt anew."""
    engine = Engine(seed=1)
    rng = Random(0)
    play_on(engine, np.random.default_rng(0), 20)
    for seat in range(4):
        new = redealt(engine.games[0], engine.rules, seat, rng)
        changed = {name for name in HIDDEN if new[name].tobytes() != engine.games[name].tobytes()}
        assert changed == {"seed", "hands", "passed"}
        assert new["hands"][0, seat].tolist() == engine.games["hands"][0, seat].tolist()


# The call.


def test_views_of_some_games_and_seats() -> None:
    engine = Engine(num_games=5, seed=1)
    play_on(engine, np.random.default_rng(0), 25)
    turn = engine.turn
    views = engine.view(turn)
    assert views.dtype == GAME
    assert views["observer"].tolist() == turn.tolist()
    some = engine.view([2, 0], games=[4, 1])
    assert some[0].tobytes() == engine.view(2)[4].tobytes()
    assert some[1].tobytes() == engine.view(0)[1].tobytes()
    masked = engine.view(3, games=np.array([False, True, False, False, True]))
    assert masked.tobytes() == engine.view(3)[[1, 4]].tobytes()
    assert engine.view(0, games=[]).shape == (0,)


@pytest.mark.parametrize("seats", [4, -1, 0.0, [0, 1], [0, 1, 2, 3, 9], True, "0", None, [[0] * 5]])
def test_bad_seats(seats: Any) -> None:
    engine = Engine(num_games=5, seed=1)
    with pytest.raises(SeatError, match=r"seats?\b"):
        engine.view(seats)
    if seats is not None:
        with pytest.raises(SeatError, match=r"seats?\b"):
            engine.observe(seats)


def test_a_view_is_a_copy() -> None:
    engine = Engine(num_games=2, seed=1)
    before = engine.games.tobytes()
    view = engine.view(0)
    view["hands"] = 0
    assert engine.games.tobytes() == before
    engine.step(random_actions(engine, np.random.default_rng(0)))
    assert view["n_picks"].tolist() == [0, 0]


def test_what_a_known_view_holds() -> None:
    engine = Engine(seed=1)
    before = engine.games.copy()
    engine.step(engine.action_mask().argmax(axis=1))
    seat = int(before["turn"][0])
    view = engine.view(seat)[0]
    assert int(view.hands[seat, 0]) == int(before["hands"][0, seat, 0])  # picked cards stay until all have picked
    assert view.passed[seat].tolist() == [bitboard_cards(before["hands"][0, seat, 0])[0], -1, -1]
