"""Which of the worlds that agree with a view are likely, if the other seats play like a rule player.

A world in which another seat would have played the cards it played is likelier than one in which it would not. Worlds
are drawn evenly and kept with probability `factor` to the power of the number of cards that the model would not have
played there, nor passed to the observer: rejection sampling, given up after some tries for the likeliest world seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.parts import decide
from agents.playout import act_on
from rk_env.hidden import HIDDEN
from rk_env.jit import kernel, routine
from rk_env.kernels.chance import FOR_WORLD, mix, stream, unit
from rk_env.kernels.copies import both_of, drop_card, give_card
from rk_env.kernels.deductions import deduce
from rk_env.kernels.flow import begin_play, clear_play
from rk_env.kernels.passing import giver
from rk_env.kernels.seats import is_in_play
from rk_env.kernels.worlds import Source, draw_world, has_deals, open_source
from rk_env.settings import N_PASSED, REVOKES_PREVENTED
from rk_env.state import GAME, PASS, PLAY

Games = NDArray[np.void]


class Belief(NamedTuple):
    """How plays of the others are read."""

    factor: float
    """How likely a play is that the model would not make, against one that it would; 1: all worlds are alike."""
    tries: int
    """Worlds drawn, at most, for one that is kept."""
    passing: int
    """Code of the model's passing part."""
    playing: int
    """Code of the model's playing part."""


@routine
def draw_likely(games: Games, view: Any, r: Any, source: Source, state: np.uint64, belief: Belief) -> np.uint64:
    """Fill `games[0]` with a world that the model makes likely; return the next state of the random numbers.

    Args:
        games: (3,), the second and third are room to work.
        view: the view.
        r: the rules.
        source: the view, read.
        state: of the random numbers.
        belief: the model.
    """
    is_even = belief.factor >= 1.0 or not is_weighed(view, r)
    best = -1.0
    for _ in range(belief.tries):
        state = stream(state, FOR_WORLD, 0)
        games[1] = view
        draw_world(games[1], r, source, state)
        if is_even:
            games[0] = games[1]
            break
        games[2] = games[1]
        bound = unit(mix(stream(state, FOR_WORLD, 1)))  # not of the numbers that the world is dealt from
        weight = likelihood(games[2], r, view, source.cases[0], belief, min(bound, best))
        if weight > best or weight >= bound:
            best = weight
            games[0] = games[1]
        if weight >= bound:
            break
    return state


@routine
def likely_worlds(views: Games, rules: Games, worlds: Games, seed: np.uint64, first: int, belief: Belief) -> bool:
    """Fill `worlds` (n,) with likely worlds of a view, (1,): those with the numbers from `first` on of a decision.

    Returns:
        Whether any deal agrees with the view.
    """
    source = open_source(views[0], rules[0])
    if not has_deals(source):
        return False
    games = np.zeros(3, GAME)
    for k in range(worlds.shape[0]):
        draw_likely(games, views[0], rules[0], source, stream(seed, FOR_WORLD, first + k), belief)
        worlds[k] = games[0]
    return True


@routine
def likely_world_of_each(views: Games, rules: Games, worlds: Games, seeds: NDArray[np.uint64], belief: Belief) -> int:
    """Fill `worlds` (B,) with a likely world of each view (B,).

    Returns:
        -1, or the number of the first view that no deal agrees with.
    """
    for i in range(views.shape[0]):
        if not likely_worlds(views[i : i + 1], rules, worlds[i : i + 1], seeds[i], 0, belief):
            return i
    return -1


@routine
def weigh_worlds(worlds: Games, views: Games, rules: Games, weights: NDArray[np.float64], belief: Belief) -> None:
    """Fill `weights` (B,) with the likelihood of each world of each view."""
    known = np.zeros(1, HIDDEN)
    work = np.zeros(1, GAME)
    for i in range(views.shape[0]):
        weights[i] = 1.0
        if is_weighed(views[i], rules[0]):
            deduce(views[i], rules[0], known[0], False)
            work[0] = worlds[i]
            weights[i] = likelihood(work[0], rules[0], views[i], known[0], belief, 0.0)


@kernel
def is_weighed(view: Any, r: Any) -> bool:
    """Tell whether plays are read: not during the pass, and not where revokes can happen."""
    return view.phase == PLAY and r.revokes == REVOKES_PREVENTED


@kernel
def likelihood(g: Any, r: Any, view: Any, h: Any, belief: Belief, least: float) -> float:
    """Play the hand of a world again; return `factor` to the power of cards that the model would not have played.

    Nor passed, of those that the observer received.

    Gives up with 0 once it is below `least`.
    """
    n_plays = int(view.n_plays)
    rewind(g, r, h)
    weight = belief.factor ** passed_otherwise(g, r, view, belief)
    if weight < least:
        return 0.0
    for i in range(n_plays):
        card = int(view.plays[i])
        if g.turn != view.observer and decide(g, r, belief.passing, belief.playing, np.uint64(i)) != card:
            weight *= belief.factor
            if weight < least:
                return 0.0
        act_on(g, r, card)
    return weight


@kernel
def passed_otherwise(g: Any, r: Any, view: Any, belief: Belief) -> int:
    """Return how many of the cards that the observer received the model would not have passed from the hand dealt.

    The game stands at the beginning of play, and does so again.
    """
    if view.pass_seats == 0 or not is_in_play(view, view.observer):
        return 0
    seat = giver(g, r, int(view.observer))
    from_seat = giver(g, r, seat)
    once, twice = g.hands[seat, 0], g.hands[seat, 1]
    for k in range(N_PASSED):
        drop_card(g, seat, int(g.passed[from_seat, k]))
    for k in range(N_PASSED):
        give_card(g, seat, int(view.passed[seat, k]))
        g.passed[seat, k] = -1
    leader = g.turn
    g.phase = PASS
    g.turn = seat
    g.n_picks = 0
    n_otherwise = 0
    for k in range(N_PASSED):
        card = decide(g, r, belief.passing, belief.playing, np.uint64(k))
        g.passed[seat, k] = card
        g.n_picks += 1
        n_otherwise += int(not is_passed(view, seat, card))
    g.passed[seat] = view.passed[seat]
    g.hands[seat, 0] = once
    g.hands[seat, 1] = twice
    g.n_picks = N_PASSED * g.n_in_play
    g.phase = PLAY
    g.turn = leader
    return n_otherwise


@kernel
def is_passed(view: Any, seat: int, card: int) -> bool:
    """Tell whether a card is one of those that a seat passed."""
    for k in range(N_PASSED):
        if view.passed[seat, k] == card:
            return True
    return False


@kernel
def rewind(g: Any, r: Any, h: Any) -> None:
    """Take a full game back to the beginning of play; `h` knows what each seat has played since."""
    for seat in range(r.players):
        if is_in_play(g, seat):
            once = g.hands[seat, 0]
            g.hands[seat, 1] = both_of(once, h.played[seat, 0], g.hands[seat, 1], h.played[seat, 1])
            g.hands[seat, 0] = once | h.played[seat, 0]
    clear_play(g, r)
    begin_play(g, r)
