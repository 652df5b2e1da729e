# ruff: noqa: N802 - names carry the numbers of rules
"""Views: nothing that a seat may not know is left in its record, and nothing that it may know is lost."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import GAME, Engine, Phase, Rules, SeatError
from rk_env.cards import bitboard_cards
from rk_env.kernels import batch
from rk_env.observation import Layout
from tests.generators import act, hold_hand, random_settings, rules_of
from tests.playing import play_on, random_actions
from tests.unseen import (
    TABLES,
    cards_of,
    giver_of,
    planes_of,
    play_offs,
    random_hand,
    redealt,
)

# Every field of a record belongs to one of these. A new field that is not listed fails a test: think of who may see it.
HIDDEN = {"seed", "hands", "kitty", "passed", "observer"}
PUBLIC = {
    *("totals", "hand_number", "first_hand", "redeal", "dealer", "playoff", "places", "in_play", "n_in_play"),
    *("phase", "turn", "pass_seats", "n_picks", "leader", "trick", "n_table", "led_suit", "table"),
    *("hearts_broken", "opened_with_2c", "n_plays", "plays", "play_seats", "took_back", "winners", "voids"),
    *("captured", "kitty_taker", "waiting", "points", "revokes", "shooter", "scores"),
}

ANY_TABLE = st.tuples(st.sampled_from([1, 2]), st.integers(0, 2**32 - 1))
"""One deck or two, and a seed for all the rest."""


def test_every_field_is_either_hidden_or_public() -> None:
    assert GAME.names is not None
    assert set(GAME.names) == HIDDEN | PUBLIC
    assert not HIDDEN & PUBLIC


def check_view(views: NDArray[np.void], games: NDArray[np.void], seat: int) -> None:
    """Compare the view of one game with the game: first the hidden fields, then all others at once."""
    view, game = views[0], games[0]
    assert (view.seed, view.observer) == (0, seat)
    own_hand = np.zeros_like(game.hands)
    own_hand[seat] = game.hands[seat]
    assert view.hands.tobytes() == own_hand.tobytes()
    assert view.kitty.tolist() == (game.kitty.tolist() if game.kitty_taker == seat else [0, 0])
    known = [other in (seat, giver_of(game, seat)) for other in range(len(game.passed))]
    assert view.passed.tobytes() == np.where(np.array(known)[:, None], game.passed, np.int8(-1)).tobytes()
    for field in HIDDEN:
        views[field] = games[field]
    assert views.tobytes() == games.tobytes()


@given(ANY_TABLE)
def test_views_of_any_seat_at_every_decision(table: tuple[int, int]) -> None:
    decks, seed = table
    rng = Random(seed)
    engine = random_hand(rng, random_settings(rng, decks=decks))
    while True:
        before = engine.games.tobytes()
        for seat in rng.sample(range(engine.rules.players), 1 + (engine.phase[0] != Phase.PLAY)):
            check_view(engine.view(seat), engine.games, seat)
        assert engine.games.tobytes() == before
        if not play_one(engine, rng):
            return


def play_one(engine: Engine, rng: Random) -> bool:
    """Do any accepted action, revokes too, in a single game; tell whether there was one."""
    accepted = np.flatnonzero(engine.action_mask()[0])
    if len(accepted):
        engine.step([rng.choice(accepted.tolist())])
    return len(accepted) > 0


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


def mask_of(games: NDArray[np.void], rules: Rules, revokes: bool) -> NDArray[np.int8]:
    masks = np.empty((len(games), 54), np.int8)
    batch.fill_masks(games, rules.array, masks, revokes)
    return masks


def check_sees_the_same(engine: Engine, other: Engine, seat: int) -> None:
    """A seat sees the same in two games, and its view shows all of what an observation and a mask are made of."""
    view, seats = engine.view(seat), np.array([seat])
    assert other.view(seat).tobytes() == view.tobytes()
    for layout in (engine.layout, Layout.of(engine.rules, uniform=True)):
        observation = layout.encode(engine.games, engine.rules, seats)
        np.testing.assert_array_equal(layout.encode(other.games, engine.rules, seats), observation)
        np.testing.assert_array_equal(layout.encode(view, engine.rules, seats), observation)
    if engine.turn[0] in (seat, -1):
        for revokes in (False, True):
            mask = engine.action_mask(revokes=revokes)
            np.testing.assert_array_equal(other.action_mask(revokes=revokes), mask)
            np.testing.assert_array_equal(mask_of(view, engine.rules, revokes), mask)


@given(ANY_TABLE)
def test_redealing_unseen_cards_changes_no_view_and_no_observation(table: tuple[int, int]) -> None:
    decks, seed = table
    rng = Random(seed)
    engine = random_hand(rng, random_settings(rng, decks=decks))
    while True:
        if rng.random() < 0.2:
            seat = rng.choice([rng.randrange(engine.rules.players), max(0, int(engine.turn[0]))])
            new = redealt(engine.games, engine.rules, np.array([seat]), rng)
            check_sees_the_same(engine, Engine.from_games(new, engine.rules), seat)
        if not play_one(engine, rng):
            return


@given(ANY_TABLE)
def test_what_a_play_shows_does_not_depend_on_unseen_cards(table: tuple[int, int]) -> None:
    """So no view tells before it is found whether a discard was a revoke (G3), or what lies in a kitty (X3)."""
    decks, seed = table
    rng = Random(seed)
    settings = random_settings(rng, decks=decks)
    settings["revokes"] = rng.choice(["exposed", "prevented"])  # a card taken back is shown: the next test
    engine = random_hand(rng, settings)
    while engine.turn[0] >= 0:
        turn = int(engine.turn[0])
        action = rng.choice(np.flatnonzero(engine.action_mask()[0]).tolist())
        seat = rng.choice([s for s in range(engine.rules.players) if s != turn])
        if engine.phase[0] == Phase.PLAY and rng.random() < 0.2:
            check_shows_the_same(engine, seat, action, rng)
        engine.step([action])


def check_shows_the_same(engine: Engine, seat: int, action: int, rng: Random) -> None:
    """A play looks the same to a seat whatever the others hold; unless the hand ends, or the seat gets the kitty."""
    new = redealt(engine.games, engine.rules, np.array([seat]), rng, keep=action)
    new["seed"] = engine.games["seed"]  # a hand that is void is dealt from it again
    other = Engine.from_games(new, engine.rules)
    if not other.action_mask()[0, action]:
        return
    after = Engine.from_games(engine.games.copy(), engine.rules)
    for both in (after, other):
        both.step([action])
    takers = {int(both.games["kitty_taker"][0]) for both in (engine, after)}
    if after.phase[0] == Phase.PLAY and (seat not in takers or len(takers) == 1):
        check_sees_the_same(after, other, seat)


def test_redealing_does_change_the_game() -> None:
    """The tests above would pass if nothing were dealt anew."""
    rng = Random(0)
    for settings in TABLES.values():
        engine = Engine(rules_of(settings), seed=1)
        play_on(engine, np.random.default_rng(0), 3 * engine.rules.players + 5)
        for seat in range(engine.rules.players):
            new = redealt(engine.games, engine.rules, np.array([seat]), rng)
            changed = {name for name in HIDDEN | PUBLIC if new[name].tobytes() != engine.games[name].tobytes()}
            assert changed - {"kitty"} == {"seed", "hands", "passed"}
            assert ("kitty" in changed) <= engine.games["kitty"].any()
            assert new["hands"][0, seat].tolist() == engine.games["hands"][0, seat].tolist()
    for seat in (0, 1):
        aside = play_offs({"players": 3, "two_hand_deal": 13, "passing": "none"}, 1, seed=3, n_seats=2)
        new = redealt(aside.games, aside.rules, np.array([seat]), rng)
        assert new["kitty"].tolist() != aside.games["kitty"].tolist()


# What everybody has seen, worked out from the cards played.


def check_piles(game: Any, rules: Rules) -> None:
    """Compare cards taken, cards waiting and points with the tricks; a kitty is opened when play is over (X3)."""
    n = int(game.n_in_play)
    taken: list[list[int]] = [[] for _ in game.captured]
    waiting: list[int] = []
    for trick in range(game.trick):
        waiting += game.plays[n * trick : n * (trick + 1)].tolist()
        if game.winners[trick] >= 0:
            taken[game.winners[trick]] += waiting
            waiting = []
    if game.phase >= Phase.MOON and game.kitty_taker >= 0:
        missing = Counter(cards_of(rules.array["deck"][0, n])) - Counter(card for pile in taken for card in pile)
        taken[game.kitty_taker] += missing.elements()
    assert game.captured.tolist() == [planes_of(pile) for pile in taken]
    assert game.waiting.tolist() == planes_of(waiting)
    black, cost = (36, 13) if rules.black_card == "QS" else (35, 10)
    value = dict.fromkeys(range(39, 52), 1) | {black: cost}
    assert game.points.tolist() == [sum(value.get(card, 0) for card in pile) for pile in taken]


def check_voids(game: Any) -> None:
    """A seat is void in a suit that it has failed to follow, unless it has played a card of it since (G3)."""
    voids = [set[int]() for _ in game.voids]
    for number, (card, seat) in enumerate(zip(game.plays[: game.n_plays], game.play_seats, strict=False)):
        led = int(game.plays[number - number % game.n_in_play]) // 13
        voids[seat].discard(int(card) // 13)
        if int(card) // 13 != led:
            voids[seat].add(led)
    assert game.voids.tolist() == [sum(1 << suit for suit in suits) for suits in voids]


@given(ANY_TABLE)
def test_public_fields_follow_from_the_cards_played(table: tuple[int, int]) -> None:
    decks, seed = table
    rng = Random(seed)
    engine = random_hand(rng, random_settings(rng, decks=decks))
    while True:
        if engine.phase[0] != Phase.PASS:
            check_piles(engine.games[0], engine.rules)
            check_voids(engine.games[0])
        if not play_one(engine, rng):
            return


# What stays hidden in each mode.


def test_X3_only_its_taker_sees_the_kitty_before_the_hand_is_over() -> None:
    engine = Engine(Rules(players=7, decks=2, passing="none"), num_games=20, seed=2)
    kitty = engine.games["kitty"].copy()
    assert (np.bitwise_count(kitty).sum(axis=1) == 6).all()
    rng = np.random.default_rng(0)
    seen = Counter[str]()
    while (engine.turn >= 0).any():
        for seat in range(7):
            for view, taker, cards in zip(engine.view(seat), engine.games["kitty_taker"], kitty, strict=True):
                is_over = view.phase >= Phase.HAND_OVER
                seen["taken"] += taker == seat
                assert view.kitty.tolist() == (cards.tolist() if taker == seat and not is_over else [0, 0])
                known = sum(len(cards_of(pile)) for pile in view.captured) + len(cards_of(view.waiting))
                assert known == 7 * view.trick + 6 * is_over
        engine.step(random_actions(engine, rng))
    assert seen["taken"] > 0
    assert (engine.games["kitty"] == 0).all() and (engine.captured_points.sum(axis=1) == 52).all()


def test_seats_that_sit_out_see_nothing_of_a_pass_or_a_hand() -> None:
    engine = play_offs({"players": 5, "passing": "left"}, 12, seed=4)
    rng = np.random.default_rng(0)
    n_watching = 0
    while (engine.turn >= 0).any():
        for seat in range(5):
            views = engine.view(seat)
            watching = ~engine.in_play[:, seat]
            n_watching += int(watching.sum())
            assert not views["hands"][watching].any() and not views["kitty"][watching].any()
            assert (views["passed"][watching] == -1).all()
            blocks = engine.layout.blocks(engine.observe(seat)[watching])
            for name in ("hand", "passed", "passed_held", "received", "pass_to", "pass_from"):
                assert not blocks[name].any(), name
        engine.step(random_actions(engine, rng))
    assert n_watching > 1000


@pytest.mark.parametrize("size", [26, 13])
def test_H7_cards_set_aside_stay_hidden_for_good(size: int) -> None:
    engine = play_offs({"players": 4, "two_hand_deal": size}, 12, seed=5, n_seats=2)
    aside = engine.games["kitty"].copy()
    assert (np.bitwise_count(aside).sum(axis=1) == 52 - 2 * size).all()
    rng = np.random.default_rng(0)
    while (engine.turn >= 0).any():
        for seat in range(4):
            assert not engine.view(seat)["kitty"].any()
        assert engine.games["kitty"].tolist() == aside.tolist()
        engine.step(random_actions(engine, rng))
    assert not engine.view(int(engine.games["dealer"][0]))["kitty"].any()
    assert (engine.games["kitty_taker"] == -1).all()


# Seat 3 opens with 2C. Seat 1 discards a diamond on it: in one deal it has no club, in the other it has 3C and revokes.
VOID = [
    "AC KC QC JC 10C 2D 3D 6D 7D 2S 3S 4S 5S",
    "4D 5D 6S 7S 8S 9S 10S JS 2H 3H 4H 5H 6H",
    "3C 4C 8D 9D 10D JD QD QS KS AS 7H 8H 9H",
    "2C 5C 6C 7C 8C 9C KD AD 10H JH QH KH AH",
]
REVOKES = [VOID[0], VOID[1].replace("5D", "3C"), VOID[2].replace("3C", "5D"), VOID[3]]


@pytest.mark.parametrize("revokes", ["exposed", "corrected"])
def test_G2_G3_a_revoke_is_seen_when_it_is_corrected_but_not_before_it_is_exposed(revokes: Any) -> None:
    void, hidden = (hold_hand(deal, revokes=revokes)[0] for deal in (VOID, REVOKES))
    for engine in (void, hidden):
        engine.games["seed"] = 1
        act(engine, "2C AC 4D")
    is_seen = revokes == "corrected"
    for seat in (0, 3):
        view = hidden.view(seat)
        assert (view.tobytes() != void.view(seat).tobytes()) == is_seen
        assert (view["took_back"].max() >= 0) == is_seen
        assert (hidden.observe(seat) != void.observe(seat)).any() == is_seen
    act(hidden, "3C 4C KC" if is_seen else "4C KC 3C")  # now it is known to all
    assert hidden.view(0)["revokes"].tolist()[0][:4] == hidden.view(2)["revokes"].tolist()[0][:4] == [0, 1, 0, 0]


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
