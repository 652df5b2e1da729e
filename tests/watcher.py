"""What one seat has seen of a game of the oracle, written down block by block as an observation should hold it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests import oracle
from tests.generators import NUMBER_OF
from tests.oracle import OracleGame

PHASES = (oracle.PASS, oracle.PLAY, oracle.MOON, oracle.HAND_OVER, oracle.GAME_OVER)
TAKEN = [rank + "H" for rank in oracle.RANKS] + ["QS", "JS", "JD", "10D"]
MOST_REVOKES = 10

Array = NDArray[np.float64]
Blocks = dict[str, Array]


class Record:
    """What happens at a table in one hand, in order, as everybody sees it."""

    def __init__(self) -> None:
        self.plays: list[tuple[int, str]] = []
        """Who played which card."""
        self.shown: list[tuple[int, str, int]] = []
        """Who showed which card and took it back, and how many cards had been played."""

    def note(self, game: OracleGame, action: str) -> None:
        """Note an action before it is done."""
        seat = game.to_act()
        if game.phase() != oracle.PLAY:
            return
        if game.settings["revokes"] == "corrected" and action in game.revoking():
            self.shown.append((seat, action, len(self.plays)))
        else:
            self.plays.append((seat, action))


class Watcher:
    """One seat that looks at a game, and has seen what its record holds."""

    def __init__(self, game: OracleGame, record: Record, me: int) -> None:
        self.game, self.plays, self.shown, self.me = game, record.plays, record.shown, me
        self.n, self.decks = game.players, game.settings["decks"]
        self.is_over = game.phase() in (oracle.MOON, oracle.HAND_OVER, oracle.GAME_OVER)

    # Rows

    def cards(self, cards: Iterable[str]) -> Array:
        """Return a row of 52 with copies / decks of some cards."""
        row = np.zeros(52)
        for card in cards:
            row[NUMBER_OF[card]] += 1 / self.decks
        return row

    def seat(self, seat: int | None) -> Array:
        """Return a row with a one at a seat, counted from the observer; none for nobody."""
        row = np.zeros(self.n)
        if seat is not None and seat >= 0:
            row[(seat - self.me) % self.n] = 1
        return row

    def by_seat(self, values: Any) -> Array:
        """Return values in order of seats, turned so that the observer's stands first."""
        return np.roll(np.array(values, float), -self.me, axis=0)

    def played_by(self, seat: int, since: int = 0) -> list[str]:
        """Return the cards that a seat has played, from some play on."""
        return [card for player, card in self.plays[since:] if player == seat]

    # Blocks

    def of_passing(self) -> Blocks:
        """Return the blocks about the pass."""
        game, me, seats = self.game, self.me, self.game.seats
        passes = game.distance > 0 and me in seats
        to = seats[(seats.index(me) + game.distance) % len(seats)] if passes else None
        giver = seats[(seats.index(me) - game.distance) % len(seats)] if passes else None
        is_done = passes and game.exchanged
        held = Counter(game.picks[me]) - Counter(self.played_by(to)) if is_done and to is not None else Counter[str]()
        direction = {len(seats) - 1: 1, 1: 0, 0: 3}.get(game.distance, 2)
        return {
            "passed": self.cards(game.picks[me]),
            "passed_held": self.cards(held.elements()),
            "received": self.cards(game.picks[giver] if is_done and giver is not None else []),
            "pass_to": self.seat(to),
            "pass_from": self.seat(giver),
            "pass_direction": np.eye(4)[direction],
        }

    def of_plays(self) -> Blocks:
        """Return the blocks about cards played, or shown, and suits that seats do not have."""
        order = np.zeros(52)
        voids = np.zeros((self.n, 4))
        for number, (seat, card) in enumerate(self.plays):
            order[NUMBER_OF[card]] = (number + 1) / (52 * self.decks)
            led = self.plays[number - number % len(self.game.seats)][1]
            voids[seat, oracle.SUITS.index(card[-1])] = 0
            if card[-1] != led[-1]:
                voids[seat, oracle.SUITS.index(led[-1])] = 1
        shown = {(seat, card) for seat, card, since in self.shown if card not in self.played_by(seat, since)}
        return {
            "played": self.by_seat([self.cards(self.played_by(seat)) for seat in range(self.n)]),
            "play_order": order,
            "voids": self.by_seat(voids),
            "shown": self.by_seat([self.cards(c for s, c in sorted(shown) if s == seat) for seat in range(self.n)]),
            "revokes": self.by_seat([min(n, MOST_REVOKES) / MOST_REVOKES for n in self.game.revokes]),
        }

    def of_table(self) -> Blocks:
        """Return the blocks about the trick on the table, and tricks that wait."""
        game, table = self.game, self.game.table
        winning = oracle.winning_card(table) if table else None
        winner = game.seats_from(game.leader)[table.index(winning)] if winning else None
        return {
            "table": self.cards(table),
            "led_suit": np.array([bool(table) and table[0][-1] == letter for letter in oracle.SUITS], float),
            "leader": self.seat(game.leader),
            "winning_seat": self.seat(winner),
            "winning_card": self.cards([winning] * self.decks if winning else []),
            "table_points": np.array([oracle.total_points(game.settings, table) / (26 * self.decks)]),
            "waiting": self.cards(game.waiting),
        }

    def of_tricks(self) -> Blocks:
        """Return the blocks about what has been taken; a kitty is for its taker alone to see until play is over."""
        game, settings = self.game, self.game.settings
        piles = [game.captured(seat) if self.is_over else game.taken[seat] for seat in range(self.n)]
        taker = game.kitty_taker if game.kitty else None
        n_black = oracle.deck(settings, len(game.seats)).count(game.black)
        n_played = [card for _, card in self.plays].count(game.black)
        return {
            "taken": self.by_seat([[pile.count(card) / self.decks for card in TAKEN] for pile in piles]),
            "points": self.by_seat([oracle.total_points(settings, pile) for pile in piles]) / (26 * self.decks),
            "hearts_broken": np.array([float(game.hearts_broken)]),
            "black_out": np.array([(n_black - n_played) / self.decks]),
            "trick": np.array([len(game.tricks) / oracle.hand_size(settings, len(game.seats))]),
            "kitty": self.cards(game.kitty if taker == self.me and not self.is_over else []),
            "kitty_taker": self.seat(taker),
        }

    def of_game(self) -> Blocks:
        """Return the blocks about the hand and the game."""
        game = self.game
        return {
            "hand": self.cards(game.hands[self.me]),
            "hand_number": np.array([min(game.hand_number, 20) / 20]),
            "totals": self.by_seat(game.totals) / 100,
            "distance": (game.settings["target"] - self.by_seat(game.totals)) / 100,
            "phase": np.eye(5)[PHASES.index(game.phase())],
            "turn": self.seat(game.to_act()),
            "dealer": self.seat(game.dealer),
            "in_play": self.by_seat([seat in game.seats for seat in range(self.n)]),
        }

    def blocks(self) -> Blocks:
        """Return all blocks."""
        return self.of_passing() | self.of_plays() | self.of_table() | self.of_tricks() | self.of_game()

    def row(self, names: Sequence[str]) -> Array:
        """Return some blocks as one row."""
        blocks = self.blocks()
        return np.concatenate([blocks[name].ravel() for name in names])
