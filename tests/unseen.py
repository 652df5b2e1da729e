"""What a seat cannot know, dealt afresh: for tests that compare what it sees, or does, before and after.

All cards in hands of others and in a kitty that the seat has not taken change places, also where play has shown that
they cannot lie so: whatever a seat sees or does must not be read from there at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import Engine, Phase, Rules
from tests.generators import Settings, engine_of, random_start, rules_of
from tests.oracle import OracleGame

TABLES: dict[str, Settings] = {
    **{f"{n} players": {"players": n} for n in (3, 4, 5, 6)},
    **{f"2 decks, {n} players": {"players": n, "decks": 2} for n in (6, 7, 8, 9, 10, 11)},
}
"""Every size of table, with the default settings."""


# Where seats are


def seats_in_play(game: Any) -> list[int]:
    """Return the seats that take part in a hand, clockwise from the lowest."""
    return [seat for seat in range(len(game["places"])) if int(game["in_play"]) >> seat & 1]


def receiver_of(game: Any, seat: int) -> int:
    """Return who gets the cards that a seat passes; the seat itself in a hold hand, or if it sits out."""
    seats = seats_in_play(game)
    return seats[(seats.index(seat) + int(game["pass_seats"])) % len(seats)] if seat in seats else seat


def giver_of(game: Any, seat: int) -> int:
    """Return whose cards a seat has received; the seat itself before the exchange, or when it receives none."""
    if game["phase"] == Phase.PASS:
        return seat
    return next((other for other in seats_in_play(game) if receiver_of(game, other) == seat), seat)


# Cards as planes


def cards_of(planes: Sequence[int]) -> list[int]:
    """Return the cards of a set given as two planes, second copies too."""
    return [card for plane in planes for card in range(52) if int(plane) >> card & 1]


def planes_of(cards: Sequence[int]) -> list[int]:
    """Return a set of cards as two planes: cards of which there is a copy, and those of which there are both."""
    counts = Counter(cards)
    assert max(counts.values(), default=0) <= 2
    return [sum(1 << card for card, n in counts.items() if n >= least) for least in (1, 2)]


# Dealing afresh


def redealt(
    games: NDArray[np.void], rules: Rules, seats: NDArray[np.int64], rng: Random, keep: int = -1
) -> NDArray[np.void]:
    """Return games with all that one seat each cannot know dealt afresh, shape (B,).

    Args:
        games: full games.
        rules: their rules.
        seats: the seats that are not to notice.
        rng: chance.
        keep: a card that the seat to act keeps; -1 is none.
    """
    new = games.copy()
    for index, seat in enumerate(seats.tolist()):
        redeal_one(new[index], rules, seat, rng, keep)
    return new


def redeal_one(game: Any, rules: Rules, seat: int, rng: Random, keep: int) -> None:
    """Deal one game afresh for a seat; the seat to act, if another, keeps one copy of a card."""
    holders = [other for other in seats_in_play(game) if other != seat]
    hands = {other: cards_of(game["hands"][other]) for other in holders}
    kitty = [] if game["kitty_taker"] == seat else cards_of(game["kitty"])
    pool = kitty + [card for hand in hands.values() for card in hand]
    new_hands: dict[int, list[int]] = {other: [] for other in holders}
    if keep >= 0 and game["turn"] in holders:
        new_hands[int(game["turn"])].append(keep)
        pool.remove(keep)
    rng.shuffle(pool)
    for other, hand in hands.items():
        new_hands[other] += [pool.pop() for _ in range(len(hand) - len(new_hands[other]))]
        game["hands"][other] = planes_of(new_hands[other])
        if other != giver_of(game, seat):
            n_picked = int((game["passed"][other] >= 0).sum())
            choice = new_hands[other] if game["phase"] == Phase.PASS else rules.deck
            game["passed"][other, :n_picked] = rng.sample(choice, n_picked)
    if game["kitty_taker"] != seat:
        game["kitty"] = planes_of(pool)
    game["seed"] = rng.getrandbits(64)


# Hands to look at


def random_hand(rng: Random, settings: Settings, playoff_share: float = 0.3) -> Engine:
    """Return one game at the start of a hand of any kind: any number, dealer and totals, sometimes a play-off."""
    return engine_of([random_start(rng, settings, rng.random() < 0.5, playoff_share)], seed=rng.getrandbits(32))


def play_offs(settings: Settings, n_games: int, seed: int, n_seats: int | None = None) -> Engine:
    """Return games at the start of play-offs, of any seats of the table or of `n_seats` of them."""
    rng = Random(seed)
    games: list[OracleGame] = []
    while len(games) < n_games:
        game = random_start(rng, settings, skewed=rng.random() < 0.3, playoff_share=1.0)
        if n_seats in (None, len(game.seats)):
            games.append(game)
    return engine_of(games, seed=seed)


def hands_of_all_kinds(players: int, decks: int, n_games: int, seed: int, **settings: Any) -> Iterator[Engine]:
    """Yield engines at the start of hands of a table: one of the main game, one with all kinds of play-offs."""
    table: Settings = {"players": players, "decks": decks, **settings}
    yield Engine(rules_of(table), n_games, seed=seed, episode="hand")
    if table.get("ties") != "share":
        yield play_offs(table, n_games, seed)
