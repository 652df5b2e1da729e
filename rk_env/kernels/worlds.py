"""Full games drawn from a view: every deal that it leaves open is as likely as any other.

Copies of a card count as two cards. What others have passed is drawn too: any three cards of the hand that received
them, as likely as any others, and while the pass goes on any cards of the hand that is picking.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rk_env.hidden import HIDDEN, KITTY_PLACE, MAX_KINDS, N_PLACES
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import BITS, EMPTY, nth, popcount
from rk_env.kernels.chance import FOR_WORLD, advance, below, mix, stream, unit
from rk_env.kernels.copies import both_of
from rk_env.kernels.deductions import deduce, may_open_without
from rk_env.kernels.passing import receiver, sort_passed
from rk_env.kernels.seats import is_in_play, left_of
from rk_env.kernels.ways import IMPOSSIBLE, Table, draw_share, fill_table, log_deals, sort_out
from rk_env.settings import N_PASSED
from rk_env.state import MAX_PLAYS, NO_SEAT, PASS

Games = NDArray[np.void]
Cards = NDArray[np.int8]


# What is known of a view: two cases of it, of which the second is seldom possible


@routine
def open_view(g: Any, r: Any, cases: NDArray[np.void], logs: NDArray[np.float64]) -> tuple[Table, Table]:
    """Read a view: fill `cases` (2,) of `HIDDEN`, and `logs` (2,) with the logarithms of their numbers of deals.

    The second case is that eldest is to lead without having the opening card (X9).

    Returns:
        The table of each case.
    """
    first = second = np.zeros((1, 1), np.float64)
    logs[1] = IMPOSSIBLE
    for case in range(1 + int(may_open_without(g, r))):  # a loop, so that the code of a case is compiled once
        table = open_case(g, r, cases[case], logs, case)
        if case == 0:
            first = table
        else:
            second = table
    return first, second


@kernel
def open_case(g: Any, r: Any, h: Any, logs: NDArray[np.float64], case: int) -> Table:
    """Read one case of a view, and return its table."""
    deduce(g, r, h, case == 1)
    sort_out(h)
    table = fill_table(h)
    logs[case] = log_deals(h, table)
    return table


class Source(NamedTuple):
    """A view that has been read, to draw worlds from, and room to work."""

    cases: NDArray[np.void]
    """Both cases, (2,) of `HIDDEN`."""
    logs: NDArray[np.float64]
    """The logarithms of their numbers of deals."""
    tables: tuple[Table, Table]
    deck: Cards
    dealt: Cards


@routine
def open_source(g: Any, r: Any) -> Source:
    """Read a view, to draw worlds from."""
    cases = np.zeros(2, HIDDEN)
    logs = np.zeros(2, np.float64)
    tables = open_view(g, r, cases, logs)
    return Source(cases, logs, tables, np.zeros(MAX_PLAYS, np.int8), np.zeros(MAX_PLAYS, np.int8))


@kernel
def has_deals(source: Source) -> bool:
    """Tell whether any deal agrees with the view."""
    return source.logs.max() > IMPOSSIBLE


# One deal


@routine
def draw_world(g: Any, r: Any, source: Source, state: np.uint64) -> None:
    """Turn a copy of a view into a full game: deal the hidden cards, draw passes and a seed for what comes after.

    Args:
        g: the copy.
        r: the rules.
        source: the view, read; some deal agrees with it.
        state: of the random numbers.
    """
    case = draw_case(source.logs, mix(state))
    h = source.cases[case]
    state = share_out(h, source.tables[case], source.deck, source.dealt, state)
    deal_places(g, h, source.dealt)
    if g.phase == PASS:
        state = draw_picks(g, r, state)
    elif g.pass_seats > 0:
        state = draw_passed(g, r, h, state)
    g.seed = mix(advance(state))
    g.observer = NO_SEAT


@kernel
def draw_case(logs: NDArray[np.float64], random: np.uint64) -> int:
    """Draw one of the two cases, each as often as there are deals in it."""
    if logs[1] == IMPOSSIBLE:
        return 0
    return int(unit(random) * (1.0 + np.exp(logs[0] - logs[1])) < 1.0)


@kernel
def share_out(h: Any, table: Table, deck: Cards, dealt: Cards, state: np.uint64) -> np.uint64:
    """Fill `dealt` with the hidden cards, row by row, in random order within a row; return the next state."""
    if h.n_rows <= 1:
        dealt[: h.n_cards] = h.cards[: h.n_cards]
        return shuffle(dealt, 0, int(h.n_cards), state)
    left, share, limit, at = np.zeros((4, MAX_KINDS), np.int64)
    deck[: h.n_cards] = h.cards[: h.n_cards]
    n = 0
    for kind in range(h.n_kinds):
        left[kind] = h.kind_size[kind]
        at[kind] = n
        n += int(h.kind_size[kind])
        state = shuffle(deck, int(at[kind]), n, state)
    n = 0
    for row in range(h.n_rows):
        state = advance(state)
        draw_share(h, table, row, left, share, limit, mix(state))
        start = n
        for kind in range(h.n_kinds):
            for _ in range(share[kind]):
                dealt[n] = deck[at[kind]]
                at[kind] += 1
                n += 1
        state = shuffle(dealt, start, n, state)
    return state


@kernel
def shuffle(cards: Cards, start: int, end: int, state: np.uint64) -> np.uint64:
    """Bring the cards from `start` to before `end` into random order (Fisher and Yates); return the next state."""
    for i in range(end - 1, start, -1):
        state = advance(state)
        j = start + below(mix(state), i + 1 - start)
        cards[i], cards[j] = cards[j], cards[i]
    return state


@kernel
def deal_places(g: Any, h: Any, dealt: Cards) -> None:
    """Put the cards of each row into its places, with the cards known to lie there."""
    n = 0
    for row in range(h.n_rows):
        for place in range(N_PLACES):
            if h.row[place] == row:
                once, twice = h.fixed[place, 0], h.fixed[place, 1]
                for _ in range(h.room[place]):
                    bit = BITS[dealt[n]]
                    twice |= once & bit
                    once |= bit
                    n += 1
                put(g, place, once, twice)
    for place in range(N_PLACES):
        if h.row[place] < 0 and h.fixed[place, 0] != EMPTY:
            put(g, place, h.fixed[place, 0], h.fixed[place, 1])


@kernel
def put(g: Any, place: int, once: np.uint64, twice: np.uint64) -> None:
    """Set what lies in a place."""
    if place == KITTY_PLACE:
        g.kitty[0] = once
        g.kitty[1] = twice
    else:
        g.hands[place, 0] = once
        g.hands[place, 1] = twice


# Passes


@kernel
def draw_picks(g: Any, r: Any, state: np.uint64) -> np.uint64:
    """C1: draw what others have picked so far, in the order of picking; return the next state."""
    seat = left_of(g, r, g.dealer)
    picks_left = int(g.n_picks)
    while picks_left > 0:
        if seat != g.observer:
            state = draw_cards(g, seat, min(N_PASSED, picks_left), g.hands[seat, 0], g.hands[seat, 1], state)
        picks_left -= N_PASSED
        seat = left_of(g, r, seat)
    return state


@kernel
def draw_passed(g: Any, r: Any, h: Any, state: np.uint64) -> np.uint64:
    """C1: draw what others passed to others: any cards that the receiver has, or has played; return the next state."""
    for seat in range(r.players):
        if not is_in_play(g, seat) or seat == g.observer:
            continue
        to = receiver(g, r, seat)
        if to != g.observer:
            once = g.hands[to, 0] | h.played[to, 0]
            twice = both_of(g.hands[to, 0], h.played[to, 0], g.hands[to, 1], h.played[to, 1])
            state = draw_cards(g, seat, N_PASSED, once, twice, state)
            sort_passed(g, seat)
    return state


@kernel
def draw_cards(g: Any, seat: int, n: int, once: np.uint64, twice: np.uint64, state: np.uint64) -> np.uint64:
    """Draw n cards out of a set, given as two planes, as what a seat passes; return the next state."""
    for k in range(n):
        n_once = popcount(once)
        state = advance(state)
        i = below(mix(state), n_once + popcount(twice))
        card = nth(once, i) if i < n_once else nth(twice, i - n_once)
        g.passed[seat, k] = card
        if twice & BITS[card]:
            twice ^= BITS[card]
        else:
            once ^= BITS[card]
    return state


# Batches


@kernel
def draw_worlds(views: Games, rules: Games, is_new: NDArray[np.bool_], seeds: NDArray[np.uint64]) -> int:
    """Turn copies of views (B,) into full games.

    Args:
        views: the copies, one at least.
        rules: (1,).
        is_new: whether a view differs from the one before it, (B,); the first does.
        seeds: (B,), one a draw.

    Returns:
        -1, or the index of the first view that no deal agrees with; it and those after it are not filled in.
    """
    source = open_source(views[0], rules[0])
    for i in range(views.shape[0]):
        if is_new[i] and i > 0:
            source = open_source(views[i], rules[0])
        if not has_deals(source):
            return i
        draw_world(views[i], rules[0], source, stream(seeds[i], FOR_WORLD, 0))
    return -1


@kernel
def open_views(views: Games, rules: Games, cases: Games, logs: NDArray[np.float64]) -> None:
    """Fill `cases` (B, 2) of `HIDDEN` and `logs` (B, 2), the logarithms of their numbers of deals, from views (B,)."""
    for i in range(views.shape[0]):
        open_view(views[i], rules[0], cases[i], logs[i])
