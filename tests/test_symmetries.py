# ruff: noqa: N802 - names carry the numbers of rules
"""What must not matter: where the table stands, what else is in a batch, which copy of a card is dealt where.

Games under random rules are played side by side with what should be the same games, and compared bit for bit at every
decision.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from rk_env import GAME, Engine
from rk_env.kernels import batch
from rk_env.state import PASS
from tests.generators import Settings, hands_of, kitty_of, rules_of
from tests.random_games import Chooser, any_seed, any_settings, course, some_settings, started, tried

# A column a seat; numbers of seats; bits of seats; and what has nothing to do with seats.
OF_SEATS = ("hands", "passed", "totals", "places", "table", "voids", "captured", "points", "revokes", "scores")
SEATS = ("dealer", "turn", "leader", "play_seats", "winners", "kitty_taker", "shooter", "observer")
SEAT_BITS = ("in_play",)
SEATLESS = (
    *("seed", "kitty", "hand_number", "first_hand", "redeal", "playoff", "n_in_play", "phase", "pass_seats", "n_picks"),
    *("trick", "n_table", "led_suit", "hearts_broken", "opened_with_2c", "n_plays", "plays", "took_back", "waiting"),
)


def test_every_field_is_turned_or_has_no_seat() -> None:
    assert sorted((*OF_SEATS, *SEATS, *SEAT_BITS, *SEATLESS)) == sorted(GAME.names or ())


def turned(games: NDArray[np.void], players: int, turn: int) -> NDArray[np.void]:
    """Return the same games with everybody sitting some seats further on."""
    new = games.copy()
    seats = np.arange(players)
    for name in OF_SEATS:
        new[name][:, (seats + turn) % players] = games[name][:, seats]
    for name in SEATS:
        new[name] = np.where(games[name] >= 0, (games[name].astype(int) + turn) % players, games[name])
    for name in SEAT_BITS:
        bits = games[name].astype(int)
        new[name] = (bits << turn | bits >> (players - turn)) & ((1 << players) - 1)
    return new


@tried(some=any_settings, seed=any_seed, turn=st.integers(1, 10))
def test_turning_the_table_turns_the_results(some: Settings, seed: int, turn: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    players = engine.rules.players
    turn %= players
    other = Engine.from_games(turned(engine.games, players, turn), engine.rules)
    for actions in course(engine, rng):
        assert turned(engine.games, players, turn).tobytes() == other.games.tobytes()
        if actions.max() < 0:
            compare_results(engine, other, turn)
        go_on(other, actions)


def go_on(engine: Engine, actions: NDArray[np.int64]) -> None:
    """Do what a course does next in the engine it plays: the actions, or the next deal."""
    if actions.max() >= 0:
        engine.step(actions)
    else:
        engine.next_hand()


def compare_results(engine: Engine, other: Engine, turn: int) -> None:
    """Compare what comes out of hands and games."""
    for name in ("captured_points", "hand_scores", "totals", "places", "in_play"):
        np.testing.assert_array_equal(np.roll(getattr(engine, name), turn, axis=1), getattr(other, name))
    np.testing.assert_allclose(np.roll(engine.payoffs, turn, axis=1), other.payoffs)
    np.testing.assert_allclose(np.roll(engine.win_shares, turn, axis=1), other.win_shares)
    winner = np.where(engine.winner >= 0, (engine.winner + turn) % engine.rules.players, -1)
    np.testing.assert_array_equal(winner, other.winner)


# Batches and seeds.


@tried(some=any_settings, seed=any_seed)
def test_a_batch_is_its_games_one_by_one_in_any_order(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    order = rng.sample(range(len(engine)), len(engine))
    mixed = Engine.from_games(engine.games[order], engine.rules)
    apart = [Engine.from_games(engine.games[i : i + 1].copy(), engine.rules) for i in range(len(engine))]
    for actions in course(engine, rng, n_hands=3):
        assert engine.games.tobytes() == b"".join(one.games.tobytes() for one in apart)
        assert engine.games[order].tobytes() == mixed.games.tobytes()
        np.testing.assert_array_equal(engine.action_mask()[order], mixed.action_mask())
        go_on(mixed, actions[order])
        for index, one in enumerate(apart):
            one.step(actions[index : index + 1])
            if actions.max() < 0:
                one.next_hand()


@tried(some=any_settings, seeds=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=5), episode=st.booleans())
def test_a_deal_is_its_seeds_whatever_the_batch(some: Settings, seeds: list[int], episode: bool) -> None:
    rules = rules_of(some)
    kind: Any = "hand" if episode else "game"
    together = Engine(rules, seeds=seeds, episode=kind)
    for index, seed in enumerate(seeds):
        alone = Engine(rules, seeds=[seed], episode=kind)
        assert alone.games.tobytes() == together.games[index : index + 1].tobytes()
    backwards = Engine(rules, num_games=len(seeds) + 2, seed=0, episode=kind)
    backwards.reset(games=np.arange(len(seeds))[::-1], seeds=seeds)
    assert backwards.games[: len(seeds)][::-1].tobytes() == together.games.tobytes()
    together.redeal()
    backwards.redeal(games=np.arange(1, len(seeds)))
    assert backwards.games[1 : len(seeds)][::-1].tobytes() == together.games[: len(seeds) - 1].tobytes()


@tried(some=some_settings(max_hands=None), seed=any_seed, n=st.integers(1, 5))
def test_one_seed_makes_the_games_whatever_their_number(some: Settings, seed: int, n: int) -> None:
    few, many = Engine(rules_of(some), num_games=n, seed=seed), Engine(rules_of(some), num_games=6, seed=seed)
    assert few.games.tobytes() == many.games[:n].tobytes()
    assert len(set(many.games["seed"].tolist())) == 6


@tried(some=some_settings(max_hands=None, late_revoke="play_on"), seed=any_seed)
def test_the_next_deal_does_not_depend_on_the_play(some: Settings, seed: int) -> None:
    one, other = Engine(rules_of(some), num_games=3, seed=seed), Engine(rules_of(some), num_games=3, seed=seed)
    for engine, way in ((one, Random(seed)), (other, Random(seed + 1))):
        for _ in course(engine, way, n_hands=1):
            pass
        engine.next_hand()
    both = (one.games["playoff"] == 0) & (other.games["playoff"] == 0) & (one.games["hand_number"] == 2)
    both &= other.games["hand_number"] == 2
    assert one.games["hands"][both].tobytes() == other.games["hands"][both].tobytes()
    assert one.games["kitty"][both].tobytes() == other.games["kitty"][both].tobytes()


# Suits and copies.

SYMMETRIC_TABLES = [(1, 3), (1, 6), *((2, players) for players in range(6, 12))]
"""Decks and players of the decks that hold as many clubs as diamonds of each rank, without an opening card."""


def symmetric_settings(table: tuple[int, int]) -> st.SearchStrategy[Settings]:
    """Return settings that treat clubs and diamonds alike."""
    some = some_settings(
        decks=table[0],
        players=table[1],
        bonus_cards=(),
        opening="standard",
        remove_for_three="2S",
        leftover="kitty",
        late_revoke="play_on",
    )
    return some.filter(lambda found: found["first_trick"] != "only_2c")


def cards_exchanged(cards: NDArray[Any]) -> NDArray[Any]:
    """Return card numbers with clubs and diamonds exchanged; what is no card of theirs stays."""
    clubs, diamonds = (cards >= 0) & (cards < 13), (cards >= 13) & (cards < 26)
    return cards + 13 * clubs.astype(cards.dtype) - 13 * diamonds.astype(cards.dtype)


def suits_exchanged(games: NDArray[np.void]) -> NDArray[np.void]:
    """Return the same games with clubs and diamonds exchanged."""
    new = games.copy()
    suit, shift = np.uint64((1 << 13) - 1), np.uint64(13)
    for name in ("hands", "kitty", "captured", "waiting"):
        sets = games[name]
        others = sets & ~(suit | suit << shift)
        new[name] = others | (sets & suit) << shift | (sets >> shift) & suit
    for name in ("passed", "table", "plays", "took_back"):
        new[name] = cards_exchanged(games[name])
    new["led_suit"] = np.where(
        (games["led_suit"] == 0) | (games["led_suit"] == 1), 1 - games["led_suit"], new["led_suit"]
    )
    new["voids"] = games["voids"] & 12 | (games["voids"] & 1) << 1 | (games["voids"] & 2) >> 1
    return blurred(new)


def blurred(games: NDArray[np.void]) -> NDArray[np.void]:
    """Return games without what tells clubs from diamonds by design: the order of passed cards, a lead of 2C."""
    new = games.copy()
    new["opened_with_2c"] = 0
    passed = games["phase"] != PASS
    new["passed"][passed] = np.sort(games["passed"][passed], axis=2)
    return new


@tried(some=st.sampled_from(SYMMETRIC_TABLES).flatmap(symmetric_settings), seed=any_seed)
def test_clubs_and_diamonds_are_alike(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng, playoff_share=0)
    other = Engine.from_games(suits_exchanged(engine.games), engine.rules)
    for actions in course(engine, rng, n_hands=1):
        assert suits_exchanged(engine.games).tobytes() == blurred(other.games).tobytes()
        go_on(other, cards_exchanged(actions))


@tried(some=some_settings(decks=2), seed=any_seed)
def test_X_which_copy_is_dealt_where_does_not_matter(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng, playoff_share=0.3)
    before = engine.games.copy()
    for index in range(len(engine)):
        hands = [by_copy(rng, hand) for hand in hands_of(engine, index)]
        game = before[index]
        totals, kitty = game.totals[: engine.rules.players], by_copy(rng, kitty_of(engine, index))
        engine.deal(hands, game.dealer, game.hand_number, kitty=kitty, totals=totals, games=[index])
    assert engine.games.tobytes() == before.tobytes()


def by_copy(rng: Random, cards: list[str]) -> list[str]:
    """Return cards in any order, each written as one of the two decks writes it."""
    symbols = str.maketrans("CDSH", "♣♦♠♥")
    return [rng.choice([card, card.translate(symbols)]) for card in rng.sample(cards, len(cards))]


@tried(some=some_settings(passing="left", playoff_pass="continue"), seed=any_seed)
def test_C1_the_order_of_picks_is_forgotten(some: Settings, seed: int) -> None:
    rng = Random(seed)
    games = started(some, rng).games
    choose = Chooser(rng)
    for index in range(len(games)):
        one, other = (Engine.from_games(games[index : index + 1].copy(), rules_of(some)) for _ in range(2))
        while one.phase[0] == PASS:
            picks = []
            for _ in range(3):
                picks.append(choose(one))
                one.step(picks[-1])
            for pick in rng.sample(picks, 3):
                other.step(pick)
        assert one.games.tobytes() == other.games.tobytes()


# Views.


@tried(some=any_settings, seed=any_seed)
def test_a_view_of_a_view_is_itself(some: Settings, seed: int) -> None:
    rng = Random(seed)
    engine = started(some, rng)
    for _ in course(engine, rng, n_hands=1):
        seat = rng.randrange(engine.rules.players)
        views = engine.view(seat)
        again = views.copy()
        batch.hide_games(again, engine.rules.array, np.full(len(again), seat))
        assert again.tobytes() == views.tobytes()
