"""Search by perfect information (PIMC): deal what is hidden, try every move, play each hand out, and take the mean.

Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", JAIR 14, 2001, for bridge; Long and
others, "Understanding the Success of Perfect Information Monte Carlo Sampling in Game Tree Search", AAAI 2010. All
moves are tried in the same worlds with the same random numbers, so that what differs is the move; moves that fall
clearly behind are tried no more.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.belief import Belief, draw_likely
from agents.endgame import solve
from agents.parts import decide
from agents.playout import Rollout, act_on, begin_pass, play_out, play_out_game
from agents.study import MAX_MOVES, drop_worse, note_world
from rk_env.jit import kernel, routine
from rk_env.kernels.chance import FOR_WORLD, advance, mix, stream
from rk_env.kernels.scoring import payoff
from rk_env.kernels.worlds import has_deals, open_source
from rk_env.settings import MAX_SEATS, N_PASSED
from rk_env.state import GAME, MAX_PLAYS, MOON, PASS, PLAY

Games = NDArray[np.void]

BLOCK: Final = 4
"""Worlds between two looks at which moves are still in question."""


@routine
def search_worlds(
    views: Games,
    rules: Games,
    studies: Games,
    seed: np.uint64,
    most: int,
    doubt: float,
    endgame: int,
    rollout: Rollout,
    belief: Belief,
) -> bool:
    """Go on with a study until it has tried `most` moves in all, or only one is left in question.

    World k of a decision depends on its seed and k alone: it is the same however the work is divided into calls.

    Args:
        views: what the seat to act sees, (1,).
        rules: (1,).
        studies: the study, begun, (1,).
        seed: of the decision.
        most: how many moves to try, counted from the beginning of the study.
        doubt: standard errors by which a move is behind when it is put out of question; 0: all are tried to the end.
        endgame: tricks left from which on worlds are solved instead of played out.
        rollout: what plays them out.
        belief: which worlds are likely.

    Returns:
        Whether any deal agrees with the view.
    """
    view, study = views[0], studies[0]
    if study.n_in_question < 2 or study.tried + study.n_in_question > most:
        return True
    games = np.zeros(3, GAME)
    results = np.zeros(MAX_MOVES, np.float64)
    source = open_source(view, rules[0])
    if not has_deals(source):
        return False
    tricks_left = int(rules[0].hand_size[view.n_in_play]) - int(view.trick)
    is_solved = view.phase == PLAY and tricks_left <= endgame
    line = np.zeros(MAX_PLAYS if is_solved else 1, GAME)
    left = np.zeros(line.shape[0], np.uint64)
    values = np.zeros((line.shape[0], MAX_SEATS), np.float64)
    while study.n_in_question > 1 and study.tried + study.n_in_question <= most:
        state = stream(seed, FOR_WORLD, study.worlds - study.prior_worlds)
        state = draw_likely(games, view, rules[0], source, state, belief)
        if is_solved:
            solve_moves(games, rules[0], study, results, line, left, values)
        else:
            try_moves(games, rules[0], study, results, mix(advance(state)), rollout)
        note_world(study, results)
        if doubt > 0.0 and study.worlds % BLOCK == 0:
            drop_worse(study, doubt)
    return True


@kernel
def try_moves(
    games: Games, r: Any, study: Any, results: NDArray[np.float64], state: np.uint64, rollout: Rollout
) -> None:
    """Fill `results` with how every move in question does in the world `games[0]`; `games[1]` is room to play in."""
    seat = int(games[0].turn)
    phase = int(games[0].phase)
    for m in range(study.n_moves):
        if not study.in_question[m]:
            continue
        games[1] = games[0]
        g = games[1]
        if phase == PASS:
            pass_all(g, r, seat, study.moves[m], rollout, state)
        else:
            act_on(g, r, int(study.moves[m, 0]))
        if phase == MOON:
            results[m] = play_out_game(g, r, rollout, state)
        else:
            play_out(g, r, rollout, state)
            results[m] = payoff(g, r, seat)


@kernel
def solve_moves(
    games: Games,
    r: Any,
    study: Any,
    results: NDArray[np.float64],
    line: Games,
    left: NDArray[np.uint64],
    values: NDArray[np.float64],
) -> None:
    """Fill `results` with what every move in question is worth in the world `games[0]` when all play their best."""
    for m in range(study.n_moves):
        if study.in_question[m]:
            line[0] = games[0]
            act_on(line[0], r, int(study.moves[m, 0]))
            solve(line, left, values, r)
            results[m] = values[0, int(games[0].turn)]


@routine
def pass_all(g: Any, r: Any, seat: int, cards: NDArray[np.int8], rollout: Rollout, state: np.uint64) -> None:
    """Let all seats pass: one of them given cards, the others by a part, whatever they had picked before."""
    begin_pass(g, r)
    while g.phase == PASS:
        if g.turn == seat:
            card = int(cards[int(g.n_picks) % N_PASSED])
        else:
            state = advance(state)
            card = decide(g, r, rollout.passing, rollout.playing, mix(state))
        act_on(g, r, card)
