# ruff: noqa: N802 - names carry the numbers of rules
"""Given deals with totals that have reached the target: the first play-off hand, or a game that is over (H4, H7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

from rk_env import DealError, Engine, MisdealError, Phase, Rules
from tests.generators import NUMBER_OF, hands_of, kitty_of, random_cards
from tests.playing import HANDS, assert_refuses, play_lowest, play_on


def cards_for(rules: Rules, seats: Sequence[int], seed: int = 0) -> tuple[list[list[str]], list[str]]:
    """A random deal to some seats, and what it leaves over."""
    return random_cards(Random(seed), rules.to_dict(), seats)


def tied(players: int, seats: Sequence[int], lowest: int = 40, highest: int = 100) -> list[int]:
    """Totals that end the game with some seats tied for the lowest."""
    totals = [lowest if seat in seats else lowest + 1 for seat in range(players)]
    totals[next((seat for seat in range(players) if seat not in seats), 0)] = highest
    return totals


TIES = [
    (3, [0, 2]),
    (4, [1, 2, 3]),
    (4, [2, 3]),
    (5, [0, 1, 2, 4]),
    (6, [1, 3, 5]),
    (6, [0, 1, 2, 3, 5]),
    (8, [0, 7]),
    (9, [0, 1, 3, 5, 7, 8]),
    (11, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    (11, [4, 5, 6, 7, 8]),
]


@pytest.mark.parametrize(("players", "seats"), TIES)
def test_H4_totals_of_a_tie_make_the_deal_a_play_off(players: int, seats: list[int]) -> None:
    rules = Rules(players=players, decks=1 if players <= 6 else 2)
    hands, kitty = cards_for(rules, seats)
    totals = tied(players, seats)
    for given in ((), kitty):
        engine = Engine(rules, num_games=2, seed=1)
        play_on(engine, np.random.default_rng(0), 30)
        engine.deal(hands, dealer=seats[-1], hand_number=9, totals=totals, kitty=given, games=[1])
        game = engine.games[1]
        assert np.flatnonzero(engine.in_play[1]).tolist() == seats
        assert engine.in_play[0].all()
        assert (game.playoff, game.n_in_play, game.hand_number) == (1, len(seats), 9)
        assert hands_of(engine, 1) == [sorted(hand, key=NUMBER_OF.__getitem__) for hand in hands]
        assert Counter(kitty_of(engine, 1)) == Counter(kitty)
        assert engine.totals[1].tolist() == totals
        assert game.places[:players].tolist() == [sum(other < total for other in totals) for total in totals]
        assert (engine.phase[1], engine.turn[1]) == (Phase.PASS, seats[0])  # from the dealer's left, those in play
        assert not engine.places.any()
    play_lowest(engine)
    assert engine.totals[1].tolist() == totals
    out = [seat for seat in range(players) if seat not in seats]
    assert not engine.hand_scores[1, out].any()
    assert engine.captured_points[1].sum() == rules.array[0].deal_points[len(seats)]


def test_H4_all_may_be_tied() -> None:
    engine = Engine(seed=1)
    engine.deal(HANDS, totals=[100, 100, 100, 100])
    assert (engine.games[0].playoff, engine.games[0].n_in_play) == (1, 4)
    assert engine.in_play.all()
    engine.deal(HANDS, totals=[99, 99, 99, 99])
    assert engine.games[0].playoff == 0


def test_games_of_one_batch_may_be_in_play_offs_or_not() -> None:
    """Each game's totals decide: one main game, one play-off of all, with the same hands."""
    engine = Engine(num_games=3, seed=1)
    engine.deal(HANDS, totals=[[0, 0, 0, 0], [100, 100, 100, 100], [99, -5, 0, 0]])
    assert engine.games["playoff"].tolist() == [0, 1, 0]
    seats_out = [[0, 40, 0, 0], [100, 100, 40, 40], [0, 0, 0, 0]]
    assert_refuses(
        engine, MisdealError, lambda: engine.deal(HANDS, totals=seats_out), "deal 1, seat 0 has 13 cards; it sits out"
    )


def test_arrays_may_deal_to_other_seats_in_each_game() -> None:
    rules = Rules(players=4)
    arrays = np.zeros((2, 4, 2), np.uint64)
    for game, seats in enumerate(([0, 1], [2, 3])):
        hands, _ = cards_for(rules, seats, seed=game)
        arrays[game, :, 0] = [sum(1 << NUMBER_OF[card] for card in hand) for hand in hands]
    engine = Engine(rules, num_games=2, seed=1)
    totals = [[60, 60, 100, 61], [100, 61, 60, 60]]
    engine.deal(arrays, totals=totals, dealer=[0, 2])
    assert engine.in_play.tolist() == [[True, True, False, False], [False, False, True, True]]
    assert np.array_equal(engine.games["hands"][:, :4], arrays)
    engine.deal(arrays[:, :, 0].copy(), totals=totals, dealer=[0, 2])  # one deck: one plane is enough
    assert np.array_equal(engine.games["hands"][:, :4], arrays)


def test_the_target_is_that_of_the_rules() -> None:
    for target in (1, 50, 1_000_000):
        engine = Engine(Rules(target=target), seed=1)
        engine.deal(HANDS, totals=[target] * 4)
        assert engine.games[0].playoff == 1
        engine.deal(HANDS, totals=[target - 1] * 4)
        assert engine.games[0].playoff == 0


@pytest.mark.parametrize(
    ("totals", "fields"),
    [
        ([100, 40, 41, 42], {}),
        ([100, 40, 41, 42], {"ties": "share"}),
        ([100, 40, 40, 42], {"ties": "share"}),
        ([100, 100, 100, 100], {"ties": "share"}),
        ([50, 49, 50, 50], {"target": 50}),
        ([2**29, -5, 7, 7], {}),
    ],
)
def test_totals_of_a_game_that_is_over_are_refused(totals: list[int], fields: dict[str, Any]) -> None:
    engine = Engine(Rules(**fields), num_games=2, seed=1)
    target = fields.get("target", 100)
    for given in (totals, [[0, 0, 0, 0], totals]):
        game = 0 if given is totals else 1
        message = rf"deal {game}: totals \[{totals[0]}, .*\] have reached the target {target}; the game is over"
        assert_refuses(engine, DealError, lambda given=given: engine.deal(HANDS, totals=given), message)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (HANDS, "seat 0 has 13 cards; it sits out this play-off"),
        (["", "", HANDS[0], HANDS[1]], "seat 2 has 13 cards; 2 players get 26 each"),
        (["", HANDS[2], HANDS[0], HANDS[1]], "seat 1 has 13 cards; it sits out this play-off"),
        (["", "", f"{HANDS[0]} {HANDS[1]}", f"{HANDS[2]} {HANDS[3]} 2C"], "2C is dealt to another seat"),
        (["", "", f"{HANDS[0]} {HANDS[1]}", HANDS[2]], "seat 3 has 13 cards; 2 players get 26 each"),
        ([f"{HANDS[0]} {HANDS[1]}", f"{HANDS[2]} {HANDS[3]}"], "2 hands given; 4 players need 4"),
    ],
)
def test_hands_of_a_play_off_go_to_the_seats_in_it(hands: list[str], message: str) -> None:
    engine = Engine(seed=1)
    assert_refuses(engine, DealError, lambda: engine.deal(hands, totals=[100, 80, 60, 60]), message)


# H7: 13 cards each, the rest set aside


def test_H7_a_deal_of_13_cards_each_sets_the_rest_aside() -> None:
    rules = Rules(two_hand_deal=13)
    totals = [100, 80, 60, 60]
    hands = ["", "", HANDS[0], HANDS[3]]
    aside = f"{HANDS[1]} {HANDS[2]}"
    results = set()
    for kitty in ("", aside, aside.split()):
        engine = Engine(rules, seed=1)
        engine.deal(hands, dealer=2, hand_number=4, totals=totals, kitty=kitty)
        results.add(engine.games.tobytes())
    assert len(results) == 1
    assert set(kitty_of(engine)) == set(aside.split())
    assert (engine.games[0].kitty_taker, engine.turn[0]) == (-1, 3)  # eldest leads
    play_lowest(engine)
    assert (engine.games[0].kitty_taker, set(kitty_of(engine))) == (-1, set(aside.split()))  # it is nobody's
    assert engine.captured_points[0].sum() == 13
    assert_refuses(
        engine,
        DealError,
        lambda: engine.deal(hands, totals=totals, kitty=HANDS[1]),
        "but the hands leave",
    )
    long = ["", "", f"{HANDS[0]} {HANDS[1]}", f"{HANDS[2]} {HANDS[3]}"]
    assert_refuses(engine, MisdealError, lambda: engine.deal(long, totals=totals), "2 players get 13 each")


def test_more_than_two_are_dealt_as_ever_when_two_get_13() -> None:
    rules = Rules(two_hand_deal=13)
    hands, _ = cards_for(rules, [1, 2, 3])
    engine = Engine(rules, seed=1)
    engine.deal(hands, totals=[100, 60, 60, 60])
    assert [len(hand) for hand in hands_of(engine)] == [0, 17, 17, 17]
    assert kitty_of(engine) == []


# A play-off's record after a deal


def test_a_deal_to_a_game_in_a_play_off_puts_it_back_into_the_main_game() -> None:
    engine = Engine(seed=1)
    engine.deal(HANDS, totals=[100, 100, 100, 100])
    engine.games["revokes"][0, 1] = 2
    engine.games["redeal"] = 4
    engine.deal(HANDS)
    fresh = Engine(seed=1)
    fresh.deal(HANDS)
    assert engine.games.tobytes() == fresh.games.tobytes()


@pytest.mark.parametrize(("players", "seats"), [(8, [1, 4]), (11, [0, 2, 4, 6, 8, 10]), (7, [0, 1, 2, 3, 4, 5, 6])])
def test_X14_two_decks_are_dealt_to_six_or_more(players: int, seats: list[int]) -> None:
    rules = Rules(players=players, decks=2)
    hands, kitty = cards_for(rules, seats)
    engine = Engine(rules, seed=1)
    engine.deal(hands, dealer=seats[0], totals=tied(players, seats, highest=120) if len(seats) < players else [100] * 7)
    n_cards = sum(map(len, hands_of(engine))) + len(kitty_of(engine))
    assert n_cards == (104 if len(seats) >= 6 else 52)
    if len(seats) < 6:
        twice = [hands[seats[0]][0]] * 2
        changed = [twice + hand[2:] if hand else hand for hand in hands]
        assert_refuses(engine, DealError, lambda: engine.deal(changed, totals=tied(players, seats)), "no more of it")
    assert sorted(kitty) == sorted(kitty_of(engine))
