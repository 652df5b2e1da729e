# ruff: noqa: N802 - names carry the numbers of rules
"""Determinization against full enumeration: the same number of deals, each drawn as often, and never another one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from rk_env import Engine, GameRecordError, Phase, Rules, RulesError, SeedError, count_deals, determinize
from rk_env.jit import JIT_DISABLED
from tests.deals_left import (
    KITTY,
    Position,
    all_deals,
    beginnings,
    deal_of,
    hand_positions,
    hidden,
    n_ways,
    replayed,
    unseen,
)
from tests.generators import NUMBER_OF, Settings, act, hold_hand, random_settings, scaled
from tests.playing import play_on
from tests.unseen import TABLES, cards_of, hands_of_all_kinds, receiver_of, redealt, seats_in_play

SMALL = 3_000
"""Ways to put the unseen cards that are tried one by one."""


def any_settings(rng: Random) -> Settings:
    """Random rules of any table."""
    decks = rng.choice([1, 1, 2])
    return random_settings(rng, rng.randint(3, 6) if decks == 1 else rng.randint(6, 11), decks=decks)


def small_positions(seed: int, n: int, most_deals: int = SMALL) -> Iterator[Position]:
    """Positions of all kinds whose deals can be tried one by one, three of a hand at most."""
    rng, found = Random(seed), 0
    while found < n:
        small = [p for p in hand_positions(rng, any_settings(rng)) if 1 < n_ways(unseen(p)[1]) <= most_deals]
        for position in rng.sample(small, min(len(small), 3, n - found)):
            found += 1
            yield position


def evidence(position: Position) -> list[str]:
    """What there is to be read in a position."""
    game, rules = position.game[0], position.rules
    penalties = {card for card in range(52) if card >= 39 or card == NUMBER_OF[rules.black_card]}
    n = len(seats_in_play(game))
    first = set(game["plays"][1:n].tolist()) - {-1}
    names = {
        "a void": game["voids"].any() and rules.revokes == "prevented",
        "a penalty card on trick one": game["plays"][0] < 39 and bool(first & penalties),
        "a heart led": game["plays"][0] >= 39,
        "a card passed": bool(game["pass_seats"]) and position.observer in seats_in_play(game),
        "a card taken back": (game["took_back"][: game["n_plays"]] >= 0).any(),
        "a card just taken back": game["n_table"] > 0 and game["took_back"][game["n_plays"]] >= 0,
        "revokes unseen": rules.revokes == "exposed" and game["voids"].any(),
        "a kitty": n > 2 and KITTY in unseen(position)[1],
        "a kitty taken": game["kitty_taker"] == position.observer,
        "cards aside": n == 2 and KITTY in unseen(position)[1],
        "two decks": rules.decks == 2 and n > 5,
        "a play-off": game["playoff"] > 0,
        "a seat that sits out": position.observer not in seats_in_play(game),
        "a trick on the table": game["n_table"] > 0,
    }
    return [name for name, holds in names.items() if holds]


def check_counts(seed: int, n: int, kinds: int, most_deals: int = SMALL) -> None:
    """Compare counts with enumeration, and see that so many kinds of evidence were met."""
    met: Counter[str] = Counter()
    for position in small_positions(seed, n, most_deals):
        deals = all_deals(position)
        assert deal_of(position.game[0]) in deals
        assert count_deals(position.view, position.rules) == [sum(deals.values())]
        met.update(evidence(position))
    print(met)
    assert len(met) >= kinds


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes as plain Python")
def test_as_many_deals_as_enumeration_finds() -> None:
    check_counts(seed=1, n=80, kinds=11, most_deals=500)


@pytest.mark.slow
def test_as_many_deals_as_enumeration_finds_in_600_positions() -> None:
    check_counts(seed=2, n=600, kinds=14)


# Every deal is drawn as often


def chi_square_p(counts: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    """The p-value of Pearson's test (Wilson and Hilferty, PNAS 17, 1931: a cube root that is nearly normal)."""
    degrees = len(counts) - 1
    statistic = float(((counts - expected) ** 2 / expected).sum())
    spread = 2.0 / (9.0 * degrees)
    z = ((statistic / degrees) ** (1.0 / 3.0) - (1.0 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(z / math.sqrt(2.0))


def draw_p(position: Position, seed: int, a_deal: int = 30) -> float:
    """Draw worlds of a position and return the p-value of all its deals being drawn as often."""
    deals = all_deals(position)
    n = a_deal * sum(deals.values())
    worlds = determinize(position.view.repeat(n), position.rules, np.arange(seed, seed + n))
    drawn = Counter(deal_of(world) for world in worlds)
    assert not set(drawn) - set(deals), "a deal that does not agree with the view"
    return chi_square_p(
        np.array([drawn[deal] for deal in deals], float), np.array([a_deal * deals[deal] for deal in deals], float)
    )


def check_uniform(seed: int, n: int) -> None:
    """Test that p-values are spread evenly (Kolmogorov and Smirnov, at one in a thousand)."""
    positions = (p for p in small_positions(seed, 100 * n, most_deals=400))
    ps: list[float] = []
    for position in positions:
        if len(all_deals(position)) >= 6:
            ps.append(draw_p(position, seed + 100_000 * len(ps)))
        if len(ps) == n:
            break
    steps = np.arange(n + 1) / n
    ps.sort()
    distance = max(np.abs(np.array(ps) - steps[1:]).max(), np.abs(np.array(ps) - steps[:-1]).max())
    print(f"{n} positions: distance {distance:.3f}, least p {ps[0]:.1e}")
    assert distance < 1.95 / math.sqrt(n)
    assert ps[0] > 1e-3 / n


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes as plain Python")
def test_all_deals_are_drawn_as_often() -> None:
    check_uniform(seed=3, n=25)


@pytest.mark.slow
def test_all_deals_are_drawn_as_often_in_200_positions() -> None:
    check_uniform(seed=4, n=200)


def test_X9_eldest_may_or_may_not_have_the_opening_card() -> None:
    """Before the lead eldest has a copy, or both lie in the kitty: each as often as there are such deals."""
    rules = Rules(players=7, decks=2, opening="two_of_clubs", passing="none")
    engine = Engine(rules, 40, seed=5)
    two = np.uint64(1 << NUMBER_OF["2C"])
    eldest = (engine.games["dealer"] + 1) % 7
    observer = (eldest + 1) % 7
    fits = (engine.turn == eldest) & ((engine.games["hands"][np.arange(40), observer, 0] & two) == 0)
    game = int(np.flatnonzero(fits)[0])
    view = engine.view(observer[[game]], games=[game])
    in_kitty = math.comb(6, 2)
    at_eldest = math.comb(90, 2) - math.comb(90 - 14, 2)  # pairs of places for the two copies, at least one in the hand
    expected = in_kitty / (in_kitty + at_eldest)
    n = scaled(40_000)
    worlds = determinize(view.repeat(n), rules, np.arange(n))
    share = ((worlds["hands"][:, eldest[game], 0] & two) == 0).mean()
    assert abs(share - expected) < 4 * math.sqrt(expected / n)
    kitties = worlds["kitty"][(worlds["hands"][:, eldest[game], 0] & two) == 0]
    assert (kitties & two == two).all()


# Never another deal


def check_sound(seed: int, n_worlds: int, a_position: int) -> None:
    """Draw worlds in every position of random hands, play them again, and see that no seat could tell."""
    rng, checked = Random(seed), 0
    while checked < n_worlds:
        for position in hand_positions(rng, any_settings(rng)):
            worlds = determinize(position.view.repeat(a_position), position.rules, np.arange(a_position) + checked)
            assert len(replayed(beginnings(worlds, position), position)) == a_position
            assert hidden(worlds, position.rules, position.observer).tobytes() == position.view.tobytes() * a_position
            checked += a_position
    print(f"{checked} worlds")


def test_no_world_contradicts_what_was_seen() -> None:
    check_sound(seed=6, n_worlds=scaled(3_000), a_position=5)


@pytest.mark.slow
def test_no_world_of_200_000_contradicts_what_was_seen() -> None:
    check_sound(seed=7, n_worlds=200_000, a_position=200)


@pytest.mark.parametrize("table", TABLES)
def test_worlds_are_games_to_go_on_with(table: str) -> None:
    """In every phase, seen from every seat, of hands and play-offs: the view is the same, and the game plays on."""
    rng = np.random.default_rng(8)
    for engine in hands_of_all_kinds(n_games=4, seed=8, **{"decks": 1, "moon": "new", **TABLES[table]}):
        while (engine.turn >= 0).any():
            seats = rng.integers(engine.rules.players, size=4)
            views = engine.view(seats)
            worlds = determinize(views, engine.rules, rng.integers(2**32, size=4))
            again = worlds.copy()
            for i, seat in enumerate(seats.tolist()):
                assert hidden(again[i : i + 1], engine.rules, seat).tobytes() == views[i : i + 1].tobytes()
            if rng.random() < 0.1:
                other = Engine.from_games(worlds, engine.rules)
                play_on(other, rng)
                assert (other.turn == -1).all()
            play_on(engine, rng, n_steps=1)


# What evidence says


def worlds_of(engine: Engine, observer: int, n: int = 200) -> NDArray[np.void]:
    """Worlds of the view of one seat in an engine of one game."""
    return determinize(engine.view(observer).repeat(n), engine.rules, np.arange(n))


def test_D1_leader_has_the_two_of_clubs() -> None:
    engine, _ = hold_hand(["3C", "2C", "4C", "5C"])
    for world in worlds_of(engine, observer=0):
        assert NUMBER_OF["2C"] in cards_of(world["hands"][1])


def test_D9_penalty_card_on_trick_one_means_a_hand_of_such() -> None:
    engine, _ = hold_hand(["2C 3D", "QS 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH", "3C AH", "4C"])
    act(engine, "2C", "QS")
    worlds = worlds_of(engine, observer=0)
    assert len({world["hands"].tobytes() for world in worlds}) > 100
    for world in worlds:
        assert all(card >= 39 for card in cards_of(world["hands"][1]))


@pytest.mark.parametrize("revokes", ["prevented", "corrected", "exposed"])
def test_E1_discard_shows_a_void_but_not_where_revokes_go_unseen(revokes: str) -> None:
    engine, _ = hold_hand(["2C 3C", "2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AD", "4C", "5C"], revokes=revokes)
    act(engine, "2C", "2D")
    worlds = worlds_of(engine, observer=0)
    clubs = [any(card < 13 for card in cards_of(world["hands"][1])) for world in worlds]
    assert any(clubs) == (revokes == "exposed")


def test_E5_unbroken_heart_led_means_a_hand_of_hearts() -> None:
    engine, _ = hold_hand(["3C", "3H 4H 5H 6H 7H 8H 9H 10H JH QH", "4C", "5C", "6C"])  # seat 1 is eldest
    act(engine, "3H")
    for world in worlds_of(engine, observer=0):
        assert all(card >= 39 for card in cards_of(world["hands"][1]))


def test_G2_revoke_under_correction_shows_the_suit_led() -> None:
    engine, _ = hold_hand(["2C 3C", "6C 2D", "4C", "5C"], revokes="corrected")
    act(engine, "2C", "2D")
    for world in worlds_of(engine, observer=0):
        held = cards_of(world["hands"][1])
        assert NUMBER_OF["2D"] in held
        assert any(card < 13 for card in held)


def test_C1_passed_cards_lie_where_they_went() -> None:
    engine = Engine(Rules(), 1, seed=1)
    play_on(engine, np.random.default_rng(1), n_steps=12)
    for seat in range(4):
        to = receiver_of(engine.games[0], seat)
        passed = set(engine.games[0]["passed"][seat].tolist())
        for world in worlds_of(engine, seat, 50):
            assert passed <= set(cards_of(world["hands"][to]))


def test_C1_passes_and_picks_of_others_are_drawn_evenly() -> None:
    """Any three cards of the hand that received them, and of the hand that is picking."""
    engine = Engine(Rules(players=6), 1, seed=1)  # hands of 8: 56 ways to pass three
    n = scaled(56 * 400)
    play_on(engine, np.random.default_rng(1), n_steps=17)
    game = engine.games[0]
    picking = [seat for seat in range(6) if game["passed"][seat, 2] >= 0]
    observer = picking[0]
    worlds = worlds_of(engine, observer, n)
    for seat in picking[1:]:
        ranks = [sorted(cards_of(world["hands"][seat])) for world in worlds]
        places = Counter(
            tuple(rank.index(card) for card in world["passed"][seat]) for rank, world in zip(ranks, worlds, strict=True)
        )
        assert JIT_DISABLED or len(places) == 8 * 7 * 6
        assert JIT_DISABLED or chi_square_p(np.array(list(places.values()), float), np.full(336, n / 336)) > 1e-4
    play_on(engine, np.random.default_rng(1), n_steps=1)
    worlds = worlds_of(engine, observer, n)
    giver = next(s for s in range(6) if observer not in (s, receiver_of(engine.games[0], s)))
    to = receiver_of(engine.games[0], giver)
    sets = Counter(
        tuple(cards_of(world["hands"][to]).index(card) for card in world["passed"][giver]) for world in worlds
    )
    assert JIT_DISABLED or len(sets) == 56
    assert JIT_DISABLED or chi_square_p(np.array(list(sets.values()), float), np.full(56, n / 56)) > 1e-4


# Nothing but the view


@pytest.mark.parametrize("table", ["4 players", "2 decks, 7 players"])
def test_worlds_and_counts_come_from_the_view_alone(table: str) -> None:
    rng = Random(9)
    for engine in hands_of_all_kinds(n_games=8, seed=9, **{"decks": 1, **TABLES[table]}):
        play_on(engine, np.random.default_rng(2), n_steps=3 * engine.rules.players + 5)
        seats = np.arange(8) % engine.rules.players
        views = engine.view(seats)
        other = redealt(engine.games, engine.rules, seats, rng)
        others = np.concatenate([hidden(other[i : i + 1], engine.rules, int(seat)) for i, seat in enumerate(seats)])
        seeds = np.arange(8)
        assert determinize(views, engine.rules, seeds).tobytes() == determinize(others, engine.rules, seeds).tobytes()


def test_a_draw_depends_on_its_view_and_seed_alone() -> None:
    engine = Engine(Rules(players=5), 6, seed=3, episode="hand")
    play_on(engine, np.random.default_rng(3), n_steps=30)
    views, seeds = engine.view(2), np.arange(6) + 10
    before = views.copy()
    worlds = determinize(views, engine.rules, seeds)
    assert views.tobytes() == before.tobytes()
    for i in range(6):
        assert determinize(views[[i]], engine.rules, seeds[[i]])[0].tobytes() == worlds[i].tobytes()
    repeated = determinize(views[[0]].repeat(6), engine.rules, seeds)
    assert repeated[0].tobytes() == worlds[0].tobytes()
    assert len({world["hands"].tobytes() for world in repeated}) > 1
    assert len({int(world["seed"]) for world in repeated}) == 6
    assert len(determinize(views[:0], engine.rules, [])) == len(count_deals(views[:0], engine.rules)) == 0


@pytest.mark.parametrize("table", ["4 players", "2 decks, 7 players"])
def test_a_draw_does_not_depend_on_the_views_before_it(table: str) -> None:
    """Views of different hands, in a batch and one by one, from the first pick to the last card."""
    rng = np.random.default_rng(4)
    for engine in hands_of_all_kinds(n_games=6, seed=4, **{"decks": 1, **TABLES[table]}):
        while (engine.turn >= 0).any():
            views, seeds = engine.view(rng.integers(engine.rules.players, size=6)), rng.integers(2**32, size=6)
            worlds = determinize(views, engine.rules, seeds)
            for i in range(6):
                assert determinize(views[[i]], engine.rules, seeds[[i]])[0].tobytes() == worlds[i].tobytes()
            play_on(engine, rng, n_steps=1)


def test_errors_say_what_is_wrong() -> None:
    engine = Engine(Rules(), 2, seed=1, episode="hand")
    play_on(engine, np.random.default_rng(1), n_steps=30)
    views = engine.view(0)
    with pytest.raises(GameRecordError, match="view 0 is a full game, with nothing hidden"):
        determinize(engine.games, engine.rules, [1, 2])
    with pytest.raises(GameRecordError, match="must be an array"):
        determinize(views[0], engine.rules, [1])
    with pytest.raises(RulesError):
        count_deals(views, "standard")  # type: ignore[arg-type]
    with pytest.raises(SeedError):
        determinize(views, engine.rules, [1])
    views["captured"][1] = 0  # cards have vanished: there is no place for those unseen
    for call in (lambda: count_deals(views, engine.rules), lambda: determinize(views, engine.rules, [1, 2])):
        with pytest.raises(GameRecordError, match=r"view 1 \(observer 0, hand \d+, trick \d+\): no deal agrees"):
            call()
    assert engine.phase[0] == Phase.PLAY
