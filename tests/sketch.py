"""Sketches of situations: what one seat sees, made by hand, for tests of single rules of agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rk_env import Engine, Rules
from rk_env.cards import bitboard, card_text, parse_cards
from rk_env.state import PLAY

NO_SEED = np.zeros(1, np.uint64)


def cards(text: str) -> list[str]:
    """Return the texts of cards, as the library writes them."""
    return [card_text(card) for card in parse_cards(text)]


def sketch(
    hand: str,
    rules: Rules | None = None,
    *,
    table: str = "",
    trick: int | None = None,
    taken: dict[int, str] | None = None,
    voids: dict[int, str] | None = None,
    broken: bool = False,
    passed: str = "",
    hand_number: int = 4,
    waiting: str = "",
    kitty: str = "",
    kitty_taker: int = -1,
    in_play: Sequence[int] | None = None,
) -> NDArray[np.void]:
    """Return the view, shape (1,), of seat 0, which is to act.

    A sketch holds what rules look at, not a whole hand: cards that are named nowhere are in the other hands.

    Args:
        hand: own cards.
        rules: the rules; None is the standard.
        table: cards on the table in the order played, the last by the last seat in play.
        trick: tricks completed; None: as many as fit the hand.
        taken: cards that seats have taken; a seat that took more has won more tricks.
        voids: suits that seats have shown to be void in, as letters.
        broken: hearts are broken.
        passed: cards that seat 0 passed.
        hand_number: 1 to 4, which sets the pass direction.
        waiting: cards of cancelled tricks.
        kitty: cards of a kitty that seat 0 has taken.
        kitty_taker: who took the kitty.
        in_play: the seats of a play-off, 0 among them, clockwise from it; None is all, and no play-off.
    """
    rules = rules or Rules()
    seats = list(range(rules.players)) if in_play is None else list(in_play)
    games = Engine(rules, 1, seed=0).games.copy()
    g = games[0]
    _seat(g, rules, seats)
    on_table = parse_cards(table)
    first = len(seats) - len(on_table)
    g.phase, g.turn, g.hand_number = PLAY, 0, hand_number
    g.pass_seats = (1, len(seats) - 1, len(seats) // 2, 0)[hand_number - 1]
    g.hands[:] = 0
    g.hands[0] = planes(hand)
    g.trick = rules.hand_size_of(len(seats)) - len(parse_cards(hand)) if trick is None else trick
    g.leader, g.n_table = seats[first % len(seats)], len(on_table)
    g.table[:] = -1
    for seat, card in zip(seats[first:], on_table, strict=True):
        g.table[seat] = card
    g.led_suit = on_table[0] // 13 if on_table else -1
    g.opened_with_2c = g.trick == 0 and on_table[:1] == [0]
    g.hearts_broken = broken
    g.passed[:] = -1
    g.passed[0, : len(parse_cards(passed))] = parse_cards(passed)
    g.waiting, g.kitty, g.kitty_taker = planes(waiting), planes(kitty), kitty_taker
    _give_tricks(g, rules, taken or {})
    for seat, letters in (voids or {}).items():
        g.voids[seat] = sum(1 << "CDSH".index(letter) for letter in letters)
    g.observer = 0
    return games


def planes(text: str) -> list[int]:
    """Return cards, each named once or twice, as two planes: cards there are copies of, and cards there are both of."""
    cards = parse_cards(text)
    return [int(bitboard({card for card in cards if cards.count(card) >= n})) for n in (1, 2)]


def _seat(g: Any, rules: Rules, seats: list[int]) -> None:
    """Let some seats play off, or all of them play."""
    g.in_play, g.n_in_play = sum(1 << seat for seat in seats), len(seats)
    g.playoff = len(seats) < rules.players
    g.places[: rules.players] = [int(seat not in seats) for seat in range(rules.players)]


def _give_tricks(g: Any, rules: Rules, taken: dict[int, str]) -> None:
    for seat, text in taken.items():
        g.captured[seat] = planes(text)
        costs = {"H": 1, rules.black_card: int(rules.array["black_points"][0])}
        g.points[seat] = sum(costs.get(card, costs.get(card[-1], 0)) for card in cards(text))
    winner = max(taken, key=lambda seat: len(taken[seat])) if taken else 0
    g.winners[: g.trick] = winner


def choice(player: Any, view: NDArray[np.void], rules: Rules | None = None) -> str:
    """Return the card that a player chooses in a sketch."""
    return card_text(int(player.act(view, rules or Rules(), NO_SEED)[0]))


def sketch_pass(player: Any, hand: str, rules: Rules | None = None, hand_number: int = 1) -> list[str]:
    """Return the three cards that a player passes from a dealt hand, in the order picked."""
    rules = rules or Rules()
    engine = Engine(rules, 1, seed=0)
    rest = list((Counter(rules.deck) - Counter(parse_cards(hand))).elements())
    size = rules.hand_size
    hands = [hand, *(rest[size * k : size * (k + 1)] for k in range(rules.players - 1))]
    engine.deal(hands, dealer=rules.players - 1, hand_number=hand_number)  # seat 0 picks first
    picks = []
    for _ in range(3):
        action = player.act(engine.view(0), rules, NO_SEED)
        engine.step(action)
        picks.append(card_text(int(action[0])))
    return picks
