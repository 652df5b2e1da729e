"""Observations: write what one seat sees of a game into a row of numbers.

Each function fills some blocks of the layout table in `rk_env.observation`; `at` is a record of where they begin.
Seats are relative to the observer: 0 is the observer, 1 its left neighbour. Only what a view keeps is read, so a full
game and the seat's view of it give the same row.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rk_env.cards import (
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_OF_SPADES,
    N_CARDS,
    QUEEN_OF_SPADES,
    TEN_OF_DIAMONDS,
    bitboard,
)
from rk_env.jit import kernel
from rk_env.kernels.bits import BITS, EMPTY, HEARTS_BB
from rk_env.kernels.encode_variants import encode_revokes, encode_second_deck
from rk_env.kernels.passing import giver, receiver
from rk_env.kernels.play import trick_winner
from rk_env.kernels.rows import (
    PER_COPY,
    PER_POINT,
    PLAY_ORDERS,
    Row,
    Seats,
    add_copy,
    put,
    relative,
    set_cards,
    set_copies,
)
from rk_env.kernels.seats import is_in_play
from rk_env.kernels.values import penalty_points
from rk_env.settings import N_PASSED, REVOKES_PREVENTED
from rk_env.state import PASS

BLOCK_NAMES: Final = (
    *("hand", "passed", "passed_held", "received", "pass_to", "pass_from", "pass_direction", "played"),
    *("play_order", "table", "led_suit", "leader", "winning_seat", "winning_card", "table_points", "voids"),
    *("taken", "points", "hearts_broken", "black_out", "trick", "hand_number", "totals", "distance"),
    *("phase", "turn", "dealer", "in_play", "waiting", "kitty", "kitty_taker", "shown", "revokes"),
)
OFFSETS: Final = np.dtype((np.record, [(name, "i8") for name in BLOCK_NAMES]))
"""Where each block of a layout begins; -1: the layout has no such block. A record, not an array: for each array handed
from kernel to kernel its references are counted, which took an eighth of the time."""

FIRST_HEART: Final = 13 * HEARTS
TAKEN_CARDS: Final = (*range(FIRST_HEART, N_CARDS), QUEEN_OF_SPADES, JACK_OF_SPADES, JACK_OF_DIAMONDS, TEN_OF_DIAMONDS)
"""Cards that can count, in the order of the `taken` block: hearts 2 to A, QS, JS, JD, 10D."""
N_TAKEN: Final = len(TAKEN_CARDS)
_OTHER_TAKEN = np.array(TAKEN_CARDS[13:], dtype=np.int64)
_OTHER_TAKEN_BB = bitboard(TAKEN_CARDS[13:])

_PER_TOTAL = np.float32(1 / 100)
_PER_HAND = np.float32(1 / 20)


@kernel
def encode_passing(g: Any, r: Any, me: int, at: Any, row: Row, played: np.uint64) -> None:
    """Fill the blocks about passed and received cards."""
    if g.pass_seats == 0:
        row[at.pass_direction + 3] = 1.0
        return
    n_in_play, seats_left = int(g.n_in_play), int(g.pass_seats)
    direction = 0 if seats_left == 1 else (1 if seats_left == n_in_play - 1 else 2)
    put(row, at.pass_direction + direction, 1.0)
    if not is_in_play(g, me):  # sits out a play-off
        return
    from_seat = giver(g, r, me)
    row[at.pass_to + relative(r, receiver(g, r, me), me)] = 1.0
    row[at.pass_from + relative(r, from_seat, me)] = 1.0
    is_over = g.phase != PASS
    for k in range(N_PASSED):
        card = int(g.passed[me, k])
        if card >= 0:
            add_copy(row, at.passed + card, r)
            if is_over and played & BITS[card] == EMPTY:
                add_copy(row, at.passed_held + card, r)
        if is_over:
            add_copy(row, at.received + int(g.passed[from_seat, k]), r)


@kernel
def encode_plays(g: Any, r: Any, me: int, at: Any, row: Row) -> np.uint64:
    """Fill the blocks about cards played in this hand; return the bitboard of these cards."""
    played = EMPTY
    decks = int(r.decks)
    for i in range(g.n_plays):
        card = int(g.plays[np.uint64(i)])
        played |= BITS[np.uint64(card)]
        add_copy(row, at.played + 52 * relative(r, g.play_seats[np.uint64(i)], me) + card, r)
        put(row, at.play_order + card, PLAY_ORDERS[np.uint64(decks), np.uint64(i)])
    return played


@kernel
def encode_table(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill the blocks about the trick on the table."""
    if g.leader >= 0:
        row[at.leader + relative(r, g.leader, me)] = 1.0
    if g.n_table == 0:
        return
    points = 0
    for i in range(int(g.n_plays) - int(g.n_table), g.n_plays):
        card = int(g.plays[np.uint64(i)])
        points += penalty_points(r, BITS[np.uint64(card)])
        add_copy(row, at.table + card, r)
    row[at.led_suit + int(g.led_suit)] = 1.0
    row[at.table_points] = np.float32(points) * PER_POINT[r.decks]
    winner = trick_winner(g, r)
    if winner >= 0:
        row[at.winning_seat + relative(r, winner, me)] = 1.0
        row[at.winning_card + int(g.table[winner])] = 1.0


@kernel
def encode_taken(captured: np.uint64, start: int, row: Row, value: np.float32) -> None:
    """Fill one seat's part of the `taken` block with cards of which it has a copy, or of which it has two."""
    set_cards(row, start - FIRST_HEART, captured & HEARTS_BB, value)
    if captured & _OTHER_TAKEN_BB != EMPTY:
        for k in range(_OTHER_TAKEN.shape[0]):
            if captured & BITS[_OTHER_TAKEN[k]] != EMPTY:
                put(row, start + 13 + k, value)


@kernel
def encode_seats(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill the blocks with numbers for each seat: voids, cards taken, points, totals."""
    one = np.float32(1.0)
    per_copy = PER_COPY[r.decks]
    per_point = PER_POINT[r.decks]
    for seat in range(r.players):
        rel = relative(r, seat, me)
        set_cards(row, at.voids + 4 * rel, np.uint64(g.voids[seat]), one)
        encode_taken(g.captured[seat, 0], at.taken + N_TAKEN * rel, row, per_copy)
        if r.decks == 2:
            encode_taken(g.captured[seat, 1], at.taken + N_TAKEN * rel, row, one)
        put(row, at.points + rel, np.float32(g.points[seat]) * per_point)
        put(row, at.totals + rel, np.float32(g.totals[seat]) * _PER_TOTAL)
        put(row, at.distance + rel, np.float32(int(r.target) - int(g.totals[seat])) * _PER_TOTAL)
        put(row, at.in_play + rel, np.float32(is_in_play(g, seat)))


@kernel
def encode_hand(g: Any, r: Any, me: int, at: Any, row: Row, played: np.uint64) -> None:
    """Fill the blocks about the observer's hand and the state of the game."""
    set_cards(row, at.hand, g.hands[me, 0], PER_COPY[r.decks])
    row[at.hearts_broken] = np.float32(g.hearts_broken)
    row[at.black_out] = np.float32(played & r.black == EMPTY)
    row[at.trick] = np.float32(g.trick) / np.float32(r.hand_size[g.n_in_play])
    row[at.hand_number] = np.float32(min(int(g.hand_number), 20)) * _PER_HAND
    row[at.phase + int(g.phase)] = 1.0
    row[at.dealer + relative(r, g.dealer, me)] = 1.0
    if g.turn >= 0:
        row[at.turn + relative(r, g.turn, me)] = 1.0


@kernel
def encode_view(g: Any, r: Any, me: int, at: Any, row: Row) -> None:
    """Fill a row with all that `me` sees of a game."""
    row[:] = 0.0
    played = encode_plays(g, r, me, at, row)
    encode_hand(g, r, me, at, row, played)
    encode_passing(g, r, me, at, row, played)
    encode_table(g, r, me, at, row)
    encode_seats(g, r, me, at, row)
    if r.decks == 2:
        encode_second_deck(g, r, me, at, row)
    if r.revokes != REVOKES_PREVENTED:
        encode_revokes(g, r, me, at, row)


@kernel
def first_bad_seat(rules: Any, seats: Seats) -> int:
    """Return the index of the first of `seats` (B,) that is not at the table, -1 when all are."""
    for i in range(seats.shape[0]):
        if seats[i] < 0 or seats[i] >= rules[0].players:
            return i
    return -1


@kernel
def encode_views(games: Any, rules: Any, seats: Seats, offsets: Any, rows: NDArray[np.float32]) -> None:
    """Fill rows (B, D) with what seats (B,) see; `offsets` is an array of one record of `OFFSETS`."""
    for i in range(games.shape[0]):
        encode_view(games[i], rules[0], seats[i], offsets[0], rows[i])


@kernel
def encode_all_hands(games: Any, rules: Any, seats: Seats, rows: NDArray[np.float32]) -> None:
    """Fill rows (B, S * 52) with the hands of all seats, from that of `seats` (B,) on clockwise."""
    for i in range(games.shape[0]):
        g = games[i]
        rows[i, :] = 0.0
        for seat in range(rules[0].players):
            set_copies(rows[i], 52 * relative(rules[0], seat, seats[i]), g.hands[seat], rules[0])
