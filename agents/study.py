"""What a search has found out about one decision: its moves, which are still in question, and how they did so far."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.knowledge import cards_out, read_suit
from agents.parts import decide
from agents.rule_pass import left_to_pass, pass_worth
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import BITS, EMPTY, ONE, lowest
from rk_env.kernels.flow import legal_actions
from rk_env.settings import N_PASSED
from rk_env.state import GAME, MAX_TRICKS, PASS

MAX_BREADTH: Final = 8
"""Cards of which all passes are tried, at most."""
MAX_HAND: Final = MAX_TRICKS
"""Cards of a hand, at most: of two seats in a play-off."""
MAX_MOVES: Final = math.comb(MAX_BREADTH, N_PASSED) + (MAX_HAND - MAX_BREADTH) + 1
"""Moves of one decision, at most: passes of those cards, one with every other card, and the rule player's own."""
MIN_WORLDS: Final = 12
"""Worlds before a move is put out of question."""
FLOOR: Final = 4.0
"""Added to the squared differences, in points: a few equal worlds do not prove that all are."""

Games = NDArray[np.void]

STUDY: Final = np.dtype(
    (
        np.record,
        [
            ("sums", "f8", (MAX_MOVES,)),  # of the results of each move
            ("products", "f8", (MAX_MOVES, MAX_MOVES)),  # sums of products of the results of two moves in one world
            ("tried", "i8"),  # times that a move was tried, of all moves together
            ("worlds", "i4"),  # worlds in which the moves in question were tried
            ("visits", "i4", (MAX_MOVES,)),  # times that each move was tried
            ("n_moves", "i2"),
            ("n_in_question", "i2"),
            ("in_question", "u1", (MAX_MOVES,)),  # whether the move may still be the best
            ("prior", "f8", (MAX_MOVES,)),  # what each move was expected to come to, before any was tried
            ("prior_worlds", "i4"),  # in how many worlds, counted above as if they had been tried
            ("moves", "i1", (MAX_MOVES, N_PASSED)),  # a play or choice, then -1; or all three cards of a pass
        ],
    )
)


@routine
def begin_study(
    views: Games,
    rules: Games,
    studies: Games,
    breadth: int,
    passing: int,
    seed: np.uint64,
    all_moves: bool,
) -> None:
    """List the moves of the seat to act; none when nobody is to act.

    Args:
        views: its view, (1,).
        rules: (1,).
        studies: where to, (1,), zeros.
        breadth: of a pass, how many cards are tried in all combinations.
        passing: the part whose own pass is tried too.
        seed: for that part.
        all_moves: whether every card is in a pass that is tried.
    """
    g, r, study = views[0], rules[0], studies[0]
    study.moves[:, :] = -1
    if g.phase == PASS:
        list_passes(g, r, study, breadth, all_moves)
        list_own_pass(g, r, study, passing, seed)
    else:
        legal = legal_actions(g, r)
        while legal != EMPTY:
            study.moves[study.n_moves, 0] = lowest(legal)
            legal &= legal - ONE
            study.n_moves += 1
    study.in_question[: study.n_moves] = 1
    study.n_in_question = study.n_moves


@routine
def expect(studies: Games, expected: NDArray[np.float64], worlds: int) -> None:
    """Begin a study, (1,), as if each move had come to what is expected of it, (54,) by action, in some worlds."""
    study = studies[0]
    for i in range(study.n_moves):
        study.prior[i] = expected[study.moves[i, 0]]
        study.sums[i] = worlds * study.prior[i]
        study.visits[i] = worlds
        for k in range(i + 1):
            study.products[i, k] = worlds * study.prior[i] * study.prior[k]
    study.worlds = worlds
    study.prior_worlds = worlds


# Passes


@kernel
def list_passes(g: Any, r: Any, study: Any, breadth: int, all_moves: bool) -> None:
    """List all ways to complete the pass out of the cards that the hand is best rid of, by the rule player's worths.

    With `all_moves`, every other card besides, with the best.
    """
    ranked = np.full(MAX_HAND, -1, np.int64)
    n = rank_cards(g, r, ranked)
    n_left = N_PASSED - int(g.n_picks) % N_PASSED
    chosen = np.arange(N_PASSED)  # places in `ranked`, ascending
    more = n >= n_left
    while more:
        if not skips_copy(ranked, chosen, n_left):
            add_pass(g, study, ranked, chosen, n_left)
        more = next_choice(chosen, n_left, min(n, breadth))
    for place in range(breadth, n if all_moves else 0):
        for k in range(n_left - 1):
            chosen[k] = k
        chosen[n_left - 1] = place
        if ranked[place] != ranked[place - 1]:
            add_pass(g, study, ranked, chosen, n_left)


@kernel
def add_pass(g: Any, study: Any, ranked: Any, chosen: Any, n_left: int) -> None:
    """Add the pass of the cards picked so far and those chosen."""
    move = study.moves[study.n_moves]
    n_picked = N_PASSED - n_left
    for k in range(n_picked):
        move[k] = g.passed[g.turn, k]
    for k in range(n_left):
        move[n_picked + k] = ranked[chosen[k]]
    study.n_moves += 1


@kernel
def rank_cards(g: Any, r: Any, best: Any) -> int:
    """Fill `best` with the cards of the hand, copies twice, those best to pass first; return their number."""
    hand = left_to_pass(g, r)
    out = cards_out(g, r)
    worths = np.full(best.shape[0], -np.inf)
    n = 0
    for suit in range(4):
        s = read_suit(g, r, hand, out, suit)
        cards = s.mine.once
        while cards != EMPTY:
            card = lowest(cards)
            cards &= cards - ONE
            worth = pass_worth(g, r, s, card, hand, 0)
            for _ in range(1 + int(s.mine.twice & BITS[card] != EMPTY)):
                n = min(n + 1, best.shape[0])
                insert(best, worths, card, worth)
    return n


@kernel
def insert(best: Any, worths: Any, card: int, worth: float) -> None:
    """Put a card where it belongs in a list that is sorted by worth, and drop the last."""
    k = best.shape[0] - 1
    if worth <= worths[k]:
        return
    while k > 0 and worth > worths[k - 1]:
        best[k] = best[k - 1]
        worths[k] = worths[k - 1]
        k -= 1
    best[k] = card
    worths[k] = worth


@kernel
def skips_copy(best: Any, chosen: Any, n: int) -> bool:
    """Tell whether a choice takes the second copy of a card without the first: the same pass again."""
    for k in range(n):
        place = chosen[k]
        if place > 0 and best[place] == best[place - 1] and (k == 0 or chosen[k - 1] != place - 1):
            return True
    return False


@kernel
def next_choice(chosen: Any, k: int, n: int) -> bool:
    """Go on to the next k of n places, in the order of words; tell whether there was one."""
    i = k - 1
    while i >= 0 and chosen[i] == n - k + i:
        i -= 1
    if i < 0:
        return False
    chosen[i] += 1
    for j in range(i + 1, k):
        chosen[j] = chosen[j - 1] + 1
    return True


@kernel
def list_own_pass(g: Any, r: Any, study: Any, passing: int, seed: np.uint64) -> None:
    """Add the pass that a part would make, unless it is listed."""
    work = np.zeros(1, GAME)
    work[0] = g
    w = work[0]
    seat = int(g.turn)
    first = int(g.n_picks) % N_PASSED
    for k in range(first, N_PASSED):
        w.passed[seat, k] = decide(w, r, passing, 0, seed)
        w.n_picks += 1
    for m in range(study.n_moves):
        if is_same_pass(study.moves[m], w.passed[seat]):
            return
    study.moves[study.n_moves] = w.passed[seat]
    study.n_moves += 1


@kernel
def is_same_pass(a: Any, b: Any) -> bool:
    """Tell whether two passes are of the same cards, in whatever order."""
    left = 0  # bits of the cards of b that were not found in a
    for k in range(N_PASSED):
        left |= 1 << k
    for i in range(N_PASSED):
        for k in range(N_PASSED):
            if (left >> k) & 1 and a[i] == b[k]:
                left &= ~(1 << k)
                break
    return left == 0


# What was found out


@routine
def note_worlds(studies: Games, results: NDArray[np.float64], doubt: float) -> None:
    """Add the results (n, moves) of a block of worlds to a study, (1,), and put moves out of question."""
    for k in range(results.shape[0]):
        note_world(studies[0], results[k])
    if doubt > 0.0:
        drop_worse(studies[0], doubt)


@kernel
def note_world(study: Any, results: NDArray[np.float64]) -> None:
    """Add the results that the moves in question had in one world."""
    study.worlds += 1
    study.tried += study.n_in_question
    for i in range(study.n_moves):
        if study.in_question[i]:
            study.sums[i] += results[i]
            study.visits[i] += 1
            for k in range(i + 1):
                if study.in_question[k]:
                    study.products[i, k] += results[i] * results[k]


@kernel
def best_move(study: Any) -> int:
    """Return the number of the move that did best among those in question; of equal ones the first."""
    best = -1
    for i in range(study.n_moves):
        if study.in_question[i] and (best < 0 or study.sums[i] > study.sums[best]):
            best = i
    return best


@kernel
def drop_worse(study: Any, doubt: float) -> None:
    """Put moves out of question that are behind the best by more than `doubt` standard errors of the difference.

    Worlds that were only expected count for how far a move is behind; how much worlds differ, those tried tell.
    """
    n = int(study.worlds)
    n_expected = int(study.prior_worlds)
    n_tried = n - n_expected
    if n_tried < MIN_WORLDS:
        return
    best = best_move(study)
    for i in range(study.n_moves):
        if i == best or not study.in_question[i]:
            continue
        behind = (study.sums[best] - study.sums[i]) / n
        product = study.products[best, i] if i < best else study.products[i, best]
        squares = study.products[best, best] + study.products[i, i] - 2.0 * product
        ahead = study.prior[best] - study.prior[i]
        found = (n * behind - n_expected * ahead) / n_tried
        squares -= n_expected * ahead * ahead
        variance = max(0.0, squares / n_tried - found * found) + FLOOR / n_tried
        if behind * behind > doubt * doubt * variance / n:
            study.in_question[i] = 0
            study.n_in_question -= 1
