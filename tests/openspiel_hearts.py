"""OpenSpiel's Hearts beside the engine: its cards, deals and options, and hands that both play in step.

What its source (`open_spiel/games/hearts/hearts.cc` and `hearts.h`) says and the tests see:

- Seats 0 to 3 are North, East, South, West, clockwise as ours. A card is `4 * rank + suit`, suits C D H S; here its
  name is asked for, so that no formula is trusted.
- The first chance node draws how many seats to the left cards are passed: 0 none, 1 left, 2 across, 3 right. Our
  `pass_seats` are the same numbers. Then 52 chance nodes deal one card each, the i-th to seat i mod 4.
- Seat 0 picks its three cards first, then 1, 2, 3; with us the dealer's left begins. OpenSpiel has no dealer.
- The holder of the two of clubs after the pass leads it. `points` of a seat count its tricks, bonus included, and at
  the end the moon; `returns` are zero before the end, and then 26 minus points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import Engine, Phase, Rules
from tests.generators import NUMBER_OF

N_CARDS, N_SEATS, N_PICKS = 52, 4, 3
POINTS_OF_ALL = 26
CARDS = np.arange(N_CARDS)
SUIT, RANK = CARDS // 13, CARDS % 13
CLUBS, HEARTS = NUMBER_OF["2C"] // 13, NUMBER_OF["2H"] // 13
QUEEN, JACK = NUMBER_OF["QS"], NUMBER_OF["JD"]
IS_HEART = SUIT == HEARTS
IS_PENALTY = IS_HEART | (CARDS == QUEEN)

Cards = NDArray[np.bool_]
"""Sets of cards, shape (B, 52), or (B, 4, 52) with a set a seat; our card numbers."""
Choice = Callable[[Engine, Cards, np.random.Generator], NDArray[np.int64]]
"""Chooses a card of each set of legal cards; returns shape (B,)."""


def rules_for(options: dict[str, bool]) -> Rules:
    """Return our rules for options of OpenSpiel's Hearts that have an equal."""
    fields: dict[str, Any] = {}
    for option, value in options.items():
        match option:
            case "qs_breaks_hearts":
                fields["queen_breaks_hearts"] = value
            case "can_lead_hearts_instead_of_qs":
                fields["heart_instead_of_queen"] = value
            case "no_pts_on_first_trick":
                fields["first_trick"] = "every" if value else "off"
            case "jd_bonus":
                fields["bonus_cards"] = ("JD",) if value else ()
            case "pass_cards":
                fields["passing"] = "cycle" if value else "none"
            case _:
                raise KeyError(option)
    return Rules.preset("openspiel", **fields)


def load(**options: bool) -> Any:
    """Return OpenSpiel's Hearts with options."""
    import pyspiel

    return pyspiel.load_game("hearts", options)


@cache
def ours() -> NDArray[np.int64]:
    """Return our number of each card of OpenSpiel's, shape (52,)."""
    state = load().new_initial_state()
    state.apply_action(0)  # before it, an action is a pass direction
    names = [state.action_to_string(0, card).replace("T", "10") for card in range(N_CARDS)]
    return np.array([NUMBER_OF[name] for name in names])


@cache
def theirs() -> NDArray[np.int64]:
    """Return OpenSpiel's number of each card of ours, shape (52,)."""
    return np.argsort(ours())


# Deals and legal sets


def hands_of(engine: Engine) -> Cards:
    """Return the cards that seats hold, shape (B, 4, 52)."""
    bitboards = engine.games["hands"][:, :N_SEATS, 0]
    return (bitboards[:, :, None] >> CARDS.astype(np.uint64) & np.uint64(1)).astype(bool)


def deal_skewed(engine: Engine, rng: np.random.Generator) -> None:
    """Deal the first hand of each game so that one seat has a hand that chance seldom gives, the others random ones."""
    n = len(engine)
    penalty = np.where(CARDS == QUEEN, 30, IS_HEART * 20)
    clubs = np.where(SUIT == CLUBS, RANK, 0)
    wishes = np.array([RANK, IS_HEART * 20 + clubs, penalty, penalty + clubs, penalty + clubs, IS_HEART * -20])
    noise = rng.choice([0.1, 6.0], (n, 1)) * rng.random((n, N_CARDS))
    wish = wishes[rng.integers(len(wishes), size=n)] + noise
    chosen = wish.argsort(axis=1)[:, ::-1]  # most wished for first
    chosen[:, 13:] = rng.permuted(chosen[:, 13:], axis=1)
    bits = np.uint64(1) << chosen.astype(np.uint64)
    hands = np.bitwise_or.reduce(bits.reshape(n, N_SEATS, 13), axis=2)
    engine.deal(rng.permuted(hands, axis=1), dealer=rng.integers(N_SEATS, size=n))


def dealt_states(engine: Engine, game: Any) -> list[Any]:
    """Return states of OpenSpiel in which the engine's games have been dealt.

    The direction must be a *legal* action: with `pass_cards=false` the first chance node still draws among all four.
    """
    states = []
    for direction, hands in zip(engine.games["pass_seats"].tolist(), hands_of(engine), strict=True):
        state = game.new_initial_state()
        assert direction in state.legal_actions()
        state.apply_action(direction)
        by_turns = np.array([theirs()[np.flatnonzero(hand)] for hand in hands]).T.ravel()  # one to each seat, 13 times
        for card in by_turns.tolist():
            state.apply_action(card)
        states.append(state)
    return states


def legal_cards(states: list[Any]) -> Cards:
    """Return the cards that OpenSpiel lets its seats to act play or pick, shape (B, 52)."""
    legal = [state.legal_actions() for state in states]
    games = np.repeat(np.arange(len(states)), [len(actions) for actions in legal])
    cards = np.zeros((len(states), N_CARDS), bool)
    cards[games, ours()[np.fromiter(chain.from_iterable(legal), np.int64)]] = True
    return cards


# Ways to play


def choose_any(engine: Engine, legal: Cards, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose any legal card."""
    return np.where(legal, rng.random(legal.shape), -1.0).argmax(axis=1)


def choose_with_shooter(engine: Engine, legal: Cards, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose so that moons are likely: one seat takes all it can, the others duck and give it the penalty cards.

    The shooter is the seat with most points; before there are any, with most high cards. One play in 25 is random.
    """
    games = engine.games
    points = engine.captured_points
    strength = (hands_of(engine) * RANK**2).sum(axis=2)
    shooter = np.where(points.any(axis=1), points.argmax(axis=1), strength.argmax(axis=1))
    follows = (legal & (games["led_suit"][:, None] == SUIT)).any(axis=1)
    discards = (games["n_table"] > 0) & ~follows
    take = np.where(IS_PENALTY, RANK - 20, RANK)  # penalty cards are not given away
    duck = np.where(CARDS == QUEEN, 40, -RANK)
    give = np.where(CARDS == QUEEN, 40, np.where(IS_HEART, 20 + RANK, RANK))
    wish = np.where(discards[:, None], give, duck)
    wish = np.where((games["turn"] == shooter)[:, None], take, wish)
    wish = np.where(rng.random(len(legal))[:, None] < 0.04, rng.random(legal.shape), wish)
    return np.where(legal, wish, -100.0).argmax(axis=1)


# What is worth counting


def count_rare(engine: Engine, cards: NDArray[np.int64], seen: Counter[str]) -> None:
    """Count decisions on which rules differ, by the number of the rule."""
    games = engine.games
    hand = hands_of(engine)[np.arange(len(games)), games["turn"]]
    harmless, hearts = hand[:, ~IS_PENALTY].any(axis=1), hand[:, IS_HEART].any(axis=1)
    unbroken = games["hearts_broken"] == 0
    may_break = (games["n_table"] == 0) & (games["trick"] > 0) & hearts
    follows = (hand & (games["led_suit"][:, None] == SUIT)).any(axis=1)
    discards_first = (games["trick"] == 0) & (games["n_table"] > 0) & ~follows
    queen_gone = (games["plays"] == QUEEN).any(axis=1)
    heart_gone = (games["plays"] // 13 == HEARTS).any(axis=1)
    counted = {
        "plays": games["turn"] >= 0,
        "D7": discards_first & harmless & hand[:, IS_PENALTY].any(axis=1),
        "D9": discards_first & ~harmless,
        "E3": may_break & unbroken & harmless,
        "E4": may_break & queen_gone & ~heart_gone,
        "E5": may_break & unbroken & ~harmless & ~hand[:, QUEEN],
        "E6": may_break & unbroken & ~harmless & hand[:, QUEEN],
        "E7": may_break & unbroken & harmless & (cards == QUEEN),
    }
    seen.update({name: int(are.sum()) for name, are in counted.items()})


def count_end(engine: Engine, seen: Counter[str]) -> None:
    """Count hands by pass direction, moons by who took the jack of diamonds, and shared wins."""
    games = engine.games
    moons = games[games["shooter"] >= 0]
    taken = moons["captured"][np.arange(len(moons)), moons["shooter"], 0]
    with_jack = int((taken >> np.uint64(JACK) & np.uint64(1)).sum())
    seen.update({f"pass {direction}": int((games["pass_seats"] == direction).sum()) for direction in range(N_SEATS)})
    seen.update({"hands": len(games), "moons": len(moons), "moons with jack": with_jack})
    seen["shared wins"] += int((engine.win_shares.max(axis=1, initial=0.0) < 1).sum())


# Play in step


def play_hands(engine: Engine, game: Any, choose: Choice, rng: np.random.Generator, seen: Counter[str]) -> None:
    """Play the hands of a batch to their ends on both sides, comparing at every decision."""
    passes = engine.games["pass_seats"] > 0
    for part in (passes, ~passes):
        if not part.any():
            continue
        hands = Engine.from_games(engine.games[part], engine.rules)
        states = dealt_states(hands, game)
        if (hands.phase == Phase.PASS).any():
            pass_cards(hands, states, rng, seen)
        np.testing.assert_array_equal(hands_of(hands), held_cards(states))
        play_tricks(hands, states, choose, rng, seen)
        check_end(hands, states)
        count_end(hands, seen)


def pass_cards(engine: Engine, states: list[Any], rng: np.random.Generator, seen: Counter[str]) -> None:
    """Pass random cards on both sides, each in its own order of seats, comparing what may be picked.

    What a seat may pick depends on its own picks alone, so its k-th pick is held against its k-th on the other side.
    """
    games = np.arange(len(engine))
    left = hands_of(engine)
    plan = np.where(left, rng.random(left.shape), -1.0).argsort(axis=2)[:, :, -N_PICKS:]  # (B, 4, 3)
    remaining = [left]
    for pick in range(N_PICKS):
        left = left.copy()
        np.put_along_axis(left, plan[:, :, pick : pick + 1], False, axis=2)
        remaining.append(left)
    for seat in range(N_SEATS):
        ours_to_pick = (engine.games["dealer"] + 1 + seat) % N_SEATS
        for pick in range(N_PICKS):
            assert {state.current_player() for state in states} <= {seat}
            np.testing.assert_array_equal(engine.turn, ours_to_pick)
            np.testing.assert_array_equal(engine.action_mask()[:, :N_CARDS] > 0, remaining[pick][games, ours_to_pick])
            np.testing.assert_array_equal(legal_cards(states), remaining[pick][:, seat])
            seen["picks"] += len(games)
            engine.step(plan[games, ours_to_pick, pick])
            apply(states, plan[:, seat, pick])


def play_tricks(
    engine: Engine, states: list[Any], choose: Choice, rng: np.random.Generator, seen: Counter[str]
) -> None:
    """Play the tricks on both sides, comparing seat to act, legal cards, broken hearts and points at every decision."""
    while (engine.turn >= 0).any():
        legal = engine.action_mask()[:, :N_CARDS] > 0
        np.testing.assert_array_equal(engine.turn, [state.current_player() for state in states])
        np.testing.assert_array_equal(legal, legal_cards(states))
        np.testing.assert_array_equal(engine.games["hearts_broken"], [state.hearts_broken() for state in states])
        np.testing.assert_array_equal(engine.hand_scores, points_of(states))
        cards = choose(engine, legal, rng)
        count_rare(engine, cards, seen)
        engine.step(cards)
        apply(states, cards)


def check_end(engine: Engine, states: list[Any]) -> None:
    """Compare the end of hands: it comes at once on both sides, with equal points, returns, payoffs and win shares."""
    assert all(state.is_terminal() for state in states)
    assert (engine.phase == Phase.GAME_OVER).all()
    np.testing.assert_array_equal(engine.hand_scores, points_of(states))
    returns = np.array([state.returns() for state in states]).reshape(-1, N_SEATS)
    np.testing.assert_array_equal(returns, POINTS_OF_ALL - engine.hand_scores)
    others = (returns.sum(axis=1, keepdims=True) - returns) / (N_SEATS - 1)
    np.testing.assert_allclose(engine.payoffs, returns - others, atol=1e-9)
    best = returns == returns.max(axis=1, keepdims=True, initial=-np.inf)
    np.testing.assert_allclose(engine.win_shares, best / best.sum(axis=1, keepdims=True))


def points_of(states: list[Any]) -> NDArray[np.int64]:
    """Return the points of each seat, shape (B, 4)."""
    seats = range(N_SEATS)
    return np.array([[state.points(seat) for seat in seats] for state in states], np.int64).reshape(-1, N_SEATS)


def held_cards(states: list[Any]) -> Cards:
    """Return the cards that seats of OpenSpiel hold, shape (B, 4, 52)."""
    begin = N_SEATS + 3 * N_CARDS  # after pass direction, dealt, passed and received cards
    blocks = [
        [state.information_state_tensor(seat)[begin : begin + N_CARDS] for seat in range(N_SEATS)] for state in states
    ]
    return np.array(blocks, bool).reshape(-1, N_SEATS, N_CARDS)[:, :, theirs()]


def apply(states: list[Any], cards: NDArray[np.int64]) -> None:
    """Play a card, by our numbers, in each state."""
    for state, card in zip(states, theirs()[cards].tolist(), strict=True):
        state.apply_action(card)
