"""Playing hands and games to their end by the parts of rule players: what searches try their moves with."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.parts import decide
from rk_env.jit import kernel, routine
from rk_env.kernels.bits import EMPTY
from rk_env.kernels.chance import advance, mix
from rk_env.kernels.flow import apply_action, end_play, next_hand
from rk_env.kernels.seats import left_of
from rk_env.kernels.standing import fill_win_shares
from rk_env.settings import REVOKES_PREVENTED
from rk_env.state import GAME_OVER, HAND_OVER, PLAY

MAX_HANDS: Final = 60
"""Hands after which a game played out is left undecided."""


class Rollout(NamedTuple):
    """Who plays hands out: the parts of a rule player, for all seats."""

    passing: int
    """Code of the passing part (`agents.manner.part_code`)."""
    playing: int
    """Code of the playing part."""


@routine
def play_out(g: Any, r: Any, rollout: Rollout, state: np.uint64) -> np.uint64:
    """Play a hand to its end; return the next state of the random numbers.

    A hand whose score stands already (E8) ends there.

    Args:
        g: a full game.
        r: the rules.
        rollout: who plays.
        state: of the random numbers.
    """
    while g.phase < HAND_OVER:
        if g.n_table == 0 and g.phase == PLAY and is_decided(g, r):
            end_play(g, r)
            continue
        state = advance(state)
        apply_action(g, r, decide(g, r, rollout.passing, rollout.playing, mix(state)))
    return state


@routine
def act_on(g: Any, r: Any, action: int) -> None:
    """Do an action: `apply_action`, compiled once."""
    apply_action(g, r, action)


@kernel
def begin_pass(g: Any, r: Any) -> None:
    """Forget all picks: the pass begins anew."""
    g.n_picks = 0
    g.passed[:, :] = -1
    g.turn = left_of(g, r, g.dealer)


@routine
def begin_passes(games: NDArray[np.void], rules: NDArray[np.void]) -> None:
    """Let the pass begin anew in all games, (B,)."""
    for i in range(games.shape[0]):
        begin_pass(games[i], rules[0])


@kernel
def is_decided(g: Any, r: Any) -> bool:
    """E8: tell whether no card that counts is left to play, between two tricks.

    Not asked with two decks, where the kitty and tricks that wait still go to somebody, nor where revokes may be fined.
    """
    if r.decks == 2 or r.revokes != REVOKES_PREVENTED:
        return False
    held = EMPTY
    for seat in range(r.players):
        held |= g.hands[seat, 0]
    return held & (r.penalty | r.bonus) == EMPTY


@routine
def play_out_game(g: Any, r: Any, rollout: Rollout, state: np.uint64) -> float:
    """Play a game to its end, whose hand has just been shot by `g.shooter`; return that seat's share of the win.

    A game that is not over after 60 hands counts as shared by all.
    """
    shooter = int(g.shooter)
    for _ in range(MAX_HANDS):
        state = play_out(g, r, rollout, state)
        if g.phase == GAME_OVER:
            shares = np.zeros(int(r.players), np.float64)
            fill_win_shares(g, r, shares)
            return shares[shooter]
        next_hand(g, r, 0)
    return 1.0 / r.players
